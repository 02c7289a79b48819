#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/schedule/action.h"
#include "core/schedule/registry.h"

namespace trainyard {

/// Micro-batches in flight by the order of a schedule alone.
struct InFlightCounts {
    std::vector<double> untilInput;   ///< per pipeline rank, on its whole share, released by B or I
    std::vector<double> untilWeight;  ///< released by W or B
    double atHead = 1;                ///< micro-batches whose loss waits for its backward
};

/// Counted in the order of the lists: exact for any schedule.
[[nodiscard]] InFlightCounts inFlightOf(const ActionLists& lists, int chunks);
/// From the schedule's closed form or, where it has none, the warm-up of interleaved 1F1B.
[[nodiscard]] InFlightCounts inFlightClosedForm(const ScheduleDefinition* schedule, const ScheduleRequest& request);

/// Counts already taken from the action lists of schedules whose order does not depend on times. Bounded; one per thread.
class InFlightMemo {
  public:
    [[nodiscard]] const InFlightCounts* find(const ScheduleDefinition& schedule, const ScheduleRequest& request);
    void keep(const ScheduleDefinition& schedule, const ScheduleRequest& request, InFlightCounts counts);

  private:
    struct Entry {
        const ScheduleDefinition* schedule;
        int ranks, microBatches, chunks, slices;
        std::vector<std::pair<std::string, std::int64_t>> parameters;
        InFlightCounts counts;
    };
    std::vector<Entry> entries_;
};

}  // namespace trainyard
