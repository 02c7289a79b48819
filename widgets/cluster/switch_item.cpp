#include "widgets/cluster/switch_item.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include "widgets/cluster/block_text.h"
#include "widgets/cluster/node_geometry.h"

namespace trainyard {

SwitchItem::SwitchItem(const CanvasLook& look) : look_(look) { setZValue(2); }

QRectF SwitchItem::blockRect() const { return {QPointF(), switchSize()}; }

void SwitchItem::show(const SwitchSpec& item, int index, const QString& ports) {
    index_ = index;
    switch_ = item;
    title_ = titleOf(item);
    QStringList parts;
    if (!ports.isEmpty()) parts << ports;
    if (item.oversubscription > 1)
        parts << QStringLiteral("%1:1").arg(item.oversubscription, 0, 'g', 3);
    if (item.backgroundShare > 0) parts << QStringLiteral("%1 % taken").arg(item.backgroundShare * 100, 0, 'f', 0);
    if (item.inNetworkReduction) parts << QStringLiteral("in-network sum");
    subtitle_ = parts.isEmpty() ? QStringLiteral("nothing connected") : parts.join(QStringLiteral(" · "));
    update();
}

void SwitchItem::setPicked(bool picked) {
    if (picked_ == picked) return;
    picked_ = picked;
    setZValue(picked ? 3 : 2);
    update();
}

void SwitchItem::setHovered(bool hovered) {
    if (hovered_ == hovered) return;
    hovered_ = hovered;
    update();
}

void SwitchItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Theme& theme = *look_.theme;
    const double lod = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const QRectF pill = blockRect();
    if (lod < 0.2) {
        painter->fillRect(pill, picked_ ? theme.accent : theme.raised);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(hovered_ ? theme.accent : theme.hairline, 1));
    painter->setBrush(theme.raised);
    painter->drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), pill.height() / 2, pill.height() / 2);
    if (picked_) {
        QPen pen(theme.accent, 1.75);
        pen.setDashPattern({3.0, 2.0});
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(pill.adjusted(-5, -5, 5, 5), pill.height() / 2 + 5, pill.height() / 2 + 5);
    }
    const double room = pill.width() - 28;
    const QFont strong = type::font(type::kSecondary, QFont::DemiBold);
    painter->setFont(strong);
    painter->setPen(theme.text);
    painter->drawText(QRectF(14, 5, room, 18), Qt::AlignCenter, QFontMetricsF(strong).elidedText(title_, Qt::ElideRight, room));
    if (lod < 0.34) return;
    const QFont caption = type::font(type::kCaption);
    painter->setFont(caption);
    painter->setPen(switch_.oversubscription > 1 || switch_.backgroundShare > 0 ? theme.tight : theme.secondaryText);
    painter->drawText(QRectF(14, 23, room, 16), Qt::AlignCenter, QFontMetricsF(caption).elidedText(subtitle_, Qt::ElideRight, room));
}

}  // namespace trainyard
