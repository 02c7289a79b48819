#include "core/search/search_space.h"

#include <algorithm>
#include <set>

#include "core/plan/divisors.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

constexpr std::int64_t kLargestTensor = 64;
constexpr std::int64_t kLargestMicroBatch = 16;
constexpr std::int64_t kLargestChunks = 8;
constexpr std::int64_t kLongSequence = 16'384;  // context parallelism starts to pay somewhere above

std::vector<std::int64_t> upTo(std::vector<std::int64_t> values, std::int64_t limit) {
    std::erase_if(values, [&](std::int64_t value) { return value > limit; });
    return values;
}

std::vector<std::int64_t> contextDegrees(const Scenario& scenario, std::int64_t devices) {
    std::set<std::int64_t> degrees{1, std::max<std::int64_t>(1, scenario.plan.contextParallel)};
    if (scenario.workload.sequenceLength >= kLongSequence)
        for (const std::int64_t degree : divisors(devices))
            if (degree <= 32 && scenario.workload.sequenceLength % (2 * degree) == 0) degrees.insert(degree);
    std::vector<std::int64_t> kept;
    for (const std::int64_t degree : degrees)
        if (devices % degree == 0) kept.push_back(degree);
    return kept;
}

struct StagePattern {
    std::string schedule;
    std::int64_t chunks;
};

/// Schedules worth trying for this many pipeline ranks.
std::vector<StagePattern> patterns(std::int64_t pipeline, std::int64_t layers, std::int64_t microBatches) {
    if (pipeline == 1) return {{"1f1b", 1}};
    std::vector<StagePattern> found{{"1f1b", 1}, {"zb-h1", 1}};
    if (microBatches >= pipeline)
        for (const std::int64_t chunks : upTo(divisors(std::max<std::int64_t>(1, layers / pipeline)), kLargestChunks))
            if (chunks > 1 && microBatches % pipeline == 0) found.push_back({"interleaved-1f1b", chunks});
    if (layers >= 2 * pipeline) found.push_back({"zb-v", 2});
    return found;
}

}  // namespace

SearchSpace searchSpace(const Scenario& scenario) {
    SearchSpace space;
    const ModelSpec& model = *scenario.model;
    const std::int64_t devices = scenario.cluster->devices();
    const auto reject = [&](const char* code, std::int64_t count = 1) { space.rejected[code] += count; };

    const std::vector<std::int64_t> all = divisors(devices);
    const std::vector<std::int64_t> contexts = contextDegrees(scenario, devices);
    for (const std::int64_t tensor : upTo(all, kLargestTensor)) {
        if (model.attentionHeads > 0 && model.attentionHeads % tensor != 0) {
            reject("tp-divides-heads");
            continue;
        }
        if (!model.mla && model.kvHeads > 0 && model.kvHeads % tensor != 0 && tensor % model.kvHeads != 0) {
            reject("tp-divides-kv-heads");
            continue;
        }
        for (const std::int64_t context : contexts) {
            if (devices % (tensor * context) != 0) continue;
            for (const std::int64_t pipeline : divisors(devices / (tensor * context))) {
                if (pipeline > model.layers) {
                    reject("stages-exceed-layers");
                    continue;
                }
                const std::int64_t data = devices / (tensor * context * pipeline);
                if (scenario.workload.globalBatchSize % data != 0) {
                    reject("batch-divides-data");
                    continue;
                }
                const std::int64_t stageDevices = tensor * context * data;
                std::vector<std::int64_t> experts{1};
                if (model.moe) {
                    experts.clear();
                    for (const std::int64_t expert : divisors(model.moe->experts)) {
                        if (stageDevices % expert != 0)
                            reject("ep-divides-stage-devices");
                        else
                            experts.push_back(expert);
                    }
                }
                const std::int64_t perReplica = scenario.workload.globalBatchSize / data;
                for (const std::int64_t expert : experts)
                    for (const std::int64_t microBatch : upTo(divisors(perReplica), kLargestMicroBatch))
                        for (const StagePattern& pattern : patterns(pipeline, model.layers, perReplica / microBatch)) {
                            Plan plan = scenario.plan;
                            plan.tensorParallel = tensor;
                            plan.contextParallel = context;
                            plan.pipelineParallel = pipeline;
                            plan.expertParallel = expert;
                            plan.dataParallel.reset();
                            plan.microBatchSize = microBatch;
                            plan.schedule = pattern.schedule;
                            plan.virtualStages = pattern.chunks;
                            plan.sequenceParallel = tensor > 1;
                            plan.layersPerStage.clear();
                            plan.shardGroup.reset();
                            plan.deviceOfRank.clear();
                            plan.replicas.clear();
                            plan.recompute.perStage.clear();
                            plan.recompute.layers.reset();
                            for (const std::int64_t zero : {std::int64_t{1}, std::int64_t{3}}) {
                                if (zero == 3 && (pipeline > 1 || data * context == 1)) continue;
                                plan.zeroStage = data * context > 1 ? zero : 0;
                                for (const RecomputeMode mode :
                                     {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full}) {
                                    plan.recompute.mode = mode;
                                    space.plans.push_back(plan);
                                }
                            }
                        }
            }
        }
    }
    return space;
}

}  // namespace trainyard
