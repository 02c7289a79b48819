#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/schedule/golden_form.h"

namespace trainyard {

/// How a timeline is written as a trace.
struct TraceHeading {
    std::string title;               ///< under otherData
    std::string note;                ///< what a millisecond means, under otherData; empty: nothing
    double microsecondsPerTick = 1;  ///< of the trace's clock
    std::string_view row = "rank";   ///< processes are called `rank 0`, `rank 1`, ...
    bool inWords = false;            ///< `forward 3` instead of `F3.2`
};

/// Chrome trace JSON, opens in Perfetto: one process per rank, one thread per lane; on the compute thread the step holds its
/// warm-up, steady and cool-down phase, those hold the actions, and a cell of two holds both. Flow arrows between actions on
/// different ranks, at most kMostTraceFlows, and a counter of activations in flight.
[[nodiscard]] fmt::memory_buffer traceForm(const Timeline& timeline, const TraceHeading& heading);
inline constexpr std::size_t kMostTraceFlows = 200'000;

/// One row per action: rank,lane,action,micro_batch,slice,stage,start,end.
[[nodiscard]] fmt::memory_buffer tableForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

/// A picture of the timeline as SVG with a legend; labels only where they fit.
[[nodiscard]] fmt::memory_buffer svgForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

/// `compute`, `pipeline`, ...
[[nodiscard]] std::string_view laneKey(Lane lane);

}  // namespace trainyard
