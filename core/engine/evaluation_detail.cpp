#include "core/engine/evaluation_detail.h"

#include "core/engine/evaluate.h"
#include "core/engine/memory_of_plan.h"

namespace trainyard {

EvaluationDetail evaluateInDetail(const Scenario& scenario) {
    EvaluationDetail detail;
    detail.evaluation = evaluate(scenario, Depth::simulated);
    const Evaluation& e = detail.evaluation;
    if (!e.computed || !scenario.plan.replicas.empty()) return detail;  // replicas are explained one by one
    // evaluate() is a pure function: the same calls give the same intermediates.
    detail.topology = std::make_shared<Topology>(scenario.cluster);
    detail.costs = stageCosts(scenario, e.plan, *detail.topology, *e.layout);
    detail.step = stepTime(scenario, e.plan, detail.costs, true);
    detail.memory = memoryBreakdowns(scenario, e.plan, detail.costs, detail.step);
    detail.state = statePlan(scenario.workload, scenario.plan, e.plan);
    return detail;
}

}  // namespace trainyard
