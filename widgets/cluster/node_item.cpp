#include "widgets/cluster/node_item.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>
#include <cmath>

#include "widgets/cluster/block_text.h"

namespace trainyard {
namespace {

QColor mixed(const QColor& a, const QColor& b, float shareOfA) {
    return QColor::fromRgbF(a.redF() * shareOfA + b.redF() * (1 - shareOfA), a.greenF() * shareOfA + b.greenF() * (1 - shareOfA),
                            a.blueF() * shareOfA + b.blueF() * (1 - shareOfA));
}

QString elided(const QFont& font, const QString& text, double width) {
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

/// Below this zoom text is not readable and corners are not visible.
constexpr double kFar = 0.34;

}  // namespace

NodeItem::NodeItem(const CanvasLook& look) : look_(look) {
    setZValue(2);
    setFlag(ItemUsesExtendedStyleOption);
}

void NodeItem::show(const NodeSpec& node, int index, std::int64_t firstDevice) {
    index_ = index;
    firstDevice_ = firstDevice;
    if (node == node_ && !geometry_.size.isEmpty()) return;
    prepareGeometryChange();
    node_ = node;
    geometry_ = geometryOf(node);
    front_ = std::min(front_, geometry_.nodes - 1);
    title_ = titleOf(node);
    subtitle_ = deviceLine(node);
    if (const auto links = innerLinkName(node); !links.isEmpty()) subtitle_ += QStringLiteral(" · ") + links;
    update();
}

void NodeItem::setPicked(bool picked) {
    if (picked_ == picked) return;
    picked_ = picked;
    setZValue(picked ? 3 : 2);
    update();
}

void NodeItem::setHovered(bool hovered) {
    if (hovered_ == hovered) return;
    hovered_ = hovered;
    update();
}

void NodeItem::setFront(std::int64_t instance) {
    instance = std::clamp<std::int64_t>(instance, 0, geometry_.nodes - 1);
    if (front_ == instance) return;
    front_ = instance;
    update();
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const Theme& theme = *look_.theme;
    const double lod = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    Q_UNUSED(option)
    if (lod < kFar) {
        paintFar(*painter, lod);
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF block = blockRect();
    painter->setPen(QPen(hovered_ ? mixed(theme.accent, theme.hairline, 0.6F) : theme.hairline, 1));
    painter->setBrush(theme.panel);
    painter->drawRoundedRect(block.adjusted(0.5, 0.5, -0.5, -0.5), space::kBlockRadius, space::kBlockRadius);
    if (picked_) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(theme.accent, 1.75, Qt::CustomDashLine));
        QPen pen(theme.accent, 1.75);
        pen.setDashPattern({3.0, 2.0});
        painter->setPen(pen);
        painter->drawRoundedRect(block.adjusted(-5, -5, 5, 5), space::kBlockRadius + 4, space::kBlockRadius + 4);
    }
    paintHeader(*painter);
    paintChips(*painter, lod);
    if (geometry_.hasMap) paintMap(*painter, lod);
}

void NodeItem::paintFar(QPainter& painter, double lod) const {
    const Theme& theme = *look_.theme;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF block = blockRect();
    painter.fillRect(block, picked_ ? theme.accent : theme.hairline);
    const double edge = std::min(picked_ ? 2.0 / lod : 1.0 / lod, 12.0);
    painter.fillRect(block.adjusted(edge, edge, -edge, -edge), theme.panel);
    paintChips(painter, lod);
    if (geometry_.hasMap) paintMap(painter, lod);
    if (lod > 0.16) {
        // The name stays readable: it is drawn larger than the block's own type.
        const double scale = std::min(1.0 / lod * 0.75, 2.6);
        const QFont font = type::font(static_cast<int>(std::lround(type::kStrong * scale)), QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(QRectF(12, 2, block.width() - 24, 40), Qt::AlignLeft | Qt::AlignVCenter,
                         elided(font, geometry_.nodes > 1 ? title_ + QStringLiteral(" ×%1").arg(geometry_.nodes) : title_,
                                block.width() - 24));
    }
}

void NodeItem::paintHeader(QPainter& painter) const {
    const Theme& theme = *look_.theme;
    const QFont strong = type::font(type::kBody, QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(geometry_.title, Qt::AlignLeft | Qt::AlignVCenter, elided(strong, title_, geometry_.title.width()));

    const QFont caption = type::font(type::kCaption);
    painter.setFont(caption);
    QRectF line(geometry_.title.left(), geometry_.title.bottom() - 1, geometry_.title.width(), 15);
    if (geometry_.nodes > 1) line.setWidth(geometry_.badge.left() - line.left() - 4);
    else line.setWidth(geometry_.size.width() - 24);
    if (node_.slowdown != 1.0) {
        const int percent = static_cast<int>(std::lround(std::abs(node_.slowdown - 1.0) * 100));
        const QString slow = node_.slowdown > 1 ? QStringLiteral("%1 % slower").arg(percent) : QStringLiteral("%1 % faster").arg(percent);
        const double width = QFontMetricsF(caption).horizontalAdvance(slow);
        painter.setPen(node_.slowdown > 1 ? theme.tight : theme.fits);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, slow);
        line.setLeft(line.left() + width + 8);
    }
    painter.setPen(theme.secondaryText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, elided(caption, subtitle_, line.width()));

    if (geometry_.nodes > 1 || hovered_ || picked_) {
        const bool single = geometry_.nodes <= 1;
        painter.setPen(single ? QPen(theme.hairline, 1) : QPen(Qt::NoPen));
        painter.setBrush(single ? theme.raised : theme.accent);
        painter.drawRoundedRect(geometry_.badge, 11, 11);
        painter.setFont(type::font(type::kSecondary, QFont::DemiBold));
        painter.setPen(single ? theme.secondaryText : theme.onAccent);
        painter.drawText(geometry_.badge, Qt::AlignCenter, QStringLiteral("×%1").arg(geometry_.nodes));
    }
}

void NodeItem::paintChips(QPainter& painter, double lod) const {
    const Theme& theme = *look_.theme;
    const bool fine = geometry_.numbered && lod >= kFar;
    const bool dark = theme.kind == ThemeKind::dark;
    if (fine) painter.setFont(type::font(type::kCaption, QFont::Medium));
    if (geometry_.chips.empty() && fine) {
        painter.setPen(theme.faintText);
        painter.drawText(QRectF(12, 44, geometry_.size.width() - 24, 24), Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("Drop accelerators here"));
    }
    for (std::size_t i = 0; i < geometry_.chips.size(); ++i) {
        const QRectF& chip = geometry_.chips[i];
        const auto number = device(front_, static_cast<std::int64_t>(i));
        const QColor* group = look_.paint.colourOrNull(number);
        const float share = look_.paint.memoryShareOf(number);
        const bool full = share > 1.0F;
        const bool lit = look_.isLit(number);
        QColor base = group != nullptr ? *group : theme.idle;
        if (!lit) base = mixed(base, theme.panel, 0.28F);
        if (!fine) {
            painter.fillRect(chip, group != nullptr ? (full && lit ? theme.outOfMemory : base) : theme.hairline);
            continue;
        }
        const bool hovered = number == look_.hoveredDevice;
        const QColor fill = group != nullptr ? mixed(base, theme.panel, dark ? 0.36F : 0.30F) : theme.raised;
        const QColor edge = hovered ? theme.text : full && lit ? theme.outOfMemory : group != nullptr ? theme.outline(base) : theme.hairline;
        painter.setPen(QPen(edge, hovered ? 2 : 1.2));
        painter.setBrush(fill);
        painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), space::kMarkRadius, space::kMarkRadius);
        if (share >= 0) {
            const double width = std::max(3.0, (chip.width() - 4) * std::min(1.0F, share));
            const QRectF bar(chip.left() + 2, chip.bottom() - 5, width, 3);
            painter.setPen(Qt::NoPen);
            painter.setBrush(full ? (lit ? theme.outOfMemory : mixed(theme.outOfMemory, theme.panel, 0.4F)) : base);
            painter.drawRoundedRect(bar, 1.5, 1.5);
        }
        painter.setPen(lit ? (group != nullptr ? theme.text : theme.secondaryText) : theme.faintText);
        painter.drawText(chip.adjusted(0, 0, 0, share >= 0 ? -4 : 0), Qt::AlignCenter, QString::number(i));
    }
}

void NodeItem::paintMap(QPainter& painter, double lod) const {
    const Theme& theme = *look_.theme;
    const bool crisp = lod * geometry_.cell >= 3.5;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double inset = crisp && geometry_.cell >= 5 ? 0.5 : 0.0;
    const auto tiles = geometry_.tiles();
    const auto devices = std::min<std::int64_t>(geometry_.devices, static_cast<std::int64_t>(geometry_.tileColumns) * geometry_.tileRows);
    for (std::int64_t t = 0; t < tiles; ++t) {
        const auto instance = t * geometry_.nodeStep;
        const QRectF tile = geometry_.tile(instance);
        // Neighbours of one colour are one rectangle: a block of thousands of devices stays cheap.
        std::int64_t i = 0;
        while (i < devices) {
            const auto row = i / geometry_.tileColumns;
            const auto rowEnd = std::min<std::int64_t>(devices, (row + 1) * geometry_.tileColumns);
            const auto first = device(instance, i);
            const QColor* group = look_.paint.colourOrNull(first);
            const bool lit = look_.isLit(first);
            const bool full = look_.paint.memoryShareOf(first) > 1.0F;
            auto end = i + 1;
            if (inset == 0.0)
                while (end < rowEnd && look_.paint.colourOrNull(device(instance, end)) == group && look_.isLit(device(instance, end)) == lit &&
                       (look_.paint.memoryShareOf(device(instance, end)) > 1.0F) == full)
                    ++end;
            const QRectF cell(tile.left() + static_cast<double>(i - row * geometry_.tileColumns) * geometry_.cell,
                              tile.top() + static_cast<double>(row) * geometry_.cell, static_cast<double>(end - i) * geometry_.cell,
                              geometry_.cell);
            QColor colour = group == nullptr ? theme.hairline : full ? theme.outOfMemory : *group;
            if (!lit) colour = mixed(colour, theme.panel, 0.25F);
            painter.fillRect(cell.adjusted(inset, inset, -inset, -inset), colour);
            i = end;
        }
    }
    if (lod >= kFar) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.25));
        const double reach = std::min(2.0, geometry_.tileGap / 2 + 0.5);
        painter.drawRoundedRect(geometry_.tile(front_).adjusted(-reach, -reach, reach, reach), 2, 2);
    }
}

}  // namespace trainyard
