#include "core/io/import/config_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/import/scalar_text.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed = 60;

}  // namespace

const json* ConfigKeys::findOrNull(std::string_view key) {
    asked_.emplace(key);
    const json* at = &document_;
    while (!key.empty()) {
        const auto dot = std::min(key.find('.'), key.size());
        if (!at->is_object()) return nullptr;
        const auto step = at->find(key.substr(0, dot));
        if (step == at->end()) return nullptr;
        at = &*step;
        key.remove_prefix(std::min(dot + 1, key.size()));
    }
    if (at->is_null() || (at->is_string() && (*at == "None" || *at == "null" || *at == ""))) return nullptr;
    return at;
}

void ConfigKeys::refuse(std::string_view key, std::string_view expected, const json& found) {
    builder_.error("wrong-value", fmt::format("{}: expected {}, found {}", key, expected, describeJson(found).substr(0, 80)), "");
}

std::optional<std::int64_t> ConfigKeys::integer(std::string_view key, std::int64_t minimum, std::int64_t maximum) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    auto number = exactInteger(*value);
    if (!number && value->is_string()) number = exactInteger(scalarFromText(value->get<std::string>()));
    if (number && *number >= minimum && *number <= maximum) return number;
    refuse(key, fmt::format("a whole number from {} to {}", minimum, maximum), *value);
    return std::nullopt;
}

std::optional<bool> ConfigKeys::flag(std::string_view key) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    if (value->is_string()) {
        std::string low = value->get<std::string>();
        std::transform(low.begin(), low.end(), low.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        if (low == "true" || low == "yes" || low == "on") return true;
        if (low == "false" || low == "no" || low == "off") return false;
    }
    if (value->is_number_integer() && (*value == 0 || *value == 1)) return *value == 1;
    refuse(key, "true or false", *value);
    return std::nullopt;
}

std::optional<std::string> ConfigKeys::text(std::string_view key) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    if (value->is_number() || value->is_boolean()) return value->dump();
    refuse(key, "a text", *value);
    return std::nullopt;
}

bool ConfigKeys::take(std::initializer_list<std::string_view> keys, std::int64_t minimum, std::int64_t maximum,
                      std::string_view pointer) {
    bool taken = false;
    for (const auto key : keys) {
        if (taken) {
            know({key});
            continue;
        }
        if (!has(key)) continue;
        taken = true;
        if (const auto value = integer(key, minimum, maximum)) builder_.take(pointer, *value, key);
    }
    return taken;
}

bool ConfigKeys::takeFlag(std::string_view key, std::string_view pointer) {
    const auto value = flag(key);
    if (value) builder_.take(pointer, *value, key);
    return value.has_value();
}

void ConfigKeys::know(std::initializer_list<std::string_view> keys) {
    for (const auto key : keys) asked_.emplace(key);
}

void ConfigKeys::listUnused(const json& node, const std::string& path, int depth) {
    const bool whole = asked_.contains(path);
    const auto inside = asked_.lower_bound(path + ".");
    const bool used = inside != asked_.end() && inside->starts_with(path + ".");
    if (whole && !used) return;
    if (node.is_object() && used && depth < 8) {
        for (const auto& [key, value] : node.items()) listUnused(value, path + "." + key, depth + 1);
        return;
    }
    if (listed_++ < kMostListed)
        builder_.ignore(node.is_object() && !node.empty()
                            ? fmt::format("{} ({} key{})", path, node.size(), node.size() == 1 ? "" : "s")
                            : path);
}

void ConfigKeys::reportIgnored() {
    if (!document_.is_object()) return;
    for (const auto& [key, value] : document_.items()) listUnused(value, key, 0);
    if (listed_ > kMostListed) builder_.ignore(fmt::format("{} more keys", listed_ - kMostListed));
}

}  // namespace trainyard
