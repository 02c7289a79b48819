#include "core/plan/cluster_merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plan/cluster_edit.h"

namespace trainyard {
namespace {

constexpr double kGap = 120;  ///< scene units between the drawings

double bottomOf(const ClusterSpec& cluster) {
    double bottom = 0;
    for (const NodeSpec& node : cluster.nodes)
        if (node.position) bottom = std::max(bottom, node.position->y + kGap);
    for (const SwitchSpec& item : cluster.switches)
        if (item.position) bottom = std::max(bottom, item.position->y + kGap);
    return bottom;
}

const LinkSpec* widestOrNull(const ClusterSpec& cluster) {
    const auto width = [](const LinkSpec& link) { return link.bandwidthBytesPerS * static_cast<double>(link.count); };
    const auto widest = std::max_element(cluster.links.begin(), cluster.links.end(), [&](const LinkSpec& a, const LinkSpec& b) { return width(a) < width(b); });
    return widest == cluster.links.end() ? nullptr : &*widest;
}

}  // namespace

MergedCluster mergedClusters(ClusterSpec into, const ClusterSpec& other) {
    if (into.nodes.empty()) return {other, {}};
    if (other.nodes.empty()) return {std::move(into), {}};
    const std::string port = into.switches.empty() ? into.nodes.front().id : into.switches.front().id;
    const std::size_t switches = into.switches.size();
    const std::size_t nodes = into.nodes.size();
    const LinkSpec* mine = widestOrNull(into);
    const LinkSpec* theirs = widestOrNull(other);
    LinkSpec bridge;
    bridge.kind = LinkKind::ethernet;
    bridge.bandwidthBytesPerS = 1.25e9;
    if (mine != nullptr || theirs != nullptr) {
        const LinkSpec& like = mine == nullptr ? *theirs : theirs == nullptr || theirs->bandwidthBytesPerS < mine->bandwidthBytesPerS ? *mine : *theirs;
        bridge.kind = like.kind;
        bridge.bandwidthBytesPerS = like.bandwidthBytesPerS;
        bridge.latencyS = like.latencyS;
        bridge.count = like.count;
    }
    into.preset.reset();
    into.measured = {};
    const double down = bottomOf(into);
    MergedCluster merged;
    merged.cluster = cluster_edit::insert(std::move(into), other, {0, down}).cluster;
    const bool hasSwitch = merged.cluster.switches.size() > switches;
    bridge.from = port;
    bridge.to = hasSwitch ? merged.cluster.switches[switches].id : merged.cluster.nodes[nodes].id;
    merged.bridge = fmt::format("a cable from {} to {} like the widest drawn, so that both parts reach each other", bridge.from, bridge.to);
    merged.cluster.links.push_back(std::move(bridge));
    return merged;
}

}  // namespace trainyard
