#include "core/io/teach/local_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace trainyard {

Result<LocalText> readLocalText(const nlohmann::json& object, const char* key, Presence presence, const std::string& where,
                                const std::string& pointer) {
    LocalText text;
    const auto at = object.find(key);
    const auto wrong = [&] {
        return failure(Error::Kind::invalid, "local-text", fmt::format("{}#{}/{}", where, pointer, key),
                       "expected a text, or an object with \"en\" and \"de\"");
    };
    if (at == object.end()) {
        if (presence == Presence::required) return wrong();
        return text;
    }
    if (at->is_string()) {
        text.english = at->get<std::string>();
        return text;
    }
    if (!at->is_object() || !at->contains("en") || !at->at("en").is_string()) return wrong();
    text.english = at->at("en").get<std::string>();
    if (at->contains("de") && at->at("de").is_string()) text.german = at->at("de").get<std::string>();
    return text;
}

}  // namespace trainyard
