#pragma once

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// Runs every rank's list in order (catalogue engine A): an action starts when its rank is free and all producers'
/// results have arrived. Exact integer ticks. A deadlock is an error naming the blocked action and the missing producer.
[[nodiscard]] Result<Timeline> simulate(const ActionLists& lists, const StageTimes& times);

}  // namespace trainyard
