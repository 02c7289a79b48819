#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// Shared by the readers of one document: the first error found, and the keys nobody knew.
struct ReadState {
    std::string where;                               ///< the file's name, for messages
    std::optional<Error> error;                      ///< the first one; later reads are skipped
    std::map<std::string, std::string> unknownKeys;  ///< JSON pointer -> JSON text

    /// Records an `invalid` error at a pointer unless there is one already.
    void refuse(std::string_view pointer, std::string code, std::string message);
};

/// Reads one JSON object by key, with types and ranges checked and the place kept. Absent keys give nothing; a wrong type
/// or range is recorded in the state. Keys never asked for are unknown: `finish` files them away.
class ObjectReader {
  public:
    /// `value` must outlive the reader. Anything but an object is an error.
    ObjectReader(const nlohmann::json& value, std::string pointer, ReadState& state);

    [[nodiscard]] bool valid() const { return object_ != nullptr; }
    [[nodiscard]] const std::string& pointer() const { return pointer_; }
    [[nodiscard]] std::string pointerTo(std::string_view key) const;
    [[nodiscard]] ReadState& state() const { return state_; }

    /// The raw value, or null if absent. Marks the key as known.
    [[nodiscard]] const nlohmann::json* findOrNull(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const;

    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t minimum, std::int64_t maximum);
    [[nodiscard]] std::optional<double> number(std::string_view key, double minimum, double maximum = 1e30);
    [[nodiscard]] std::optional<bool> boolean(std::string_view key);
    [[nodiscard]] std::optional<std::string> text(std::string_view key, std::size_t maxLength = 4096);
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key, std::int64_t minimum, std::int64_t maximum,
                                                     std::size_t maxSize);

    /// One of the names that `fromName` knows; `names` are listed in the message.
    template <class Value>
    [[nodiscard]] std::optional<Value> choice(std::string_view key, std::span<const std::string_view> names,
                                              std::optional<Value> (*fromName)(std::string_view)) {
        const auto found = text(key);
        if (!found) return std::nullopt;
        const auto value = fromName(*found);
        if (!value) refuseChoice(key, *found, names);
        return value;
    }

    // the same with a place to put it; an absent key leaves the target as it is
    void take(std::string_view key, std::int64_t& target, std::int64_t minimum, std::int64_t maximum) {
        if (const auto value = integer(key, minimum, maximum)) target = *value;
    }
    void take(std::string_view key, double& target, double minimum, double maximum = 1e30) {
        if (const auto value = number(key, minimum, maximum)) target = *value;
    }
    void take(std::string_view key, bool& target) {
        if (const auto value = boolean(key)) target = *value;
    }
    void take(std::string_view key, std::string& target) {
        if (auto value = text(key)) target = std::move(*value);
    }

    void refuse(std::string_view key, std::string code, std::string message) const;
    void refuseChoice(std::string_view key, std::string_view found, std::span<const std::string_view> names) const;

    /// Files away what was never asked for.
    void finish();

  private:
    const nlohmann::json* object_ = nullptr;
    std::string pointer_;
    ReadState& state_;
    std::set<std::string, std::less<>> known_;
};

/// An exact whole number, also if written as 8.0 or 1e3.
[[nodiscard]] std::optional<std::int64_t> exactInteger(const nlohmann::json& value);

/// The names nearest to what was typed, best first, at most three; for "did you mean".
[[nodiscard]] std::vector<std::string> nearestNames(std::string_view typed, std::span<const std::string_view> names);

}  // namespace trainyard
