// The part of the playground where one writes a schedule of one's own.

#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/io/text_file.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/playground_panel.h"

namespace trainyard {

void PlaygroundPanel::buildOwn(QVBoxLayout* layout) {
    ownBox_ = new QWidget(this);
    auto* column = new QVBoxLayout(ownBox_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(heading(tr("OWN SCHEDULE"), ownBox_));
    ownText_ = new QPlainTextEdit(ownBox_);
    ownText_->setAccessibleName(tr("Own schedule"));
    ownText_->setPlaceholderText(tr("One line per device:\nF0.0 F1.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1"));
    ownText_->setToolTip(
        tr("Action, micro-batch, point, stage: F3.2. F forward, B backward, I and W its halves, R recompute; "
           "F3:1.2 with a slice, {F7.0|B3.7} as one cell. Native JSON and torch CSV are understood too."));
    ownText_->setLineWrapMode(QPlainTextEdit::NoWrap);
    ownText_->setTabChangesFocus(true);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPixelSize(type::kSecondary);
    ownText_->setFont(fixed);
    ownText_->setFixedHeight(132);
    column->addWidget(ownText_);
    ownVerdict_ = new QLabel(ownBox_);
    ownVerdict_->setWordWrap(true);
    ownVerdict_->setFont(type::font(type::kCaption));
    ownVerdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(ownVerdict_);
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    const auto button = [&](const QString& iconName, const QString& name, void (PlaygroundPanel::*slot)()) {
        auto* made = new QToolButton(ownBox_);
        made->setText(name);
        made->setIcon(icon(iconName));
        made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        made->setProperty("quiet", true);
        line->addWidget(made);
        connect(made, &QToolButton::clicked, this, slot);
    };
    button(QStringLiteral("folder-open"), tr("Open\u2026"), &PlaygroundPanel::loadOwn);
    button(QStringLiteral("save"), tr("Save\u2026"), &PlaygroundPanel::saveOwn);
    line->addStretch(1);
    column->addLayout(line);
    layout->addWidget(ownBox_);
    ownBox_->hide();
    constexpr int kTypingPauseMilliseconds = 150;
    typing_.setSingleShot(true);
    typing_.setInterval(kTypingPauseMilliseconds);
    connect(&typing_, &QTimer::timeout, this, &PlaygroundPanel::takeControls);
    connect(ownText_, &QPlainTextEdit::textChanged, this, [this] {
        if (!isFilling_) typing_.start();
    });
}

QString PlaygroundPanel::ownVerdict() const { return ownVerdict_->text(); }

void PlaygroundPanel::loadOwn() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a schedule"), {}, tr("Schedules (*.txt *.csv *.json);;All files (*)"));
    if (path.isEmpty()) return;
    const Result<std::string> text = readTextFile(path.toStdString());
    if (text) {
        ownText_->setPlainText(QString::fromStdString(*text));
    } else {
        ownVerdict_->setText(QString::fromStdString(text.error().message));
    }
}

void PlaygroundPanel::saveOwn() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the schedule"), QStringLiteral("schedule.txt"),
                                                      tr("Schedules (*.txt *.csv *.json);;All files (*)"));
    if (path.isEmpty()) return;
    const Result<void> done = writeFileAtomically(path.toStdString(), ownText_->toPlainText().toStdString());
    if (!done) ownVerdict_->setText(QString::fromStdString(done.error().message));
}

}  // namespace trainyard
