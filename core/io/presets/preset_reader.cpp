#include "core/io/presets/preset_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/json/cluster_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// Puts the bare figure in place of every {"value": ..., "source": ...}. Nesting is limited by parseJson.
void unwrapFigures(json& value) {
    if (value.is_object() && value.contains("value") && value.contains("source")) value = json(value["value"]);
    if (value.is_structured())
        for (json& item : value) unwrapFigures(item);
}

/// Parses, runs `read` on the object, and hands back its value or the first error.
template <class Value, class Read>
Result<Value> readWith(std::string_view text, const std::string& where, Read read) {
    Result<json> document = parseJson(text, where, JsonDialect::strict);
    if (!document) return tl::unexpected(document.error());
    unwrapFigures(*document);
    ReadState state;
    state.where = where;
    ObjectReader reader(*document, "", state);
    Value result = reader.valid() ? read(reader, *document) : Value{};
    if (state.error) return tl::unexpected(std::move(*state.error));
    return result;
}

std::string requiredText(ObjectReader& reader, const char* key) {
    auto text = reader.text(key);
    if (!text || text->empty()) reader.refuse(key, "missing-key", "is missing; a text was expected");
    return text.value_or("");
}

}  // namespace

Result<AcceleratorSpec> readAcceleratorPreset(std::string_view text, const std::string& where) {
    return readWith<AcceleratorSpec>(text, where, [](ObjectReader& reader, const json&) {
        AcceleratorSpec spec;
        spec.id = requiredText(reader, "id");
        static_cast<void>(requiredText(reader, "name"));
        readAcceleratorFields(reader, spec);
        for (const auto& [key, value] : {std::pair{"memory_bytes", spec.memoryBytes},
                                         std::pair{"memory_bandwidth_bytes_per_s", spec.memoryBandwidthBytesPerS}})
            if (value <= 0) reader.refuse(key, "missing-key", "is missing; a positive number was expected");
        if (!reader.has("peak_flops_per_s"))
            reader.refuse("peak_flops_per_s", "missing-key", "is missing; {precision: FLOP/s} was expected");
        // Drivers keep about 1.5 % for themselves (median of the cards where both figures are known).
        if (!reader.has("memory_usable_bytes")) spec.memoryUsableBytes = 0.985 * spec.memoryBytes;
        if (const json* scaleUp = reader.findOrNull("scale_up")) {
            ObjectReader item(*scaleUp, reader.pointerTo("scale_up"), reader.state());
            item.take("type", spec.scaleUpType);
            item.take("bytes_per_s", spec.scaleUpBytesPerS, 0);
        }
        if (const json* aliases = reader.findOrNull("aliases")) {
            if (!aliases->is_array())
                reader.refuse("aliases", "wrong-type", fmt::format("expected a list of names, found {}", describeJson(*aliases)));
            for (const json& alias : *aliases)
                if (alias.is_string()) spec.aliases.push_back(alias.get<std::string>());
        }
        return spec;
    });
}

Result<NetworkPreset> readNetworkPreset(std::string_view text, const std::string& where) {
    return readWith<NetworkPreset>(text, where, [](ObjectReader& reader, const json&) {
        NetworkPreset network;
        network.id = requiredText(reader, "id");
        network.name = requiredText(reader, "name");
        if (const auto kind = linkKindFromName(requiredText(reader, "kind")))
            network.kind = *kind;
        else
            reader.refuse("kind", "unknown-name", "expected infiniband, roce, ethernet, efa, slingshot, wan or other");
        network.perNode = reader.text("per").value_or("port") == "node";
        reader.take("bandwidth_bytes_per_s", network.bandwidthBytesPerS, 1);
        if (network.bandwidthBytesPerS <= 0)
            reader.refuse("bandwidth_bytes_per_s", "missing-key", "is missing; bytes per second, one direction");
        reader.take("achievable_bytes_per_s", network.achievableBytesPerS, 0);
        reader.take("latency_s", network.latencyS, 0, 60);
        if (network.latencyS <= 0) network.latencyS = typicalLatencyS(network.kind);
        return network;
    });
}

Result<NodePreset> readNodePreset(std::string_view text, const std::string& where, const PresetLibrary& library) {
    return readWith<NodePreset>(text, where, [&](ObjectReader& reader, const json& document) {
        NodePreset preset;
        preset.node = readNode(document, "", reader.state(), library);
        preset.node.count = 1;
        preset.node.preset = preset.node.id;
        preset.description = reader.text("description").value_or("");
        if (reader.state().error) return preset;
        if (preset.node.nics.count > 0) {
            const auto network = library.network(requiredText(reader, "network"));
            if (!network) {
                reader.refuse("network", network.error().code, network.error().message);
                return preset;
            }
            preset.network = *network;
            if (preset.node.nics.bandwidthBytesPerS <= 0)
                reader.refuse("nics", "missing-key", "\"bandwidth_bytes_per_s\" of one port is missing");
            preset.node.nics.latencyS = network->latencyS;
        }
        preset.node.intra = effectiveIntra(preset.node);
        return preset;
    });
}

Result<PresetSummary> readPresetSummary(std::string_view text, const std::string& where) {
    return readWith<PresetSummary>(text, where, [](ObjectReader& reader, const json& document) {
        PresetSummary summary;
        reader.take("id", summary.id);
        if (document.contains("title") && document["title"].is_string()) summary.name = document["title"];  // of a schema
        reader.take("name", summary.name);
        reader.take("description", summary.description);
        return summary;
    });
}

Result<ClusterSpec> readClusterPreset(std::string_view text, const std::string& where, const ClusterPreset& asked,
                                      const PresetLibrary& library) {
    return readWith<ClusterSpec>(text, where, [&](ObjectReader& reader, const json&) -> ClusterSpec {
        const json* cluster = reader.findOrNull("cluster");
        if (cluster == nullptr || !cluster->is_object()) {
            reader.refuse("cluster", "missing-key", "is missing; a cluster as in a scenario was expected");
            return {};
        }
        const auto type = cluster->find("preset");
        if (type != cluster->end() && (!type->is_string() || !library.text(PresetKind::nodes, type->get<std::string>()))) {
            reader.refuse("cluster/preset", "unknown-preset",
                          fmt::format("expected the id of a node type, found {}", describeJson(*type)));
            return {};
        }
        const auto own = readCluster(*cluster, "/cluster", reader.state(), library);
        if (!own) return {};
        ClusterSpec result = *own;
        if (own->preset) {
            ClusterPreset inner = *own->preset;
            inner.nodes *= asked.nodes;
            if (asked.accelerator) inner.accelerator = asked.accelerator;
            if (asked.acceleratorsPerNode) inner.acceleratorsPerNode = asked.acceleratorsPerNode;
            if (asked.networkGbpsPerNode) inner.networkGbpsPerNode = asked.networkGbpsPerNode;
            auto expanded = library.expand(inner);
            if (!expanded) {
                reader.refuse("cluster", expanded.error().code, expanded.error().message);
                return {};
            }
            result = *std::move(expanded);
        } else if (asked.nodes != 1 || asked.accelerator || asked.acceleratorsPerNode || asked.networkGbpsPerNode) {
            reader.refuse("cluster", "drawn-preset",
                          fmt::format("\"{}\" is a drawn cluster; it takes no count and no overrides", asked.id));
        }
        reader.take("name", result.name);
        result.preset = asked;
        return result;
    });
}

}  // namespace trainyard
