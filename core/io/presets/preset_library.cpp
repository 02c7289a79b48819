#include "core/io/presets/preset_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/names.h"
#include "core/io/json/object_reader.h"
#include "core/io/presets/embedded_presets.h"
#include "core/io/presets/preset_reader.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

constexpr NameTable<PresetKind, 11> kKinds{{{PresetKind::accelerators, "accelerators"},
                                           {PresetKind::nodes, "nodes"},
                                           {PresetKind::networks, "networks"},
                                           {PresetKind::models, "models"},
                                           {PresetKind::clusters, "clusters"},
                                           {PresetKind::scenarios, "scenarios"},
                                           {PresetKind::lessons, "lessons"},
                                           {PresetKind::rules, "rules"},
                                           {PresetKind::schema, "schema"},
                                           {PresetKind::glossary, "glossary"},
                                           {PresetKind::challenges, "challenges"}}};
constexpr std::uintmax_t kLargestFileBytes = 4 << 20;

const EmbeddedPreset* embeddedOrNull(PresetKind kind, std::string_view id) {
    for (const EmbeddedPreset& preset : embeddedPresets())
        if (preset.kind == name(kind) && preset.id == id) return &preset;
    return nullptr;
}

/// The file name without `.json` or `.trainyard.json`.
std::string fileId(const std::filesystem::path& path) {
    const std::filesystem::path stem = path.stem();
    return stem.extension() == ".trainyard" ? stem.stem().string() : stem.string();
}

/// Scales the network of a node from one number of accelerators to another: per accelerator it stays the same.
NicSpec scaledNics(const NicSpec& nics, std::int64_t from, std::int64_t to) {
    if (from == to || nics.count == 0) return nics;
    const double total =
        static_cast<double>(nics.count) * nics.bandwidthBytesPerS * static_cast<double>(to) / static_cast<double>(from);
    NicSpec scaled = nics;
    scaled.count = std::max<std::int64_t>(1, nics.count * to / from);
    scaled.bandwidthBytesPerS = total / static_cast<double>(scaled.count);
    return scaled;
}

/// Rows and columns 0..size-1 of a square matrix; a larger one than there is has no such links.
std::vector<double> leadingMatrix(const std::vector<double>& matrix, std::int64_t from, std::int64_t size) {
    std::vector<double> out;
    if (size > from) return out;
    for (std::int64_t row = 0; row < size; ++row)
        for (std::int64_t column = 0; column < size; ++column)
            out.push_back(matrix[static_cast<std::size_t>(row * from + column)]);
    return out;
}

}  // namespace

std::string_view name(PresetKind kind) { return kKinds.name(kind); }
std::optional<PresetKind> presetKindFromName(std::string_view text) { return kKinds.value(text); }

PresetLibrary::PresetLibrary(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) readFolder(folder);
    // Checked when all are there, since they name each other.
    std::vector<UserFile> good;
    for (const UserFile& file : userFiles_) {
        if (auto wrong = check(file))
            errors_.push_back(*std::move(wrong));
        else
            good.push_back(file);
    }
    userFiles_ = std::move(good);
}

std::optional<Error> PresetLibrary::check(const UserFile& file) const {
    const auto errorOf = [](const auto& result) {
        return result ? std::optional<Error>{} : std::optional<Error>{result.error()};
    };
    switch (file.kind) {
        case PresetKind::accelerators: return errorOf(readAcceleratorPreset(file.text, file.path));
        case PresetKind::networks: return errorOf(readNetworkPreset(file.text, file.path));
        case PresetKind::nodes: return errorOf(readNodePreset(file.text, file.path, *this));
        case PresetKind::clusters: return errorOf(readClusterPreset(file.text, file.path, {.id = file.id}, *this));
        case PresetKind::models:
        case PresetKind::scenarios:
        case PresetKind::lessons:
        case PresetKind::rules:
        case PresetKind::schema:
        case PresetKind::glossary:
        case PresetKind::challenges: break;  // checked when they are used
    }
    return {};
}

std::vector<std::string> PresetLibrary::userFolders() {
    std::vector<std::string> folders;
    const auto variable = [](const char* key) {
        const char* value = std::getenv(key);
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string config = variable("XDG_CONFIG_HOME"); !config.empty())
        folders.push_back(config + "/trainyard/presets");
    else if (const std::string home = variable("HOME"); !home.empty())
        folders.push_back(home + "/.config/trainyard/presets");
    const std::string list = variable("TRAINYARD_PRESETS");
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin) folders.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return folders;
}

void PresetLibrary::readFolder(const std::string& folder) {
    namespace fs = std::filesystem;
    for (const auto& [kind, kindName] : kKinds.rows) {
        std::vector<fs::path> paths;
        std::error_code error;
        for (fs::directory_iterator it(fs::path(folder) / kindName, error), end; !error && it != end; it.increment(error))
            if (it->path().extension() == ".json") paths.push_back(it->path());
        std::sort(paths.begin(), paths.end());
        for (const fs::path& path : paths) {
            std::error_code ignored;
            const std::uintmax_t size = fs::is_regular_file(path, ignored) ? fs::file_size(path, ignored) : kLargestFileBytes + 1;
            std::ifstream in(path, std::ios::binary);
            if (size > kLargestFileBytes || !in) {
                errors_.push_back(
                    {Error::Kind::unreadable, "unreadable", path.string(), "expected a readable file of at most 4 MiB"});
                continue;
            }
            UserFile file{kind, {}, std::string((std::istreambuf_iterator<char>(in)), {}), path.string()};
            const auto summary = readPresetSummary(file.text, file.path);
            if (!summary) {
                errors_.push_back(summary.error());
                continue;
            }
            file.id = summary->id.empty() ? fileId(path) : summary->id;
            userFiles_.push_back(std::move(file));
        }
    }
}

const PresetLibrary::UserFile* PresetLibrary::userFileOrNull(PresetKind kind, std::string_view id) const {
    for (auto it = userFiles_.rbegin(); it != userFiles_.rend(); ++it)
        if (it->kind == kind && it->id == id) return &*it;
    return nullptr;
}

tl::unexpected<Error> PresetLibrary::unknown(PresetKind kind, std::string_view id) const {
    std::vector<std::string> all = ids(kind);
    if (kind == PresetKind::nodes)
        for (std::string& other : ids(PresetKind::clusters)) all.push_back(std::move(other));
    const std::vector<std::string_view> names(all.begin(), all.end());
    const auto near = nearestNames(id, names);
    return failure(Error::Kind::invalid, "unknown-preset", "",
                   fmt::format("there is no \"{}\" among the {}; {}", id, name(kind),
                               near.empty() ? fmt::format("`trainyard-cli presets {}` lists them", name(kind))
                                            : fmt::format("did you mean {}?", fmt::join(near, ", "))));
}

std::vector<std::string> PresetLibrary::ids(PresetKind kind) const {
    std::vector<std::string> out;
    for (const EmbeddedPreset& preset : embeddedPresets())
        if (preset.kind == name(kind)) out.emplace_back(preset.id);
    for (const UserFile& file : userFiles_)
        if (file.kind == kind) out.push_back(file.id);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::optional<std::string_view> PresetLibrary::text(PresetKind kind, std::string_view id) const {
    if (const UserFile* file = userFileOrNull(kind, id)) return file->text;
    if (const EmbeddedPreset* preset = embeddedOrNull(kind, id)) return preset->text;
    return std::nullopt;
}

std::vector<PresetSummary> PresetLibrary::summaries(PresetKind kind) const {
    std::vector<PresetSummary> out;
    for (const std::string& id : ids(kind)) {
        auto summary = readPresetSummary(*text(kind, id), id);
        if (!summary) continue;
        const UserFile* file = userFileOrNull(kind, id);
        summary->id = id;
        summary->origin = file == nullptr ? "built in" : file->path;
        out.push_back(*std::move(summary));
    }
    return out;
}

Result<std::shared_ptr<const AcceleratorSpec>> PresetLibrary::accelerator(std::string_view id) const {
    if (const auto found = text(PresetKind::accelerators, id)) {
        auto spec = readAcceleratorPreset(*found, std::string(id));
        if (!spec) return tl::unexpected(spec.error());
        return std::make_shared<const AcceleratorSpec>(*std::move(spec));
    }
    for (const auto& candidate : accelerators())
        if (candidate->name == id ||
            std::find(candidate->aliases.begin(), candidate->aliases.end(), id) != candidate->aliases.end())
            return candidate;
    return unknown(PresetKind::accelerators, id);
}

std::vector<std::shared_ptr<const AcceleratorSpec>> PresetLibrary::accelerators() const {
    std::vector<std::shared_ptr<const AcceleratorSpec>> out;
    for (const std::string& id : ids(PresetKind::accelerators))
        if (auto spec = readAcceleratorPreset(*text(PresetKind::accelerators, id), id))
            out.push_back(std::make_shared<const AcceleratorSpec>(*std::move(spec)));
    return out;
}

Result<NetworkPreset> PresetLibrary::network(std::string_view id) const {
    const auto found = text(PresetKind::networks, id);
    if (!found) return unknown(PresetKind::networks, id);
    return readNetworkPreset(*found, std::string(id));
}

Result<NodePreset> PresetLibrary::node(std::string_view id) const {
    const auto found = text(PresetKind::nodes, id);
    if (!found) return unknown(PresetKind::nodes, id);
    return readNodePreset(*found, std::string(id), *this);
}

std::vector<NodePreset> PresetLibrary::nodes() const {
    std::vector<NodePreset> out;
    for (const std::string& id : ids(PresetKind::nodes))
        if (auto preset = node(id)) out.push_back(*std::move(preset));
    return out;
}

Result<ClusterSpec> PresetLibrary::expand(const ClusterPreset& preset) const {
    if (!text(PresetKind::nodes, preset.id)) {
        const auto cluster = text(PresetKind::clusters, preset.id);
        if (!cluster) return unknown(PresetKind::nodes, preset.id);
        return readClusterPreset(*cluster, preset.id, preset, *this);
    }

    auto type = node(preset.id);
    if (!type) return tl::unexpected(type.error());
    NodeSpec block = std::move(type->node);
    block.count = preset.nodes;
    const std::int64_t usual = block.devicesPerNode();
    const std::int64_t wanted = preset.acceleratorsPerNode.value_or(usual);
    if (block.count < 1 || wanted < 1 || wanted > limits::kDevicesPerNode || block.count > limits::kDevices / wanted)
        return failure(Error::Kind::invalid, "out-of-range", "",
                       fmt::format("{} nodes of {} accelerators; expected at least 1 of each and at most {} accelerators in all",
                                   block.count, wanted, limits::kDevices));
    if (preset.accelerator) {
        block.accelerators = {{preset.accelerator, wanted}};
        // The links come with the accelerator, except where the board is a PCIe tree whatever is plugged in.
        if (block.intra.shape == IntraNodeLinks::Shape::pcieTree) {
            if (preset.accelerator->hostLinkBytesPerS > 0) block.intra.bandwidthBytesPerS = preset.accelerator->hostLinkBytesPerS;
        } else if (preset.accelerator->scaleUpBytesPerS > 0) {
            block.intra.bandwidthBytesPerS = 0;
            block.intra.latencyS = 0;
            block.intra.matrixBytesPerS.clear();
            block.intra = effectiveIntra(block);
        }
    } else if (wanted != usual) {
        block.accelerators.resize(1);
        block.accelerators.front().count = wanted;
    }
    if (wanted != usual && !block.intra.matrixBytesPerS.empty())
        block.intra.matrixBytesPerS = leadingMatrix(block.intra.matrixBytesPerS, usual, wanted);
    block.nics = scaledNics(block.nics, usual, wanted);
    if (preset.networkGbpsPerNode) {
        block.nics.count = std::max<std::int64_t>(1, block.nics.count);
        block.nics.bandwidthBytesPerS = *preset.networkGbpsPerNode * 1e9 / 8 / static_cast<double>(block.nics.count);
    }

    ClusterSpec cluster;
    cluster.preset = preset;
    cluster.name = block.count == 1 ? block.name : fmt::format("{} x {}", block.count, block.name);
    if (block.nics.count > 0) {
        SwitchSpec fabric;
        fabric.id = "network";
        fabric.name = type->network.name;
        cluster.links.push_back({block.id, fabric.id, type->network.kind, block.nics.bandwidthBytesPerS, block.nics.latencyS,
                                 block.nics.count, false});
        cluster.switches.push_back(std::move(fabric));
    }
    cluster.nodes.push_back(std::move(block));
    return cluster;
}

const PresetLibrary& presetLibrary() {
    static const PresetLibrary library(PresetLibrary::userFolders());
    return library;
}

Result<ClusterSpec> expandPreset(const ClusterPreset& preset) { return presetLibrary().expand(preset); }

}  // namespace trainyard
