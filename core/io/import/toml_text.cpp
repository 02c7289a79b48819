#include "core/io/import/toml_text.h"

#include <fmt/format.h>

// Text such as `[[[` fails an assertion of toml++ where it would go on to report a syntax error.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

json copyOf(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        json out = json::object();
        for (const auto& [key, value] : *table) out[std::string(key.str())] = copyOf(value);
        return out;
    }
    if (const auto* list = node.as_array()) {
        json out = json::array();
        for (const auto& value : *list) out.push_back(copyOf(value));
        return out;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    std::ostringstream date;
    node.visit([&](const auto& value) {
        if constexpr (toml::is_date<decltype(value)> || toml::is_time<decltype(value)> || toml::is_date_time<decltype(value)>)
            date << value.get();
    });
    return date.str();
}

}  // namespace

Result<json> parseToml(std::string_view text, const std::string& where) {
    if (text.size() > kMaxBytes)
        return failure(Error::Kind::unreadable, "toml-unreadable", where,
                       fmt::format("has {} bytes; a TOML file of at most {} was expected", text.size(), kMaxBytes));
    try {
        return copyOf(toml::parse(text));
    } catch (const toml::parse_error& error) {
        const auto& place = error.source().begin;
        return failure(Error::Kind::unreadable, "toml-unreadable", fmt::format("{}:{}:{}", where, place.line, place.column),
                       fmt::format("is no TOML here: {}", error.description()));
    }
}

}  // namespace trainyard
