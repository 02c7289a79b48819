#include "core/engine/stage_costs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/engine/engine_cache.h"
#include "core/engine/rank_costs.h"
#include "core/engine/traffic_options.h"
#include "core/memory/memory_model.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

constexpr double kJitterSigma = 0.004;  ///< spread of step time between equal devices

/// A rough weight to find the slowest of unequal devices.
double pace(const PricedDevice& d) { return d.slowdown / (d.peakFlopsPerS * gemmEfficiency(d.efficiency, Precision::bf16).sustainedShare); }

PricedDevice slowestDevice(EngineCache& cache, const Topology& topology, const RankLayout& layout, int rank, const Scenario& scenario) {
    const std::int32_t perRank = layout.ranks() / layout.degree(Dimension::pipeline);
    const bool uniform = topology.cluster().nodes.size() == 1 && topology.cluster().nodes[0].accelerators.size() == 1;
    PricedDevice worst = cache.device(topology, layout.device(rank * perRank), scenario);
    if (uniform) return worst;
    const AcceleratorSpec* lastSpec = worst.accelerator;
    double lastSlowdown = worst.slowdown;
    for (std::int32_t i = 1; i < perRank; ++i) {
        const std::int32_t device = layout.device(rank * perRank + i);
        const AcceleratorSpec* spec = &topology.accelerator(device);
        if (spec == lastSpec && topology.slowdown(device) == lastSlowdown) continue;
        lastSpec = spec;
        lastSlowdown = topology.slowdown(device);
        const PricedDevice one = cache.device(topology, device, scenario);
        if (pace(one) > pace(worst)) worst = one;
    }
    return worst;
}

/// Share of a stage's layers that are recomputed whole, and whether the rest runs the selective list again.
struct RecomputeShare {
    double full = 0;
    bool selective = false;
};

RecomputeShare recomputeShare(const RecomputePlan& plan, std::int64_t modelLayers, int rank, std::int64_t layersOfRank) {
    const auto pick = [](RecomputeMode mode, const std::optional<std::int64_t>& count, std::int64_t of) {
        RecomputeShare share;
        if (mode == RecomputeMode::selective) share.selective = true;
        if (mode == RecomputeMode::full)
            share.full = count ? std::clamp(static_cast<double>(*count) / static_cast<double>(std::max<std::int64_t>(1, of)), 0.0, 1.0) : 1.0;
        return share;
    };
    if (static_cast<std::size_t>(rank) < plan.perStage.size())
        return pick(plan.perStage[static_cast<std::size_t>(rank)].mode, plan.perStage[static_cast<std::size_t>(rank)].layers, layersOfRank);
    return pick(plan.mode, plan.layers, modelLayers);
}

void addLayer(StageCost& stage, const LayerCost& cost, const RecomputeShare& again, double count) {
    stage.forward += cost.forward.scaled(count);
    stage.backwardInput += cost.backwardInput.scaled(count);
    stage.backwardWeight += cost.backwardWeight.scaled(count);
    const double selective = again.selective ? 1 - again.full : 0;
    stage.recompute += cost.fullRecompute.scaled(count * again.full);
    stage.recompute += cost.recompute.scaled(count * selective);
    stage.modelFlops += 3 * cost.modelFlopsForward * count;
    stage.causalFlopsSaved += 1.5 * cost.attentionFlopsForward * count;
    stage.hardwareFlops += 3 * cost.modelFlopsForward * count + cost.modelFlopsForward * again.full * count;
    if (selective > 0) {
        // Recompute counts the causal half; scale to the full-attention convention of modelFlops.
        const double executed = std::max(1.0, cost.forward.flops);
        stage.hardwareFlops += cost.recompute.flops * (cost.modelFlopsForward / executed) * selective * count;
    }
    stage.denseParameters += cost.parameters * count;
    stage.expertParameters += cost.expertParameters * count;
    for (int g = 0; g < kTrafficGroups; ++g)
        for (int c = 0; c < kTrafficCollectives; ++c) {
            if (cost.traffic[g][c].calls <= 0) continue;  // recomputation repeats what the layer does, no more
            stage.traffic->at[g][c].add(cost.traffic[g][c], count);
            if (again.full > 0) stage.traffic->at[g][c].add(cost.fullRecomputeTraffic[g][c], count * again.full);
            if (selective > 0) stage.traffic->at[g][c].add(cost.recomputeTraffic[g][c], count * selective);
        }
}

}  // namespace

std::vector<int> rankOfStages(const Scenario& scenario, const ResolvedPlan& plan) {
    const auto* schedule = findScheduleOrNull(scenario.plan.schedule);
    const auto stages = plan.layersOfStage.size();
    const auto ranks = static_cast<std::size_t>(std::max<std::int64_t>(1, scenario.plan.pipelineParallel));
    const bool wave = schedule != nullptr && schedule->fixedChunks == 2;
    std::vector<int> rank(stages);
    for (std::size_t s = 0; s < stages; ++s) {
        const std::size_t chunk = s / ranks;
        const std::size_t at = s % ranks;
        rank[s] = static_cast<int>(wave && chunk % 2 == 1 ? ranks - 1 - at : at);
    }
    return rank;
}

StageCosts stageCosts(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout) {
    EngineCache cache;
    return stageCosts(scenario, plan, topology, layout, cache);
}

StageCosts stageCosts(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout, EngineCache& cache) {
    const Plan& degrees = scenario.plan;
    const ModelSpec& model = *scenario.model;
    const Workload& workload = scenario.workload;
    const int ranks = layout.degree(Dimension::pipeline);
    const auto rankOf = rankOfStages(scenario, plan);
    const auto stageCount = plan.layersOfStage.size();
    const auto constants = communicationConstants(scenario.calibration);

    StageCosts out;
    out.groups = *cache.groups(topology, layout, scenario, plan);
    out.dataOverlap = degrees.overlap.data.value_or(true);
    const Sharding sharding = shardingOf(scenario);

    // Ranks that look alike share a pricer.
    out.devices.reserve(static_cast<std::size_t>(ranks));
    std::vector<std::shared_ptr<RankPricer>> pricers;
    pricers.reserve(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        const auto index = static_cast<std::size_t>(r);
        out.devices.push_back(slowestDevice(cache, topology, layout, r, scenario));
        const auto& device = out.devices[index];
        const auto& groups = out.groups[index];
        if (index > 0 && device.accelerator == out.devices[index - 1].accelerator && device.slowdown == out.devices[index - 1].slowdown) {
            const auto& before = out.groups[index - 1];
            if (groups.tensor == before.tensor && groups.context == before.context && groups.expert == before.expert &&
                groups.expertTensor == before.expertTensor) {
                pricers.push_back(pricers.back());
                continue;
            }
        }
        pricers.push_back(cache.pricer(pricingKey(scenario, plan, sharding, device, groups), scenario, device, groups, constants));
    }

    std::vector<std::int64_t> layersOfRank(static_cast<std::size_t>(ranks), 0);
    for (std::size_t s = 0; s < stageCount; ++s) layersOfRank[static_cast<std::size_t>(rankOf[s])] += plan.layersOfStage[s];

    const double elementBytes = storageBytes(workload.precision);
    const double tokens = static_cast<double>(workload.sequenceLength) * static_cast<double>(degrees.microBatchSize) / static_cast<double>(degrees.contextParallel);
    const double boundaryBytes = tokens * static_cast<double>(model.hiddenSize) * elementBytes;

    out.stages.resize(stageCount);
    const std::vector<LayerRun>& runs = cache.layerRuns(scenario);
    std::size_t run = 0;
    std::int64_t layer = 0;
    for (std::size_t s = 0; s < stageCount; ++s) {
        StageCost& stage = out.stages[s];
        const auto rank = static_cast<std::size_t>(rankOf[s]);
        const StageGroups& groups = out.groups[rank];
        const std::int64_t layers = plan.layersOfStage[s];
        while (run < runs.size() && layer >= runs[run].end) ++run;
        // Inner stages of one kind, device and size cost the same.
        const std::size_t before = s - 1;
        if (s > 1 && s + 1 < stageCount && layers == out.stages[before].layers && pricers[rank] == pricers[static_cast<std::size_t>(rankOf[before])] &&
            run < runs.size() && layer - layers >= runs[run].begin && layer + layers <= runs[run].end && degrees.recompute.perStage.empty() &&
            groups.shard == out.groups[static_cast<std::size_t>(rankOf[before])].shard && groups.next == out.groups[static_cast<std::size_t>(rankOf[before])].next &&
            groups.expertData == out.groups[static_cast<std::size_t>(rankOf[before])].expertData) {
            stage = out.stages[before];
            stage.rank = rankOf[s];
            layer += layers;
            continue;
        }
        stage.rank = rankOf[s];
        stage.layers = layers;
        stage.traffic = std::make_shared<StageTraffic>();
        RankPricer& pricer = *pricers[rank];
        const auto again = recomputeShare(degrees.recompute, model.layers, stage.rank, layersOfRank[rank]);
        for (const std::int64_t end = layer + layers; layer < end && run < runs.size();) {
            const std::int64_t until = std::min(end, runs[run].end);
            addLayer(stage, pricer.layer(runs[run].kind), again, static_cast<double>(until - layer));
            layer = until;
            if (layer >= runs[run].end) ++run;
        }
        if (s == 0) addLayer(stage, pricer.embedding(), {}, 1);
        if (s + 1 == stageCount) addLayer(stage, pricer.head(), {}, 1);

        if (ranks > 1) stage.handoverS = constants.handoverS;
        if (s + 1 < stageCount && ranks > 1) {
            // Every tensor rank sends its part; where the tensor is whole on each, parts are sent and gathered on the other side.
            const double t = static_cast<double>(std::max<std::int64_t>(1, degrees.tensorParallel));
            const auto send = sendTime(boundaryBytes / t, groups.next, constants);
            stage.sendS = send.totalS;
            stage.sendBytes = send.bytesOnWire;
            if (t > 1 && !sharding.sequenceParallel) stage.sendS += collectiveTime(CollectiveKind::allGather, boundaryBytes, groups.tensor, constants).totalS;
        }
        if (degrees.zeroStage >= 3) addShardedTraffic(stage, groups, out.devices[rank], scenario, plan, constants);
    }
    fillRankCosts(out, scenario, plan, sharding, constants);
    const double world = static_cast<double>(std::max<std::int64_t>(1, layout.ranks()));
    if (world > 1) {
        out.synchronizationS = 3 * (constants.baseS + 2 * std::log2(world) * constants.treeHopS);
        out.jitterShare = kJitterSigma * std::sqrt(2 * std::log(world));
    }
    applyTrafficOptions(out, scenario, plan, topology, layout, constants);
    return out;
}

}  // namespace trainyard
