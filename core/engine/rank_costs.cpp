#include "core/engine/rank_costs.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr double kOptimizerBytes = 30;       ///< Adam, fp32 state: reads p, g, m, v; writes p, m, v and a 16-bit copy
constexpr double kGatherHiddenShare = 0.85;  ///< of ZeRO-3 traffic that prefetching can hide
constexpr double kBucketBytes = 160e6;       ///< gradients are reduced in buckets of 40 million fp32 elements (Megatron-LM)
/// Optimizer step on the host, per parameter of one device with eight devices to a host: 2.1 s more for 1.9 billion parameters
/// (Megatron-Bridge, optimizer offload of Qwen3-30B-A3B on 16 H100).
constexpr double kHostStepSPerParameter = 1.7e-9;

}  // namespace

void addShardedTraffic(StageCost& stage, const StageGroups& groups, const PricedDevice& device, const Scenario& scenario, const ResolvedPlan& plan,
                       const CommunicationConstants& constants) {
    const double elementBytes = storageBytes(scenario.workload.precision);
    const double reduceBytesPerParameter = storageBytes(plan.gradientPrecision);
    const bool overlap = scenario.plan.overlap.data.value_or(true);
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
    const double slow = device.efficiency.communicationSlowdown;
    const auto beside = [&](double communicationS, double computeS, PassCost& pass) {
        if (!overlap) return communicationS;
        const double hidden = std::min(kGatherHiddenShare * communicationS, computeS * slow);
        pass.slowdownS += hidden * (1 - 1 / slow);
        return communicationS - hidden;
    };
    stage.forwardDataS = beside(stage.gatherForwardS, stage.forward.computeS(), stage.forward);
    stage.backwardDataS = beside(stage.gatherBackwardS + stage.scatterS,
                                 stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS(), stage.backwardInput);
}

void fillRankCosts(StageCosts& out, const Scenario& scenario, const ResolvedPlan& plan, const Sharding& sharding,
                   const CommunicationConstants& constants) {
    const Plan& degrees = scenario.plan;
    const ModelSpec& model = *scenario.model;
    const double elementBytes = storageBytes(scenario.workload.precision);
    const double reduceBytesPerParameter = storageBytes(plan.gradientPrecision);
    const bool zero3 = degrees.zeroStage >= 3;
    const int ranks = static_cast<int>(out.groups.size());
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
        const double buckets = std::max(1.0, std::ceil(dense * reduceBytesPerParameter / kBucketBytes));
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
        const double expertBuckets = std::max(1.0, std::ceil(expert * reduceBytesPerParameter / kBucketBytes));
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
        const double all = dense / shardedBy + expert / expertShardedBy;
        const double mine = all * (1 - degrees.optimizerOffloadFraction);
        const auto& device = out.devices[index];
        rank.optimizerS = (mine * kOptimizerBytes / (device.efficiency.optimizerShare * device.memoryBytesPerS) + 1e-3) * device.slowdown;
        rank.offloadS = all * degrees.optimizerOffloadFraction * kHostStepSPerParameter;
    }
}

}  // namespace trainyard
