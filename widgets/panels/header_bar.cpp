#include "widgets/panels/header_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "widgets/style/theme.h"

namespace trainyard {

HeaderBar::HeaderBar(QWidget* parent) : QWidget(parent) {
    setFixedHeight(45);
    layout_ = new QHBoxLayout(this);
    layout_->setContentsMargins(14, 0, 14, 1);
    layout_->setSpacing(8);
    program_ = new QLabel(QStringLiteral("Trainyard"), this);
    program_->setFont(type::font(type::kStrong, QFont::DemiBold));
    document_ = new QLabel(this);
    document_->setFont(type::font(type::kBody));
    document_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout_->addWidget(program_);
    layout_->addSpacing(6);
    layout_->addWidget(document_, 1);
    document_->installEventFilter(this);
    rename_ = new QLineEdit(this);
    rename_->setAccessibleName(tr("Name of the scenario"));
    rename_->installEventFilter(this);
    rename_->hide();
    layout_->addWidget(rename_, 1);
    connect(rename_, &QLineEdit::editingFinished, this, [this] { finishRename(true); });
}

void HeaderBar::startRename(const QString& name) {
    rename_->setText(name);
    document_->hide();
    rename_->show();
    rename_->selectAll();
    rename_->setFocus(Qt::OtherFocusReason);
}

void HeaderBar::finishRename(bool take) {
    if (rename_->isHidden()) return;
    rename_->hide();
    document_->show();
    const QString name = rename_->text().simplified();
    if (take && !name.isEmpty() && name != name_) emit renamed(name);
}

bool HeaderBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == document_ && event->type() == QEvent::MouseButtonDblClick) {
        startRename(name_);
        return true;
    }
    if (watched == rename_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        finishRename(false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void HeaderBar::setButtonVisible(QAction* action, bool visible) {
    if (const auto found = buttons_.find(action); found != buttons_.end()) found->second->setVisible(visible);
}

void HeaderBar::setDocument(const QString& name, const QString& state) {
    name_ = name;
    state_ = state;
    elide();
}

void HeaderBar::elide() {
    const QString full = state_.isEmpty() ? name_ : name_ + QStringLiteral(" — ") + state_;
    document_->setText(QFontMetrics(document_->font()).elidedText(full, Qt::ElideRight, std::max(20, document_->width())));
    document_->setToolTip(full);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, Theme::current().secondaryText);
    document_->setPalette(colours);
}

void HeaderBar::addIcon(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setFixedSize(30, 30);
    const auto describe = [button, action] { button->setAccessibleName(action->text().remove(QLatin1Char('&'))); };
    describe();
    connect(action, &QAction::changed, button, describe);
    layout_->addWidget(button);
}

QPushButton* HeaderBar::addButton(QAction* action) {
    auto* button = new QPushButton(this);
    const auto describe = [button, action] {
        button->setText(action->iconText());
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    describe();
    connect(action, &QAction::changed, button, describe);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    layout_->addWidget(button);
    buttons_.emplace(action, button);
    return button;
}

QPushButton* HeaderBar::addMenuButton(const QString& text, QMenu* menu) {
    auto* button = new QPushButton(text, this);
    button->setMenu(menu);
    layout_->addWidget(button);
    return button;
}

void HeaderBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.hairline);
}

void HeaderBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

}  // namespace trainyard
