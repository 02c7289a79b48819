#include "core/io/presets/personal_library.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/io/json/json_text.h"
#include "core/io/json/model_json.h"
#include "core/io/presets/preset_library.h"
#include "core/io/text_file.h"

namespace trainyard {
namespace {

using nlohmann::json;

Result<std::string> write(const json& document, const std::string& folder, PresetKind kind, const std::string& id) {
    const std::filesystem::path directory = std::filesystem::path(folder) / std::string(name(kind));
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return failure(Error::Kind::unreadable, "folder-not-made", directory.string(),
                       "this folder cannot be made: " + error.message());
    const std::string path = (directory / (id + ".json")).string();
    if (const auto written = writeFileAtomically(path, prettyJson(document)); !written)
        return tl::unexpected<Error>(written.error());
    return path;
}

std::string shapeName(IntraNodeLinks::Shape shape) {
    switch (shape) {
        case IntraNodeLinks::Shape::switched: return "switched";
        case IntraNodeLinks::Shape::mesh: return "mesh";
        case IntraNodeLinks::Shape::pcieTree: return "pcie_tree";
    }
    return "switched";
}

/// Ids of shipped presets stay theirs.
std::string ownId(const std::string& id, std::string_view displayName, PresetKind kind) {
    const std::string wanted = id.empty() ? presetIdFromName(displayName) : presetIdFromName(id);
    return PresetLibrary().text(kind, wanted) ? "my-" + wanted : wanted;
}

}  // namespace

std::string presetIdFromName(std::string_view displayName) {
    std::string id;
    for (const char c : displayName) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (letter)
            id += c;
        else if (c >= 'A' && c <= 'Z')
            id += static_cast<char>(c - 'A' + 'a');
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && (id.back() == '-' || id.back() == '.')) id.pop_back();
    while (!id.empty() && (id.front() == '-' || id.front() == '.')) id.erase(id.begin());
    return id.empty() ? "part" : id;
}

Result<std::string> keepModel(const ModelSpec& model, const std::string& folder) {
    const std::string id = ownId({}, model.name, PresetKind::models);
    const json document{{"format", "trainyard.model"},
                        {"version", 1},
                        {"id", id},
                        {"name", model.name},
                        {"architecture", architectureJson(model)}};
    return write(document, folder, PresetKind::models, id);
}

Result<std::string> keepAccelerator(const AcceleratorSpec& accelerator, const std::string& folder) {
    const std::string id = ownId(accelerator.id, accelerator.name, PresetKind::accelerators);
    json peaks = json::object();
    for (const Precision precision : kAllPrecisions)
        if (accelerator.peak(precision) > 0) peaks[std::string(name(precision))] = accelerator.peak(precision);
    json document{{"format", "trainyard.accelerator"},
                  {"version", 1},
                  {"id", id},
                  {"name", accelerator.name.empty() ? id : accelerator.name},
                  {"memory_bytes", accelerator.memoryBytes},
                  {"memory_usable_bytes", accelerator.memoryUsableBytes},
                  {"memory_bandwidth_bytes_per_s", accelerator.memoryBandwidthBytesPerS},
                  {"peak_flops_per_s", peaks},
                  {"host_link_bytes_per_s", accelerator.hostLinkBytesPerS},
                  {"tdp_w", accelerator.tdpW},
                  {"streaming_multiprocessors", accelerator.streamingMultiprocessors},
                  {"year", accelerator.year},
                  {"aliases", accelerator.aliases}};
    if (accelerator.pricePerHour) document["price_per_hour"] = *accelerator.pricePerHour;
    if (!accelerator.vendor.empty()) document["vendor"] = accelerator.vendor;
    if (!accelerator.architecture.empty()) document["architecture"] = accelerator.architecture;
    if (accelerator.scaleUpBytesPerS > 0)
        document["scale_up"] = {{"type", accelerator.scaleUpType}, {"bytes_per_s", accelerator.scaleUpBytesPerS}};
    return write(document, folder, PresetKind::accelerators, id);
}

Result<std::string> keepNode(const NodeSpec& node, const std::string& network, const std::string& folder) {
    const std::string id = ownId({}, node.name.empty() ? node.id : node.name, PresetKind::nodes);
    json groups = json::array();
    for (const AcceleratorGroup& group : node.accelerators) {
        if (!group.accelerator) continue;
        std::string accelerator = group.accelerator->id;
        if (accelerator.empty() || !PresetLibrary().text(PresetKind::accelerators, accelerator)) {
            const auto kept = keepAccelerator(*group.accelerator, folder);
            if (!kept) return kept;
            accelerator = std::filesystem::path(*kept).stem().string();
        }
        groups.push_back({{"accelerator", accelerator}, {"count", group.count}});
    }
    json intra{{"shape", shapeName(node.intra.shape)},
               {"kind", std::string(name(node.intra.kind))},
               {"bandwidth_bytes_per_s", node.intra.bandwidthBytesPerS},
               {"latency_s", node.intra.latencyS},
               {"in_network_reduction", node.intra.inNetworkReduction},
               {"peer_to_peer", node.intra.peerToPeer},
               {"devices_per_pcie_switch", node.intra.devicesPerPcieSwitch}};
    const auto devices = static_cast<std::size_t>(node.devicesPerNode());
    if (node.intra.matrixBytesPerS.size() == devices * devices && devices > 0) {
        json rows = json::array();
        for (std::size_t row = 0; row < devices; ++row) {
            json cells = json::array();
            for (std::size_t column = 0; column < devices; ++column)
                cells.push_back(node.intra.matrixBytesPerS[row * devices + column]);
            rows.push_back(std::move(cells));
        }
        intra["matrix_bytes_per_s"] = std::move(rows);
    }
    json document{{"format", "trainyard.node"},
                  {"version", 1},
                  {"id", id},
                  {"name", node.name.empty() ? node.id : node.name},
                  {"accelerators", std::move(groups)},
                  {"intra", std::move(intra)}};
    if (node.nics.count > 0 && !network.empty()) {
        document["nics"] = {{"count", node.nics.count}, {"bandwidth_bytes_per_s", node.nics.bandwidthBytesPerS}};
        document["network"] = network;
    }
    return write(document, folder, PresetKind::nodes, id);
}

}  // namespace trainyard
