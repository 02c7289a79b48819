#include "core/plan/cluster_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace trainyard {
namespace {

constexpr std::array<PatternInfo, 8> kPatterns{{
    {ClusterPattern::fatTree, "fat-tree", "Fat tree", "leaves of 8 nodes under one spine", 4, 8},
    {ClusterPattern::railOptimized, "rail-optimized", "Rail-optimized", "one switch per network port of a node", 1, 16},
    {ClusterPattern::dragonfly, "dragonfly", "Dragonfly groups", "groups of 8 nodes, every group joined with every other", 4, 8},
    {ClusterPattern::nvlinkIsland, "nvlink-island", "NVLink island", "one domain in which every pair has the full rate", 1, 1},
    {ClusterPattern::pcieTree, "pcie-tree", "PCIe tree", "one host with 8 cards, 4 per PCIe switch", 1, 1},
    {ClusterPattern::fullMesh, "full-mesh", "Full mesh", "4 nodes, each joined with each other", 4, 1},
    {ClusterPattern::ring, "ring", "Ring", "8 nodes, each joined with the next", 8, 1},
    {ClusterPattern::twoSites, "two-sites", "Two sites", "8 nodes at each of two sites, a WAN between", 2, 8},
}};

std::string numbered(std::string_view stem, std::int64_t i) { return std::string(stem) + "-" + std::to_string(i + 1); }

NodeSpec block(const NodeSpec& node, std::string id, std::string name, std::int64_t count) {
    NodeSpec copy = node;
    copy.id = std::move(id);
    copy.name = std::move(name);
    copy.count = std::max<std::int64_t>(1, count);
    copy.position.reset();
    return copy;
}

SwitchSpec pill(std::string id, std::string name) {
    SwitchSpec item;
    item.id = std::move(id);
    item.name = std::move(name);
    return item;
}

LinkSpec joined(const LinkSpec& make, std::string from, std::string to, std::int64_t count) {
    LinkSpec link = make;
    link.from = std::move(from);
    link.to = std::move(to);
    link.count = std::max<std::int64_t>(1, count);
    return link;
}

std::string label(const NodeSpec& node) { return node.name.empty() ? std::string("Node") : node.name; }

}  // namespace

std::span<const PatternInfo> allPatterns() { return kPatterns; }

ClusterSpec drawPattern(const PatternRequest& request) {
    ClusterSpec out;
    const NodeSpec& node = request.node;
    const LinkSpec& cable = request.cable;
    const auto perNode = std::max<std::int64_t>(1, cable.count);
    const auto groups = std::max<std::int64_t>(1, request.groups);
    const auto size = std::max<std::int64_t>(1, request.nodesPerGroup);
    switch (request.pattern) {
        case ClusterPattern::fatTree: {
            const double ratio = std::max(1.0, request.oversubscription);
            for (std::int64_t g = 0; g < groups; ++g) {
                out.nodes.push_back(block(node, numbered("pod", g), label(node), size));
                auto leaf = pill(numbered("leaf", g), "Leaf " + std::to_string(g + 1));
                leaf.oversubscription = ratio;
                out.switches.push_back(leaf);
                out.links.push_back(joined(cable, numbered("pod", g), leaf.id, perNode));
            }
            out.switches.push_back(pill("spine", "Spine"));
            for (std::int64_t g = 0; g < groups; ++g)
                out.links.push_back(joined(cable, numbered("leaf", g), "spine",
                                           static_cast<std::int64_t>(std::llround(static_cast<double>(perNode * size) / ratio))));
            return out;
        }
        case ClusterPattern::railOptimized: {
            const auto rails = std::min<std::int64_t>(perNode, 16);
            out.nodes.push_back(block(node, "nodes", label(node), groups * size));
            for (std::int64_t r = 0; r < rails; ++r) {
                out.switches.push_back(pill(numbered("rail", r), "Rail " + std::to_string(r + 1)));
                out.links.push_back(joined(cable, "nodes", numbered("rail", r), perNode / rails));
            }
            out.switches.push_back(pill("spine", "Spine"));
            for (std::int64_t r = 0; r < rails; ++r)
                out.links.push_back(joined(cable, numbered("rail", r), "spine", groups * size * (perNode / rails)));
            return out;
        }
        case ClusterPattern::dragonfly:
            for (std::int64_t g = 0; g < groups; ++g) {
                out.nodes.push_back(block(node, numbered("group", g), label(node), size));
                out.switches.push_back(pill(numbered("router", g), "Group " + std::to_string(g + 1)));
                out.links.push_back(joined(cable, numbered("group", g), numbered("router", g), perNode));
            }
            for (std::int64_t a = 0; a < groups; ++a)
                for (std::int64_t b = a + 1; b < groups; ++b)
                    out.links.push_back(joined(cable, numbered("router", a), numbered("router", b),
                                               perNode * size / std::max<std::int64_t>(1, groups - 1)));
            return out;
        case ClusterPattern::nvlinkIsland: {
            auto island = block(node, "island", label(node), 1);
            island.intra = effectiveIntra(island);
            island.intra.shape = IntraNodeLinks::Shape::switched;
            island.intra.kind = LinkKind::nvswitch;
            island.intra.peerToPeer = true;
            for (const auto& group : island.accelerators)
                if (group.accelerator) island.intra.bandwidthBytesPerS = std::max(island.intra.bandwidthBytesPerS, group.accelerator->scaleUpBytesPerS);
            out.nodes.push_back(std::move(island));
            return out;
        }
        case ClusterPattern::pcieTree: {
            auto host = block(node, "host", "PCIe host", 1);
            host.preset.clear();
            host.intra = IntraNodeLinks{};
            host.intra.shape = IntraNodeLinks::Shape::pcieTree;
            host.intra.kind = LinkKind::pcie;
            host.intra.latencyS = typicalLatencyS(LinkKind::pcie);
            host.intra.devicesPerPcieSwitch = 4;
            for (const auto& group : host.accelerators)
                if (group.accelerator) host.intra.bandwidthBytesPerS = group.accelerator->hostLinkBytesPerS;
            if (host.accelerators.size() == 1) host.accelerators.front().count = 8;
            out.nodes.push_back(std::move(host));
            return out;
        }
        case ClusterPattern::fullMesh:
        case ClusterPattern::ring:
            for (std::int64_t g = 0; g < groups; ++g)
                out.nodes.push_back(block(node, numbered("node", g), label(node) + " " + std::to_string(g + 1), 1));
            if (request.pattern == ClusterPattern::ring) {
                for (std::int64_t g = 0; groups > 1 && g < (groups == 2 ? 1 : groups); ++g)
                    out.links.push_back(joined(cable, numbered("node", g), numbered("node", (g + 1) % groups), std::max<std::int64_t>(1, perNode / 2)));
            } else {
                for (std::int64_t a = 0; a < groups; ++a)
                    for (std::int64_t b = a + 1; b < groups; ++b)
                        out.links.push_back(joined(cable, numbered("node", a), numbered("node", b),
                                                   perNode / std::max<std::int64_t>(1, groups - 1)));
            }
            return out;
        case ClusterPattern::twoSites:
            for (std::int64_t g = 0; g < groups; ++g) {
                auto site = block(node, numbered("site", g), label(node), size);
                site.site = "Site " + std::to_string(g + 1);
                out.nodes.push_back(std::move(site));
                out.switches.push_back(pill(numbered("fabric", g), "Fabric of site " + std::to_string(g + 1)));
                out.links.push_back(joined(cable, numbered("site", g), numbered("fabric", g), perNode));
            }
            for (std::int64_t g = 0; g + 1 < groups; ++g)
                out.links.push_back(joined(request.wide, numbered("fabric", g), numbered("fabric", g + 1), request.wide.count));
            return out;
    }
    return out;
}

}  // namespace trainyard
