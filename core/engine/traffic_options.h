#pragma once

#include <string>
#include <vector>

#include "core/cluster/topology.h"
#include "core/comm/compression.h"
#include "core/engine/stage_costs.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Changes priced traffic as the plan's compression and local updates say. Does nothing where the plan asks for neither.
void applyTrafficOptions(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology,
                         const RankLayout& layout, const CommunicationConstants& constants);

/// In words, for the notes of an evaluation: what each codec saves and costs, below which bandwidth it pays, and what it does to
/// what is learned; how loosely replicas are coupled.
[[nodiscard]] std::vector<std::string> trafficOptionNotes(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs);

/// The message of one boundary as this plan sends it, and what its codec makes of it, on the first pipeline rank that sends one.
[[nodiscard]] MessageShape messageShape(Boundary boundary, const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs,
                                        std::size_t rank);

}  // namespace trainyard
