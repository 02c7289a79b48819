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
    mapPicture_ = {};
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

void NodeItem::paintFar(QPainter& painter, double lod) {
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
        const auto at = geometry_.chip(i, front_);
        const auto number = device(at.instance, at.device);
        const QColor* group = look_.paint.colourOrNull(number);
        const float share = look_.paint.memoryShareOf(number);
        const bool full = share > 1.0F;
        const bool lit = look_.isLit(number);
        QColor base = group != nullptr ? *group : theme.idle;
        if (!lit) base = mixed(base, theme.panel, 0.28F);
        if (!fine) {
            // Far away the gaps are not seen: neighbours of one look are one rectangle.
            auto last = i;
            while (last + 1 < geometry_.chips.size() && geometry_.chips[last + 1].top() == chip.top() && lod < kFar) {
                const auto following = geometry_.chip(last + 1, front_);
                const auto next = device(following.instance, following.device);
                if (look_.paint.colourOrNull(next) != group || look_.isLit(next) != lit || (look_.paint.memoryShareOf(next) > 1.0F) != full) break;
                ++last;
            }
            painter.fillRect(chip.united(geometry_.chips[last]),
                             group != nullptr ? (full && lit ? theme.outOfMemory : base) : theme.hairline);
            i = last;
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
        painter.drawText(chip.adjusted(0, 0, 0, share >= 0 ? -4 : 0), Qt::AlignCenter,
                         QString::number(geometry_.devices == 1 ? at.instance : at.device));
    }
}

void NodeItem::drawMap(MapPicture& picture, double scale) const {
    const Theme& theme = *look_.theme;
    const QSize size(std::max(1, static_cast<int>(std::ceil(geometry_.map.width() * scale))),
                     std::max(1, static_cast<int>(std::ceil(geometry_.map.height() * scale))));
    if (picture.image.size() != size) picture.image = QImage(size, QImage::Format_RGB32);
    picture.image.fill(theme.panel);
    picture.scale = scale;
    picture.generation = look_.generation;
    // A gap between devices of one node only where a device has pixels to spare.
    const int gap = geometry_.cell * scale >= 5 ? 1 : 0;
    const auto devices = std::min<std::int64_t>(geometry_.devices, static_cast<std::int64_t>(geometry_.tileColumns) * geometry_.tileRows);
    for (std::int64_t t = 0; t < geometry_.tiles(); ++t) {
        const auto instance = t * geometry_.nodeStep;
        const QPointF corner = geometry_.tile(instance).topLeft() - geometry_.map.topLeft();
        for (std::int64_t i = 0; i < devices; ++i) {
            const auto number = device(instance, i);
            const QColor* group = look_.paint.colourOrNull(number);
            QColor colour = group == nullptr ? theme.hairline : look_.paint.memoryShareOf(number) > 1.0F ? theme.outOfMemory : *group;
            if (!look_.isLit(number)) colour = mixed(colour, theme.panel, 0.25F);
            const QRgb pixel = colour.rgb();
            const double x = corner.x() + static_cast<double>(i % geometry_.tileColumns) * geometry_.cell;
            const double y = corner.y() + static_cast<double>(i / geometry_.tileColumns) * geometry_.cell;
            const int left = static_cast<int>(std::lround(x * scale));
            const int right = std::min(size.width(), std::max(left + 1, static_cast<int>(std::lround((x + geometry_.cell) * scale)) - gap));
            const int top = static_cast<int>(std::lround(y * scale));
            const int bottom = std::min(size.height(), std::max(top + 1, static_cast<int>(std::lround((y + geometry_.cell) * scale)) - gap));
            for (int row = top; row < bottom; ++row) {
                auto* line = reinterpret_cast<QRgb*>(picture.image.scanLine(row));
                std::fill(line + std::min(left, right), line + right, pixel);
            }
        }
    }
}

void NodeItem::paintMap(QPainter& painter, double lod) {
    const Theme& theme = *look_.theme;
    const double scale = std::clamp(std::abs(painter.deviceTransform().m11()), 0.01, 8.0);
    if (mapPicture_.image.isNull() || mapPicture_.scale != scale || mapPicture_.generation != look_.generation) drawMap(mapPicture_, scale);
    painter.drawImage(QRectF(geometry_.map.topLeft(), QSizeF(mapPicture_.image.size()) / scale), mapPicture_.image);
    if (lod >= kFar) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.25));
        const double reach = std::min(2.0, geometry_.tileGap / 2 + 0.5);
        painter.drawRoundedRect(geometry_.tile(front_).adjusted(-reach, -reach, reach, reach), 2, 2);
    }
}

}  // namespace trainyard
