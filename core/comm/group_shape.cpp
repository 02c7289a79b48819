#include "core/comm/group_shape.h"

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What one device gets of its node's own links while `ranks` devices of the node take part.
double intraShare(const IntraNodeLinks& intra, int ranks, int devicesOfNode) {
    const double rate = intra.bandwidthBytesPerS;
    switch (intra.shape) {
        case IntraNodeLinks::Shape::switched: return rate;
        case IntraNodeLinks::Shape::mesh: return rate * std::max(1, ranks - 1);
        case IntraNodeLinks::Shape::pcieTree: {
            // Rings go up and down every link once, but what crosses the root shares the socket link.
            const int perSwitch = intra.devicesPerPcieSwitch;
            return perSwitch > 0 && ranks > perSwitch ? rate / std::max(1.0, static_cast<double>(devicesOfNode) / (2.0 * perSwitch)) : rate;
        }
    }
    return rate;
}

}  // namespace

GroupShape groupShape(const Topology& topology, std::span<const std::int32_t> devices) {
    GroupShape shape;
    shape.ranks = static_cast<int>(devices.size());
    if (devices.size() < 2) return shape;
    shape.intraBytesPerS = kInfinity;
    shape.networkBytesPerS = kInfinity;
    shape.ranksPerNode = shape.ranks;
    shape.nodes = 0;
    bool anyIntra = false;

    // Devices of a node need not be adjacent in the group; count distinct nodes by runs, merging repeats of the first.
    std::int32_t lastBlock = -1;
    for (std::size_t i = 0; i < devices.size();) {
        const std::int32_t node = topology.nodeOf(devices[i]);
        std::size_t end = i + 1;
        while (end < devices.size() && topology.nodeOf(devices[end]) == node) ++end;
        const int here = static_cast<int>(end - i);
        shape.ranksPerNode = std::min(shape.ranksPerNode, here);
        ++shape.nodes;
        if (here > 1) {
            const IntraNodeLinks& intra = topology.intra(node);
            double rate = intraShare(intra, here, topology.node(node).deviceCount);
            if (!intra.matrixBytesPerS.empty())
                for (std::size_t k = i; k + 1 < end; ++k) rate = std::min(rate, topology.route(devices[k], devices[k + 1]).bandwidthBytesPerS);
            if (rate < shape.intraBytesPerS) {
                shape.intraBytesPerS = rate;
                shape.intraKind = intra.kind;
            }
            shape.intraLatencyS = std::max(shape.intraLatencyS, intra.latencyS);
            shape.intraReduction = (anyIntra ? shape.intraReduction : true) && intra.inNetworkReduction;
            shape.staged = shape.staged || !intra.peerToPeer;
            anyIntra = true;
        }
        // The way to the next node of the ring; equal blocks share one route.
        const bool last = end == devices.size();
        const std::int32_t next = last ? devices[0] : devices[end];
        if (topology.nodeOf(next) != node) {
            const std::int32_t block = topology.node(node).block;
            const std::int32_t nextBlock = topology.node(topology.nodeOf(next)).block;
            if (block != nextBlock || block != lastBlock || topology.measured()) {
                const Route way = topology.route(devices[end - 1], next);
                shape.reachable = shape.reachable && way.reachable;
                // All devices of the node go this way at once.
                const double share = topology.nodeToNodeBytesPerS(node, topology.nodeOf(next)) / topology.node(node).deviceCount;
                if (share < shape.networkBytesPerS) {
                    shape.networkBytesPerS = share;
                    shape.networkKind = way.kind;
                }
                shape.networkLatencyS = std::max(shape.networkLatencyS, way.latencyS);
                shape.networkReduction = true;
                for (const auto index : way.links) {
                    const auto& cluster = topology.cluster();
                    const auto& link = cluster.links[static_cast<std::size_t>(index)];
                    for (const auto& hub : cluster.switches)
                        if ((hub.id == link.to || hub.id == link.from) && !hub.inNetworkReduction) shape.networkReduction = false;
                }
                lastBlock = nextBlock == block ? block : -1;
            }
        }
        i = end;
    }
    if (shape.nodes == 1) shape.networkBytesPerS = 0;
    if (!anyIntra) shape.intraBytesPerS = 0;
    return shape;
}

GroupShape slower(const GroupShape& a, const GroupShape& b) {
    GroupShape s = a;
    const auto least = [](double x, double y) { return x <= 0 ? y : y <= 0 ? x : std::min(x, y); };
    s.ranks = std::max(a.ranks, b.ranks);
    s.nodes = std::max(a.nodes, b.nodes);
    s.ranksPerNode = std::min(a.ranksPerNode, b.ranksPerNode);
    if (b.intraBytesPerS > 0 && (a.intraBytesPerS <= 0 || b.intraBytesPerS < a.intraBytesPerS)) s.intraKind = b.intraKind;
    s.intraBytesPerS = least(a.intraBytesPerS, b.intraBytesPerS);
    s.intraLatencyS = std::max(a.intraLatencyS, b.intraLatencyS);
    s.intraReduction = a.intraReduction && b.intraReduction;
    s.staged = a.staged || b.staged;
    if (b.networkBytesPerS > 0 && (a.networkBytesPerS <= 0 || b.networkBytesPerS < a.networkBytesPerS)) s.networkKind = b.networkKind;
    s.networkBytesPerS = least(a.networkBytesPerS, b.networkBytesPerS);
    s.networkLatencyS = std::max(a.networkLatencyS, b.networkLatencyS);
    s.networkReduction = a.networkReduction && b.networkReduction;
    s.reachable = a.reachable && b.reachable;
    return s;
}

}  // namespace trainyard
