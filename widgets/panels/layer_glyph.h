#pragma once

#include <QRectF>
#include <cstdint>

#include "core/model/model_spec.h"

class QColor;
class QPainter;

namespace trainyard {

/// How a layer looks in the strip. Every combination differs by shape, not only by colour.
struct LayerLook {
    enum class Mixer : std::uint8_t { full, grouped, latent, sliding, linear, none };
    Mixer mixer = Mixer::full;
    bool moe = false;
    bool operator==(const LayerLook&) const = default;
};

[[nodiscard]] LayerLook layerLook(const ModelSpec& model, std::int64_t layer);
/// One block with the marks of its kind; marks are left out where the block is too narrow to show them.
void paintLayerGlyph(QPainter& painter, const QRectF& block, const LayerLook& look, const QColor& fill, const QColor& mark);

}  // namespace trainyard
