#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace trainyard {

/// The value that an unquoted word of a configuration means: null (`null`, `~`, `None`), true or false, a whole number (also
/// `1_000` and `4096.0`), a real number, else the text itself.
[[nodiscard]] nlohmann::json scalarFromText(std::string_view text);

}  // namespace trainyard
