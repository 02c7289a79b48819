#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// Arrangements of nodes that are drawn with one gesture.
enum class ClusterPattern : std::uint8_t { fatTree, railOptimized, dragonfly, nvlinkIsland, pcieTree, fullMesh, ring, twoSites };

struct PatternRequest {
    ClusterPattern pattern = ClusterPattern::fatTree;
    NodeSpec node;                 ///< what every node is; its count is ignored
    std::int64_t groups = 4;       ///< leaves, dragonfly groups, separate nodes of a mesh or ring, sites
    std::int64_t nodesPerGroup = 8;
    LinkSpec cable;                ///< from a node to its switch or neighbour; its count is per node
    LinkSpec wide;                 ///< between sites
    double oversubscription = 1;   ///< of the leaves of a fat tree
};

/// The arrangement as a drawing without positions, under simple ids ("leaf-1", "spine", ...), to be inserted into another.
/// - fat tree: a block of nodes per leaf, every leaf joined with one spine by as many cables as it has below, over the
///   oversubscription;
/// - rail-optimized: one block of all nodes, one rail switch per network port of a node, joined by a spine;
/// - dragonfly: a block and a switch per group, every switch joined with every other;
/// - NVLink island: one node whose devices are all joined at their scale-up rate; PCIe tree: one host, four per switch;
/// - full mesh and ring: single nodes joined directly;
/// - two sites: a block and a switch at each, joined by the wide link.
[[nodiscard]] ClusterSpec drawPattern(const PatternRequest& request);

struct PatternInfo {
    ClusterPattern pattern;
    std::string_view id;
    std::string_view title;
    std::string_view summary;
    std::int64_t groups;         ///< what it starts with
    std::int64_t nodesPerGroup;
};
[[nodiscard]] std::span<const PatternInfo> allPatterns();

}  // namespace trainyard
