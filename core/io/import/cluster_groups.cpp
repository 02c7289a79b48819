#include "core/io/import/cluster_groups.h"

#include <fmt/format.h>

#include <set>

namespace trainyard {

using nlohmann::json;

std::string settleAccelerator(ImportBuilder& builder, std::string_view name) {
    const PresetLibrary& presets = *builder.context().presets;
    if (std::string id = acceleratorIdFromName(presets, name); !id.empty()) return id;
    const auto given = builder.context().variables.find("ACCELERATOR");
    if (given != builder.context().variables.end())
        if (std::string id = acceleratorIdFromName(presets, given->second); !id.empty()) return id;
    const std::string id = "h100-sxm5-80";
    const std::string reason =
        name.empty()
            ? "the input does not name the accelerator; say which with --define ACCELERATOR=NAME"
            : fmt::format("\"{}\" is no accelerator that is known; say which with --define ACCELERATOR=NAME", name.substr(0, 60));
    for (const auto& item : builder.report().assumed)
        if (item.reason == reason) return id;
    builder.report().assumed.push_back({"/cluster", "\"" + id + "\"", reason});
    return id;
}

void takeClusterOfGroups(ImportBuilder& builder, const std::vector<NodeGroup>& groups, double networkBytesPerS) {
    if (groups.empty()) return;
    const PresetLibrary& presets = *builder.context().presets;
    if (groups.size() == 1) {
        json cluster = clusterOf(presets, groups[0].accelerator, groups[0].nodes, groups[0].perNode);
        if (networkBytesPerS > 0 && cluster.contains("preset")) cluster["network_gbps_per_node"] = networkBytesPerS * 8e-9;
        builder.scenario["cluster"] = std::move(cluster);
        return;
    }
    json nodes = json::array(), links = json::array();
    std::set<std::string> used{"network"};
    for (const NodeGroup& group : groups) {
        std::string id = group.id.empty() ? "nodes" : group.id;
        for (int n = 2; !used.insert(id).second; ++n) id = fmt::format("{}-{}", group.id, n);
        nodes.push_back({{"id", id},
                         {"count", group.nodes},
                         {"accelerators", json::array({{{"accelerator", group.accelerator}, {"count", group.perNode}}})}});
        links.push_back({{"from", id},
                         {"to", "network"},
                         {"kind", "ethernet"},
                         {"bandwidth_bytes_per_s", networkBytesPerS > 0 ? networkBytesPerS : 12.5e9}});
    }
    if (!(networkBytesPerS > 0))
        builder.report().assumed.push_back(
            {"/cluster/links", "12.5e9", "100 Gb/s from every node; the input does not describe the network"});
    builder.scenario["cluster"] = {
        {"nodes", std::move(nodes)}, {"switches", json::array({{{"id", "network"}}})}, {"links", std::move(links)}};
}

}  // namespace trainyard
