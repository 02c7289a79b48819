#include "widgets/panels/verdict_cell.h"

#include <QPainter>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {
constexpr int kPadding = 14;
constexpr int kCaptionBaseline = 22;
constexpr int kHeadlineBaseline = 48;
constexpr int kSecondaryBaseline = 68;
constexpr int kHeight = 80;
}  // namespace

VerdictCell::VerdictCell(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize VerdictCell::sizeHint() const { return {180, kHeight}; }
QSize VerdictCell::minimumSizeHint() const { return {110, kHeight}; }

void VerdictCell::setFigure(const VerdictFigure& figure) {
    if (figure == figure_) return;
    figure_ = figure;
    setToolTip(figure.toolTip);
    QString spoken = figure.caption + QStringLiteral(": ") + figure.number + QStringLiteral(" ") + figure.unit;
    if (!figure.badge.isEmpty()) spoken += QStringLiteral(", ") + figure.badge;
    if (!figure.secondary.isEmpty()) spoken += QStringLiteral(", ") + figure.secondary;
    if (figure.change != VerdictFigure::Change::none)
        spoken += (figure.rises ? tr(", up by %1") : tr(", down by %1")).arg(figure.difference);
    setAccessibleName(spoken);
    update();
}

void VerdictCell::setStale(bool stale) {
    if (stale == stale_) return;
    stale_ = stale;
    update();
}

void VerdictCell::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || isDown()) {
        QColor tint = theme.text;
        tint.setAlphaF(isDown() ? 0.07F : 0.035F);
        painter.fillRect(rect(), tint);
    }
    const int right = width() - kPadding / 2;
    if (stale_) painter.setOpacity(0.55);

    painter.setFont(type::font(type::kCaption));
    painter.setPen(theme.secondaryText);
    const QFontMetrics captionMetrics(painter.font());
    painter.drawText(kPadding, kCaptionBaseline, captionMetrics.elidedText(figure_.caption, Qt::ElideRight, right - kPadding));

    int x = kPadding;
    if (!figure_.badge.isEmpty()) {
        painter.setFont(type::font(type::kSecondary, QFont::DemiBold));
        const int width = QFontMetrics(painter.font()).horizontalAdvance(figure_.badge) + 18;
        const QRectF pill(x + 0.5, kHeadlineBaseline - 17.5, width, 21);
        QColor tint = figure_.badgeColour;
        tint.setAlphaF(0.14F);
        painter.setBrush(tint);
        painter.setPen(QPen(figure_.badgeColour, 1));
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter.drawText(pill, Qt::AlignCenter, figure_.badge);
        x += width + 9;
    }
    painter.setFont(type::font(type::kHeadline, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(x, kHeadlineBaseline, figure_.number);
    x += QFontMetrics(painter.font()).horizontalAdvance(figure_.number) + 5;
    painter.setFont(type::font(type::kBody));
    const QFontMetrics unitMetrics(painter.font());
    if (x + unitMetrics.horizontalAdvance(figure_.unit) <= right) {
        painter.setPen(theme.secondaryText);
        painter.drawText(x, kHeadlineBaseline, figure_.unit);
        x += figure_.unit.isEmpty() ? 3 : unitMetrics.horizontalAdvance(figure_.unit) + 8;
    }

    QString secondary = figure_.secondary;
    if (figure_.change != VerdictFigure::Change::none) {
        painter.setFont(type::font(type::kSecondary, QFont::Medium));
        const QColor colour = figure_.change == VerdictFigure::Change::better  ? theme.fits
                              : figure_.change == VerdictFigure::Change::worse ? theme.outOfMemory
                                                                               : theme.secondaryText;
        const int width = QFontMetrics(painter.font()).horizontalAdvance(figure_.difference) + 14;
        // Where the headline leaves no room, the difference takes the end of the third line.
        const bool below = x + width > right;
        const int at = below ? right - width : x;
        const double base = below ? kSecondaryBaseline : kHeadlineBaseline;
        const double mid = base - 4.5;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const double up = figure_.rises ? 1 : -1;
        painter.drawPolygon(
            QPolygonF{QPointF(at, mid + 3.2 * up), QPointF(at + 8, mid + 3.2 * up), QPointF(at + 4, mid - 3.6 * up)});
        painter.setPen(colour);
        painter.drawText(QPointF(at + 12, base), figure_.difference);
        if (below)
            secondary = QFontMetrics(type::font(type::kSecondary)).elidedText(secondary, Qt::ElideRight, at - kPadding - 6);
    }
    painter.setFont(type::font(type::kSecondary));
    painter.setPen(theme.secondaryText);
    // Facts that do not fit are left out from the end, not cut in the middle.
    const QString separator = QStringLiteral(" · ");
    while (secondary.contains(separator) && QFontMetrics(painter.font()).horizontalAdvance(secondary) > right - kPadding)
        secondary = secondary.section(separator, 0, -2);
    painter.drawText(kPadding, kSecondaryBaseline,
                     QFontMetrics(painter.font()).elidedText(secondary, Qt::ElideRight, right - kPadding));

    painter.setOpacity(1);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), space::kMarkRadius, space::kMarkRadius);
    }
}

}  // namespace trainyard
