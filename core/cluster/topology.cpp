#include "core/cluster/topology.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace trainyard {
namespace {

/// One drawn link seen from one of its ends.
struct Edge {
    std::int32_t to = 0;
    std::int32_t link = 0;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double linkBytesPerS(const LinkSpec& link) {
    return link.bandwidthBytesPerS * static_cast<double>(std::max<std::int64_t>(link.count, 1));
}
double linkLatencyS(const LinkSpec& link) { return link.latencyS > 0 ? link.latencyS : typicalLatencyS(link.kind); }

}  // namespace

Topology::Topology(std::shared_ptr<const ClusterSpec> cluster) : cluster_(std::move(cluster)) {
    const std::int64_t total = cluster_->devices();
    nodeOfDevice_.reserve(static_cast<std::size_t>(total));
    groupOfDevice_.reserve(static_cast<std::size_t>(total));
    for (std::size_t block = 0; block < cluster_->nodes.size(); ++block) {
        const NodeSpec& spec = cluster_->nodes[block];
        const std::int64_t perNode = spec.devicesPerNode();
        intra_.push_back(effectiveIntra(spec));
        for (std::int64_t instance = 0; instance < spec.count; ++instance) {
            nodes_.push_back({.block = static_cast<std::int32_t>(block),
                              .instance = static_cast<std::int32_t>(instance),
                              .firstDevice = static_cast<std::int32_t>(nodeOfDevice_.size()),
                              .deviceCount = static_cast<std::int32_t>(perNode)});
            const auto node = static_cast<std::int32_t>(nodes_.size() - 1);
            for (std::size_t group = 0; group < spec.accelerators.size(); ++group)
                for (std::int64_t i = 0; i < spec.accelerators[group].count; ++i) {
                    nodeOfDevice_.push_back(node);
                    groupOfDevice_.push_back(static_cast<std::uint16_t>(group));
                }
        }
    }
    routeBlocks();
    measured_ = !nodes_.empty() && cluster_->measured.bytesPerS.size() == nodes_.size() * nodes_.size();
}

// Fewest switches first, then the widest way. A way through another node is taken only where no switch leads there (rings
// and direct cables), which is what routing over hosts means in practice. Blocks and switches are few, so this is a plain
// Bellman-Ford per block over "cost, then bandwidth".
void Topology::routeBlocks() {
    const std::size_t blocks = cluster_->nodes.size();
    const std::size_t vertices = blocks + cluster_->switches.size();
    std::unordered_map<std::string, std::int32_t> vertexOf;
    for (std::size_t i = 0; i < blocks; ++i) vertexOf.emplace(cluster_->nodes[i].id, static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < cluster_->switches.size(); ++i)
        vertexOf.emplace(cluster_->switches[i].id, static_cast<std::int32_t>(blocks + i));

    std::vector<std::vector<Edge>> edges(vertices);
    nodeNetworkBytesPerS_.assign(blocks, 0.0);
    for (std::size_t i = 0; i < cluster_->links.size(); ++i) {
        const LinkSpec& link = cluster_->links[i];
        const auto from = vertexOf.find(link.from);
        const auto to = vertexOf.find(link.to);
        if (link.broken || link.bandwidthBytesPerS <= 0 || from == vertexOf.end() || to == vertexOf.end()) continue;
        edges[static_cast<std::size_t>(from->second)].push_back({to->second, static_cast<std::int32_t>(i)});
        if (from->second != to->second)
            edges[static_cast<std::size_t>(to->second)].push_back({from->second, static_cast<std::int32_t>(i)});
        for (const std::int32_t end : {from->second, to->second})
            if (static_cast<std::size_t>(end) < blocks) {
                nodeNetworkBytesPerS_[static_cast<std::size_t>(end)] += linkBytesPerS(link);
                if (from->second == to->second) break;
            }
    }

    blockRoutes_.assign(blocks * blocks, {});
    struct Best {
        double cost = kInfinity;
        double bandwidth = 0;
        std::int32_t via = -1;
        std::int32_t link = -1;
    };
    for (std::size_t source = 0; source < blocks; ++source) {
        std::vector<Best> best(vertices);
        best[source] = {0, kInfinity, -1, -1};
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t at = 0; at < vertices; ++at) {
                if (best[at].cost == kInfinity) continue;
                const double through = at < blocks && at != source ? 1000.0 : 0.0;
                for (const Edge& edge : edges[at]) {
                    const double cost = best[at].cost + through + 1.0;
                    const double bandwidth =
                        std::min(best[at].bandwidth, linkBytesPerS(cluster_->links[static_cast<std::size_t>(edge.link)]));
                    Best& there = best[static_cast<std::size_t>(edge.to)];
                    if (static_cast<std::size_t>(edge.to) == source) continue;
                    if (cost < there.cost || (cost == there.cost && bandwidth > there.bandwidth)) {
                        there = {cost, bandwidth, static_cast<std::int32_t>(at), edge.link};
                        moved = true;
                    }
                }
            }
        }
        const auto collect = [&](std::size_t target, BlockRoute& route) {
            for (std::int32_t at = static_cast<std::int32_t>(target); at != static_cast<std::int32_t>(source);) {
                const Best& step = best[static_cast<std::size_t>(at)];
                const LinkSpec& link = cluster_->links[static_cast<std::size_t>(step.link)];
                route.links.push_back(step.link);
                route.latencyS += linkLatencyS(link);
                double width = linkBytesPerS(link);
                if (static_cast<std::size_t>(at) >= blocks)
                    width /= cluster_->switches[static_cast<std::size_t>(at) - blocks].narrowing();
                if (width < route.bandwidthBytesPerS) {
                    route.bandwidthBytesPerS = width;
                    route.kind = link.kind;
                }
                at = step.via;
            }
            std::reverse(route.links.begin(), route.links.end());
        };
        for (std::size_t target = 0; target < blocks; ++target) {
            BlockRoute& route = blockRoutes_[source * blocks + target];
            if (target != source) {
                if (best[target].cost == kInfinity) continue;
                route.reachable = true;
                route.bandwidthBytesPerS = kInfinity;
                collect(target, route);
                continue;
            }
            // Another instance of the same block: up to the nearest switch and down again, or a link to itself.
            double chosen = 0;
            for (const Edge& edge : edges[source]) {
                const LinkSpec& link = cluster_->links[static_cast<std::size_t>(edge.link)];
                double width = linkBytesPerS(link);
                const bool viaSwitch = static_cast<std::size_t>(edge.to) >= blocks;
                if (viaSwitch)
                    width /= cluster_->switches[static_cast<std::size_t>(edge.to) - blocks].narrowing();
                if (!viaSwitch && static_cast<std::size_t>(edge.to) != source) continue;
                if (width <= chosen) continue;
                chosen = width;
                route = {.bandwidthBytesPerS = width,
                         .latencyS = linkLatencyS(link) * (viaSwitch ? 2.0 : 1.0),
                         .kind = link.kind,
                         .reachable = true,
                         .links = {edge.link}};
            }
        }
    }
}

const AcceleratorSpec& Topology::accelerator(std::int32_t device) const {
    const NodeSpec& spec = cluster_->nodes[static_cast<std::size_t>(node(nodeOf(device)).block)];
    return *spec.accelerators[groupOfDevice_[static_cast<std::size_t>(device)]].accelerator;
}

double Topology::slowdown(std::int32_t device) const {
    return std::max(1e-3, cluster_->nodes[static_cast<std::size_t>(node(nodeOf(device)).block)].slowdown);
}

Route Topology::route(std::int32_t from, std::int32_t to) const {
    Route result;
    if (from == to) {
        result = {.bandwidthBytesPerS = kInfinity,
                  .latencyS = 0,
                  .kind = LinkKind::other,
                  .sameNode = true,
                  .reachable = true,
                  .links = {}};
        return result;
    }
    const Node& a = node(nodeOf(from));
    const Node& b = node(nodeOf(to));
    if (nodeOf(from) == nodeOf(to)) {
        const IntraNodeLinks& intra = intra_[static_cast<std::size_t>(a.block)];
        result.sameNode = true;
        result.reachable = true;
        result.kind = intra.kind;
        result.latencyS = intra.latencyS;
        result.bandwidthBytesPerS = intra.bandwidthBytesPerS;
        const auto count = static_cast<std::size_t>(a.deviceCount);
        const auto i = static_cast<std::size_t>(from - a.firstDevice);
        const auto j = static_cast<std::size_t>(to - a.firstDevice);
        if (intra.matrixBytesPerS.size() == count * count)
            result.bandwidthBytesPerS = intra.matrixBytesPerS[i * count + j];
        else if (!intra.peerToPeer) {
            // Staged through host memory: both legs share the path, and the copy starts late.
            result.bandwidthBytesPerS *= 0.5;
            result.latencyS += typicalLatencyS(LinkKind::pcieHost);
            result.kind = LinkKind::pcieHost;
        }
        return result;
    }
    const BlockRoute& block =
        blockRoutes_[static_cast<std::size_t>(a.block) * cluster_->nodes.size() + static_cast<std::size_t>(b.block)];
    if (!block.reachable) return result;
    result.reachable = true;
    result.kind = block.kind;
    result.latencyS = block.latencyS;
    result.links = block.links;
    // One device drives the NICs that are its own: a node of 8 devices and 4 NICs lends one whole NIC to a lone flow.
    const auto alone = [&](const Node& end) {
        const NodeSpec& spec = cluster_->nodes[static_cast<std::size_t>(end.block)];
        const double whole = nodeNetworkBytesPerS_[static_cast<std::size_t>(end.block)];
        const double share = whole / std::max(1.0, static_cast<double>(end.deviceCount));
        const double nic =
            spec.nics.bandwidthBytesPerS > 0
                ? spec.nics.bandwidthBytesPerS
                : whole / std::max(1.0, static_cast<double>(spec.nics.count > 0 ? spec.nics.count : end.deviceCount));
        return std::min(whole, std::max(share, nic));
    };
    result.bandwidthBytesPerS = std::min({block.bandwidthBytesPerS, alone(a), alone(b)});
    if (const double whole = measuredBytesPerS(nodeOf(from), nodeOf(to)); whole > 0) {
        const double drawn = std::min({block.bandwidthBytesPerS, networkBytesPerSPerNode(nodeOf(from)), networkBytesPerSPerNode(nodeOf(to))});
        result.bandwidthBytesPerS *= whole / drawn;
    }
    return result;
}

double Topology::networkBytesPerSPerNode(std::int32_t index) const {
    return nodeNetworkBytesPerS_[static_cast<std::size_t>(node(index).block)];
}

double Topology::networkBytesPerSPerDevice(std::int32_t device) const {
    const std::int32_t index = nodeOf(device);
    return networkBytesPerSPerNode(index) / std::max(1.0, static_cast<double>(node(index).deviceCount));
}

double Topology::measuredBytesPerS(std::int32_t from, std::int32_t to) const {
    return measured_ ? cluster_->measured.bytesPerS[static_cast<std::size_t>(from) * nodes_.size() + static_cast<std::size_t>(to)] : 0;
}

double Topology::nodeToNodeBytesPerS(std::int32_t from, std::int32_t to) const {
    const std::size_t blocks = cluster_->nodes.size();
    const BlockRoute& way = blockRoutes_[static_cast<std::size_t>(node(from).block) * blocks + static_cast<std::size_t>(node(to).block)];
    if (!way.reachable) return 0;
    if (const double known = measuredBytesPerS(from, to); known > 0) return known;
    return std::min({way.bandwidthBytesPerS, networkBytesPerSPerNode(from), networkBytesPerSPerNode(to)});
}

bool Topology::connected() const {
    const std::size_t blocks = cluster_->nodes.size();
    for (std::size_t a = 0; a < blocks; ++a)
        for (std::size_t b = 0; b < blocks; ++b) {
            if (a == b && cluster_->nodes[a].count < 2) continue;
            if (!blockRoutes_[a * blocks + b].reachable) return false;
        }
    return true;
}

}  // namespace trainyard
