#pragma once

#include "core/schedule/registry.h"

namespace trainyard {

/// 1F1B order with the backward split: `(p-1-rank) + (chunks-1) x group` forwards first; the weight gradient of a
/// micro-batch follows `rank` input gradients later, what is left comes last. With one chunk this is ZB-H1.
[[nodiscard]] ActionLists emitZeroBubble1F1B(const ScheduleRequest& request, int group);

}  // namespace trainyard
