#pragma once

#include <fmt/format.h>

#include "core/schedule/golden_form.h"

namespace trainyard {

/// Chrome trace JSON, opens in Perfetto: one process per rank, one thread per lane, flow arrows between stages on different
/// ranks, a counter of activations in flight. One unit of time is shown as one millisecond.
[[nodiscard]] fmt::memory_buffer traceForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

/// One row per action: rank,lane,action,micro_batch,slice,stage,start,end.
[[nodiscard]] fmt::memory_buffer tableForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

/// A picture of the timeline as SVG with a legend; labels only where they fit.
[[nodiscard]] fmt::memory_buffer svgForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

/// `compute`, `pipeline`, ...
[[nodiscard]] std::string_view laneKey(Lane lane);

}  // namespace trainyard
