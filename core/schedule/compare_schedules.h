#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/schedule/registry.h"

namespace trainyard {

/// One schedule on the work that all are compared on.
struct ScheduleRow {
    const ScheduleDefinition* definition = nullptr;
    int chunks = 1;  ///< that it ran with
    int slices = 1;
    std::string refusal;   ///< why it does not run; then the figures are zero
    double makespan = 0;   ///< in units
    double idleShare = 0;  ///< the three figures called bubble, see Bubbles
    double overhead = 0;
    double span = 0;
    double peakInFlight = 0;     ///< of the fullest rank, in micro-batches on one rank's whole share, until the input gradient
    double peakUntilWeight = 0;  ///< the same until the weight gradient
    int parameterCopies = 1;     ///< ranks that hold each stage
    int actions = 0;
};

/// The same work for every schedule: `request.microBatches` micro-batches that take 1 unit forward, 1 for the input and 1 for the
/// weight gradient on one rank's whole share of the layers; chunks and slices take their part of it. Transfers are free.
/// Schedules that need chunks run with at least two, those over slices with `request.slices`; each runs with its default
/// parameters but those of the request that it knows.
[[nodiscard]] std::vector<ScheduleRow> compareSchedules(const ScheduleRequest& request);

}  // namespace trainyard
