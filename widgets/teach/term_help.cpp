#include "widgets/teach/term_help.h"

#include <QApplication>
#include <QCursor>
#include <QHelpEvent>
#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>
#include <QVariant>
#include <algorithm>

#include "core/io/teach/glossary.h"
#include "widgets/style/theme.h"
#include "widgets/teach/language.h"

namespace trainyard {
namespace {

QString firstSentence(const std::string& utf8) {
    const QString all = QString::fromStdString(utf8);
    const auto end = all.indexOf(QStringLiteral(". "));
    return end < 0 ? all : all.left(end + 1);
}

}  // namespace

void setTerm(QWidget* widget, const QString& label, TermUse use) {
    widget->setProperty(kTermProperty, label);
    widget->setProperty("glossaryTip", use == TermUse::tip);
}

QString termOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (const QVariant label = widget->property(kTermProperty); label.isValid()) return label.toString();
    return {};
}

TermTip::TermTip(QWidget* parent) : QFrame(parent, Qt::ToolTip | Qt::FramelessWindowHint), content_(new QLabel(this)) {
    setObjectName(QStringLiteral("termTip"));
    setFrameShape(QFrame::StyledPanel);
    setAttribute(Qt::WA_ShowWithoutActivating);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    content_->setWordWrap(true);
    content_->setTextFormat(Qt::RichText);
    content_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    content_->setFixedWidth(300);
    layout->addWidget(content_);
    connect(content_, &QLabel::linkActivated, this, [this](const QString& label) {
        hide();
        emit termRequested(label);
    });
}

void TermTip::present(QWidget* owner, const QString& label, const QString& toolTip, QPoint global) {
    const GlossaryEntry* entry = glossary().byLabelOrNull(label.toStdString());
    if (entry == nullptr) return;
    owner_ = owner;
    const std::string language = uiLanguage();
    QString html;
    if (!toolTip.isEmpty())
        html = Qt::mightBeRichText(toolTip)
                   ? toolTip
                   : QStringLiteral("<p style='margin:0 0 6px 0'>%1</p>")
                         .arg(toolTip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    html += QStringLiteral("<p style='margin:0'>%1</p><p style='margin:6px 0 0 0'><a href=\"%2\" style='color:%4'>%3</a></p>")
                .arg(firstSentence(entry->text.in(language)).toHtmlEscaped(), QString::fromStdString(entry->id),
                     tr("%1: glossary (F1)").arg(QString::fromStdString(entry->term.in(language))).toHtmlEscaped(),
                     Theme::current().accent.name());
    content_->setText(html);
    adjustSize();
    QPoint at = global + QPoint(2, 14);
    if (const QScreen* screen = owner->screen()) {
        const QRect room = screen->availableGeometry();
        at.setX(std::max(room.left(), std::min(at.x(), room.right() - width())));
        if (at.y() + height() > room.bottom()) at.setY(std::max(room.top(), global.y() - height() - 4));
    }
    move(at);
    show();
}

void TermTip::leaveEvent(QEvent* event) {
    QFrame::leaveEvent(event);
    hide();
}

TermHelp::TermHelp(QWidget* window) : QObject(window), window_(window), tip_(new TermTip(window)) {
    qApp->installEventFilter(this);
    connect(tip_, &TermTip::termRequested, this, &TermHelp::termRequested);
}

QString TermHelp::labelInUse() const {
    if (const QString hovered = termOf(QApplication::widgetAt(QCursor::pos())); !hovered.isEmpty()) return hovered;
    return termOf(QApplication::focusWidget());
}

bool TermHelp::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::ToolTip: {
            auto* widget = qobject_cast<QWidget*>(watched);
            if (widget == nullptr || widget->window() != window_ || !widget->property("glossaryTip").toBool())
                return false;
            const auto* help = static_cast<QHelpEvent*>(event);
            tip_->present(widget, widget->property(kTermProperty).toString(), widget->toolTip(), help->globalPos());
            return tip_->isVisible();
        }
        case QEvent::MouseButtonPress:
        case QEvent::Wheel:
        case QEvent::KeyPress:
        case QEvent::WindowDeactivate: {
            const auto* widget = qobject_cast<QWidget*>(watched);
            if (tip_->isVisible() && widget != nullptr && widget != tip_ && !tip_->isAncestorOf(widget)) tip_->hide();
            return false;
        }
        default: return false;
    }
}

}  // namespace trainyard
