#pragma once

#include "core/cluster/topology.h"
#include "core/engine/evaluation.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"

namespace trainyard {

/// Memory of every pipeline rank, with what the schedule keeps in flight; on unequal devices the smallest of each rank.
[[nodiscard]] MemorySummary memoryOfPlan(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout,
                                         const StageCosts& costs, const StepTime& step);

}  // namespace trainyard
