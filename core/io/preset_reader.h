#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/preset_library.h"

namespace trainyard {

// Readers of single preset files. A figure may stand alone or as {"value": ..., "source": ...}.

[[nodiscard]] Result<AcceleratorSpec> readAcceleratorPreset(std::string_view text, const std::string& where);
[[nodiscard]] Result<NetworkPreset> readNetworkPreset(std::string_view text, const std::string& where);

/// A node type as in its file: ids where other presets are named.
struct NodePresetFile {
    NodeSpec node;  ///< accelerator groups have counts only
    std::vector<std::string> accelerators;
    std::string network;
    std::string description;
};
[[nodiscard]] Result<NodePresetFile> readNodePreset(std::string_view text, const std::string& where);

/// id, name and description of any preset.
[[nodiscard]] Result<PresetSummary> readPresetSummary(std::string_view text, const std::string& where);

/// A cluster preset that only names a node type: {"cluster": {"preset": ID, "nodes": N, ...}}; nullopt: a drawn graph.
[[nodiscard]] Result<std::optional<ClusterPreset>> readClusterShortForm(std::string_view text, const std::string& where);

}  // namespace trainyard
