#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace trainyard {

/// A text in the languages it exists in; English always.
struct LocalText {
    std::string english;
    std::string german;
    [[nodiscard]] const std::string& in(std::string_view language) const {
        return language == "de" && !german.empty() ? german : english;
    }
};

enum class Presence : std::uint8_t { required, optional };

/// Reads a member that is a string (English) or `{"en": ..., "de": ...}`.
/// @param where    file, for messages
/// @param pointer  place of `object` in it
[[nodiscard]] Result<LocalText> readLocalText(const nlohmann::json& object, const char* key, Presence presence,
                                              const std::string& where, const std::string& pointer);

}  // namespace trainyard
