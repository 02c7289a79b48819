#pragma once

#include <QColor>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"
#include "widgets/style/theme.h"

namespace trainyard {

/// Which grouping of the devices the canvas shows in colour.
enum class ColourBy : std::uint8_t { stage, tensor, data, context, expert, load };
inline constexpr ColourBy kAllColourings[] = {ColourBy::stage,   ColourBy::tensor, ColourBy::data,
                                              ColourBy::context, ColourBy::expert, ColourBy::load};

/// What every device of the drawn cluster shows: its group, how full its memory is, how busy it is. Read from an
/// evaluation, never computed anew; a device the plan does not use has group -1.
struct DevicePaint {
    ColourBy by = ColourBy::stage;
    int groups = 0;                  ///< number of groups of this colouring; 0: nothing known yet
    std::vector<QColor> colourOfGroup;
    std::vector<std::int32_t> group; ///< by device
    std::vector<float> memoryShare;  ///< by device, of what its own driver shows; < 0: unknown
    std::vector<float> busyOfStage;  ///< computing time over the step, by pipeline stage; empty: unknown
    std::shared_ptr<const RankLayout> layout;

    [[nodiscard]] std::int32_t groupOf(std::int32_t device) const {
        const auto index = static_cast<std::size_t>(device);
        return index < group.size() ? group[index] : -1;
    }
    [[nodiscard]] float memoryShareOf(std::int32_t device) const {
        const auto index = static_cast<std::size_t>(device);
        return index < memoryShare.size() ? memoryShare[index] : -1.0F;
    }
    /// Colour of a device's group; null if the device has none.
    [[nodiscard]] const QColor* colourOrNull(std::int32_t device) const {
        const auto index = static_cast<std::size_t>(groupOf(device));
        return index < colourOfGroup.size() && colourOfGroup[index].isValid() ? &colourOfGroup[index] : nullptr;
    }
};

/// `evaluation` may be null or of an older drawing: what does not match stays unknown.
[[nodiscard]] DevicePaint paintDevices(const Scenario& scenario, const Evaluation* evaluation, ColourBy by, const Theme& theme);

/// Devices that exchange data with `device`: its tensor, context, data and pipeline group, itself included, as a mask by
/// device. Empty if nothing is known.
[[nodiscard]] std::vector<bool> companions(const DevicePaint& paint, std::int32_t device);

/// From cool to warm for a share of 0..1.
[[nodiscard]] QColor warmth(double share, const Theme& theme);

}  // namespace trainyard
