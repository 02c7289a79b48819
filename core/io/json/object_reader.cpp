#include "core/io/json/object_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/io/json/json_text.h"

namespace trainyard {

using nlohmann::json;

void ReadState::refuse(std::string_view pointer, std::string code, std::string message) {
    if (error) return;
    error = Error{Error::Kind::invalid, std::move(code), fmt::format("{}#{}", where, pointer), std::move(message)};
}

ObjectReader::ObjectReader(const json& value, std::string pointer, ReadState& state)
    : pointer_(std::move(pointer)), state_(state) {
    if (value.is_object())
        object_ = &value;
    else
        state_.refuse(pointer_, "wrong-type", fmt::format("expected an object, found {}", describeJson(value)));
}

std::string ObjectReader::pointerTo(std::string_view key) const { return pointer_ + "/" + pointerStep(key); }

const json* ObjectReader::findOrNull(std::string_view key) {
    if (object_ == nullptr) return nullptr;
    known_.emplace(key);
    const auto at = object_->find(key);
    return at == object_->end() ? nullptr : &*at;
}

bool ObjectReader::has(std::string_view key) const { return object_ != nullptr && object_->contains(key); }

void ObjectReader::refuse(std::string_view key, std::string code, std::string message) const {
    state_.refuse(pointerTo(key), std::move(code), std::move(message));
}

void ObjectReader::refuseChoice(std::string_view key, std::string_view found, std::span<const std::string_view> names) const {
    std::string hint;
    if (const auto near = nearestNames(found, names); !near.empty()) hint = fmt::format("; did you mean \"{}\"?", near.front());
    refuse(key, "unknown-name",
           fmt::format("\"{}\" is not known{} Expected one of: {}", found, hint.empty() ? "." : hint, fmt::join(names, ", ")));
}

std::optional<std::int64_t> exactInteger(const json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::isfinite(number) && number == std::trunc(number) && std::fabs(number) <= 9007199254740992.0)
            return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::integer(std::string_view key, std::int64_t minimum, std::int64_t maximum) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    const auto number = exactInteger(*value);
    if (!number || *number < minimum || *number > maximum) {
        refuse(key, number || value->is_number() ? "out-of-range" : "wrong-type",
               fmt::format("expected a whole number from {} to {}, found {}", minimum, maximum, describeJson(*value)));
        return std::nullopt;
    }
    return number;
}

std::optional<double> ObjectReader::number(std::string_view key, double minimum, double maximum) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : 0;
    if (!value->is_number() || !std::isfinite(number) || number < minimum || number > maximum) {
        refuse(key, value->is_number() ? "out-of-range" : "wrong-type",
               fmt::format("expected a number from {:g} to {:g}, found {}", minimum, maximum, describeJson(*value)));
        return std::nullopt;
    }
    return number;
}

std::optional<bool> ObjectReader::boolean(std::string_view key) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) {
        refuse(key, "wrong-type", fmt::format("expected true or false, found {}", describeJson(*value)));
        return std::nullopt;
    }
    return value->get<bool>();
}

std::optional<std::string> ObjectReader::text(std::string_view key, std::size_t maxLength) {
    const json* value = findOrNull(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) {
        refuse(key, "wrong-type", fmt::format("expected text, found {}", describeJson(*value)));
        return std::nullopt;
    }
    auto found = value->get<std::string>();
    if (found.size() > maxLength) {
        refuse(key, "out-of-range", fmt::format("expected at most {} bytes of text, found {}", maxLength, found.size()));
        return std::nullopt;
    }
    return found;
}

std::vector<std::int64_t> ObjectReader::integers(std::string_view key, std::int64_t minimum, std::int64_t maximum,
                                                 std::size_t maxSize) {
    std::vector<std::int64_t> numbers;
    const json* value = findOrNull(key);
    if (value == nullptr) return numbers;
    if (!value->is_array() || value->size() > maxSize) {
        refuse(key, value->is_array() ? "out-of-range" : "wrong-type",
               fmt::format("expected a list of at most {} whole numbers, found {}", maxSize, describeJson(*value)));
        return numbers;
    }
    numbers.reserve(value->size());
    for (std::size_t i = 0; i < value->size(); ++i) {
        const auto number = exactInteger((*value)[i]);
        if (!number || *number < minimum || *number > maximum) {
            refuse(fmt::format("{}", key), number ? "out-of-range" : "wrong-type",
                   fmt::format("entry {}: expected a whole number from {} to {}, found {}", i, minimum, maximum,
                               describeJson((*value)[i])));
            return {};
        }
        numbers.push_back(*number);
    }
    return numbers;
}

void ObjectReader::finish() {
    if (object_ == nullptr) return;
    for (const auto& [key, value] : object_->items())
        if (!known_.contains(key)) state_.unknownKeys.emplace(pointerTo(key), compactJson(value));
}

std::vector<std::string> nearestNames(std::string_view typed, std::span<const std::string_view> names) {
    const auto fold = [](std::string_view text) {
        std::string out;
        for (const char c : text.substr(0, 64))
            if (c != '-' && c != '_' && c != ' ' && c != '.') out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        return out;
    };
    const auto distance = [](const std::string& a, const std::string& b) {
        std::vector<std::size_t> row(b.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 1; i <= a.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
                diagonal = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
            }
        }
        return row.back();
    };
    const std::string wanted = fold(typed);
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto name : names) {
        const std::string folded = fold(name);
        std::size_t score = distance(wanted, folded);
        if (!wanted.empty() && (folded.find(wanted) != std::string::npos || wanted.find(folded) != std::string::npos))
            score = std::min<std::size_t>(score, 1);
        if (score <= std::max<std::size_t>(2, wanted.size() / 3)) ranked.emplace_back(score, std::string(name));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ranked.size()); ++i) nearest.push_back(ranked[i].second);
    return nearest;
}

}  // namespace trainyard
