#include "core/engine/communication_items.h"

#include <algorithm>
#include <string>

namespace trainyard {
namespace {

constexpr Dimension kDimensionOf[kTrafficGroups] = {Dimension::tensor, Dimension::context, Dimension::expert};
constexpr Collective kCollectiveOf[kTrafficCollectives] = {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                                           Collective::all_to_all, Collective::send_recv};

Collective collectiveOf(CollectiveKind kind) { return kind == CollectiveKind::allReduce ? Collective::all_reduce : Collective::reduce_scatter; }

double exposedOf(const TimeSummary& time, Dimension dimension) {
    switch (dimension) {
        case Dimension::tensor: return time.exposedTensorS;
        case Dimension::context: return time.exposedContextS;
        case Dimension::data: return time.exposedDataS;
        case Dimension::pipeline: return time.exposedPipelineS;
        case Dimension::expert: return time.exposedExpertS;
    }
    return 0;
}

}  // namespace

std::vector<CommunicationItem> communicationItems(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const TimeSummary& time) {
    std::vector<CommunicationItem> items;
    const double m = static_cast<double>(plan.microBatches);
    const double ranks = static_cast<double>(costs.ranks.size());
    const double perDevice = m / ranks;
    for (int g = 0; g < kTrafficGroups; ++g)
        for (int c = 0; c < kTrafficCollectives; ++c) {
            TrafficCost sum;
            for (const auto& stage : costs.stages) sum.add(stage.traffic->at[g][c], perDevice);
            if (sum.calls <= 0) continue;
            items.push_back({.group = kDimensionOf[g], .collective = kCollectiveOf[c], .callsPerStep = sum.calls, .bytesPerDevicePerStep = sum.bytes,
                             .link = std::string(name(sum.link)), .algorithm = std::string(name(sum.algorithm)), .groupSize = sum.groupSize,
                             .timeS = sum.timeS, .exposedS = 0});
        }

    double sends = 0;
    double sendBytes = 0;
    double sendS = 0;
    for (const auto& stage : costs.stages) {
        if (stage.sendBytes <= 0) continue;
        sends += 2 * perDevice;
        sendBytes += 2 * perDevice * stage.sendBytes;
        sendS += 2 * perDevice * stage.sendS;
    }
    if (sends > 0) {
        const auto& next = costs.groups.front().next;
        items.push_back({.group = Dimension::pipeline, .collective = Collective::send_recv, .callsPerStep = sends, .bytesPerDevicePerStep = sendBytes,
                         .link = std::string(name(next.crossesNodes() ? next.networkKind : next.intraKind)), .algorithm = "direct",
                         .groupSize = static_cast<int>(costs.ranks.size()), .timeS = sendS, .exposedS = 0});
    }

    const auto& shard = costs.groups.front().shard;
    const auto& data = costs.groups.front().data;
    CommunicationItem reduce{.group = Dimension::data, .collective = Collective::all_reduce, .callsPerStep = 0, .bytesPerDevicePerStep = 0, .link = {},
                             .algorithm = {}, .groupSize = data.ranks, .timeS = 0, .exposedS = 0};
    CommunicationItem gather = reduce;
    gather.collective = Collective::all_gather;
    gather.groupSize = shard.ranks;
    const auto describe = [](CommunicationItem& item, const GroupShape& shape, const RankCost& rank) {
        item.link = std::string(name(shape.crossesNodes() ? shape.networkKind : shape.intraKind));
        item.algorithm = std::string(name(rank.algorithm == CollectiveAlgorithm::none ? CollectiveAlgorithm::ring : rank.algorithm));
    };
    for (const auto& rank : costs.ranks) {
        if (rank.reduceS > 0) {
            reduce.collective = collectiveOf(rank.reduceKind);
            reduce.callsPerStep += 1 / ranks;
            reduce.bytesPerDevicePerStep += (rank.reduceBytes + rank.tiedBytes) / ranks;
            reduce.timeS += (rank.reduceS + rank.tiedS) / ranks;
            describe(reduce, data, rank);
        }
        if (rank.gatherS > 0) {
            gather.callsPerStep += 1 / ranks;
            gather.bytesPerDevicePerStep += rank.gatherBytes / ranks;
            gather.timeS += rank.gatherS / ranks;
            describe(gather, shard, rank);
        }
    }
    for (const auto& stage : costs.stages) {
        if (stage.gatherForwardS <= 0) continue;
        const double layers = static_cast<double>(std::max<std::int64_t>(1, stage.layers));
        gather.callsPerStep += 2 * layers * perDevice;
        gather.bytesPerDevicePerStep += 2 * stage.gatherBytes * perDevice;
        gather.timeS += (stage.gatherForwardS + stage.gatherBackwardS) * perDevice;
        reduce.collective = Collective::reduce_scatter;
        reduce.callsPerStep += layers * perDevice;
        reduce.bytesPerDevicePerStep += stage.scatterBytes * perDevice;
        reduce.timeS += stage.scatterS * perDevice;
        describe(gather, shard, costs.ranks.front());
        describe(reduce, shard, costs.ranks.front());
    }
    if (reduce.timeS > 0) items.push_back(reduce);
    if (gather.timeS > 0) items.push_back(gather);

    // Of each dimension's exposed time every item bears its share of the traffic time.
    for (auto& item : items) {
        double total = 0;
        for (const auto& other : items)
            if (other.group == item.group) total += other.timeS;
        item.exposedS = total > 0 ? exposedOf(time, item.group) * item.timeS / total : 0;
    }
    (void)scenario;
    return items;
}

}  // namespace trainyard
