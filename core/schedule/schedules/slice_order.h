#pragma once

#include "core/schedule/registry.h"

namespace trainyard {

enum class BackwardForm { whole, split };

/// 1F1B over (micro-batch, slice) units: `p-1-rank + slices-1` forwards first; backward takes the first unfinished
/// micro-batch, its last slice first. Split: the weight gradient follows `rank + slices - 1` input gradients later.
[[nodiscard]] ActionLists emitSliceOrder(const ScheduleRequest& request, BackwardForm form);
/// The same interleaved over chunks, groups of `ranks` units.
[[nodiscard]] ActionLists emitInterleavedSliceOrder(const ScheduleRequest& request, BackwardForm form);
/// What the interleaved form needs; empty if it holds.
[[nodiscard]] std::vector<std::string> checkInterleavedSliceOrder(const ScheduleRequest& request);

}  // namespace trainyard
