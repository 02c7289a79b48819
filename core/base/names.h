#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace trainyard {

/// Enumerators and their names in files, both ways.
template <class Enum, std::size_t size>
struct NameTable {
    std::pair<Enum, std::string_view> rows[size];

    [[nodiscard]] constexpr std::string_view name(Enum value) const {
        for (const auto& row : rows)
            if (row.first == value) return row.second;
        return rows[0].second;
    }
    [[nodiscard]] constexpr std::optional<Enum> value(std::string_view text) const {
        for (const auto& row : rows)
            if (row.second == text) return row.first;
        return std::nullopt;
    }
};

}  // namespace trainyard
