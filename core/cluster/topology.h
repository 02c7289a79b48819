#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// The way from one device to another: what limits it and how long the first byte takes.
struct Route {
    double bandwidthBytesPerS = 0;    ///< of the narrowest hop, one direction, for one device's flow alone
    double latencyS = 0;              ///< sum of the hops
    LinkKind kind = LinkKind::other;  ///< of the narrowest hop
    bool sameNode = false;
    bool reachable = false;
    std::vector<std::int32_t> links;  ///< indices into ClusterSpec::links that are crossed, in order
};

/// The drawn cluster flattened into devices and node instances, with routes between any two.
/// Devices are numbered in file order: node block by node block, instance by instance, accelerator group by group.
/// Immutable after construction; safe to share between threads.
class Topology {
  public:
    struct Node {
        std::int32_t block = 0;     ///< index into ClusterSpec::nodes
        std::int32_t instance = 0;  ///< 0..count-1
        std::int32_t firstDevice = 0;
        std::int32_t deviceCount = 0;
    };

    explicit Topology(std::shared_ptr<const ClusterSpec> cluster);

    [[nodiscard]] const ClusterSpec& cluster() const { return *cluster_; }
    [[nodiscard]] std::int32_t devices() const { return static_cast<std::int32_t>(nodeOfDevice_.size()); }
    [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(nodes_.size()); }
    [[nodiscard]] const Node& node(std::int32_t index) const { return nodes_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::int32_t nodeOf(std::int32_t device) const { return nodeOfDevice_[static_cast<std::size_t>(device)]; }
    [[nodiscard]] const AcceleratorSpec& accelerator(std::int32_t device) const;
    [[nodiscard]] double slowdown(std::int32_t device) const;

    /// Route between two devices; same device: infinite bandwidth, no latency.
    [[nodiscard]] Route route(std::int32_t from, std::int32_t to) const;

    /// Network bandwidth that one device can use out of its node while all of its neighbours do the same, bytes/s.
    [[nodiscard]] double networkBytesPerSPerDevice(std::int32_t device) const;
    /// Network bandwidth of the whole node, bytes/s, one direction.
    [[nodiscard]] double networkBytesPerSPerNode(std::int32_t node) const;

    /// Network bandwidth from one node to another over their route, all devices of the node together, bytes/s; 0: unreachable.
    [[nodiscard]] double nodeToNodeBytesPerS(std::int32_t from, std::int32_t to) const;

    /// All nodes are alike and so are the ways between them: one block, nothing measured.
    [[nodiscard]] bool oneKindOfNode() const { return cluster_->nodes.size() == 1 && !measured(); }
    /// Rates between nodes come from a measurement.
    [[nodiscard]] bool measured() const { return measured_; }

    /// Every node can reach every other.
    [[nodiscard]] bool connected() const;
    /// Links inside the node, everything filled in.
    [[nodiscard]] const IntraNodeLinks& intra(std::int32_t node) const {
        return intra_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(node)].block)];
    }

  private:
    struct BlockRoute {                 ///< between two node blocks (also of one block to another instance of itself)
        double bandwidthBytesPerS = 0;  ///< of one node to one node
        double latencyS = 0;
        LinkKind kind = LinkKind::other;
        bool reachable = false;
        std::vector<std::int32_t> links;
    };
    void routeBlocks();
    [[nodiscard]] double measuredBytesPerS(std::int32_t fromNode, std::int32_t toNode) const;

    std::shared_ptr<const ClusterSpec> cluster_;
    std::vector<Node> nodes_;
    std::vector<IntraNodeLinks> intra_;  ///< per block
    std::vector<std::int32_t> nodeOfDevice_;
    std::vector<std::uint16_t> groupOfDevice_;
    std::vector<BlockRoute> blockRoutes_;       ///< blocks x blocks
    std::vector<double> nodeNetworkBytesPerS_;  ///< per block
    bool measured_ = false;
};

}  // namespace trainyard
