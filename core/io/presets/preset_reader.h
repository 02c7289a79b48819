#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {

// Readers of single preset files. A figure may stand alone or as {"value": ..., "source": ...}; keys that are not needed
// (notes, sources) are passed over.

[[nodiscard]] Result<AcceleratorSpec> readAcceleratorPreset(std::string_view text, const std::string& where);
[[nodiscard]] Result<NetworkPreset> readNetworkPreset(std::string_view text, const std::string& where);
[[nodiscard]] Result<NodePreset> readNodePreset(std::string_view text, const std::string& where, const PresetLibrary& library);

/// id, name and description of any preset.
[[nodiscard]] Result<PresetSummary> readPresetSummary(std::string_view text, const std::string& where);

/// The `cluster` of a cluster preset: a node type with its count and overrides, expanded, or a drawn graph. `nodes` above 1
/// multiplies the count; a drawn graph takes neither count nor overrides.
[[nodiscard]] Result<ClusterSpec> readClusterPreset(std::string_view text, const std::string& where, const ClusterPreset& asked,
                                                    const PresetLibrary& library);

}  // namespace trainyard
