#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// One slice of a trace, in seconds from the first one of the file.
struct TraceSpan {
    double startS = 0;
    double durationS = 0;
    std::uint32_t name = 0;  ///< index into TraceFile::names
    std::uint32_t category = 0;
    std::int32_t microBatch = -1;  ///< of a pipeline action, from its args; -1: not stated
    std::int32_t stage = -1;
    std::int32_t slice = -1;
};

/// One thread (or stream) of one process, slices by their start.
struct TraceLane {
    std::int64_t process = 0;
    std::string thread;       ///< tid as it is written
    std::string processName;  ///< empty if the file does not name it
    std::string threadName;
    std::vector<TraceSpan> spans;
    double busyS = 0;  ///< covered by at least one slice
};

struct TraceFile {
    std::vector<TraceLane> lanes;    ///< by process, then thread
    std::vector<std::string> names;  ///< of slices and categories, each once
    double spanS = 0;                ///< from the first start to the last end
    std::size_t skipped = 0;         ///< events of kinds that carry no duration (flows, counters, instants)
    std::size_t unfinished = 0;      ///< `B` without an `E`, and the other way round
    std::vector<std::string> notes;

    [[nodiscard]] std::size_t spans() const;
};

/// Reads a Chrome trace (Perfetto, torch.profiler, Nsight exports): an object with `traceEvents` or a bare array, also one cut
/// off before its end, as a killed run leaves it. `X` and pairs of `B` and `E` become slices; times are microseconds. Error: no
/// JSON, with line and column; no events; or more than a million slices.
[[nodiscard]] Result<TraceFile> readTraceFile(std::string_view text, const std::string& where);

}  // namespace trainyard
