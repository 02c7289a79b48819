#include "core/engine/replica_pricer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/engine/rank_costs.h"
#include "core/memory/memory_model.h"

namespace trainyard {
namespace {

std::int64_t layersUpTo(const ReplicaPlan& replica, std::size_t stage) {
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < stage; ++s) sum += replica.stages[s].layers;
    return sum;
}

double shareOf(const std::vector<ReplicaPlan>& replicas, std::size_t index) {
    double sum = 0;
    for (const ReplicaPlan& replica : replicas) sum += replica.shard;
    return sum > 0 ? replicas[index].shard / sum : 1.0 / static_cast<double>(replicas.size());
}

/// One layer holder after the other: which stage of a replica holds `layer`.
std::size_t stageHolding(const ReplicaPlan& replica, std::int64_t layer) {
    std::int64_t end = 0;
    for (std::size_t s = 0; s < replica.stages.size(); ++s) {
        end += replica.stages[s].layers;
        if (layer < end) return s;
    }
    return replica.stages.size() - 1;
}

}  // namespace

/// Stages on nodes of one kind with one tensor degree: priced on a cluster of such nodes, with a cache of its own.
struct ReplicaPricer::StageClass {
    std::shared_ptr<const ClusterSpec> cluster;
    EngineCache cache;
};

ReplicaPricer::ReplicaPricer(const Scenario& scenario, std::shared_ptr<const Topology> topology)
    : scenario_(scenario), topology_(std::move(topology)) {}
ReplicaPricer::~ReplicaPricer() = default;

ReplicaPricer::StageClass& ReplicaPricer::classOf(const std::vector<std::int64_t>& devices, std::size_t nodes) {
    const auto count = static_cast<std::int64_t>(std::bit_ceil(std::max<std::size_t>(2, nodes)));  // few sizes, each priced once
    const auto first = static_cast<std::int32_t>(devices.front());
    const Topology::Node& node = topology_->node(topology_->nodeOf(first));
    const NodeSpec& block = topology_->cluster().nodes[static_cast<std::size_t>(node.block)];
    // The slowest kind that takes part sets the pace of the group.
    const AcceleratorSpec* slowest = &topology_->accelerator(first);
    double narrowest = topology_->intra(topology_->nodeOf(first)).bandwidthBytesPerS;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const AcceleratorSpec* one = &topology_->accelerator(static_cast<std::int32_t>(devices[i]));
        if (one->peak(Precision::bf16) < slowest->peak(Precision::bf16)) slowest = one;
        if (i > 0) narrowest = std::min(narrowest, topology_->route(static_cast<std::int32_t>(devices[i - 1]), static_cast<std::int32_t>(devices[i])).bandwidthBytesPerS);
    }
    const ClassKey key{node.block, slowest, static_cast<int>(devices.size()), narrowest, count};
    auto& known = classes_[key];
    if (known) return *known;
    known = std::make_unique<StageClass>();
    ClusterSpec cluster;
    NodeSpec like = block;
    like.id = "node";
    like.count = count;
    for (const AcceleratorGroup& group : block.accelerators)
        if (group.accelerator.get() == slowest) like.accelerators = {{group.accelerator, static_cast<std::int64_t>(devices.size())}};
    like.accelerators.resize(1);
    like.accelerators[0].count = static_cast<std::int64_t>(devices.size());
    like.intra = topology_->intra(topology_->nodeOf(first));
    like.intra.matrixBytesPerS.clear();
    like.intra.bandwidthBytesPerS = std::min(like.intra.bandwidthBytesPerS, narrowest);
    cluster.nodes.push_back(like);
    SwitchSpec hub;
    hub.id = "switch";
    cluster.switches.push_back(hub);
    LinkSpec link;
    link.from = "node";
    link.to = "switch";
    link.bandwidthBytesPerS = 12.5e9;  // never used: all traffic between nodes is priced on the real ways
    cluster.links.push_back(link);
    known->cluster = std::make_shared<const ClusterSpec>(std::move(cluster));
    return *known;
}

PricedReplica ReplicaPricer::priceOne(const std::vector<ReplicaPlan>& replicas, std::size_t index) {
    const ReplicaPlan& replica = replicas[index];
    PricedReplica out;
    const std::size_t stages = replica.stages.size();
    const bool shards = scenario_.plan.zeroStage >= 3;
    const auto constants = communicationConstants(scenario_.calibration);
    std::vector<StageClass*> done;
    for (std::size_t s = 0; s < stages; ++s) {
        StageClass& kind = classOf(replica.stages[s].devices, stages * replicas.size());
        if (std::find(done.begin(), done.end(), &kind) != done.end()) continue;
        done.push_back(&kind);
        Scenario one = scenario_;
        one.cluster = kind.cluster;
        Plan& plan = one.plan;
        plan.replicas.clear();
        plan.compression.pipeline = plan.compression.data = {};
        plan.localUpdate = {};
        plan.tensorParallel = static_cast<std::int64_t>(replica.stages[s].devices.size());
        plan.pipelineParallel = static_cast<std::int64_t>(stages);
        plan.contextParallel = plan.expertParallel = plan.expertTensorParallel = plan.virtualStages = 1;
        plan.dataParallel = static_cast<std::int64_t>(replicas.size());
        plan.microBatchSize = replica.microBatchSize;
        plan.sequenceParallel = plan.sequenceParallel && plan.tensorParallel > 1;
        plan.shardGroup.reset();
        plan.deviceOfRank.clear();
        plan.placementOrder.clear();
        plan.recompute.perStage.clear();
        plan.layersPerStage.clear();
        for (const ReplicaStage& stage : replica.stages) plan.layersPerStage.push_back(stage.layers);
        if (shards) plan.zeroStage = 0;  // its traffic is priced on the real ways, below
        one.workload.globalBatchSize = replica.sequences() * static_cast<std::int64_t>(replicas.size());
        const ResolvedPlan resolved = resolve(one);
        const RankLayout layout(plan.tensorParallel, 1, resolved.dataParallel, plan.pipelineParallel, plan);
        const auto& topology = kind.cache.topology(one);
        StageCosts costs = stageCosts(one, resolved, *topology, layout, kind.cache);
        if (done.size() == 1) {
            out.scenario = one;
            out.plan = resolved;
            out.costs = std::move(costs);
            continue;
        }
        for (std::size_t other = s; other < stages; ++other) {
            if (&classOf(replica.stages[other].devices, stages * replicas.size()) != &kind) continue;
            out.costs.stages[other] = costs.stages[other];
            out.costs.ranks[other] = costs.ranks[other];
            out.costs.groups[other] = costs.groups[other];
            out.costs.devices[other] = costs.devices[other];
        }
    }
    const double boundary = static_cast<double>(scenario_.workload.sequenceLength) * static_cast<double>(replica.microBatchSize) *
                            static_cast<double>(scenario_.model->hiddenSize) * storageBytes(scenario_.workload.precision);
    for (std::size_t s = 0; s < stages; ++s) {
        const auto& devices = replica.stages[s].devices;
        out.tensor.push_back(static_cast<int>(devices.size()));
        if (s + 1 == stages) continue;
        const auto& next = replica.stages[s + 1].devices;
        std::int32_t pair[2] = {static_cast<std::int32_t>(devices.back()), static_cast<std::int32_t>(next.front())};
        if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
        out.costs.groups[s].next = groupShape(*topology_, pair);
        const double parts = static_cast<double>(std::min(devices.size(), next.size()));
        const CollectiveTime send = sendTime(boundary / parts, out.costs.groups[s].next, constants);
        out.costs.stages[s].sendS = send.totalS;
        out.costs.stages[s].sendBytes = send.bytesOnWire;
        if (next.size() > 1 && !scenario_.plan.sequenceParallel)
            out.costs.stages[s].sendS += collectiveTime(CollectiveKind::allGather, boundary, out.costs.groups[s + 1].tensor, constants).totalS;
    }
    return out;
}

void ReplicaPricer::exchangeGradients(std::vector<PricedReplica>& priced, const std::vector<ReplicaPlan>& replicas) const {
    for (PricedReplica& one : priced)
        for (RankCost& rank : one.costs.ranks) {
            rank.reduceS = rank.reduceBytes = rank.gatherS = rank.gatherBytes = rank.tiedS = rank.tiedBytes = 0;
        }
    if (priced.size() < 2) return;
    const auto constants = communicationConstants(scenario_.calibration);
    const double gradientBytes = storageBytes(priced.front().plan.gradientPrecision);
    const double elementBytes = storageBytes(scenario_.workload.precision);
    // Borders between runs of layers that the same stages hold.
    std::vector<std::int64_t> borders{0, scenario_.model->layers};
    for (const ReplicaPlan& replica : replicas)
        for (std::size_t s = 1; s < replica.stages.size(); ++s) borders.push_back(layersUpTo(replica, s));
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (std::size_t run = 0; run + 1 < borders.size(); ++run) {
        struct Holder {
            std::size_t replica, stage;
        };
        std::vector<Holder> holders;
        std::size_t widest = 1;
        std::size_t fewest = SIZE_MAX;
        double parameters = 0;
        for (std::size_t j = 0; j < replicas.size(); ++j) {
            const std::size_t s = stageHolding(replicas[j], borders[run]);
            const ReplicaStage& stage = replicas[j].stages[s];
            holders.push_back({j, s});
            widest = std::max(widest, stage.devices.size());
            fewest = std::min(fewest, stage.devices.size());
            // Embedding and head weigh in with the layers of their stage.
            const double held = priced[j].costs.stages[s].denseParameters + priced[j].costs.stages[s].expertParameters;
            const double own = held * static_cast<double>(stage.devices.size()) * static_cast<double>(borders[run + 1] - borders[run]) /
                               static_cast<double>(std::max<std::int64_t>(1, stage.layers));
            parameters = std::max(parameters, own);
        }
        GroupShape shape;
        std::vector<std::int32_t> ring;
        for (std::size_t slice = 0; slice < widest; ++slice) {
            ring.clear();
            for (const Holder& holder : holders) {
                const auto& devices = replicas[holder.replica].stages[holder.stage].devices;
                ring.push_back(static_cast<std::int32_t>(devices[slice * devices.size() / widest]));
            }
            std::sort(ring.begin(), ring.end());
            const GroupShape one = groupShape(*topology_, ring);
            shape = slice == 0 ? one : slower(shape, one);
        }
        const double turns = static_cast<double>(widest) / static_cast<double>(fewest);
        const double slice = parameters / static_cast<double>(widest);
        const bool shards = scenario_.plan.zeroStage >= 1;
        const auto reduce = collectiveTime(shards ? CollectiveKind::reduceScatter : CollectiveKind::allReduce, slice * gradientBytes, shape, constants);
        const auto gather = shards ? collectiveTime(CollectiveKind::allGather, slice * elementBytes, shape, constants) : CollectiveTime{};
        for (const Holder& holder : holders) {
            RankCost& rank = priced[holder.replica].costs.ranks[holder.stage];
            const double own = static_cast<double>(widest) / static_cast<double>(replicas[holder.replica].stages[holder.stage].devices.size());
            rank.reduceKind = shards ? CollectiveKind::reduceScatter : CollectiveKind::allReduce;
            rank.algorithm = reduce.algorithm;
            rank.link = reduce.link;
            rank.reduceS += turns * reduce.totalS;
            rank.reduceBytes += own * reduce.bytesOnWire;
            rank.gatherS += turns * gather.totalS;
            rank.gatherBytes += own * gather.bytesOnWire;
            priced[holder.replica].costs.groups[holder.stage].data = shape;
        }
    }
}

void ReplicaPricer::shardStates(std::vector<PricedReplica>& priced, const std::vector<ReplicaPlan>& replicas) const {
    const auto constants = communicationConstants(scenario_.calibration);
    std::vector<std::int32_t> everyone;
    for (const ReplicaPlan& replica : replicas)
        for (const std::int64_t device : replica.stages.front().devices) everyone.push_back(static_cast<std::int32_t>(device));
    std::sort(everyone.begin(), everyone.end());
    const GroupShape all = groupShape(*topology_, everyone);
    double largest = 0;
    for (std::size_t j = 0; j < replicas.size(); ++j) largest = std::max(largest, shareOf(replicas, j));
    const double uneven = largest * static_cast<double>(replicas.size());
    const bool layered = scenario_.plan.schedule == "layered-accumulation";
    for (std::size_t j = 0; j < priced.size(); ++j) {
        PricedReplica& one = priced[j];
        StageGroups& groups = one.costs.groups.front();
        groups.shard = groups.data = all;
        StageCost& stage = one.costs.stages.front();
        // The gather of an uneven share takes as long as if everyone had the largest. With layers accumulated one by one, all
        // micro-batches share a gather.
        const double factor = uneven / (layered ? static_cast<double>(std::max<std::int64_t>(1, replicas[j].microBatches)) : 1);
        const double parameters = stage.denseParameters;
        stage.denseParameters *= factor;
        Scenario sharded = one.scenario;
        sharded.plan.zeroStage = 3;
        addShardedTraffic(stage, groups, one.costs.devices.front(), sharded, one.plan, constants);
        stage.denseParameters = parameters;
        one.costs.ranks.front().optimizerS *= shareOf(replicas, j);
        one.costs.ranks.front().lastBackwardS = stage.backwardInput.totalS() + stage.backwardWeight.totalS() + stage.recompute.totalS();
        one.costs.ranks.front().firstForwardS = stage.forward.totalS();
    }
}

void ReplicaPricer::fillMemory(PricedReplica& priced, const ReplicaPlan& replica, std::size_t replicas) {
    const std::size_t stages = replica.stages.size();
    std::int64_t layer = 0;
    for (std::size_t s = 0; s < stages; ++s) {
        StageClass& kind = classOf(replica.stages[s].devices, stages * replicas);
        Scenario one = priced.scenario;
        one.cluster = kind.cluster;
        one.plan.tensorParallel = static_cast<std::int64_t>(replica.stages[s].devices.size());
        one.plan.sequenceParallel = scenario_.plan.sequenceParallel && one.plan.tensorParallel > 1;
        one.plan.zeroStage = scenario_.plan.zeroStage;
        const ModelMemory& model = kind.cache.memory(one, shardingOf(one));
        StatePlan state = statePlan(one.workload, one.plan, resolve(one));
        if (one.plan.zeroStage >= 3 && replica.shard > 0) state.denseShards = state.expertShards = 1 / replica.shard;
        const std::pair<std::int64_t, std::int64_t> chunk{layer, replica.stages[s].layers};
        layer += replica.stages[s].layers;
        StageContents contents;
        contents.pipelineRank = static_cast<int>(s);
        contents.layers = {&chunk, 1};
        contents.embedding = s == 0;
        contents.head = s + 1 == stages;
        InFlight live;
        live.untilInput = priced.step.inFlight.untilInput[s];
        live.untilWeight = std::max(priced.step.inFlight.untilWeight[s], priced.step.inFlight.untilInput[s]);
        live.atHead = priced.step.inFlight.atHead;
        live.splitBackward = priced.step.splitBackward;
        const auto breakdown = memoryBreakdown(model, contents, live, state, one.workload, one.plan, priced.plan);
        std::int64_t smallest = replica.stages[s].devices.front();
        for (const std::int64_t device : replica.stages[s].devices)
            if (usableBytes(topology_->accelerator(static_cast<std::int32_t>(device))) < usableBytes(topology_->accelerator(static_cast<std::int32_t>(smallest))))
                smallest = device;
        priced.memory.push_back(stageMemory(breakdown, static_cast<int>(s), static_cast<int>(smallest), topology_->accelerator(static_cast<std::int32_t>(smallest))));
    }
}

PricedReplicas ReplicaPricer::price(const std::vector<ReplicaPlan>& replicas, bool simulate, int levels) {
    PricedReplicas out;
    for (std::size_t j = 0; j < replicas.size(); ++j) out.replicas.push_back(priceOne(replicas, j));
    if (scenario_.plan.zeroStage >= 3) shardStates(out.replicas, replicas);
    else exchangeGradients(out.replicas, replicas);
    out.overflowBytes = -1e30;
    double devices = 0;
    for (std::size_t j = 0; j < replicas.size(); ++j) {
        PricedReplica& one = out.replicas[j];
        one.step = stepTime(one.scenario, one.plan, one.costs, simulate, levels);
        fillMemory(one, replicas[j], replicas.size());
        for (const StageMemory& memory : one.memory) {
            out.fill = std::max(out.fill, memory.totalBytes / memory.capacityBytes);
            out.overflowBytes = std::max(out.overflowBytes, memory.totalBytes - memory.capacityBytes);
        }
        if (one.step.level[0].stepS > out.replicas[out.slowest].step.level[0].stepS) out.slowest = j;
        for (std::size_t s = 0; s < one.tensor.size(); ++s) {
            const StageCost& stage = one.costs.stages[s];
            const double width = one.tensor[s];
            devices += width;
            out.together.computeS += width * static_cast<double>(one.plan.microBatches) * (1 + one.costs.jitterShare) *
                                     (stage.forward.computeS() + stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS());
            out.together.optimizerS += width * one.costs.ranks[s].optimizerS;
            out.together.offloadS += width * one.costs.ranks[s].offloadS;
        }
    }
    for (double* mean : {&out.together.computeS, &out.together.optimizerS, &out.together.offloadS}) *mean /= std::max(1.0, devices);
    for (int level = 0; level < levels; ++level) {
        StepAtLevel& at = out.together.level[level];
        for (std::size_t j = 0; j < out.replicas.size(); ++j) {
            const StepAtLevel& one = out.replicas[j].step.level[level];
            at.stepS = std::max(at.stepS, one.stepS);
            at.spanS = std::max(at.spanS, one.spanS);
            double width = 0;
            for (const int t : out.replicas[j].tensor) width += t;
            at.stageBusyS += one.stageBusyS * width / std::max(1.0, devices);
        }
    }
    out.together.timeline = out.replicas[out.slowest].step.timeline;
    out.together.simulated = out.replicas[out.slowest].step.simulated;
    out.together.note = out.replicas[out.slowest].step.note;
    return out;
}

}  // namespace trainyard
