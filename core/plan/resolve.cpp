#include "core/plan/resolve.h"

#include <algorithm>

#include "core/plan/limits.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

std::int64_t clampDegree(std::int64_t degree) { return std::clamp<std::int64_t>(degree, 1, limits::kDevices); }

/// With one entry per pipeline rank and several chunks, a rank's layers are spread over its chunks, earlier ones first.
std::vector<std::int64_t> spreadOverChunks(const std::vector<std::int64_t>& perRank, std::int64_t chunks) {
    const std::size_t ranks = perRank.size();
    std::vector<std::int64_t> stages(ranks * static_cast<std::size_t>(chunks), 0);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
            stages[static_cast<std::size_t>(chunk) * ranks + rank] =
                perRank[rank] / chunks + (chunk < perRank[rank] % chunks ? 1 : 0);
    return stages;
}

}  // namespace

std::vector<std::int64_t> evenLayers(std::int64_t layers, std::int64_t stages) {
    std::vector<std::int64_t> split(static_cast<std::size_t>(stages), layers / stages);
    std::int64_t rest = layers % stages;
    // Nearest the middle first; of two equally near, the later one.
    for (std::int64_t step = 0; step < stages && rest > 0; ++step) {
        const std::int64_t middle = stages / 2;
        const std::int64_t offset = step % 2 == 0 ? step / 2 : -(step + 1) / 2;
        const std::int64_t stage = middle + offset;
        if (stage < 0 || stage >= stages) continue;
        ++split[static_cast<std::size_t>(stage)];
        --rest;
    }
    return split;
}

ResolvedPlan resolve(const Scenario& scenario) {
    const Plan& plan = scenario.plan;
    ResolvedPlan resolved;
    resolved.devices = scenario.cluster->devices();
    const std::int64_t model = std::min(clampDegree(plan.tensorParallel) * clampDegree(plan.contextParallel), limits::kDevices);
    const std::int64_t replica = std::min(model * clampDegree(plan.pipelineParallel), limits::kDevices);
    resolved.dataParallel =
        plan.dataParallel ? clampDegree(*plan.dataParallel) : std::max<std::int64_t>(1, resolved.devices / replica);
    const std::int64_t perMicroBatch = resolved.dataParallel * clampDegree(plan.microBatchSize);
    resolved.microBatches = std::max<std::int64_t>(1, scenario.workload.globalBatchSize / perMicroBatch);

    const ScheduleDefinition* schedule = findScheduleOrNull(plan.schedule);
    resolved.virtualStages = std::clamp<std::int64_t>(plan.virtualStages, 1, limits::kLayers);
    if (schedule != nullptr && schedule->fixedChunks > 0) resolved.virtualStages = schedule->fixedChunks;

    const std::int64_t ranks = std::min(clampDegree(plan.pipelineParallel), limits::kStages);
    const std::int64_t stages = std::min(ranks * resolved.virtualStages, limits::kStages);
    const auto given = static_cast<std::int64_t>(plan.layersPerStage.size());
    if (given == stages)
        resolved.layersOfStage = plan.layersPerStage;
    else if (given == ranks && given > 0)
        resolved.layersOfStage = spreadOverChunks(plan.layersPerStage, resolved.virtualStages);
    else
        resolved.layersOfStage = evenLayers(std::clamp<std::int64_t>(scenario.model->layers, 0, limits::kLayers), stages);

    const std::int64_t replicas = resolved.dataParallel * clampDegree(plan.contextParallel);
    resolved.shardGroup = plan.shardGroup ? std::clamp<std::int64_t>(*plan.shardGroup, 1, replicas) : replicas;
    resolved.gradientPrecision = scenario.workload.gradientPrecision.value_or(
        scenario.workload.precision == Precision::fp16 ? Precision::fp16 : Precision::fp32);
    return resolved;
}

}  // namespace trainyard
