#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// A profiler's trace read as a timeline: measured times in nanosecond ticks, the earliest one 0.
struct MeasuredTrace {
    Timeline timeline;
    std::vector<std::string> rowNames;  ///< of each row, as the trace calls its process
    std::vector<int> rowNumbers;  ///< the number in that name (`rank 3`), else the row itself: which row of a plan it measures
    std::size_t understood = 0;   ///< events that became spans
    std::size_t ignored = 0;      ///< events whose name says nothing about a pipeline action
    std::size_t overlapping = 0;  ///< of the understood ones: cut or left out because a lane runs one action at a time
};

/// Chrome trace JSON (object with `traceEvents`, or the bare list): events `X`, or `B` and `E`. A process is a row, by the number
/// in its name (`rank 3`, `stage 3`, `device 3`), else by its id. Lanes go by the thread's name (`compute`, `data`, ...; NCCL
/// kernels: data). An action is known by its name: `F3.2`, `PP:2F3` (torch: stage, action, micro-batch), or `forward 3` with
/// `args` {micro_batch, stage, slice}. Of nested events the innermost that names an action counts.
/// Errors: no JSON, no events, none that names an action, more than kMostTraceEvents.
[[nodiscard]] Result<MeasuredTrace> readChromeTrace(std::string_view text, const std::string& where);

inline constexpr std::size_t kMostTraceEvents = 4'000'000;

/// What the name of an event says about a pipeline action; false if nothing.
[[nodiscard]] bool parseTraceAction(std::string_view name, Action& action);

}  // namespace trainyard
