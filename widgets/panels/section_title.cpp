#include "widgets/panels/section_title.h"

#include <QPainter>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kHeight = 20;

QFont titleFont() {
    QFont font = type::font(type::kCaption, QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    return font;
}
}  // namespace

SectionTitle::SectionTitle(const QString& title, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle(title);
}

void SectionTitle::setTitle(const QString& title) {
    title_ = title.toUpper();
    setAccessibleName(title);
    update();
}

void SectionTitle::setFact(const QString& fact) {
    fact_ = fact;
    setAccessibleDescription(fact);
    update();
}

QSize SectionTitle::sizeHint() const {
    return {QFontMetrics(titleFont()).horizontalAdvance(title_) +
                QFontMetrics(type::font(type::kSecondary)).horizontalAdvance(fact_) + 12,
            kHeight};
}
QSize SectionTitle::minimumSizeHint() const { return {60, kHeight}; }

void SectionTitle::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setFont(titleFont());
    painter.setPen(theme.secondaryText);
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, title_);
    const int used = QFontMetrics(titleFont()).horizontalAdvance(title_) + 12;
    painter.setFont(type::font(type::kSecondary));
    painter.drawText(rect().adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight,
                     QFontMetrics(painter.font()).elidedText(fact_, Qt::ElideLeft, width() - used));
}

}  // namespace trainyard
