#include "widgets/panels/layer_glyph.h"

#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace trainyard {

LayerLook layerLook(const ModelSpec& model, std::int64_t layer) {
    const LayerKind kind = layerKind(model, layer);
    LayerLook look;
    look.moe = kind.ffn == FfnKind::moe;
    if (kind.mixer == MixerKind::linear)
        look.mixer = LayerLook::Mixer::linear;
    else if (kind.mixer == MixerKind::none)
        look.mixer = LayerLook::Mixer::none;
    else if (model.mla)
        look.mixer = LayerLook::Mixer::latent;
    else if (kind.slidingWindow)
        look.mixer = LayerLook::Mixer::sliding;
    else if (kind.kvHeads.value_or(model.kvHeads) < kind.attentionHeads.value_or(model.attentionHeads))
        look.mixer = LayerLook::Mixer::grouped;
    return look;
}

void paintLayerGlyph(QPainter& painter, const QRectF& block, const LayerLook& look, const QColor& fill, const QColor& mark) {
    const double radius = std::clamp(block.width() / 4, 0.0, 2.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    switch (look.mixer) {
        case LayerLook::Mixer::none: painter.drawRoundedRect(block.adjusted(0, block.height() / 2, 0, 0), radius, radius); break;
        case LayerLook::Mixer::linear:
            painter.drawRoundedRect(block.adjusted(0, block.height() * 0.28, 0, 0), radius, radius);
            break;
        case LayerLook::Mixer::sliding: {  // cut corner: sees only the near past
            QPainterPath path;
            const double cut = std::min(block.width() * 0.75, block.height() * 0.4);
            path.moveTo(block.left() + cut, block.top());
            path.lineTo(block.right(), block.top());
            path.lineTo(block.right(), block.bottom());
            path.lineTo(block.left(), block.bottom());
            path.lineTo(block.left(), block.top() + cut);
            path.closeSubpath();
            painter.drawPath(path);
            break;
        }
        case LayerLook::Mixer::latent: {  // waist: keys and values pass a narrow latent
            QPainterPath path;
            const double waist = std::min(block.width() * 0.28, 4.0);
            const double y = block.top() + block.height() * 0.3;
            path.moveTo(block.topLeft());
            path.lineTo(block.topRight());
            path.lineTo(block.right() - waist, y);
            path.lineTo(block.right(), y + (y - block.top()));
            path.lineTo(block.bottomRight());
            path.lineTo(block.bottomLeft());
            path.lineTo(block.left(), y + (y - block.top()));
            path.lineTo(block.left() + waist, y);
            path.closeSubpath();
            painter.drawPath(path);
            break;
        }
        case LayerLook::Mixer::full:
        case LayerLook::Mixer::grouped: painter.drawRoundedRect(block, radius, radius); break;
    }
    if (look.moe && block.width() >= 4) {  // experts: the lower half in cells
        painter.setBrush(mark);
        const double top = block.top() + block.height() * 0.56;
        const int columns = block.width() >= 9 ? 2 : 1;
        const double gap = 1.25;
        const double width = (block.width() - gap * (columns + 1)) / columns;
        const double height = (block.bottom() - top - gap * 3) / 2;
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < columns; ++column)
                painter.drawRect(
                    QRectF(block.left() + gap + column * (width + gap), top + gap + row * (height + gap), width, height));
    }
}

}  // namespace trainyard
