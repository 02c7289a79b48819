#include "core/engine/evaluate_replicas.h"

#include <fmt/format.h>

#include "core/memory/memory_model.h"

namespace trainyard {

PricedReplicas priceForEvaluation(Evaluation& e, const Scenario& scenario, const std::shared_ptr<const Topology>& topology, bool simulate) {
    ReplicaPricer pricer(scenario, topology);
    PricedReplicas priced = pricer.price(scenario.plan.replicas, simulate);
    const PricedReplica& slowest = priced.replicas[priced.slowest];
    e.layout = std::make_shared<const RankLayout>(RankLayout::ofReplicas(scenario.plan, topology->devices()));
    e.plan = slowest.plan;
    e.plan.devices = topology->devices();
    e.plan.dataParallel = static_cast<std::int64_t>(scenario.plan.replicas.size());
    std::vector<StageMemory> stages;
    e.plan.layersOfStage.clear();
    for (std::size_t j = 0; j < priced.replicas.size(); ++j)
        for (std::size_t s = 0; s < priced.replicas[j].memory.size(); ++s) {
            stages.push_back(priced.replicas[j].memory[s]);
            stages.back().stage = static_cast<int>(stages.size()) - 1;
            e.plan.layersOfStage.push_back(scenario.plan.replicas[j].stages[s].layers);
        }
    e.memory = memorySummary(std::move(stages));
    e.validityNotes.push_back(fmt::format("replicas have shapes of their own; schedule and traffic shown are those of the slowest, replica {}",
                                          priced.slowest));
    return priced;
}

StepFlops flopsOf(const PricedReplicas& priced, bool causalHalved) {
    StepFlops sum;
    for (const PricedReplica& one : priced.replicas)
        for (std::size_t s = 0; s < one.tensor.size(); ++s) {
            const StageCost& stage = one.costs.stages[s];
            const double saved = causalHalved ? stage.causalFlopsSaved : 0;
            const double times = one.tensor[s] * static_cast<double>(one.plan.microBatches);
            sum.model += times * (stage.modelFlops - saved);
            sum.hardware += times * (stage.hardwareFlops - saved);
        }
    return sum;
}

}  // namespace trainyard
