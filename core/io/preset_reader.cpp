#include "core/io/preset_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/names.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;
using Shape = IntraNodeLinks::Shape;

constexpr NameTable<Shape, 3> kShapes{{{Shape::switched, "switched"}, {Shape::mesh, "mesh"}, {Shape::pcieTree, "pcie_tree"}}};

/// Reads one object and remembers the first thing that is wrong with it.
class Reader {
  public:
    Reader(const json& value, std::string where, std::string pointer, std::optional<Error>& error)
        : value_(value), where_(std::move(where)), pointer_(std::move(pointer)), error_(error) {}

    [[nodiscard]] const json* findOrNull(const char* key) const {
        const auto it = value_.find(key);
        return it == value_.end() ? nullptr : &*it;
    }
    void refuse(const char* key, const std::string& expected) const {
        if (!error_) error_ = Error{Error::Kind::invalid, "bad-preset", where_ + "#" + pointer_ + "/" + key, expected};
    }
    [[nodiscard]] double number(const char* key, double maximum = 1e30) const {
        const json* found = figureOrNull(key);
        if (found == nullptr) return 0;
        if (!found->is_number() || !std::isfinite(found->get<double>()) || found->get<double>() < 0 ||
            found->get<double>() > maximum) {
            refuse(key, fmt::format("expected a number from 0 to {:g}, alone or as \"value\"", maximum));
            return 0;
        }
        return found->get<double>();
    }
    [[nodiscard]] double positive(const char* key) const {
        const double value = number(key);
        if (value <= 0) refuse(key, "expected a positive number, alone or as \"value\"");
        return value;
    }
    [[nodiscard]] std::int64_t count(const char* key, std::int64_t maximum) const {
        const double value = number(key, static_cast<double>(maximum));
        if (value != std::floor(value)) refuse(key, "expected a whole number");
        return static_cast<std::int64_t>(value);
    }
    [[nodiscard]] std::string text(const char* key, bool required = false) const {
        const json* found = findOrNull(key);
        if (found != nullptr && found->is_string()) return found->get<std::string>();
        if (found != nullptr || required) refuse(key, "expected a text");
        return {};
    }
    [[nodiscard]] bool flag(const char* key, bool otherwise) const {
        const json* found = findOrNull(key);
        if (found == nullptr) return otherwise;
        if (!found->is_boolean()) refuse(key, "expected true or false");
        return found->is_boolean() ? found->get<bool>() : otherwise;
    }
    [[nodiscard]] std::optional<Reader> object(const char* key, bool required = false) const {
        const json* found = findOrNull(key);
        if (found != nullptr && found->is_object()) return Reader(*found, where_, pointer_ + "/" + key, error_);
        if (found != nullptr || required) refuse(key, "expected an object");
        return std::nullopt;
    }
    /// The figure itself, taken out of {"value": ...} if it stands there.
    [[nodiscard]] const json* figureOrNull(const char* key) const {
        const json* found = findOrNull(key);
        if (found == nullptr || !found->is_object()) return found;
        const auto it = found->find("value");
        return it == found->end() ? found : &*it;
    }
    [[nodiscard]] const std::string& where() const { return where_; }

  private:
    const json& value_;
    std::string where_;
    std::string pointer_;
    std::optional<Error>& error_;
};

Result<json> parse(std::string_view text, const std::string& where) {
    json value = json::parse(text.begin(), text.end(), nullptr, false);
    if (value.is_discarded()) return failure(Error::Kind::unreadable, "not-json", where, "is not JSON");
    if (!value.is_object()) return failure(Error::Kind::invalid, "bad-preset", where, "expected one JSON object");
    return value;
}

/// Parses, runs `read` on the object, and hands back its value or the first error.
template <class Value, class Read>
Result<Value> readWith(std::string_view text, const std::string& where, Read read) {
    const Result<json> value = parse(text, where);
    if (!value) return tl::unexpected(value.error());
    std::optional<Error> error;
    Value result = read(Reader(*value, where, "", error));
    if (error) return tl::unexpected(*error);
    return result;
}

IntraNodeLinks readIntra(const Reader& reader, std::int64_t devices) {
    IntraNodeLinks intra;
    if (const auto shape = kShapes.value(reader.text("shape", true)))
        intra.shape = *shape;
    else
        reader.refuse("shape", "expected switched, mesh or pcie_tree");
    if (const auto kind = linkKindFromName(reader.text("kind", true)))
        intra.kind = *kind;
    else
        reader.refuse("kind", "expected nvlink, nvswitch, xgmi, pcie, pcie_host, roce or other");
    intra.bandwidthBytesPerS = reader.positive("bandwidth_bytes_per_s");
    intra.latencyS = reader.number("latency_s", 10);
    intra.inNetworkReduction = reader.flag("in_network_reduction", false);
    intra.peerToPeer = reader.flag("peer_to_peer", true);
    intra.devicesPerPcieSwitch = static_cast<int>(reader.count("devices_per_pcie_switch", limits::kDevicesPerNode));
    const json* matrix = reader.figureOrNull("matrix_bytes_per_s");
    if (matrix == nullptr) return intra;
    const auto size = static_cast<std::size_t>(devices);
    bool good = matrix->is_array() && matrix->size() == size;
    for (std::size_t row = 0; good && row < size; ++row) {
        good = (*matrix)[row].is_array() && (*matrix)[row].size() == size;
        for (std::size_t column = 0; good && column < size; ++column) {
            const json& cell = (*matrix)[row][column];
            good = cell.is_number() && std::isfinite(cell.get<double>()) && cell.get<double>() >= 0;
            if (good) intra.matrixBytesPerS.push_back(cell.get<double>());
        }
    }
    if (!good) reader.refuse("matrix_bytes_per_s", fmt::format("expected {0} rows of {0} numbers", devices));
    return intra;
}

}  // namespace

Result<AcceleratorSpec> readAcceleratorPreset(std::string_view text, const std::string& where) {
    return readWith<AcceleratorSpec>(text, where, [](const Reader& reader) {
        AcceleratorSpec spec;
        spec.id = reader.text("id", true);
        spec.name = reader.text("name", true);
        spec.vendor = reader.text("vendor");
        spec.architecture = reader.text("architecture");
        spec.memoryBytes = reader.positive("memory_bytes");
        spec.memoryUsableBytes = reader.number("memory_usable_bytes");
        // Drivers keep about 1.5 % for themselves (median of the cards where both figures are known).
        if (spec.memoryUsableBytes <= 0) spec.memoryUsableBytes = 0.985 * spec.memoryBytes;
        spec.memoryBandwidthBytesPerS = reader.positive("memory_bandwidth_bytes_per_s");
        if (const auto peaks = reader.object("peak_flops_per_s", true))
            for (const Precision precision : kAllPrecisions)
                spec.peakFlopsPerS[static_cast<std::size_t>(precision)] = peaks->number(std::string(name(precision)).c_str());
        if (const auto scaleUp = reader.object("scale_up")) {
            spec.scaleUpType = scaleUp->text("type");
            spec.scaleUpBytesPerS = scaleUp->number("bytes_per_s");
        }
        spec.hostLinkBytesPerS = reader.number("host_link_bytes_per_s");
        spec.tdpW = reader.number("tdp_w");
        if (reader.findOrNull("price_per_hour") != nullptr) spec.pricePerHour = reader.number("price_per_hour");
        spec.streamingMultiprocessors = static_cast<int>(reader.count("streaming_multiprocessors", 100'000));
        spec.year = static_cast<int>(reader.count("year", 9999));
        if (const json* aliases = reader.findOrNull("aliases")) {
            if (!aliases->is_array()) reader.refuse("aliases", "expected a list of names");
            for (const json& alias : *aliases)
                if (alias.is_string()) spec.aliases.push_back(alias.get<std::string>());
        }
        return spec;
    });
}

Result<NetworkPreset> readNetworkPreset(std::string_view text, const std::string& where) {
    return readWith<NetworkPreset>(text, where, [](const Reader& reader) {
        NetworkPreset network;
        network.id = reader.text("id", true);
        network.name = reader.text("name", true);
        if (const auto kind = linkKindFromName(reader.text("kind", true)))
            network.kind = *kind;
        else
            reader.refuse("kind", "expected infiniband, roce, ethernet, efa, slingshot, wan or other");
        network.perNode = reader.text("per") == "node";
        network.bandwidthBytesPerS = reader.positive("bandwidth_bytes_per_s");
        network.achievableBytesPerS = reader.number("achievable_bytes_per_s");
        network.latencyS = reader.number("latency_s", 10);
        if (network.latencyS <= 0) network.latencyS = typicalLatencyS(network.kind);
        return network;
    });
}

Result<NodePresetFile> readNodePreset(std::string_view text, const std::string& where) {
    return readWith<NodePresetFile>(text, where, [](const Reader& reader) {
        NodePresetFile file;
        file.node.id = reader.text("id", true);
        file.node.name = reader.text("name", true);
        file.node.preset = file.node.id;
        const json* groups = reader.findOrNull("accelerators");
        if (groups == nullptr || !groups->is_array() || groups->empty()) {
            reader.refuse("accelerators", "expected a list of {\"accelerator\": ID, \"count\": N}");
            return file;
        }
        for (const json& group : *groups) {
            const bool good = group.is_object() && group.contains("accelerator") && group["accelerator"].is_string() &&
                              group.contains("count") && group["count"].is_number_integer() && group["count"] >= 1 &&
                              group["count"] <= limits::kDevicesPerNode;
            if (!good) {
                reader.refuse("accelerators", "expected a list of {\"accelerator\": ID, \"count\": N}");
                return file;
            }
            file.accelerators.push_back(group["accelerator"].get<std::string>());
            file.node.accelerators.push_back({nullptr, group["count"].get<std::int64_t>()});
        }
        if (const auto intra = reader.object("intra", true)) file.node.intra = readIntra(*intra, file.node.devicesPerNode());
        if (const auto nics = reader.object("nics")) {
            file.node.nics.count = nics->count("count", limits::kDevicesPerNode);
            file.node.nics.bandwidthBytesPerS = nics->positive("bandwidth_bytes_per_s");
        }
        file.network = reader.text("network");
        if (file.node.nics.count > 0 && file.network.empty()) reader.refuse("network", "expected the id of a network");
        file.description = reader.text("description");
        return file;
    });
}

Result<PresetSummary> readPresetSummary(std::string_view text, const std::string& where) {
    return readWith<PresetSummary>(text, where, [](const Reader& reader) {
        PresetSummary summary;
        summary.id = reader.text("id");
        summary.name = reader.text("name");
        summary.description = reader.text("description");
        return summary;
    });
}

Result<std::optional<ClusterPreset>> readClusterShortForm(std::string_view text, const std::string& where) {
    return readWith<std::optional<ClusterPreset>>(text, where, [](const Reader& reader) -> std::optional<ClusterPreset> {
        const auto cluster = reader.object("cluster", true);
        if (!cluster || cluster->findOrNull("preset") == nullptr) return std::nullopt;
        ClusterPreset preset;
        preset.id = cluster->text("preset", true);
        preset.nodes = cluster->findOrNull("nodes") == nullptr ? 1 : cluster->count("nodes", limits::kDevices);
        if (const std::int64_t perNode = cluster->count("accelerators_per_node", limits::kDevicesPerNode); perNode > 0)
            preset.acceleratorsPerNode = perNode;
        if (const double rate = cluster->number("network_gbps_per_node"); rate > 0) preset.networkGbpsPerNode = rate;
        return preset;
    });
}

}  // namespace trainyard
