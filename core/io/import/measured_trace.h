#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/import/trace_file.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// A profiler's trace read as a timeline: measured times in nanosecond ticks, the earliest one 0.
struct MeasuredTrace {
    Timeline timeline;
    std::vector<std::string> rowNames;  ///< of each row, as the trace calls its process
    std::vector<int> rowNumbers;  ///< the number in that name (`rank 3`), else the row itself: which row of a plan it measures
    std::size_t understood = 0;   ///< slices that became spans
    std::size_t ignored = 0;      ///< slices whose name says nothing about a pipeline action
    std::size_t overlapping = 0;  ///< of the understood ones: cut or left out because a lane runs one action at a time
};

/// Of a recording (see readTraceFile): a process is a row, by the number in its name (`rank 3`, `stage 3`, `device 3`), else by
/// its id. Lanes go by the thread's name (`compute`, `data`, ...), else by what the actions are. An action is known by its name:
/// `F3.2`, `PP:2F3` (torch: stage, action, micro-batch), or `forward 3` with the stage in its args. Of nested slices the
/// innermost that names an action counts. Error: none names an action.
[[nodiscard]] Result<MeasuredTrace> measuredTraceOf(const TraceFile& file, const std::string& where);
/// The same from the text of a Chrome trace.
[[nodiscard]] Result<MeasuredTrace> readMeasuredTrace(std::string_view text, const std::string& where);

/// What the name of a slice says about a pipeline action; false if nothing.
[[nodiscard]] bool parseTraceAction(std::string_view name, Action& action);

}  // namespace trainyard
