#include "core/engine/traffic_map.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace trainyard {
namespace {

constexpr std::int32_t kMatrixDevices = 64;     ///< above: one block per node instance
constexpr std::int32_t kMatrixBlocks = 1024;    ///< above: no matrix

/// Adds flows between devices to the matrix and to the block-to-block sums.
class FlowSink {
  public:
    FlowSink(Evaluation& e, const Topology& topology) : e_(e), topology_(topology) {
        e.trafficBlocksAreNodes = topology.devices() > kMatrixDevices;
        e.trafficBlocks = e.trafficBlocksAreNodes ? topology.nodes() : topology.devices();
        if (e.trafficBlocks > kMatrixBlocks) e.trafficBlocks = 0;
        e.trafficMatrix.assign(static_cast<std::size_t>(e.trafficBlocks) * static_cast<std::size_t>(e.trafficBlocks), 0.0);
        intraBytes_.assign(topology.cluster().nodes.size(), 0.0);
    }

    void add(std::int32_t from, std::int32_t to, double bytes) {
        if (from == to || bytes <= 0) return;
        const std::int32_t a = topology_.nodeOf(from);
        const std::int32_t b = topology_.nodeOf(to);
        if (e_.trafficBlocks > 0) {
            const auto row = static_cast<std::size_t>(e_.trafficBlocksAreNodes ? a : from);
            const auto column = static_cast<std::size_t>(e_.trafficBlocksAreNodes ? b : to);
            e_.trafficMatrix[row * static_cast<std::size_t>(e_.trafficBlocks) + column] += bytes;
        }
        const auto blockA = topology_.node(a).block;
        const auto blockB = topology_.node(b).block;
        if (a == b) {
            intraBytes_[static_cast<std::size_t>(blockA)] += bytes;
            return;
        }
        auto& flow = flows_[{blockA, blockB}];
        if (flow.first < 0) flow = {from, to, 0.0};
        flow.bytes += bytes;
    }

    void finish(double stepS) {
        const auto& cluster = topology_.cluster();
        std::vector<double> forward(cluster.links.size(), 0.0);
        std::vector<double> backward(cluster.links.size(), 0.0);
        for (const auto& [blocks, flow] : flows_) {
            const Route way = topology_.route(flow.first, flow.second);
            const bool upAndDown = blocks.first == blocks.second && way.links.size() == 1;
            for (const auto link : way.links) {
                auto& direction = blocks.first <= blocks.second ? forward : backward;
                direction[static_cast<std::size_t>(link)] += flow.bytes;
                if (upAndDown) backward[static_cast<std::size_t>(link)] += flow.bytes;
            }
        }
        for (std::size_t i = 0; i < cluster.links.size(); ++i) {
            LinkLoad load;
            load.link = static_cast<int>(i);
            load.bytesPerStep = std::max(forward[i], backward[i]);
            double instances = 1;
            for (const auto& node : cluster.nodes)
                if (node.id == cluster.links[i].from || node.id == cluster.links[i].to) instances = std::max(instances, static_cast<double>(node.count));
            const double capacity = cluster.links[i].bandwidthBytesPerS * static_cast<double>(cluster.links[i].count) * instances;
            load.utilisation = capacity > 0 && stepS > 0 ? load.bytesPerStep / (capacity * stepS) : 0;
            e_.links.push_back(load);
        }
        std::int32_t node = 0;
        for (std::size_t block = 0; block < cluster.nodes.size(); ++block) {
            LinkLoad load;
            load.nodeBlock = static_cast<int>(block);
            load.bytesPerStep = intraBytes_[block];
            const auto& spec = cluster.nodes[block];
            const double devices = static_cast<double>(spec.count * spec.devicesPerNode());
            const double capacity = devices * topology_.intra(node).bandwidthBytesPerS;
            load.utilisation = capacity > 0 && stepS > 0 ? load.bytesPerStep / (capacity * stepS) : 0;
            e_.links.push_back(load);
            node += static_cast<std::int32_t>(spec.count);
        }
    }

  private:
    struct Flow {
        std::int32_t first = -1;
        std::int32_t second = -1;
        double bytes = 0;
    };
    Evaluation& e_;
    const Topology& topology_;
    std::map<std::pair<std::int32_t, std::int32_t>, Flow> flows_;
    std::vector<double> intraBytes_;
};

}  // namespace

void fillTrafficMap(Evaluation& e, const Scenario& scenario, const Topology& topology, const StageCosts& costs) {
    FlowSink sink(e, topology);
    const RankLayout& layout = *e.layout;
    const auto t = layout.degree(Dimension::tensor);
    const auto c = layout.degree(Dimension::context);
    const auto d = layout.degree(Dimension::data);
    const auto p = layout.degree(Dimension::pipeline);
    const std::int32_t perStage = t * c * d;
    const double m = static_cast<double>(e.plan.microBatches);
    const auto expertTensor = std::max<std::int32_t>(1, static_cast<std::int32_t>(scenario.plan.expertTensorParallel));
    const auto expert = std::max<std::int32_t>(1, static_cast<std::int32_t>(scenario.plan.expertParallel));

    // Bytes that one device of a pipeline rank sends per step, by kind.
    struct Sent {
        double tensor = 0, context = 0, expertRing = 0, expertAll = 0, data = 0;
    };
    std::vector<Sent> sent(static_cast<std::size_t>(p));
    for (const auto& stage : costs.stages) {
        auto& s = sent[static_cast<std::size_t>(stage.rank)];
        for (int k = 0; k < kTrafficCollectives; ++k) {
            s.tensor += m * stage.traffic->at[0][k].bytes;
            s.context += m * stage.traffic->at[1][k].bytes;
            (k == 3 ? s.expertAll : s.expertRing) += m * stage.traffic->at[2][k].bytes;
        }
        s.data += m * (2 * stage.gatherBytes + stage.scatterBytes);
    }
    for (std::int32_t r = 0; r < p; ++r) {
        auto& s = sent[static_cast<std::size_t>(r)];
        s.data += costs.ranks[static_cast<std::size_t>(r)].reduceBytes + costs.ranks[static_cast<std::size_t>(r)].gatherBytes;
    }
    for (std::int32_t r = 0; r < p; ++r) {
        const auto& s = sent[static_cast<std::size_t>(r)];
        const auto device = [&](std::int32_t index) { return layout.device(r * perStage + index); };
        for (std::int32_t i = 0; i < perStage; ++i) {
            const std::int32_t ti = i % t;
            const std::int32_t ci = i / t % c;
            const std::int32_t me = device(i);
            if (t > 1) sink.add(me, device(i - ti + (ti + 1) % t), s.tensor);
            if (c > 1) sink.add(me, device(i - ci * t + (ci + 1) % c * t), s.context);
            // Holders of the same parameters form a ring over data x context.
            const std::int32_t holders = c * d;
            const std::int32_t hi = i / t;
            if (holders > 1) sink.add(me, device(ti + (hi + 1) % holders * t), s.data);
            if (expert > 1 && expert * expertTensor <= perStage) {
                const std::int32_t ei = i / expertTensor % expert;
                const std::int32_t base = i - ei * expertTensor;
                for (std::int32_t k = 1; k < expert; ++k) sink.add(me, device(base + (ei + k) % expert * expertTensor), s.expertAll / (expert - 1));
            }
        }
    }
    for (std::size_t s = 0; s + 1 < costs.stages.size(); ++s) {
        const std::int32_t from = costs.stages[s].rank;
        const std::int32_t to = costs.stages[s + 1].rank;
        if (from == to) continue;
        for (std::int32_t i = 0; i < perStage; ++i) {
            const std::int32_t a = layout.device(from * perStage + i);
            const std::int32_t b = layout.device(to * perStage + i);
            sink.add(a, b, m * costs.stages[s].sendBytes);
            sink.add(b, a, m * costs.stages[s].sendBytes);
        }
    }
    sink.finish(e.time.stepS);
}

}  // namespace trainyard
