#include "widgets/cluster/link_item.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>

#include "widgets/cluster/block_text.h"

namespace trainyard {

LinkItem::LinkItem(const CanvasLook& look) : look_(look) { setZValue(1); }

void LinkItem::show(const LinkSpec& link, int index) {
    index_ = index;
    link_ = link;
    updateBounds();
}

void LinkItem::setLoad(const Load& load) {
    if (load_ == load) return;
    load_ = load;
    updateBounds();
}

void LinkItem::setPicked(bool picked) {
    if (picked_ == picked) return;
    picked_ = picked;
    updateBounds();
}

void LinkItem::setHovered(bool hovered) {
    if (hovered_ == hovered) return;
    hovered_ = hovered;
    updateBounds();
}

void LinkItem::setLabelShown(bool shown) {
    if (labelShown_ == shown) return;
    labelShown_ = shown;
    updateBounds();
}

void LinkItem::route(QPointF from, QPointF fromDirection, QPointF to, QPointF toDirection) {
    prepareGeometryChange();
    from_ = from;
    to_ = to;
    const double reach = std::clamp(QLineF(from, to).length() * 0.42, 16.0, 160.0);
    path_ = QPainterPath(from);
    if (std::abs(from.y() - to.y()) < 1 && fromDirection.y() == 0 && toDirection.y() == 0) path_.lineTo(to);
    else path_.cubicTo(from + fromDirection * reach, to + toDirection * reach, to);
    middle_ = path_.pointAtPercent(0.5);
    level_ = fromDirection.y() == 0 && toDirection.y() == 0;
    updateBounds();
}

void LinkItem::routeThrough(QPointF from, QPointF fromDirection, QPointF channel, QPointF to, QPointF toDirection) {
    prepareGeometryChange();
    from_ = from;
    to_ = to;
    const double sign = to.y() >= from.y() ? 1 : -1;
    const double reach = std::clamp(std::abs(channel.y() - from.y()) * 0.6, 12.0, 120.0);
    path_ = QPainterPath(from);
    path_.cubicTo(from + fromDirection * reach, channel - QPointF(0, sign * reach), channel);
    const QPointF leave(channel.x(), to.y() - sign * 30);
    path_.lineTo(leave);
    path_.cubicTo(leave + QPointF(0, sign * 18), to + toDirection * 24, to);
    middle_ = (channel + leave) / 2;
    level_ = false;
    updateBounds();
}

QRectF LinkItem::labelBox() const {
    const double w = QFontMetricsF(type::font(type::kCaption)).horizontalAdvance(label_) + 12;
    QRectF box(middle_.x() - w / 2, middle_.y() - 9, w, 18);
    if (level_) box.moveBottom(middle_.y() - width() / 2 - 2);
    else if (link_.broken) box.translate(0, 16);
    return box;
}

double LinkItem::width() const {
    // Traffic spans decades; the square root keeps small flows visible and large ones from drowning the blocks.
    if (!load_.known || link_.broken) return 2.0;
    return 2.0 + 7.0 * std::sqrt(std::clamp(load_.share, 0.0, 1.0));
}

void LinkItem::updateBounds() {
    prepareGeometryChange();
    label_ = cablesText(link_);
    if (link_.broken) label_ += QStringLiteral(" · unplugged");
    else if (load_.known && load_.share <= 0) label_ += QStringLiteral(" · idle");
    else if (load_.known) label_ += QStringLiteral(" · ") + shown(percentText(load_.utilisation));
    const double margin = width() / 2 + 6;
    bounds_ = path_.boundingRect().adjusted(-margin, -margin, margin, margin);
    if (labelShown_ || hovered_ || picked_) bounds_ |= labelBox().adjusted(-4, -2, 4, 2);
    update();
}

double LinkItem::distanceTo(QPointF point) const {
    if (!bounds_.adjusted(-4, -4, 4, 4).contains(point)) return 1e9;
    double best = 1e9;
    constexpr int kSteps = 48;
    QPointF last = path_.pointAtPercent(0);
    for (int i = 1; i <= kSteps; ++i) {
        const QPointF next = path_.pointAtPercent(static_cast<double>(i) / kSteps);
        const QPointF d = next - last;
        const double length = QPointF::dotProduct(d, d);
        const double t = length > 0 ? std::clamp(QPointF::dotProduct(point - last, d) / length, 0.0, 1.0) : 0.0;
        const QPointF gap = point - (last + d * t);
        best = std::min(best, std::hypot(gap.x(), gap.y()));
        last = next;
    }
    return std::max(0.0, best - width() / 2);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Theme& theme = *look_.theme;
    const double lod = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    QColor colour = link_.broken ? theme.outOfMemory : load_.known ? warmth(load_.utilisation, theme) : theme.faintText;
    if (!picked_ && !hovered_) colour.setAlphaF(load_.known ? 0.78F : 0.6F);
    QPen pen(colour, width(), link_.broken ? Qt::DashLine : Qt::SolidLine, link_.broken ? Qt::FlatCap : Qt::RoundCap);
    if (lod < 0.2) {
        // Far away a curve is a line; thousands of them must stay cheap.
        painter->setRenderHint(QPainter::Antialiasing, false);
        pen.setCosmetic(true);
        pen.setWidthF(picked_ || hovered_ ? 2 : 0);
        painter->setPen(pen);
        painter->drawLine(from_, to_);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    if (picked_ || hovered_) {
        QColor halo = theme.accent;
        halo.setAlphaF(picked_ ? 0.35F : 0.2F);
        painter->setPen(QPen(halo, width() + 7, Qt::SolidLine, Qt::RoundCap));
        painter->drawPath(path_);
    }
    painter->setPen(pen);
    painter->drawPath(path_);
    if (link_.broken) {
        painter->setPen(QPen(theme.outOfMemory, 2));
        painter->drawLine(middle_ + QPointF(-5, -5), middle_ + QPointF(5, 5));
        painter->drawLine(middle_ + QPointF(-5, 5), middle_ + QPointF(5, -5));
    }
    if ((labelShown_ && lod >= 0.55) || hovered_ || picked_) {
        const QFont font = type::font(type::kCaption);
        const QRectF box = labelBox();
        QColor back = theme.canvas;
        back.setAlphaF(0.88F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(back);
        painter->drawRoundedRect(box, 9, 9);
        painter->setFont(font);
        painter->setPen(link_.broken ? theme.outOfMemory : theme.secondaryText);
        painter->drawText(box, Qt::AlignCenter, label_);
    }
}

}  // namespace trainyard
