#include "core/engine/stage_costs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/memory/memory_model.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

constexpr double kJitterSigma = 0.004;     ///< spread of step time between equal devices
constexpr double kOptimizerBytes = 30;     ///< Adam, fp32 state: reads p, g, m, v; writes p, m, v and a 16-bit copy
constexpr double kGatherHiddenShare = 0.85;

PricedDevice pricedDevice(const Topology& topology, std::int32_t device, const Scenario& scenario) {
    PricedDevice d;
    d.accelerator = &topology.accelerator(device);
    d.efficiency = deviceEfficiency(*d.accelerator, scenario.calibration);
    d.peakFlopsPerS = effectivePeak(*d.accelerator, scenario.workload.precision);
    d.peak16FlopsPerS = effectivePeak(*d.accelerator, scenario.workload.precision == Precision::fp16 ? Precision::fp16 : Precision::bf16);
    if (scenario.workload.precision == Precision::fp32) d.peak16FlopsPerS = d.peakFlopsPerS;
    d.memoryBytesPerS = std::max(1e9, d.accelerator->memoryBandwidthBytesPerS);
    d.slowdown = topology.slowdown(device);
    return d;
}

/// A rough weight to find the slowest of unequal devices.
double pace(const PricedDevice& d) { return d.slowdown / (d.peakFlopsPerS * gemmEfficiency(d.efficiency, Precision::bf16).sustainedShare); }

PricedDevice slowestDevice(const Topology& topology, const RankLayout& layout, int rank, const Scenario& scenario) {
    const std::int32_t perRank = layout.ranks() / layout.degree(Dimension::pipeline);
    const bool uniform = topology.cluster().nodes.size() == 1 && topology.cluster().nodes[0].accelerators.size() == 1;
    PricedDevice worst = pricedDevice(topology, layout.device(rank * perRank), scenario);
    if (uniform) return worst;
    const AcceleratorSpec* lastSpec = worst.accelerator;
    double lastSlowdown = worst.slowdown;
    for (std::int32_t i = 1; i < perRank; ++i) {
        const std::int32_t device = layout.device(rank * perRank + i);
        const AcceleratorSpec* spec = &topology.accelerator(device);
        if (spec == lastSpec && topology.slowdown(device) == lastSlowdown) continue;
        lastSpec = spec;
        lastSlowdown = topology.slowdown(device);
        const PricedDevice one = pricedDevice(topology, device, scenario);
        if (pace(one) > pace(worst)) worst = one;
    }
    return worst;
}

struct KindCost {
    LayerKind kind;
    LayerCost cost;
};

/// Prices layer kinds for one pipeline rank; ranks that look alike share one of these.
struct RankPricer {
    const Scenario& scenario;
    const Sharding& sharding;
    PricingContext context;
    std::vector<KindCost> kinds;
    std::optional<LayerCost> embedding;
    std::optional<LayerCost> head;

    const LayerCost& layer(const LayerKind& kind) {
        for (const auto& known : kinds)
            if (known.kind == kind) return known.cost;
        const auto operators = layerOperators(*scenario.model, kind, scenario.workload, sharding);
        kinds.push_back({kind, layerCost(operators, context)});
        return kinds.back().cost;
    }
    const LayerCost& embeddingCost() {
        if (!embedding) embedding = layerCost(embeddingOperators(*scenario.model, scenario.workload, sharding), context);
        return *embedding;
    }
    const LayerCost& headCost() {
        if (!head) head = layerCost(headOperators(*scenario.model, scenario.workload, sharding), context);
        return *head;
    }
};

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
            stage.traffic[g][c].add(cost.traffic[g][c], count);
            stage.traffic[g][c].add(cost.fullRecomputeTraffic[g][c], count * again.full);
            stage.traffic[g][c].add(cost.recomputeTraffic[g][c], count * selective);
        }
}

double gradientBytes(Precision precision) { return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2; }

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
    const Plan& degrees = scenario.plan;
    const ModelSpec& model = *scenario.model;
    const Workload& workload = scenario.workload;
    const int ranks = layout.degree(Dimension::pipeline);
    const auto rankOf = rankOfStages(scenario, plan);
    const auto stageCount = plan.layersOfStage.size();
    const auto constants = communicationConstants(scenario.calibration);

    StageCosts out;
    out.groups = planGroups(topology, layout, scenario, plan);
    out.dataOverlap = degrees.overlap.data.value_or(true);
    const Sharding sharding = shardingOf(scenario);

    // Ranks that look alike share a pricer.
    out.devices.reserve(static_cast<std::size_t>(ranks));
    std::vector<RankPricer> pricers;
    pricers.reserve(static_cast<std::size_t>(ranks));
    std::vector<std::size_t> pricerOf(static_cast<std::size_t>(ranks));
    std::vector<std::size_t> firstRankOf;
    for (int r = 0; r < ranks; ++r) {
        const auto index = static_cast<std::size_t>(r);
        out.devices.push_back(slowestDevice(topology, layout, r, scenario));
        const auto same = [&](std::size_t p) {
            const auto other = firstRankOf[p];
            const auto& a = out.devices[index];
            const auto& b = out.devices[other];
            const auto& ga = out.groups[index];
            const auto& gb = out.groups[other];
            return a.accelerator == b.accelerator && a.slowdown == b.slowdown && ga.tensor == gb.tensor && ga.context == gb.context &&
                   ga.expert == gb.expert && ga.expertTensor == gb.expertTensor;
        };
        std::size_t found = 0;
        while (found < pricers.size() && !same(found)) ++found;
        if (found == pricers.size()) {
            PricingContext context;
            context.constants = &constants;
            context.precision = workload.precision;
            context.attention = workload.attention;
            context.overlap = degrees.overlap;
            context.recomputeModules = degrees.recompute.modules;
            context.fusedAccumulation = gradientBytes(plan.gradientPrecision) > 2;
            // In 16 bits the new gradient is written, read again and added; nothing to add for a single micro-batch.
            context.gradientAccumulateBytes = context.fusedAccumulation ? 8 : plan.microBatches > 1 ? 6 : 0;
            context.fusedNorm = workload.fusedNorm;
            context.stack = sharding.stack;
            context.gated = model.gatedMlp;
            context.tokenCopies = model.moe ? static_cast<double>(model.moe->topK) : 0;
            pricers.push_back(RankPricer{scenario, sharding, context, {}, {}, {}});
            firstRankOf.push_back(index);
        }
        pricerOf[index] = found;
    }
    for (std::size_t p = 0; p < pricers.size(); ++p) {
        pricers[p].context.device = &out.devices[firstRankOf[p]];
        pricers[p].context.groups = &out.groups[firstRankOf[p]];
    }

    std::vector<std::int64_t> layersOfRank(static_cast<std::size_t>(ranks), 0);
    for (std::size_t s = 0; s < stageCount; ++s) layersOfRank[static_cast<std::size_t>(rankOf[s])] += plan.layersOfStage[s];

    const double elementBytes = storageBytes(workload.precision);
    const double tokens = static_cast<double>(workload.sequenceLength) * static_cast<double>(degrees.microBatchSize) / static_cast<double>(degrees.contextParallel);
    const double boundaryBytes = tokens * static_cast<double>(model.hiddenSize) * elementBytes;
    const bool zero3 = degrees.zeroStage >= 3;
    const double reduceBytesPerParameter = gradientBytes(plan.gradientPrecision);

    out.stages.resize(stageCount);
    std::int64_t layer = 0;
    for (std::size_t s = 0; s < stageCount; ++s) {
        StageCost& stage = out.stages[s];
        stage.rank = rankOf[s];
        stage.layers = plan.layersOfStage[s];
        const auto rank = static_cast<std::size_t>(stage.rank);
        RankPricer& pricer = pricers[pricerOf[rank]];
        const StageGroups& groups = out.groups[rank];
        const auto again = recomputeShare(degrees.recompute, model.layers, stage.rank, layersOfRank[rank]);
        for (std::int64_t end = layer + stage.layers; layer < end;) {
            const LayerKind kind = layerKind(model, layer);
            std::int64_t run = 1;
            while (layer + run < end && layerKind(model, layer + run) == kind) ++run;
            addLayer(stage, pricer.layer(kind), again, static_cast<double>(run));
            layer += run;
        }
        if (s == 0) addLayer(stage, pricer.embeddingCost(), {}, 1);
        if (s + 1 == stageCount) addLayer(stage, pricer.headCost(), {}, 1);

        if (ranks > 1) stage.handoverS = constants.handoverS;
        if (s + 1 < stageCount && ranks > 1) {
            // Every tensor rank sends its part; where the tensor is whole on each, parts are sent and gathered on the other side.
            const double t = static_cast<double>(std::max<std::int64_t>(1, degrees.tensorParallel));
            const auto send = sendTime(boundaryBytes / t, groups.next, constants);
            stage.sendS = send.totalS;
            stage.sendBytes = send.bytesOnWire;
            if (t > 1 && !sharding.sequenceParallel) stage.sendS += collectiveTime(CollectiveKind::allGather, boundaryBytes, groups.tensor, constants).totalS;
        }
        if (zero3) {
            const double dense = stage.denseParameters;
            const double expert = stage.expertParameters;
            // One gather per layer: the latency counts for each.
            const double calls = static_cast<double>(std::max<std::int64_t>(1, stage.layers));
            const auto gather = collectiveTime(CollectiveKind::allGather, dense * elementBytes / calls, groups.shard, constants);
            const auto gatherExperts = collectiveTime(CollectiveKind::allGather, expert * elementBytes / calls, groups.expertData, constants);
            const auto scatter = collectiveTime(CollectiveKind::reduceScatter, dense * reduceBytesPerParameter / calls, groups.shard, constants);
            const auto scatterExperts = collectiveTime(CollectiveKind::reduceScatter, expert * reduceBytesPerParameter / calls, groups.expertData, constants);
            stage.gatherForwardS = calls * (gather.totalS + gatherExperts.totalS);
            stage.gatherBackwardS = stage.gatherForwardS;
            stage.gatherBytes = calls * (gather.bytesOnWire + gatherExperts.bytesOnWire);
            stage.scatterS = calls * (scatter.totalS + scatterExperts.totalS);
            stage.scatterBytes = calls * (scatter.bytesOnWire + scatterExperts.bytesOnWire);
            const double slow = out.devices[rank].efficiency.communicationSlowdown;
            const auto beside = [&](double communicationS, double computeS, PassCost& pass) {
                if (!out.dataOverlap) return communicationS;
                const double hidden = std::min(kGatherHiddenShare * communicationS, computeS * slow);
                pass.slowdownS += hidden * (1 - 1 / slow);
                return communicationS - hidden;
            };
            stage.forwardDataS = beside(stage.gatherForwardS, stage.forward.computeS(), stage.forward);
            stage.backwardDataS = beside(stage.gatherBackwardS + stage.scatterS,
                                         stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS(), stage.backwardInput);
        }
    }

    out.ranks.resize(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        const auto index = static_cast<std::size_t>(r);
        RankCost& rank = out.ranks[index];
        const StageGroups& groups = out.groups[index];
        double dense = 0;
        double expert = 0;
        for (const auto& stage : out.stages) {
            if (stage.rank != r) continue;
            dense += stage.denseParameters;
            expert += stage.expertParameters;
            rank.layers += stage.layers;
            rank.lastBackwardS += stage.backwardInput.totalS() + stage.backwardWeight.totalS() + stage.recompute.totalS();
            rank.firstForwardS += stage.forward.totalS();
        }
        const double buckets = std::max(1.0, std::ceil(dense * reduceBytesPerParameter / 160e6));
        const auto part = [&](CollectiveKind kind, double bytes, const GroupShape& shape, double count) {
            CollectiveTime t = collectiveTime(kind, bytes / count, shape, constants);
            t.totalS *= count;
            t.bytesOnWire *= count;
            return t;
        };
        const auto use = [&rank](const CollectiveTime& t) {
            rank.reduceS += t.totalS;
            rank.reduceBytes += t.bytesOnWire;
            if (t.totalS > 0) {
                rank.algorithm = t.algorithm;
                rank.link = t.link;
            }
        };
        const double expertBuckets = std::max(1.0, std::ceil(expert * reduceBytesPerParameter / 160e6));
        if (degrees.zeroStage == 0) {
            rank.reduceKind = CollectiveKind::allReduce;
            use(part(CollectiveKind::allReduce, dense * reduceBytesPerParameter, groups.data, buckets));
            use(part(CollectiveKind::allReduce, expert * reduceBytesPerParameter, groups.expertData, expertBuckets));
        } else {
            rank.reduceKind = CollectiveKind::reduceScatter;
            if (!zero3) {
                use(part(CollectiveKind::reduceScatter, dense * reduceBytesPerParameter, groups.shard, buckets));
                use(part(CollectiveKind::reduceScatter, expert * reduceBytesPerParameter, groups.expertData, expertBuckets));
                const auto gather = part(CollectiveKind::allGather, dense * elementBytes, groups.shard, buckets);
                const auto gatherExperts = part(CollectiveKind::allGather, expert * elementBytes, groups.expertData, expertBuckets);
                rank.gatherS = gather.totalS + gatherExperts.totalS;
                rank.gatherBytes = gather.bytesOnWire + gatherExperts.bytesOnWire;
            }
            if (groups.replicas.ranks > 1) {
                const double mine = dense / std::max(1, groups.shard.ranks);
                use(part(CollectiveKind::allReduce, mine * reduceBytesPerParameter, groups.replicas, 1));
            }
        }
        if (model.tiedEmbeddings && ranks > 1 && (r == 0 || r == ranks - 1)) {
            const double table = static_cast<double>(paddedVocabulary(model, sharding)) * static_cast<double>(model.hiddenSize) / static_cast<double>(degrees.tensorParallel);
            const auto sum = collectiveTime(CollectiveKind::allReduce, table * reduceBytesPerParameter, out.groups[static_cast<std::size_t>(ranks - 1)].next, constants);
            rank.tiedS = sum.totalS;
            rank.tiedBytes = sum.bytesOnWire;
        }
        const double shardedBy = degrees.zeroStage >= 1 ? std::max(1, groups.shard.ranks) : 1;
        const double expertShardedBy = degrees.zeroStage >= 1 ? std::max(1, groups.expertData.ranks) : 1;
        const double mine = (dense / shardedBy + expert / expertShardedBy) * (1 - degrees.optimizerOffloadFraction);
        const auto& device = out.devices[index];
        rank.optimizerS = (mine * kOptimizerBytes / (device.efficiency.optimizerShare * device.memoryBytesPerS) + 1e-3) * device.slowdown;
    }
    const double world = static_cast<double>(std::max<std::int64_t>(1, layout.ranks()));
    if (world > 1) {
        out.synchronizationS = 3 * (constants.baseS + 2 * std::log2(world) * constants.treeHopS);
        out.jitterShare = kJitterSigma * std::sqrt(2 * std::log(world));
    }
    return out;
}

}  // namespace trainyard
