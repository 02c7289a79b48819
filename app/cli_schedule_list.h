#pragma once

#include <fmt/format.h>

#include <string>

#include "core/schedule/registry.h"

namespace trainyard {

/// What every schedule is called, what it takes and what it changes about training, as text, JSON, CSV or Markdown.
[[nodiscard]] fmt::memory_buffer scheduleList(const std::string& format);
/// All schedules on the same work: makespan, the three bubbles and the peak in flight; see compareSchedules().
[[nodiscard]] fmt::memory_buffer scheduleTable(const ScheduleRequest& request, const std::string& format);

}  // namespace trainyard
