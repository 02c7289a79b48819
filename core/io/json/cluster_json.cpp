#include "core/io/json/cluster_json.h"
#include "core/io/json/measured_bandwidth_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr double kMaxRate = 1e18;
constexpr double kMaxBytes = 1e18;

constexpr std::string_view kShapes[] = {"switched", "mesh", "pcie_tree"};
std::string_view shapeName(IntraNodeLinks::Shape shape) { return kShapes[static_cast<std::size_t>(shape)]; }
std::optional<IntraNodeLinks::Shape> shapeFromName(std::string_view text) {
    for (std::size_t i = 0; i < std::size(kShapes); ++i)
        if (kShapes[i] == text) return static_cast<IntraNodeLinks::Shape>(i);
    return std::nullopt;
}

constexpr LinkKind kLinkKinds[] = {LinkKind::nvlink,   LinkKind::nvswitch,   LinkKind::xgmi, LinkKind::pcie,
                                   LinkKind::pcieHost, LinkKind::infiniband, LinkKind::roce, LinkKind::ethernet,
                                   LinkKind::efa,      LinkKind::slingshot,  LinkKind::wan,  LinkKind::other};
std::vector<std::string_view> linkKindNames() {
    std::vector<std::string_view> names;
    for (const auto kind : kLinkKinds) names.push_back(name(kind));
    return names;
}

std::optional<CanvasPosition> readPosition(ObjectReader& reader) {
    const json* value = reader.findOrNull("position");
    if (value == nullptr) return std::nullopt;
    CanvasPosition position;
    ObjectReader item(*value, reader.pointerTo("position"), reader.state());
    item.take("x", position.x, -1e9, 1e9);
    item.take("y", position.y, -1e9, 1e9);
    item.finish();
    return position;
}

json positionJson(const CanvasPosition& position) { return {{"x", position.x}, {"y", position.y}}; }

void readMatrix(const json& value, std::int64_t devices, const std::string& pointer, ReadState& state, IntraNodeLinks& links) {
    const auto size = static_cast<std::size_t>(devices);
    const bool square = value.is_array() && value.size() == size && std::all_of(value.begin(), value.end(), [&](const json& row) {
                            return row.is_array() && row.size() == size;
                        });
    if (!square) {
        state.refuse(pointer, "wrong-type",
                     fmt::format("expected a matrix of {0} rows of {0} bandwidths, one per accelerator of the node", devices));
        return;
    }
    links.matrixBytesPerS.assign(size * size, 0);
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
            const json& cell = value[row][column];
            if (!cell.is_number() || !(cell.get<double>() >= 0) || cell.get<double>() > kMaxRate) {
                state.refuse(fmt::format("{}/{}/{}", pointer, row, column), "wrong-type",
                             fmt::format("expected a bandwidth in bytes per second, found {}", describeJson(cell)));
                return;
            }
            if (row != column) links.matrixBytesPerS[row * size + column] = cell.get<double>();
        }
}

/// `[{from, to, bandwidth_bytes_per_s}]` between accelerators of one node, both ways.
void readPairs(const json& value, std::int64_t devices, const std::string& pointer, ReadState& state, IntraNodeLinks& links) {
    const auto size = static_cast<std::size_t>(devices);
    links.matrixBytesPerS.assign(size * size, 0);
    for (std::size_t i = 0; i < value.size(); ++i) {
        ObjectReader pair(value[i], fmt::format("{}/{}", pointer, i), state);
        std::int64_t from = -1, to = -1, count = 1;
        double bandwidth = 0;
        pair.take("from", from, 0, devices - 1);
        pair.take("to", to, 0, devices - 1);
        pair.take("bandwidth_bytes_per_s", bandwidth, 1, kMaxRate);
        pair.take("count", count, 1, 1024);
        pair.finish();
        if (from < 0 || to < 0 || bandwidth <= 0)
            pair.refuse("from", "missing-key", "\"from\", \"to\" and \"bandwidth_bytes_per_s\" are needed");
        if (state.error) return;
        if (from == to) continue;
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        links.matrixBytesPerS[a * size + b] += bandwidth * static_cast<double>(count);
        links.matrixBytesPerS[b * size + a] += bandwidth * static_cast<double>(count);
    }
}

void readIntra(ObjectReader& node, NodeSpec& spec) {
    const json* value = node.findOrNull("intra");
    if (value == nullptr) return;
    ReadState& state = node.state();
    const std::string pointer = node.pointerTo("intra");
    const std::int64_t devices = spec.devicesPerNode();
    if (devices > limits::kDevicesPerNode) return;  // reported by the caller
    if (value->is_array()) {
        if (!value->empty() && (*value)[0].is_object())
            readPairs(*value, devices, pointer, state, spec.intra);
        else
            readMatrix(*value, devices, pointer, state, spec.intra);
        return;
    }
    const auto kinds = linkKindNames();
    ObjectReader reader(*value, pointer, state);
    if (const auto kind = reader.choice<LinkKind>("kind", kinds, linkKindFromName)) {
        if (*kind != spec.intra.kind && (*kind == LinkKind::pcie || *kind == LinkKind::pcieHost))
            spec.intra.shape = IntraNodeLinks::Shape::pcieTree;
        spec.intra.kind = *kind;
    }
    if (const auto shape = reader.choice<IntraNodeLinks::Shape>("shape", kShapes, shapeFromName)) spec.intra.shape = *shape;
    reader.take("bandwidth_bytes_per_s", spec.intra.bandwidthBytesPerS, 1, kMaxRate);
    reader.take("latency_s", spec.intra.latencyS, 0, 60);
    reader.take("in_network_reduction", spec.intra.inNetworkReduction);
    reader.take("peer_to_peer", spec.intra.peerToPeer);
    std::int64_t perSwitch = spec.intra.devicesPerPcieSwitch;
    reader.take("devices_per_pcie_switch", perSwitch, 0, limits::kDevicesPerNode);
    spec.intra.devicesPerPcieSwitch = static_cast<int>(perSwitch);
    if (const json* matrix = reader.findOrNull("matrix_bytes_per_s"))
        readMatrix(*matrix, devices, reader.pointerTo("matrix_bytes_per_s"), state, spec.intra);
    if (const json* pairs = reader.findOrNull("links")) {
        if (pairs->is_array())
            readPairs(*pairs, devices, reader.pointerTo("links"), state, spec.intra);
        else
            reader.refuse("links", "wrong-type", fmt::format("expected a list of links, found {}", describeJson(*pairs)));
    }
    reader.finish();
}

void readNics(ObjectReader& node, NodeSpec& spec) {
    const json* value = node.findOrNull("nics");
    if (value == nullptr) return;
    if (value->is_number()) {
        node.take("nics", spec.nics.count, 0, 1024);
        return;
    }
    const json* single = value->is_array() && value->size() == 1 ? &(*value)[0] : value;
    ObjectReader reader(*single, node.pointerTo("nics"), node.state());
    spec.nics.count = 1;
    reader.take("count", spec.nics.count, 0, 1024);
    reader.take("bandwidth_bytes_per_s", spec.nics.bandwidthBytesPerS, 0, kMaxRate);
    reader.take("latency_s", spec.nics.latencyS, 0, 60);
    reader.finish();
}

SwitchSpec readSwitch(const json& value, const std::string& pointer, ReadState& state) {
    SwitchSpec out;
    ObjectReader reader(value, pointer, state);
    reader.take("id", out.id);
    if (out.id.empty()) reader.refuse("id", "missing-key", "is missing; every switch needs an id");
    reader.take("name", out.name);
    reader.take("oversubscription", out.oversubscription, 1e-3, 1e6);
    reader.take("in_network_reduction", out.inNetworkReduction);
    reader.take("background_load", out.backgroundShare, 0, 0.95);
    out.position = readPosition(reader);
    reader.finish();
    return out;
}

LinkSpec readLink(const json& value, const std::string& pointer, ReadState& state) {
    LinkSpec link;
    const auto kinds = linkKindNames();
    ObjectReader reader(value, pointer, state);
    reader.take("from", link.from);
    reader.take("to", link.to);
    if (link.from.empty() || link.to.empty())
        reader.refuse(link.from.empty() ? "from" : "to", "missing-key", "is missing; the id of a node or switch was expected");
    if (const auto kind = reader.choice<LinkKind>("kind", kinds, linkKindFromName)) link.kind = *kind;
    reader.take("bandwidth_bytes_per_s", link.bandwidthBytesPerS, 1, kMaxRate);
    if (link.bandwidthBytesPerS <= 0)
        reader.refuse("bandwidth_bytes_per_s", "missing-key", "is missing; bytes per second of one cable, one direction");
    reader.take("latency_s", link.latencyS, 0, 60);
    reader.take("count", link.count, 1, 65536);
    reader.take("broken", link.broken);
    reader.finish();
    return link;
}

template <class Item, class Read>
void readList(ObjectReader& reader, std::string_view key, std::vector<Item>& target, Read read) {
    const json* list = reader.findOrNull(key);
    if (list == nullptr) return;
    if (!list->is_array() || list->size() > static_cast<std::size_t>(limits::kBlocks)) {
        reader.refuse(key, "wrong-type",
                      fmt::format("expected a list of at most {} objects, found {}", limits::kBlocks, describeJson(*list)));
        return;
    }
    for (std::size_t i = 0; i < list->size() && !reader.state().error; ++i)
        target.push_back(read((*list)[i], fmt::format("{}/{}", reader.pointerTo(key), i)));
}

void readPresetCluster(ObjectReader& reader, ClusterSpec& cluster, const PresetLibrary& presets) {
    ClusterPreset preset;
    reader.take("preset", preset.id);
    if (const json* nodes = reader.findOrNull("nodes"); nodes != nullptr && nodes->is_array()) {
        reader.refuse("nodes", "wrong-type",
                      "is a list beside \"preset\"; give the number of nodes, or leave \"preset\" out and draw the cluster");
        return;
    }
    preset.nodes = 0;  // the preset's own count
    reader.take("nodes", preset.nodes, 1, limits::kDevices);
    if (preset.nodes == 0) preset.nodes = 1;
    if (const json* accelerator = reader.findOrNull("accelerator"))
        preset.accelerator = readAccelerator(*accelerator, reader.pointerTo("accelerator"), reader.state(), presets);
    if (const auto count = reader.integer("accelerators_per_node", 1, limits::kDevicesPerNode))
        preset.acceleratorsPerNode = count;
    if (const auto gbps = reader.number("network_gbps_per_node", 1e-6, 1e9)) preset.networkGbpsPerNode = gbps;
    if (reader.state().error) return;
    auto expanded = presets.expand(preset);
    if (!expanded) {
        reader.refuse("preset", expanded.error().code, expanded.error().message);
        return;
    }
    const std::string name = cluster.name;
    cluster = std::move(*expanded);
    if (!name.empty()) cluster.name = name;
    if (!cluster.preset) cluster.preset = std::move(preset);
}

json intraJson(const NodeSpec& node) {
    const IntraNodeLinks& links = node.intra;
    json out = {{"shape", shapeName(links.shape)}, {"kind", name(links.kind)}};
    if (links.bandwidthBytesPerS > 0) out["bandwidth_bytes_per_s"] = links.bandwidthBytesPerS;
    if (links.latencyS > 0) out["latency_s"] = links.latencyS;
    if (links.inNetworkReduction) out["in_network_reduction"] = true;
    if (!links.peerToPeer) out["peer_to_peer"] = false;
    if (links.devicesPerPcieSwitch > 0) out["devices_per_pcie_switch"] = links.devicesPerPcieSwitch;
    if (!links.matrixBytesPerS.empty()) {
        const auto size = static_cast<std::size_t>(node.devicesPerNode());
        json rows = json::array();
        for (std::size_t row = 0; row < size && (row + 1) * size <= links.matrixBytesPerS.size(); ++row) {
            json cells = json::array();
            for (std::size_t column = 0; column < size; ++column) cells.push_back(links.matrixBytesPerS[row * size + column]);
            rows.push_back(std::move(cells));
        }
        out["matrix_bytes_per_s"] = std::move(rows);
    }
    return out;
}

json nodeJson(const NodeSpec& node, const PresetLibrary* presetsOrNull) {
    json out = {{"id", node.id}, {"count", node.count}};
    if (!node.name.empty()) out["name"] = node.name;
    if (!node.preset.empty()) out["preset"] = node.preset;
    json groups = json::array();
    for (const auto& group : node.accelerators)
        groups.push_back({{"accelerator", group.accelerator ? acceleratorJson(*group.accelerator, presetsOrNull) : json()},
                          {"count", group.count}});
    out["accelerators"] = std::move(groups);
    if (node.intra != IntraNodeLinks{}) out["intra"] = intraJson(node);
    if (node.nics != NicSpec{}) {
        json nics = {{"count", node.nics.count}};
        if (node.nics.bandwidthBytesPerS > 0) nics["bandwidth_bytes_per_s"] = node.nics.bandwidthBytesPerS;
        if (node.nics.latencyS > 0) nics["latency_s"] = node.nics.latencyS;
        out["nics"] = std::move(nics);
    }
    if (!node.site.empty()) out["site"] = node.site;
    if (node.slowdown != 1) out["slowdown"] = node.slowdown;
    if (node.position) out["position"] = positionJson(*node.position);
    return out;
}

}  // namespace

NodeSpec readNode(const json& value, const std::string& pointer, ReadState& state, const PresetLibrary& presets) {
    NodeSpec node;
    ObjectReader reader(value, pointer, state);
    reader.take("id", node.id);
    if (node.id.empty()) reader.refuse("id", "missing-key", "is missing; every node block needs an id");
    reader.take("name", node.name);
    reader.take("preset", node.preset);
    reader.take("count", node.count, 1, limits::kDevices);
    const json* groups = reader.findOrNull("accelerators");
    if (groups == nullptr || !groups->is_array() || groups->empty() || groups->size() > 64) {
        reader.refuse("accelerators", groups == nullptr ? "missing-key" : "wrong-type",
                      groups == nullptr
                          ? "is missing; every node block needs its accelerators"
                          : fmt::format("expected a list of 1 to 64 groups of accelerators, found {}", describeJson(*groups)));
        return node;
    }
    for (std::size_t i = 0; i < groups->size(); ++i) {
        const std::string at = fmt::format("{}/{}", reader.pointerTo("accelerators"), i);
        AcceleratorGroup group;
        if ((*groups)[i].is_string()) {
            group.accelerator = readAccelerator((*groups)[i], at, state, presets);
        } else {
            ObjectReader item((*groups)[i], at, state);
            if (const json* accelerator = item.findOrNull("accelerator"))
                group.accelerator = readAccelerator(*accelerator, item.pointerTo("accelerator"), state, presets);
            else if (item.valid())
                item.refuse("accelerator", "missing-key", "is missing; a preset id or an object was expected");
            item.take("count", group.count, 1, limits::kDevicesPerNode);
            item.finish();
        }
        if (state.error) return node;
        node.accelerators.push_back(std::move(group));
    }
    if (node.devicesPerNode() > limits::kDevicesPerNode)
        reader.refuse(
            "accelerators", "out-of-range",
            fmt::format("a node has {} accelerators; at most {} are possible", node.devicesPerNode(), limits::kDevicesPerNode));
    readIntra(reader, node);
    readNics(reader, node);
    reader.take("site", node.site);
    reader.take("slowdown", node.slowdown, 0.01, 1000);
    node.position = readPosition(reader);
    reader.finish();
    return node;
}

void readAcceleratorFields(ObjectReader& reader, AcceleratorSpec& spec) {
    reader.take("name", spec.name);
    reader.take("vendor", spec.vendor);
    reader.take("architecture", spec.architecture);
    const bool memoryGiven = reader.has("memory_bytes");
    reader.take("memory_bytes", spec.memoryBytes, 1, kMaxBytes);
    if (memoryGiven) spec.memoryUsableBytes = spec.memoryBytes;
    reader.take("memory_usable_bytes", spec.memoryUsableBytes, 1, kMaxBytes);
    reader.take("memory_bandwidth_bytes_per_s", spec.memoryBandwidthBytesPerS, 1, kMaxRate);
    if (const json* peaks = reader.findOrNull("peak_flops_per_s")) {
        ObjectReader item(*peaks, reader.pointerTo("peak_flops_per_s"), reader.state());
        for (const auto precision : kAllPrecisions)
            if (const auto value = item.number(name(precision), 0, 1e20))
                spec.peakFlopsPerS[static_cast<std::size_t>(precision)] = *value;
        item.finish();
    }
    reader.take("scale_up_type", spec.scaleUpType);
    reader.take("scale_up_bytes_per_s", spec.scaleUpBytesPerS, 0, kMaxRate);
    reader.take("host_link_bytes_per_s", spec.hostLinkBytesPerS, 0, kMaxRate);
    reader.take("tdp_w", spec.tdpW, 0, 1e6);
    if (const auto price = reader.number("price_per_hour", 0, 1e6)) spec.pricePerHour = price;
    std::int64_t units = spec.streamingMultiprocessors, year = spec.year;
    reader.take("streaming_multiprocessors", units, 0, 1'000'000);
    reader.take("year", year, 0, 3000);
    spec.streamingMultiprocessors = static_cast<int>(units);
    spec.year = static_cast<int>(year);
}

std::shared_ptr<const AcceleratorSpec> readAccelerator(const json& value, const std::string& pointer, ReadState& state,
                                                       const PresetLibrary& presets) {
    const auto lookUp = [&](const std::string& id, const std::string& at) -> std::shared_ptr<const AcceleratorSpec> {
        auto found = presets.accelerator(id);
        if (found) return *found;
        state.refuse(at, found.error().code, found.error().message);
        return nullptr;
    };
    if (value.is_string()) return lookUp(value.get<std::string>(), pointer);
    if (!value.is_object()) {
        state.refuse(pointer, "wrong-type",
                     fmt::format("expected the id of an accelerator or an object, found {}", describeJson(value)));
        return nullptr;
    }
    ObjectReader reader(value, pointer, state);
    AcceleratorSpec spec;
    std::string base, id;
    reader.take("base", base);
    reader.take("id", id);
    if (!base.empty()) {
        const auto found = lookUp(base, reader.pointerTo("base"));
        if (!found) return nullptr;
        spec = *found;
        spec.base = found->id;
        spec.aliases.clear();
        if (!id.empty()) spec.id = id;
    }
    if (base.empty() && !id.empty()) spec.name = id;
    readAcceleratorFields(reader, spec);
    reader.finish();
    if (state.error) return nullptr;
    if (base.empty()) {
        const bool anyPeak =
            std::any_of(spec.peakFlopsPerS.begin(), spec.peakFlopsPerS.end(), [](double peak) { return peak > 0; });
        for (const auto& [key, present] : {std::pair<std::string_view, bool>{"memory_bytes", spec.memoryBytes > 0},
                                           {"memory_bandwidth_bytes_per_s", spec.memoryBandwidthBytesPerS > 0},
                                           {"peak_flops_per_s", anyPeak}})
            if (!present) reader.refuse(key, "missing-key", "is missing; an accelerator without a \"base\" needs it");
        if (state.error) return nullptr;
        if (spec.name.empty()) spec.name = "accelerator";
    }
    return std::make_shared<const AcceleratorSpec>(std::move(spec));
}

json acceleratorJson(const AcceleratorSpec& spec, const PresetLibrary* presetsOrNull) {
    if (!spec.id.empty() && spec.base.empty()) return spec.id;
    AcceleratorSpec basis;
    json out = json::object();
    if (!spec.base.empty()) {
        out["base"] = spec.base;
        if (presetsOrNull != nullptr)
            if (const auto found = presetsOrNull->accelerator(spec.base)) basis = **found;
        if (spec.id != spec.base) out["id"] = spec.id;
    }
    const auto put = [&](const char* key, const auto& value, const auto& before) {
        if (value != before) out[key] = value;
    };
    put("name", spec.name, basis.name);
    put("vendor", spec.vendor, basis.vendor);
    put("architecture", spec.architecture, basis.architecture);
    put("memory_bytes", spec.memoryBytes, basis.memoryBytes);
    if (out.contains("memory_bytes") ? spec.memoryUsableBytes != spec.memoryBytes
                                     : spec.memoryUsableBytes != basis.memoryUsableBytes)
        out["memory_usable_bytes"] = spec.memoryUsableBytes;
    put("memory_bandwidth_bytes_per_s", spec.memoryBandwidthBytesPerS, basis.memoryBandwidthBytesPerS);
    json peaks = json::object();
    for (const auto precision : kAllPrecisions)
        if (spec.peak(precision) != basis.peak(precision)) peaks[std::string(name(precision))] = spec.peak(precision);
    if (!peaks.empty()) out["peak_flops_per_s"] = std::move(peaks);
    put("scale_up_type", spec.scaleUpType, basis.scaleUpType);
    put("scale_up_bytes_per_s", spec.scaleUpBytesPerS, basis.scaleUpBytesPerS);
    put("host_link_bytes_per_s", spec.hostLinkBytesPerS, basis.hostLinkBytesPerS);
    put("tdp_w", spec.tdpW, basis.tdpW);
    if (spec.pricePerHour && spec.pricePerHour != basis.pricePerHour) out["price_per_hour"] = *spec.pricePerHour;
    put("streaming_multiprocessors", spec.streamingMultiprocessors, basis.streamingMultiprocessors);
    put("year", spec.year, basis.year);
    return out;
}

std::shared_ptr<const ClusterSpec> readCluster(const json& value, const std::string& pointer, ReadState& state,
                                               const PresetLibrary& presets) {
    ObjectReader reader(value, pointer, state);
    if (!reader.valid()) return nullptr;
    ClusterSpec cluster;
    reader.take("name", cluster.name);
    if (reader.has("preset")) {
        readPresetCluster(reader, cluster, presets);
    } else {
        const json* nodes = reader.findOrNull("nodes");
        if (nodes == nullptr || !nodes->is_array() || nodes->empty()) {
            reader.refuse(nodes == nullptr ? "preset" : "nodes", "missing-key",
                          "a cluster needs a \"preset\" with its number of \"nodes\", or a list of drawn \"nodes\"");
            return nullptr;
        }
        readList(reader, "nodes", cluster.nodes,
                 [&](const json& item, const std::string& at) { return readNode(item, at, state, presets); });
        readList(reader, "switches", cluster.switches,
                 [&](const json& item, const std::string& at) { return readSwitch(item, at, state); });
        readList(reader, "links", cluster.links,
                 [&](const json& item, const std::string& at) { return readLink(item, at, state); });
        std::set<std::string> ids;
        for (std::size_t i = 0; i < cluster.nodes.size(); ++i)
            if (!ids.insert(cluster.nodes[i].id).second)
                reader.refuse(fmt::format("nodes/{}/id", i), "duplicate-id",
                              fmt::format("\"{}\" stands twice; ids are unique", cluster.nodes[i].id));
        for (std::size_t i = 0; i < cluster.switches.size(); ++i)
            if (!ids.insert(cluster.switches[i].id).second)
                state.refuse(fmt::format("{}/switches/{}/id", pointer, i), "duplicate-id",
                             fmt::format("\"{}\" stands twice; ids are unique", cluster.switches[i].id));
        for (std::size_t i = 0; i < cluster.links.size(); ++i)
            for (const auto* end : {&cluster.links[i].from, &cluster.links[i].to})
                if (!ids.contains(*end))
                    state.refuse(fmt::format("{}/links/{}", pointer, i), "unknown-id",
                                 fmt::format("no node or switch has the id \"{}\"", *end));
    }
    if (const json* measured = reader.findOrNull("measured_bandwidth"))
        cluster.measured = readMeasuredBandwidth(*measured, reader.pointerTo("measured_bandwidth"), state);
    reader.finish();
    if (state.error) return nullptr;
    if (cluster.devices() > limits::kDevices)
        state.refuse(pointer, "out-of-range",
                     fmt::format("has {} devices; at most {} are possible", cluster.devices(), limits::kDevices));
    if (state.error) return nullptr;
    return std::make_shared<const ClusterSpec>(std::move(cluster));
}

json clusterJson(const ClusterSpec& cluster, const PresetLibrary* presetsOrNull) {
    json out = json::object();
    if (cluster.preset) {
        out["preset"] = cluster.preset->id;
        out["nodes"] = cluster.preset->nodes;
        if (cluster.preset->accelerator) out["accelerator"] = acceleratorJson(*cluster.preset->accelerator, presetsOrNull);
        if (cluster.preset->acceleratorsPerNode) out["accelerators_per_node"] = *cluster.preset->acceleratorsPerNode;
        if (cluster.preset->networkGbpsPerNode) out["network_gbps_per_node"] = *cluster.preset->networkGbpsPerNode;
        if (!cluster.measured.bytesPerS.empty()) out["measured_bandwidth"] = measuredBandwidthJson(cluster.measured);
        return out;
    }
    if (!cluster.name.empty()) out["name"] = cluster.name;
    out["nodes"] = json::array();
    for (const auto& node : cluster.nodes) out["nodes"].push_back(nodeJson(node, presetsOrNull));
    if (!cluster.switches.empty()) {
        json switches = json::array();
        for (const auto& item : cluster.switches) {
            json one = {{"id", item.id}};
            if (!item.name.empty()) one["name"] = item.name;
            if (item.oversubscription != 1) one["oversubscription"] = item.oversubscription;
            if (item.inNetworkReduction) one["in_network_reduction"] = true;
            if (item.backgroundShare > 0) one["background_load"] = item.backgroundShare;
            if (item.position) one["position"] = positionJson(*item.position);
            switches.push_back(std::move(one));
        }
        out["switches"] = std::move(switches);
    }
    if (!cluster.links.empty()) {
        json links = json::array();
        for (const auto& item : cluster.links) {
            json one = {{"from", item.from},
                        {"to", item.to},
                        {"kind", name(item.kind)},
                        {"bandwidth_bytes_per_s", item.bandwidthBytesPerS}};
            if (item.latencyS > 0) one["latency_s"] = item.latencyS;
            if (item.count != 1) one["count"] = item.count;
            if (item.broken) one["broken"] = true;
            links.push_back(std::move(one));
        }
        out["links"] = std::move(links);
    }
    if (!cluster.measured.bytesPerS.empty()) out["measured_bandwidth"] = measuredBandwidthJson(cluster.measured);
    return out;
}

}  // namespace trainyard
