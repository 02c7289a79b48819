#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/edit.h"
#include "core/plan/scenario.h"

namespace trainyard {

class FrameworkRules;

/// One stop of a degree's slider.
struct SliderStop {
    std::int64_t value = 1;
    bool legal = true;
    bool uneven = false;  ///< legal, but the layers do not split evenly
    std::string reason;   ///< in the user's words, if not legal or uneven
};

/// Stops of the slider of one number of the plan, ascending: every value that would be legal once the unlocked degrees have
/// followed, and the nearby values that people try, with the reason why they are not. At most `kSliderStops`.
/// @param pointer  `/plan/tensor_parallel`, `pipeline_parallel`, `data_parallel`, `context_parallel`, `expert_parallel`,
///                 `virtual_stages` or `micro_batch_size`
/// @param rulesOrNull  what a framework forbids counts as not legal, too
[[nodiscard]] std::vector<SliderStop> sliderStops(const Scenario& scenario, std::string_view pointer,
                                                  const DegreeLocks& locks = {}, const FrameworkRules* rulesOrNull = nullptr);

inline constexpr std::size_t kSliderStops = 12;

}  // namespace trainyard
