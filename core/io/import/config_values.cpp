#include "core/io/import/config_values.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// "4096", "32,000", "32_000"; nothing if it is not exactly a whole number.
std::optional<std::int64_t> integerFromText(std::string_view text) {
    std::string digits;
    std::size_t sinceSeparator = 0;
    bool separated = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ',' || c == '_') {
            if (i == 0 || (separated && sinceSeparator != 3) || (!separated && sinceSeparator > 3)) return std::nullopt;
            separated = true;
            sinceSeparator = 0;
        } else if ((c >= '0' && c <= '9') || (c == '-' && i == 0)) {
            digits += c;
            ++sinceSeparator;
        } else {
            return std::nullopt;
        }
    }
    if (digits.empty() || digits == "-" || digits.size() > 18 || (separated && sinceSeparator != 3)) return std::nullopt;
    return std::stoll(digits);
}

bool saysNone(const json& value) {
    return value.is_null() || (value.is_string() && (value == "None" || value == "none" || value == "null" || value == ""));
}

}  // namespace

ConfigValues::ConfigValues(const json& config, std::string where) : config_(config), where_(std::move(where)) {}

bool ConfigValues::has(std::string_view key) const {
    const auto at = config_.find(key);
    return at != config_.end() && !saysNone(*at);
}

void ConfigValues::refuse(std::string_view key, std::string message) {
    if (error_) return;
    error_ = Error{Error::Kind::invalid, "hf-wrong-value", fmt::format("{}#/{}", where_, pointerStep(key)), std::move(message)};
}

void ConfigValues::noteUse(std::string_view key, const std::string& value) { used_.push_back(fmt::format("{} {}", key, value)); }

const json* ConfigValues::findOrNull(std::initializer_list<std::string_view> keys) {
    lastKey_.clear();
    const json* found = nullptr;
    for (const auto key : keys) {
        asked_.emplace(key);
        const auto at = config_.find(key);
        if (found == nullptr && at != config_.end() && !saysNone(*at)) {
            found = &*at;
            lastKey_ = key;
        }
    }
    return found;
}

std::optional<std::int64_t> ConfigValues::integer(std::initializer_list<std::string_view> keys, std::int64_t minimum,
                                                  std::int64_t maximum) {
    const json* value = findOrNull(keys);
    if (value == nullptr) return std::nullopt;
    auto number = exactInteger(*value);
    if (!number && value->is_string()) {
        number = integerFromText(value->get<std::string>());
        if (number)
            converted_.push_back(
                fmt::format("{}: the text {} was read as {}", lastKey_, describeJson(*value).substr(9), *number));
    }
    if (!number || *number < minimum || *number > maximum) {
        refuse(lastKey_, fmt::format("expected a whole number from {} to {}, found {}", minimum, maximum, describeJson(*value)));
        return std::nullopt;
    }
    noteUse(lastKey_, fmt::format("{}", *number));
    return number;
}

std::optional<double> ConfigValues::number(std::initializer_list<std::string_view> keys) {
    const json* value = findOrNull(keys);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || !std::isfinite(value->get<double>())) {
        refuse(lastKey_, fmt::format("expected a number, found {}", describeJson(*value)));
        return std::nullopt;
    }
    noteUse(lastKey_, fmt::format("{:g}", value->get<double>()));
    return value->get<double>();
}

std::optional<bool> ConfigValues::boolean(std::initializer_list<std::string_view> keys) {
    const json* value = findOrNull(keys);
    if (value == nullptr) return std::nullopt;
    std::optional<bool> flag;
    if (value->is_boolean()) flag = value->get<bool>();
    if (value->is_string() && (*value == "true" || *value == "True")) flag = true;
    if (value->is_string() && (*value == "false" || *value == "False")) flag = false;
    if (value->is_number_integer() && (*value == 0 || *value == 1)) flag = *value == 1;
    if (!flag) {
        refuse(lastKey_, fmt::format("expected true or false, found {}", describeJson(*value)));
        return std::nullopt;
    }
    noteUse(lastKey_, *flag ? "true" : "false");
    return flag;
}

std::optional<std::string> ConfigValues::text(std::initializer_list<std::string_view> keys) {
    const json* value = findOrNull(keys);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    auto text = value->get<std::string>();
    noteUse(lastKey_, text.substr(0, 60));
    return text;
}

std::optional<std::vector<std::int64_t>> ConfigValues::integers(std::initializer_list<std::string_view> keys,
                                                                std::size_t maxSize) {
    const json* value = findOrNull(keys);
    if (value == nullptr || !value->is_array() || value->size() > maxSize) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const auto& item : *value) {
        const auto number = exactInteger(item);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    noteUse(lastKey_, fmt::format("[{} values]", numbers.size()));
    return numbers;
}

std::vector<std::string> ConfigValues::unusedKeys() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : config_.items())
        if (!asked_.contains(key)) keys.push_back(key);
    return keys;
}

}  // namespace trainyard
