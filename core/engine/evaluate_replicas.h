#pragma once

#include <memory>

#include "core/cluster/topology.h"
#include "core/engine/evaluation.h"
#include "core/engine/replica_pricer.h"

namespace trainyard {

/// Fills memory, time, plan and layout of an evaluation whose plan has replicas of their own shapes. What is drawn of the
/// schedule is the slowest replica.
[[nodiscard]] PricedReplicas priceForEvaluation(Evaluation& evaluation, const Scenario& scenario,
                                                const std::shared_ptr<const Topology>& topology, bool simulate);

/// FLOPs of one step over all devices: of the model, and with recomputation.
struct StepFlops {
    double model = 0;
    double hardware = 0;
};
[[nodiscard]] StepFlops flopsOf(const PricedReplicas& priced, bool causalHalved);

}  // namespace trainyard
