#include "core/engine/traffic_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/format_quantity.h"

namespace trainyard {
namespace {

/// Share of a rank's dense parameters that are the token embedding: only those have untouched rows.
double embeddingParameters(const Scenario& scenario, std::size_t rank) {
    if (rank > 0) return 0;
    return static_cast<double>(scenario.model->vocabSize) * static_cast<double>(scenario.model->hiddenSize) /
           static_cast<double>(std::max<std::int64_t>(1, scenario.plan.tensorParallel));
}

double denseParameters(const StageCosts& costs, std::size_t rank) {
    double sum = 0;
    for (const StageCost& stage : costs.stages)
        if (static_cast<std::size_t>(stage.rank) == rank) sum += stage.denseParameters;
    return sum;
}

void compressPipeline(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan, const CommunicationConstants& constants) {
    for (StageCost& stage : costs.stages) {
        if (stage.sendBytes <= 0) continue;
        const auto rank = static_cast<std::size_t>(stage.rank);
        const MessageShape shape = messageShape(Boundary::pipeline, scenario, plan, costs, rank);
        const CompressedMessage message = compressedMessage(scenario.plan.compression.pipeline, shape, costs.devices[rank]);
        const double before = sendTime(stage.sendBytes, costs.groups[rank].next, constants).totalS;
        const CollectiveTime after = sendTime(stage.sendBytes * message.ratio, costs.groups[rank].next, constants);
        stage.sendS = std::max(0.0, stage.sendS - before) + after.totalS + message.codecS();
        stage.sendBytes = after.bytesOnWire;
    }
}

void compressTensor(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan) {
    for (StageCost& stage : costs.stages) {
        const auto rank = static_cast<std::size_t>(stage.rank);
        const MessageShape shape = messageShape(Boundary::tensor, scenario, plan, costs, rank);
        const CompressedMessage message = compressedMessage(scenario.plan.compression.tensor, shape, costs.devices[rank]);
        double calls = 0;
        double wireS = 0;
        stage.traffic = std::make_shared<StageTraffic>(*stage.traffic);  // equal stages share one
        for (TrafficCost& traffic : stage.traffic->at[0]) {
            calls += traffic.calls;
            wireS += traffic.timeS;
            traffic.bytes *= message.ratio;
            traffic.timeS = traffic.timeS * message.ratio + traffic.calls * message.codecS();
        }
        if (wireS <= 0) continue;
        const double factor = message.ratio + calls * message.codecS() / wireS;
        for (PassCost* pass : {&stage.forward, &stage.backwardInput, &stage.backwardWeight, &stage.recompute}) pass->tensorS *= factor;
    }
}

void compressData(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan) {
    for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
        RankCost& rank = costs.ranks[r];
        if (rank.reduceS <= 0) continue;
        const MessageShape shape = messageShape(Boundary::data, scenario, plan, costs, r);
        const CompressedMessage message = compressedMessage(scenario.plan.compression.data, shape, costs.devices[r]);
        double share = 1;  // of the gradients that the codec works on
        if (scenario.plan.compression.data.codec == Codec::unique_rows)
            share = std::min(1.0, embeddingParameters(scenario, r) / std::max(1.0, denseParameters(costs, r)));
        const double ratio = 1 - share * (1 - message.ratio);
        rank.reduceS = rank.reduceS * ratio + message.codecS();
        rank.reduceBytes *= ratio;
    }
}

/// Site of a device: what its node says, else the block itself if all ways out of it are wide-area links.
std::string siteOf(const Topology& topology, std::int32_t device) {
    return topology.cluster().nodes[static_cast<std::size_t>(topology.node(topology.nodeOf(device)).block)].site;
}

/// Share of the reduction's time that stays in every step: inside a site, if only sites are loosely coupled.
double synchronousShare(const Scenario& scenario, const StageCosts& costs, const Topology& topology, const RankLayout& layout, std::size_t rank,
                        const CommunicationConstants& constants) {
    if (scenario.plan.localUpdate.between == LocalUpdateScope::replicas) return 0;
    const std::int32_t perStage = layout.ranks() / layout.degree(Dimension::pipeline);
    const std::int32_t tensor = layout.degree(Dimension::tensor);
    std::vector<std::int32_t> holders;
    for (std::int32_t i = 0; i < perStage; i += tensor) holders.push_back(layout.device(static_cast<std::int32_t>(rank) * perStage + i));
    std::sort(holders.begin(), holders.end());
    double inside = 0;
    const double bytes = 1e9;
    for (std::size_t begin = 0; begin < holders.size();) {
        std::size_t end = begin + 1;
        while (end < holders.size() && siteOf(topology, holders[end]) == siteOf(topology, holders[begin])) ++end;
        const GroupShape shape = groupShape(topology, {holders.data() + begin, end - begin});
        inside = std::max(inside, collectiveTime(CollectiveKind::allReduce, bytes, shape, constants).totalS);
        begin = end;
    }
    const double all = collectiveTime(CollectiveKind::allReduce, bytes, costs.groups[rank].data, constants).totalS;
    return all > 0 ? std::min(1.0, inside / all) : 1;
}

void applyLocalUpdates(StageCosts& costs, const Scenario& scenario, const Topology& topology, const RankLayout& layout,
                       const CommunicationConstants& constants) {
    const double every = static_cast<double>(scenario.plan.localUpdate.every);
    for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
        RankCost& rank = costs.ranks[r];
        const double inside = synchronousShare(scenario, costs, topology, layout, r, constants);
        const double share = inside + (1 - inside) * (every > 0 ? 1 / every : 0);
        for (double* figure : {&rank.reduceS, &rank.reduceBytes, &rank.gatherS, &rank.gatherBytes}) *figure *= share;
    }
}

}  // namespace

MessageShape messageShape(Boundary boundary, const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, std::size_t rank) {
    const Plan& degrees = scenario.plan;
    const double t = static_cast<double>(std::max<std::int64_t>(1, degrees.tensorParallel));
    const double tokens = static_cast<double>(scenario.workload.sequenceLength) * static_cast<double>(degrees.microBatchSize) /
                          static_cast<double>(std::max<std::int64_t>(1, degrees.contextParallel));
    MessageShape shape;
    shape.columns = static_cast<double>(scenario.model->hiddenSize);
    shape.elementBytes = storageBytes(scenario.workload.precision);
    if (boundary == Boundary::pipeline) {
        shape.rows = tokens / t;
    } else if (boundary == Boundary::tensor) {
        shape.rows = tokens;
    } else {
        shape.elementBytes = storageBytes(plan.gradientPrecision);
        shape.workers = static_cast<double>(std::max(1, costs.groups[rank].data.ranks));
        if (degrees.compression.data.codec == Codec::unique_rows) {
            shape.rows = embeddingParameters(scenario, rank) / shape.columns;
            shape.touchedRows = rank == 0 ? tokens * static_cast<double>(plan.microBatches) : 0;
        } else {
            shape.rows = denseParameters(costs, rank) / shape.columns;
        }
        shape.rows = std::max(1.0, shape.rows);
    }
    return shape;
}

void applyTrafficOptions(StageCosts& costs, const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout,
                         const CommunicationConstants& constants) {
    const CompressionPlan& compression = scenario.plan.compression;
    if (compression.pipeline.codec != Codec::none) compressPipeline(costs, scenario, plan, constants);
    if (compression.tensor.codec != Codec::none && scenario.plan.tensorParallel > 1) compressTensor(costs, scenario, plan);
    if (compression.data.codec != Codec::none) compressData(costs, scenario, plan);
    if (scenario.plan.localUpdate.every != 1) applyLocalUpdates(costs, scenario, topology, layout, constants);
}

namespace {

std::string riskText(AccuracyRisk risk) {
    switch (risk) {
        case AccuracyRisk::none: return "the same values arrive";
        case AccuracyRisk::watch: return "accuracy: watch the loss";
        case AccuracyRisk::risky: return "accuracy: published runs lose some";
        case AccuracyRisk::changed: return "accuracy: another training problem";
    }
    return {};
}

}  // namespace

std::vector<std::string> trafficOptionNotes(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs) {
    std::vector<std::string> notes;
    for (const Boundary boundary : {Boundary::pipeline, Boundary::tensor, Boundary::data}) {
        const BoundaryCompression& how = scenario.plan.compression.at(boundary);
        if (how.codec == Codec::none || costs.devices.empty()) continue;
        const CompressedMessage message = compressedMessage(how, messageShape(boundary, scenario, plan, costs, 0), costs.devices.front());
        if (!message.applies) {
            notes.push_back(fmt::format("{} messages: {} would not make them smaller; they go as they are", name(boundary), name(how.codec)));
            continue;
        }
        const double pays = message.paysBelowBytesPerS();
        notes.push_back(fmt::format("{} messages: {} sends {} of the bytes, codec {} a message, pays below {}; {}", name(boundary), name(how.codec),
                                    percentText(message.ratio).joined(), secondsText(message.codecS()).joined(),
                                    pays < 1e20 ? bytesPerSecondText(pays).joined() : std::string("any bandwidth"), riskText(message.risk)));
    }
    const LocalUpdatePlan& local = scenario.plan.localUpdate;
    if (local.every == 0)
        notes.push_back(fmt::format("{} never exchange weights (independent islands, arXiv 2303.14177): time per step is comparable, what is learned is not",
                                    name(local.between)));
    else if (local.every > 1)
        notes.push_back(fmt::format("{} exchange weights every {} steps (DiLoCo, arXiv 2311.08105): compare the loss; the outer optimizer is kept in host memory",
                                    name(local.between), local.every));
    return notes;
}

}  // namespace trainyard
