#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/import/import_builder.h"

namespace trainyard {

/// Reads a framework's configuration, parsed to JSON, by dotted keys (`parallelism.tp`) into a scenario under construction.
/// A value of the wrong kind or out of range becomes an error of the import that names the key. Remembers what was asked for.
class ConfigKeys {
  public:
    /// Both outlive this.
    ConfigKeys(const nlohmann::json& document, ImportBuilder& builder) : document_(document), builder_(builder) {}

    /// The value; null if the key is absent or stands for nothing (null, None).
    [[nodiscard]] const nlohmann::json* findOrNull(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) { return findOrNull(key) != nullptr; }
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t minimum, std::int64_t maximum);
    [[nodiscard]] std::optional<bool> flag(std::string_view key);
    [[nodiscard]] std::optional<std::string> text(std::string_view key);

    /// Takes the first of the keys that is there as a whole number in the range; true if there is one.
    bool take(std::initializer_list<std::string_view> keys, std::int64_t minimum, std::int64_t maximum, std::string_view pointer);
    bool takeFlag(std::string_view key, std::string_view pointer);
    /// Marks keys as known though they have no effect on the plan.
    void know(std::initializer_list<std::string_view> keys);
    /// Puts what was never asked for into the report: keys of sections in use one by one, other sections by their name.
    void reportIgnored();

  private:
    void refuse(std::string_view key, std::string_view expected, const nlohmann::json& found);
    void listUnused(const nlohmann::json& node, const std::string& path, int depth);

    const nlohmann::json& document_;
    ImportBuilder& builder_;
    std::set<std::string, std::less<>> asked_;
    std::size_t listed_ = 0;
};

}  // namespace trainyard
