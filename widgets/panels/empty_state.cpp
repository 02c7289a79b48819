#include "widgets/panels/empty_state.h"

#include <QPainter>

#include "widgets/style/icons.h"
#include "widgets/style/theme.h"

namespace trainyard {

EmptyState::EmptyState(const QString& icon, const QString& sentence, QWidget* parent) : QWidget(parent), icon_(icon) {
    setSentence(sentence);
}

void EmptyState::setSentence(const QString& sentence) {
    sentence_ = sentence;
    setAccessibleName(sentence);
    update();
}

void EmptyState::paintEvent(QPaintEvent*) {
    constexpr int kIconSize = 32;
    constexpr int kTextWidth = 420;
    QPainter painter(this);
    painter.setFont(type::font(type::kBody));
    const Theme& theme = Theme::current();
    const int width = std::min(kTextWidth, this->width() - 2 * space::kPanelPadding);
    const QRect text =
        painter.fontMetrics().boundingRect(QRect(0, 0, width, 400), Qt::AlignHCenter | Qt::TextWordWrap, sentence_);
    const int iconHeight = icon_.isEmpty() ? 0 : kIconSize + space::kPanelPadding;
    const int top = (height() - text.height() - iconHeight) / 2;
    if (!icon_.isEmpty())
        paintIcon(painter, icon_, QRect((this->width() - kIconSize) / 2, top, kIconSize, kIconSize), theme.faintText);
    painter.setPen(theme.secondaryText);
    painter.drawText(QRect((this->width() - width) / 2, top + iconHeight, width, text.height()),
                     Qt::AlignHCenter | Qt::TextWordWrap, sentence_);
}

}  // namespace trainyard
