#pragma once

#include <vector>

#include "core/cluster/topology.h"
#include "core/memory/memory_model.h"
#include "core/engine/evaluation.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"

namespace trainyard {

/// Every intermediate of each pipeline rank's memory, with what the schedule keeps in flight.
[[nodiscard]] std::vector<MemoryBreakdown> memoryBreakdowns(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const StepTime& step);
[[nodiscard]] std::vector<MemoryBreakdown> memoryBreakdowns(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const StepTime& step,
                                                            const ModelMemory& model);

/// The device of a pipeline rank with the least usable memory.
[[nodiscard]] std::int32_t smallestDevice(const Topology& topology, const RankLayout& layout, int rank);
[[nodiscard]] MemorySummary memoryOfBreakdowns(const std::vector<MemoryBreakdown>& breakdowns, const Topology& topology, const RankLayout& layout);

/// Memory of every pipeline rank, with what the schedule keeps in flight; on unequal devices the smallest of each rank.
[[nodiscard]] MemorySummary memoryOfPlan(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout,
                                         const StageCosts& costs, const StepTime& step);

}  // namespace trainyard
