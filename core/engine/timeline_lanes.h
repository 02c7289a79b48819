#pragma once

#include <memory>

#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// The simulated pipeline with what happens beside it: exposed tensor, context and expert traffic inside each action, stage
/// hand-overs, gathers and reductions of parameters, optimizer steps. Compute spans keep their order and times; `makespan`
/// becomes the end of the step. A timeline that has other lanes already comes back as it is.
[[nodiscard]] std::shared_ptr<const Timeline> withTrafficLanes(const std::shared_ptr<const Timeline>& timeline, const StageCosts& costs, const StepTime& step);

}  // namespace trainyard
