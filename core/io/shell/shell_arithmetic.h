#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

/// The value of a shell's `$((...))`: whole numbers, + - * / % **, comparisons, && || !, ?:, brackets. `lookUp` gives the text
/// of a variable. Nothing if it is no such expression, hangs on an unknown variable, overflows or divides by zero.
[[nodiscard]] std::optional<std::int64_t> shellArithmetic(
    std::string_view expression, const std::function<std::optional<std::string>(std::string_view)>& lookUp);

}  // namespace trainyard
