#include "widgets/panels/field_number.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <cmath>

#include "core/base/format_quantity.h"
#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHeight = 44;
}

FieldNumber::FieldNumber(const QString& caption, Kind kind, QWidget* parent) : QLineEdit(parent), caption_(caption), kind_(kind) {
    setAccessibleName(caption);
    setFixedHeight(kHeight);
    setTextMargins(6, 17, 4, 0);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QLineEdit::editingFinished, this, &FieldNumber::finish);
}

QSize FieldNumber::sizeHint() const { return {150, kHeight}; }
QSize FieldNumber::minimumSizeHint() const { return {80, kHeight}; }

void FieldNumber::showText(const QString& text) {
    shown_ = text;
    if (!hasFocus() || !isModified()) setText(text);
    setCursorPosition(0);
}

void FieldNumber::showNumber(std::optional<double> number) {
    if (!number) return showText(QString());
    if (kind_ == Kind::tokens) return showText(QString::fromStdString(countText(*number).joined()));
    showText(QString::fromStdString(grouped(static_cast<std::int64_t>(std::llround(*number)))));
}

std::optional<double> FieldNumber::parse(const QString& typed, Kind kind) {
    QString text = typed.simplified().toLower();
    for (const QChar space : {QChar(0x20), QChar(0xa0), QChar(0x202f), QChar(u','), QChar(u'\'')}) text.remove(space);
    if (text.isEmpty()) return std::nullopt;
    double factor = 1;
    const QChar last = text.back();
    const double kilo = kind == Kind::count ? 1024 : 1000;
    if (last == QLatin1Char('k')) factor = kilo;
    if (last == QLatin1Char('m')) factor = kilo * kilo;
    if (last == QLatin1Char('b') || last == QLatin1Char('g')) factor = 1e9;
    if (last == QLatin1Char('t')) factor = 1e12;
    if (factor != 1) text.chop(1);
    bool ok = false;
    const double number = QLocale::c().toDouble(text, &ok) * factor;
    if (!ok || !std::isfinite(number) || number < 0 || number > 1e18) return std::nullopt;
    if (kind == Kind::count && number != std::floor(number)) return std::nullopt;
    return number;
}

void FieldNumber::finish() {
    if (!isModified() || text() == shown_) return;
    setModified(false);
    if (kind_ == Kind::text) return emit textTyped(text());
    const bool empty = text().simplified().isEmpty();
    const auto number = parse(text(), kind_);
    const QString before = shown_;
    if (number || (empty && kind_ == Kind::tokens)) emit numberTyped(number);
    if (shown_ == before) setText(before);  // not taken: show what still holds
}

void FieldNumber::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        setModified(false);
        setText(shown_);
        selectAll();
        return;
    }
    QLineEdit::keyPressEvent(event);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        selectAll();
        event->accept();
    }
}

void FieldNumber::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setFont(type::font(type::kCaption));
    painter.setPen(isEnabled() ? theme.secondaryText : theme.faintText);
    painter.drawText(rect().adjusted(10, 5, -8, 0), Qt::AlignTop | Qt::AlignLeft, caption_);
}

}  // namespace trainyard
