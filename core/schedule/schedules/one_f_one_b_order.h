#pragma once

#include "core/schedule/registry.h"

namespace trainyard {

/// What stands between the first forwards and the last backwards.
enum class SteadyOrder { forwardFirst, backwardFirst, pairs };

/// Lists with `warmup(rank)` forwards (at most all), then forward and backward in turn, then the other backwards, on a
/// linear placement.
[[nodiscard]] ActionLists emitOneForwardOneBackward(const ScheduleRequest& request,
                                                    int (*warmup)(const ScheduleRequest&, int rank), SteadyOrder order);

}  // namespace trainyard
