#include <fmt/format.h>

#include <algorithm>

#include "core/engine/replica_pricer.h"
#include "core/explain/explain.h"

namespace trainyard {
namespace {

constexpr const char* kSource = "replicas of their own shapes: stages, tensor degree, split and batch share each (HexiScale, arXiv 2409.01143)";

Explanation replicaStep(const Scenario& scenario, const PricedReplica& priced, std::size_t index, int level) {
    const ReplicaPlan& plan = scenario.plan.replicas[index];
    const StepAtLevel& at = priced.step.level[level];
    std::vector<Explanation> terms{
        leaf("t_span", fmt::format("{} micro-batches of {} through {} stages", plan.microBatches, plan.microBatchSize, plan.stages.size()), at.spanS,
             "s", "schedule simulated with what each stage costs on its own devices"),
        leaf("t_rest", "gradients exchanged with the other replicas, optimizer, synchronisation, as far as they outlast the pipeline",
             at.stepS - at.spanS, "s", "exchange in slices on the slowest way; a holder with fewer devices sends several slices")};
    return derived(fmt::format("T_{}", index), fmt::format("step of replica {}", index), at.stepS, "s", "t_span + t_rest", kSource, std::move(terms));
}

Explanation slowestOf(const Scenario& scenario, const PricedReplicas& priced, int level, const char* symbol, const char* name) {
    std::vector<Explanation> terms;
    std::string formula;
    for (std::size_t j = 0; j < priced.replicas.size(); ++j) {
        terms.push_back(replicaStep(scenario, priced.replicas[j], j, level));
        formula += fmt::format("{}{}", j == 0 ? "" : ", ", terms.back().symbol);
    }
    if (terms.size() > 1) formula = fmt::format("max({})", formula);
    return derived(symbol, name, priced.together.level[level].stepS, "s", std::move(formula), kSource, std::move(terms));
}

Explanation freed(const Scenario& scenario, const PricedReplicas& priced, int level, const char* symbol, const char* name, double value) {
    return derived(symbol, name, value, "s", "T_before - T_after", "contract: the time by which the step shrinks when this traffic is free as well",
                   {slowestOf(scenario, priced, level, "T_before", "step before this traffic is free"),
                    slowestOf(scenario, priced, level + 1, "T_after", "step with it free")});
}

}  // namespace

Result<Explanation> explainReplicas(const Scenario& scenario, const EvaluationDetail& detail, std::string_view pointer) {
    const Evaluation& e = detail.evaluation;
    ReplicaPricer pricer(scenario, std::make_shared<const Topology>(scenario.cluster));
    const PricedReplicas priced = pricer.price(scenario.plan.replicas, true);
    if (pointer == "/time/step_s") return slowestOf(scenario, priced, 0, "t_step", "time of one step: the slowest replica");
    struct Freed {
        std::string_view key;
        int level;
        const char* symbol;
        const char* name;
        double value;
    };
    const Freed parts[] = {{"/time/exposed_tensor_s", 0, "t_tensor", "tensor-parallel traffic that is not hidden", e.time.exposedTensorS},
                           {"/time/exposed_context_s", 1, "t_context", "context-parallel traffic that is not hidden", e.time.exposedContextS},
                           {"/time/exposed_expert_s", 2, "t_expert", "expert traffic that is not hidden", e.time.exposedExpertS},
                           {"/time/exposed_pipeline_s", 3, "t_pipeline", "hand-over between stages that is not hidden", e.time.exposedPipelineS},
                           {"/time/exposed_data_s", 4, "t_data", "gradient exchange that is not hidden", e.time.exposedDataS}};
    for (const Freed& part : parts)
        if (pointer == part.key) return freed(scenario, priced, part.level, part.symbol, part.name, part.value);
    if (pointer == "/memory/peak_bytes") {
        std::vector<Explanation> terms;
        for (const StageMemory& stage : e.memory.stages)
            terms.push_back(leaf(fmt::format("M_{}", stage.stage), fmt::format("stage {} on {}", stage.stage, stage.accelerator), stage.totalBytes, "B",
                                 "sum of the parts of memory.stages"));
        std::string formula;
        for (const Explanation& term : terms) formula += fmt::format("{}{}", formula.empty() ? "" : ", ", term.symbol);
        if (terms.size() > 1) formula = fmt::format("max({})", formula);
        return derived("M_peak", "memory of the fullest device", e.memory.peakBytes, "B", std::move(formula), kSource, std::move(terms));
    }
    return noSuchFigure(pointer);
}

}  // namespace trainyard
