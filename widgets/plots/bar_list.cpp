#include "widgets/plots/bar_list.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/style/theme.h"

namespace trainyard {
namespace {

constexpr double kRow = 40;
constexpr double kValueWidth = 96;
constexpr double kBarHeight = 10;

}  // namespace

BarList::BarList(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void BarList::setBars(std::vector<Bar> bars) {
    bars_ = std::move(bars);
    QStringList said;
    for (const Bar& bar : bars_) said << bar.title + QLatin1Char(' ') + bar.value;
    setAccessibleDescription(said.mid(0, 16).join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void BarList::setSelected(std::optional<int> index) {
    if (selected_ == index) return;
    selected_ = index;
    update();
}

void BarList::setHovered(std::optional<int> index) {
    if (hovered_ == index) return;
    hovered_ = index;
    update();
}

QSize BarList::sizeHint() const { return {420, static_cast<int>(kRow) * std::max(1, static_cast<int>(bars_.size()))}; }

std::optional<int> BarList::barAt(QPointF point) const {
    const int index = static_cast<int>(std::floor(point.y() / kRow));
    if (index < 0 || index >= static_cast<int>(bars_.size())) return std::nullopt;
    return index;
}

double BarList::paintBars(QPainter& painter, const QRectF& area) const {
    const Theme& theme = Theme::current();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont titleFont = type::font(type::kSecondary, QFont::Medium);
    const QFont noteFont = type::font(type::kCaption);
    const QFontMetricsF titleMetrics(titleFont);
    const QFontMetricsF noteMetrics(noteFont);
    double top = area.top();
    for (std::size_t index = 0; index < bars_.size(); ++index) {
        if (top + kRow > area.bottom() + 1) break;
        const Bar& bar = bars_[index];
        const QRectF row(area.left(), top, area.width(), kRow);
        const bool isSelected = selected_ == static_cast<int>(index);
        if (isSelected || hovered_ == static_cast<int>(index)) {
            QColor tint = theme.accent;
            tint.setAlphaF(isSelected ? 0.16F : 0.07F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(tint);
            painter.drawRoundedRect(row.adjusted(2, 1, -2, -1), space::kControlRadius, space::kControlRadius);
        }
        const QRectF inner = row.adjusted(space::kPanelPadding, 4, -space::kPanelPadding, -4);
        const double textWidth = inner.width() - kValueWidth - 8;
        painter.setFont(titleFont);
        painter.setPen(theme.text);
        const double titleWidth = std::min(textWidth, titleMetrics.horizontalAdvance(bar.title) + 1);
        painter.drawText(QRectF(inner.left(), inner.top(), titleWidth, 18), Qt::AlignLeft | Qt::AlignVCenter, bar.title);
        painter.setFont(noteFont);
        painter.setPen(theme.secondaryText);
        const double noteWidth = textWidth - titleWidth - 10;
        if (noteWidth > 30) {
            painter.drawText(QRectF(inner.left() + titleWidth + 10, inner.top(), noteWidth, 18), Qt::AlignLeft | Qt::AlignVCenter,
                             noteMetrics.elidedText(bar.note, Qt::ElideRight, noteWidth));
        }
        const QRectF track(inner.left(), inner.bottom() - kBarHeight - 1, textWidth, kBarHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.kind == ThemeKind::dark ? theme.raised : theme.window);
        painter.drawRoundedRect(track, 3, 3);
        double x = track.left();
        for (const Segment& segment : bar.segments) {
            const double width = std::min(track.right() - x, segment.share * track.width());
            if (width <= 0) continue;
            QColor fill = segment.color;
            if (segment.isPale) fill.setAlphaF(0.30F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(QRectF(x, track.top(), std::max(2.0, width), track.height()), 3, 3);
            x += width;
        }
        const QRectF value(inner.right() - kValueWidth, inner.top(), kValueWidth, inner.height());
        painter.setFont(type::font(type::kBody, QFont::DemiBold));
        painter.setPen(theme.text);
        painter.drawText(QRectF(value.left(), value.top() - 1, value.width(), 18), Qt::AlignRight | Qt::AlignVCenter, bar.value);
        painter.setFont(noteFont);
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(value.left(), value.top() + 16, value.width(), 16), Qt::AlignRight | Qt::AlignVCenter,
                         bar.valueNote);
        top += kRow;
    }
    return top - area.top();
}

void BarList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().panel);
    paintBars(painter, rect());
    if (hasFocus() && isReachedByKey_ && !selected_) {
        painter.setPen(QPen(Theme::current().hairline, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 1.5, -2.5, -1.5), space::kControlRadius, space::kControlRadius);
    }
}

void BarList::mouseMoveEvent(QMouseEvent* event) {
    const auto index = barAt(event->position());
    if (index == hovered_) return;
    setHovered(index);
    emit barHovered(index);
}

void BarList::mousePressEvent(QMouseEvent* event) {
    if (const auto index = barAt(event->position())) emit barClicked(*index);
}

void BarList::leaveEvent(QEvent*) {
    setHovered(std::nullopt);
    emit barHovered(std::nullopt);
}

void BarList::keyPressEvent(QKeyEvent* event) {
    const int direction = event->key() == Qt::Key_Down ? 1 : (event->key() == Qt::Key_Up ? -1 : 0);
    if (direction == 0 || bars_.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    emit barClicked(selected_ ? std::clamp(*selected_ + direction, 0, static_cast<int>(bars_.size()) - 1) : 0);
}

void BarList::focusInEvent(QFocusEvent* event) {
    isReachedByKey_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
    update();
}

bool BarList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto index = barAt(help->pos());
        if (index && !bars_[static_cast<std::size_t>(*index)].tip.isEmpty()) {
            QToolTip::showText(help->globalPos(), bars_[static_cast<std::size_t>(*index)].tip, this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

}  // namespace trainyard
