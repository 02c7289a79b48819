#pragma once

#include <span>
#include <string_view>

namespace trainyard {

/// One JSON file of presets/, put into the program at build time.
struct EmbeddedPreset {
    std::string_view kind;  ///< folder: accelerators, nodes, networks, models, clusters, scenarios, ...
    std::string_view id;    ///< file name without ending
    std::string_view text;
};

/// All of them, sorted by kind and id.
[[nodiscard]] std::span<const EmbeddedPreset> embeddedPresets();

}  // namespace trainyard
