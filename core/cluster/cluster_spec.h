#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/accelerator_spec.h"

namespace trainyard {

/// What carries bytes between two devices; decides latency, protocol efficiency and the colour on the canvas.
enum class LinkKind : std::uint8_t {
    nvlink,
    nvswitch,
    xgmi,
    pcie,
    pcieHost,
    infiniband,
    roce,
    ethernet,
    efa,
    slingshot,
    wan,
    other
};
[[nodiscard]] std::string_view name(LinkKind kind);
[[nodiscard]] std::optional<LinkKind> linkKindFromName(std::string_view name);

/// Where a block stands on the canvas, in scene units. Absent: laid out automatically.
struct CanvasPosition {
    double x = 0;
    double y = 0;
    bool operator==(const CanvasPosition&) const = default;
};

struct AcceleratorGroup {
    std::shared_ptr<const AcceleratorSpec> accelerator;
    std::int64_t count = 1;
    bool operator==(const AcceleratorGroup& other) const {
        return count == other.count &&
               (accelerator == other.accelerator || (accelerator && other.accelerator && *accelerator == *other.accelerator));
    }
};

/// Links inside a node. `switched`: any pair at the full per-device rate; mesh: `bandwidthBytesPerS` is per pair;
/// `matrixBytesPerS` (row-major, devices x devices, 0 on the diagonal) overrides both.
struct IntraNodeLinks {
    enum class Shape : std::uint8_t { switched, mesh, pcieTree };
    Shape shape = Shape::switched;
    LinkKind kind = LinkKind::nvswitch;
    double bandwidthBytesPerS = 0;  ///< one direction, per device (switched) or per pair (mesh)
    double latencyS = 0;
    bool inNetworkReduction = false;  ///< NVLink SHARP
    bool peerToPeer = true;           ///< false: copies are staged through the host (consumer cards)
    int devicesPerPcieSwitch = 0;     ///< pcieTree: 0: all under one root
    std::vector<double> matrixBytesPerS;
    bool operator==(const IntraNodeLinks&) const = default;
};

struct NicSpec {
    std::int64_t count = 0;
    double bandwidthBytesPerS = 0;  ///< of one NIC, one direction
    double latencyS = 0;
    bool operator==(const NicSpec&) const = default;
};

struct NodeSpec {
    std::string id;
    std::string name;
    std::string preset;      ///< node type it came from; empty: drawn
    std::int64_t count = 1;  ///< the block stands for so many equal nodes
    std::vector<AcceleratorGroup> accelerators;
    IntraNodeLinks intra;
    NicSpec nics;         ///< count 0: what its links need
    std::string site;     ///< optional grouping
    double slowdown = 1;  ///< 1.2: everything on this node takes 20 % longer
    std::optional<CanvasPosition> position;
    bool operator==(const NodeSpec&) const = default;

    [[nodiscard]] std::int64_t devicesPerNode() const {
        std::int64_t sum = 0;
        for (const auto& group : accelerators) sum += group.count;
        return sum;
    }
};

struct SwitchSpec {
    std::string id;
    std::string name;
    double oversubscription = 1;  ///< downlink capacity over uplink capacity
    bool inNetworkReduction = false;
    double backgroundShare = 0;  ///< of its capacity that other jobs on the fabric take, 0 to 0.95
    std::optional<CanvasPosition> position;
    bool operator==(const SwitchSpec&) const = default;

    /// By how much a link's rate shrinks for traffic through this switch.
    [[nodiscard]] double narrowing() const { return (oversubscription > 1 ? oversubscription : 1) / (1 - backgroundShare); }
};

/// A cable bundle between two blocks. From a block of count n, every one of the n nodes has `count` such cables.
struct LinkSpec {
    std::string from;
    std::string to;
    LinkKind kind = LinkKind::infiniband;
    double bandwidthBytesPerS = 0;  ///< of one cable, one direction
    double latencyS = 0;
    std::int64_t count = 1;
    bool broken = false;
    bool operator==(const LinkSpec&) const = default;
};

/// Rates that were measured between nodes; they override what the drawing says of the network.
struct MeasuredBandwidth {
    std::string source;              ///< where it comes from, in the user's words
    std::vector<double> bytesPerS;   ///< row-major, from node to node, in file order of the cluster; 0: not measured
    bool operator==(const MeasuredBandwidth&) const = default;
};

/// How a preset was named in the file, kept so that it is saved as it was read.
struct ClusterPreset {
    std::string id;
    std::int64_t nodes = 1;
    std::shared_ptr<const AcceleratorSpec> accelerator;  ///< override, may be null
    std::optional<std::int64_t> acceleratorsPerNode;
    std::optional<double> networkGbpsPerNode;
    bool operator==(const ClusterPreset& other) const {
        return id == other.id && nodes == other.nodes && acceleratorsPerNode == other.acceleratorsPerNode &&
               networkGbpsPerNode == other.networkGbpsPerNode &&
               (accelerator == other.accelerator || (accelerator && other.accelerator && *accelerator == *other.accelerator));
    }
};

/// The drawn cluster. A preset is expanded to the same graph when it is read; `preset` remembers its short form and is
/// dropped by the first edit of the drawing.
struct ClusterSpec {
    std::string name;
    std::optional<ClusterPreset> preset;
    std::vector<NodeSpec> nodes;
    std::vector<SwitchSpec> switches;
    std::vector<LinkSpec> links;
    MeasuredBandwidth measured;
    bool operator==(const ClusterSpec&) const = default;

    [[nodiscard]] std::int64_t devices() const {
        std::int64_t sum = 0;
        for (const auto& node : nodes) sum += node.count * node.devicesPerNode();
        return sum;
    }
    [[nodiscard]] std::int64_t nodeInstances() const {
        std::int64_t sum = 0;
        for (const auto& node : nodes) sum += node.count;
        return sum;
    }
};

/// First-byte latency assumed for a link that states none, seconds (NCCL planning constants and vendor figures).
[[nodiscard]] double typicalLatencyS(LinkKind kind);

/// The links inside a node with everything filled in: where the drawing states no bandwidth, what the slowest
/// accelerator's own scale-up link gives (PCIe where kinds are mixed).
[[nodiscard]] IntraNodeLinks effectiveIntra(const NodeSpec& node);

}  // namespace trainyard
