#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// Value of a symbol in an expression, or nothing if there is no such symbol.
using SymbolLookup = std::function<std::optional<double>(std::string_view)>;

/// Evaluates arithmetic over named symbols: + - * / ^, min, max, sum, ceil, floor, round, abs, sqrt, log2, comparisons
/// (< <= > >= == !=), and the words `and`, `or`, `not`, `is`, `is not`. Symbols may contain dots and slashes
/// (`memory.stages.0.total_bytes`). Texts (`fits`, `"1f1b"`) are compared by `is`; the lookup gives them a number with
/// `textValue`. Truth is 1 and 0.
/// @return an error with the place in the text if it cannot be parsed or a symbol is unknown
[[nodiscard]] Result<double> evaluateExpression(std::string_view expression, const SymbolLookup& lookup);

/// Symbols in order of first appearance.
[[nodiscard]] Result<std::vector<std::string>> expressionSymbols(std::string_view expression);

/// The number that stands for a text in comparisons: equal texts, equal numbers.
[[nodiscard]] double textValue(std::string_view text);

}  // namespace trainyard
