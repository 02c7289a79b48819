#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace trainyard {

/// A TOML text as a JSON object; dates become text. Error: the line and column where it stops being TOML.
[[nodiscard]] Result<nlohmann::json> parseToml(std::string_view text, const std::string& where);

}  // namespace trainyard
