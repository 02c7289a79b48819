#pragma once

#include <vector>

#include "core/engine/evaluation.h"
#include "core/engine/stage_costs.h"

namespace trainyard {

/// One row per kind of traffic, means over the devices; the exposed times of a dimension add up to the step's own figure.
[[nodiscard]] std::vector<CommunicationItem> communicationItems(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs,
                                                                const TimeSummary& time);

}  // namespace trainyard
