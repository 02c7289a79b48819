#pragma once

#include <cstdint>
#include <vector>

#include "widgets/cluster/device_paint.h"
#include "widgets/style/theme.h"

namespace trainyard {

/// What the blocks read while they paint: one for the whole canvas, owned by the scene.
struct CanvasLook {
    const Theme* theme = nullptr;
    DevicePaint paint;
    std::vector<bool> lit;            ///< by device; empty: everything is lit
    std::int32_t hoveredDevice = -1;
    std::uint64_t generation = 1;     ///< counts changes of the above, for pictures kept by the blocks

    [[nodiscard]] bool isLit(std::int32_t device) const {
        const auto index = static_cast<std::size_t>(device);
        return lit.empty() || (index < lit.size() && lit[index]);
    }
};

/// Kinds of items, for QGraphicsItem::type().
enum class CanvasItemType : int { node = 65536 + 1, networkSwitch, link };

}  // namespace trainyard
