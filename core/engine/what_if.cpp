#include "core/engine/what_if.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/engine/evaluate.h"
#include "core/plan/edit.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

constexpr double kLeastSaving = 0.01;

struct Candidate {
    std::string id;
    std::string label;
    Scenario scenario;
};

void addRecompute(const Scenario& base, std::vector<Candidate>& out) {
    const RecomputePlan& recompute = base.plan.recompute;
    if (!recompute.perStage.empty()) return;
    if (recompute.mode == RecomputeMode::none) {
        Candidate selective{"recompute-selective", "Selective recompute", base};
        selective.scenario.plan.recompute.mode = RecomputeMode::selective;
        out.push_back(std::move(selective));
    }
    if (recompute.mode != RecomputeMode::full || recompute.layers) {
        Candidate full{"recompute-full", "Full recompute", base};
        full.scenario.plan.recompute.mode = RecomputeMode::full;
        full.scenario.plan.recompute.layers.reset();
        out.push_back(std::move(full));
    }
}

void addSharding(const Scenario& base, std::vector<Candidate>& out) {
    for (std::int64_t stage = base.plan.zeroStage + 1; stage <= 3; ++stage) {
        Candidate sharded{fmt::format("zero-{}", stage), fmt::format("ZeRO {}", stage), base};
        sharded.scenario.plan.zeroStage = stage;
        out.push_back(std::move(sharded));
    }
    if (!base.plan.sequenceParallel && base.plan.tensorParallel > 1) {
        Candidate sequence{"sequence-parallel", "Sequence parallelism", base};
        sequence.scenario.plan.sequenceParallel = true;
        out.push_back(std::move(sequence));
    }
}

void addDegrees(const Scenario& base, std::vector<Candidate>& out) {
    struct Degree {
        Dimension dimension;
        std::int64_t now;
        const char* id;
        const char* label;
    };
    const Degree degrees[] = {{Dimension::tensor, base.plan.tensorParallel, "tensor", "Tensor"},
                              {Dimension::pipeline, base.plan.pipelineParallel, "pipeline", "Pipeline"},
                              {Dimension::context, base.plan.contextParallel, "context", "Context"}};
    for (const Degree& degree : degrees) {
        const std::int64_t next = degree.now * 2;
        if (!canSetDegree(base, degree.dimension, next)) continue;
        Candidate changed{fmt::format("{}-{}", degree.id, next), fmt::format("{} {}", degree.label, next),
                          withDegree(base, degree.dimension, next)};
        out.push_back(std::move(changed));
    }
    if (base.plan.microBatchSize % 2 == 0) {
        const std::int64_t next = base.plan.microBatchSize / 2;
        Candidate smaller{fmt::format("micro-batch-{}", next), fmt::format("Micro-batch {}", next), base};
        smaller.scenario.plan.microBatchSize = next;
        out.push_back(std::move(smaller));
    }
}

void addOffload(const Scenario& base, std::vector<Candidate>& out) {
    if (base.plan.optimizerOffloadFraction < 1) {
        Candidate optimizer{"offload-optimizer", "Optimizer in host memory", base};
        optimizer.scenario.plan.optimizerOffloadFraction = 1;
        out.push_back(std::move(optimizer));
    }
    if (base.plan.activationOffloadFraction < 1) {
        Candidate activations{"offload-activations", "Activations in host memory", base};
        activations.scenario.plan.activationOffloadFraction = 1;
        out.push_back(std::move(activations));
    }
}

}  // namespace

std::vector<WhatIf> whatWouldFreeMost(const Scenario& scenario, std::size_t most, std::stop_token stop) {
    const Evaluation base = evaluate(scenario, Depth::closedForm, stop);
    if (!base.computed || base.memory.peakBytes <= 0 || base.time.stepS <= 0) return {};
    std::vector<Candidate> candidates;
    addRecompute(scenario, candidates);
    addSharding(scenario, candidates);
    addDegrees(scenario, candidates);
    addOffload(scenario, candidates);

    std::vector<WhatIf> results;
    for (Candidate& candidate : candidates) {
        if (stop.stop_requested()) break;
        const Evaluation changed = evaluate(candidate.scenario, Depth::closedForm, stop);
        if (!changed.computed || changed.time.stepS <= 0) continue;
        WhatIf result;
        result.id = std::move(candidate.id);
        result.label = std::move(candidate.label);
        result.scenario = std::move(candidate.scenario);
        result.peakBytes = changed.memory.peakBytes;
        result.savedBytes = base.memory.peakBytes - changed.memory.peakBytes;
        result.timeRatio = changed.time.stepS / base.time.stepS;
        result.verdict = changed.memory.verdict;
        for (const StageMemory& stage : changed.memory.stages) result.stageBytes.push_back(stage.totalBytes);
        if (result.savedBytes >= kLeastSaving * base.memory.peakBytes) results.push_back(std::move(result));
    }
    std::stable_sort(results.begin(), results.end(),
                     [](const WhatIf& a, const WhatIf& b) { return a.savedBytes > b.savedBytes; });
    if (results.size() > most) results.resize(most);
    return results;
}

}  // namespace trainyard
