#pragma once

#include <memory>
#include <vector>

#include "core/cluster/topology.h"
#include "core/engine/evaluation.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/memory/memory_model.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// An evaluation together with every intermediate that its figures were made from.
struct EvaluationDetail {
    Evaluation evaluation;
    std::shared_ptr<const Topology> topology;
    StageCosts costs;
    StepTime step;
    std::vector<MemoryBreakdown> memory;  ///< per pipeline rank
    StatePlan state;
};

/// The simulated evaluation with its intermediates; the same figures as evaluate(scenario, Depth::simulated). `computed`
/// of the evaluation tells whether the rest is filled.
[[nodiscard]] EvaluationDetail evaluateInDetail(const Scenario& scenario);

}  // namespace trainyard
