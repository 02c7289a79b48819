#pragma once

#include "core/cluster/topology.h"
#include "core/engine/evaluation.h"
#include "core/engine/stage_costs.h"

namespace trainyard {

/// Fills `links`, `trafficMatrix` and its block fields: who sends how much to whom per step, and what that loads the drawn
/// links with. Needs `layout`, `plan`, `communication` and `time`.
void fillTrafficMap(Evaluation& evaluation, const Scenario& scenario, const Topology& topology, const StageCosts& costs);

}  // namespace trainyard
