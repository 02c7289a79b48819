#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

enum class JsonDialect {
    strict,    ///< RFC 8259; a byte order mark is skipped
    tolerant,  ///< also NaN, Infinity, -Infinity, None, True, False, comments and trailing commas, as found in the wild
};

/// Deepest nesting of arrays and objects any reader accepts.
inline constexpr int kMaxJsonDepth = 100;

/// Parses text from outside. Never recurses on its depth. Errors are `unreadable` and name line and column; a key that
/// stands twice in one object is an error too (strict) or the last one wins (tolerant). Notes on what the tolerant
/// dialect had to mend are appended to `mended`.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text, const std::string& where, JsonDialect dialect,
                                               std::vector<std::string>* mended = nullptr);

/// One line without spaces; numbers in their shortest form, keys sorted.
[[nodiscard]] std::string compactJson(const nlohmann::json& value);
/// For people and diffs: two spaces, keys sorted, short arrays and objects on one line, a line feed at the end.
[[nodiscard]] std::string prettyJson(const nlohmann::json& value);

/// What a value is, for messages: `the text "abc"`, `the number 7`, `a list`, `null`.
[[nodiscard]] std::string describeJson(const nlohmann::json& value);

/// `a/b` as a JSON pointer step: `~0` and `~1` escapes.
[[nodiscard]] std::string pointerStep(std::string_view key);

}  // namespace trainyard
