#pragma once

#include <vector>

#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// The three figures that are all called bubble (catalogue section 1).
struct Bubbles {
    double idleShare = 0;  ///< idle rank-time over ranks x makespan
    double overhead = 0;   ///< makespan over the mean work of a rank, minus 1
    double span = 0;       ///< 1 - work of a rank over the longest time from a rank's first start to its last end (zero-bubble papers)
};

/// Longest time from the first start to the last end of one rank's compute lane.
[[nodiscard]] Ticks maximumSpan(const Timeline& timeline);
/// All zero for an empty timeline.
[[nodiscard]] Bubbles bubblesOf(const Timeline& timeline);

}  // namespace trainyard
