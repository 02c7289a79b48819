#pragma once

#include <array>
#include <vector>

#include "core/schedule/registry.h"

namespace trainyard {

/// Slots of the first micro-batch on one rank in chain order: forward on chunk 0, forward on chunk 1, input gradient on
/// chunk 1, input gradient on chunk 0. The pattern repeats every kPatternPeriod slots. (arXiv 2405.15362, building blocks.)
using VPattern = std::array<int, 4>;
inline constexpr int kPatternPeriod = 6;

/// Repeats the pattern for every micro-batch, puts each weight gradient into the next free slot, moves the actions of
/// warm-up and cool-down to earlier slots where that does not raise the peak of the rank's activations, and squeezes.
[[nodiscard]] ActionLists emitVPattern(const ScheduleRequest& request, const std::vector<VPattern>& patternOfRank);

}  // namespace trainyard
