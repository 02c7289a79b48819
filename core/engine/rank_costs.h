#pragma once

#include "core/engine/stage_costs.h"

namespace trainyard {

/// Fills `ranks`: reduction of gradients, gathering of parameters, optimizer, of each pipeline rank. Needs `stages`, `groups`,
/// `devices`.
void fillRankCosts(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan, const Sharding& sharding,
                   const CommunicationConstants& constants);

/// Adds ZeRO-3 traffic to a stage: one gather per layer and pass, one reduction per layer after backward, beside the compute.
void addShardedTraffic(StageCost& stage, const StageGroups& groups, const PricedDevice& device, const Scenario& scenario, const ResolvedPlan& plan,
                       const CommunicationConstants& constants);

}  // namespace trainyard
