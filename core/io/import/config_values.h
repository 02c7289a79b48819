#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// Reads a configuration object written for another program: the first of several key spellings wins, null counts as
/// absent, numbers may stand as text ("4096", "32,000") or as 32.0. What cannot be converted exactly is an error.
class ConfigValues {
  public:
    /// `config` is an object and outlives this.
    ConfigValues(const nlohmann::json& config, std::string where);

    [[nodiscard]] std::optional<std::int64_t> integer(std::initializer_list<std::string_view> keys, std::int64_t minimum,
                                                      std::int64_t maximum);
    [[nodiscard]] std::optional<double> number(std::initializer_list<std::string_view> keys);
    [[nodiscard]] std::optional<bool> boolean(std::initializer_list<std::string_view> keys);
    [[nodiscard]] std::optional<std::string> text(std::initializer_list<std::string_view> keys);
    /// A list of whole numbers of at most `maxSize`; nothing if absent or no such list.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::initializer_list<std::string_view> keys,
                                                                    std::size_t maxSize);
    /// The raw value of the first key present and not null.
    [[nodiscard]] const nlohmann::json* findOrNull(std::initializer_list<std::string_view> keys);
    [[nodiscard]] bool has(std::string_view key) const;
    /// The key that the last read used; empty if none was there.
    [[nodiscard]] const std::string& lastKey() const { return lastKey_; }

    /// Keys that were read and took effect, "key value", in reading order.
    [[nodiscard]] const std::vector<std::string>& used() const { return used_; }
    /// Keys nobody asked for.
    [[nodiscard]] std::vector<std::string> unusedKeys() const;
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// Conversions that were made, for the report.
    [[nodiscard]] const std::vector<std::string>& converted() const { return converted_; }

  private:
    void refuse(std::string_view key, std::string message);
    void noteUse(std::string_view key, const std::string& value);

    const nlohmann::json& config_;
    std::string where_;
    std::string lastKey_;
    std::set<std::string, std::less<>> asked_;
    std::vector<std::string> used_;
    std::vector<std::string> converted_;
    std::optional<Error> error_;
};

}  // namespace trainyard
