#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// The documents of a YAML text (divided by `---`) as JSON values. Plain scalars get their YAML type (null, true/false, numbers,
/// also `1_000` and `1e-4`), quoted ones stay text; tags are not followed. Aliases are copied, so the number of values is
/// capped. Error: line and column where the text stops being YAML, or what is too large.
[[nodiscard]] Result<std::vector<nlohmann::json>> parseYamlDocuments(std::string_view text, const std::string& where);

/// The first document; an error if there is none.
[[nodiscard]] Result<nlohmann::json> parseYaml(std::string_view text, const std::string& where);

}  // namespace trainyard
