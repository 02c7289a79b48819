#pragma once

#include "core/schedule/registry.h"

namespace trainyard {

/// Grouped interleaved order: a building block of forwards and input + weight gradients in time slots, repeated for each
/// group of micro-batches. The first `recomputedChunks` chunks recompute right before their backward.
[[nodiscard]] ActionLists emitGroupedInterleaved(const ScheduleRequest& request, int group, int recomputedChunks);

}  // namespace trainyard
