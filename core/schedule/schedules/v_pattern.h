#pragma once

#include <array>
#include <vector>

#include "core/schedule/registry.h"

namespace trainyard {

/// Slots of the first micro-batch on one rank in chain order: forward on chunk 0, forward on chunk 1, input gradient on
/// chunk 1, input gradient on chunk 0. The pattern repeats every kPatternPeriod slots. (arXiv 2405.15362, building blocks.)
using VPattern = std::array<int, 4>;
inline constexpr int kPatternPeriod = 6;

/// What every schedule of this kind shares: two chunks per rank, a split backward, an order that is searched for.
[[nodiscard]] constexpr ScheduleDefinition vPatternDefinition(
    std::string_view id, std::string_view title, std::string_view summary, ActionLists (*emit)(const ScheduleRequest&),
    std::optional<std::int64_t> (*unitMakespan)(const ScheduleRequest&)) {
    return {
        .id = id,
        .title = title,
        .summary = summary,
        .reference = "Qi et al., arXiv 2405.15362, 2024",
        .aliases = {},
        .parameters = {},
        .fixedChunks = 2,
        .splitsBackward = true,
        .searched = true,
        .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
        .emit = emit,
        .unitMakespanClosedForm = unitMakespan,
    };
}

/// Repeats the pattern for every micro-batch, puts each weight gradient into the next free slot, moves the actions of
/// warm-up and cool-down to earlier slots where that does not raise the peak of the rank's activations, and squeezes.
[[nodiscard]] ActionLists emitVPattern(const ScheduleRequest& request, const std::vector<VPattern>& patternOfRank);

}  // namespace trainyard
