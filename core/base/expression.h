#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// Value of a symbol in an expression, or nothing if there is no such symbol.
using SymbolLookup = std::function<std::optional<double>(std::string_view)>;

/// Evaluates arithmetic over named symbols: + - * / ^, min, max, sum, ceil, floor, round, abs, sqrt, log2, comparisons
/// (< <= > >= == !=), divides(a, b) (whole numbers; nothing divides by 0), and the words `and`, `or`, `not`, `is`, `is not`.
/// Symbols may contain dots and slashes
/// (`memory.stages.0.total_bytes`). Texts (`fits`, `"1f1b"`) are compared by `is`; the lookup gives them a number with
/// `textValue`. Truth is 1 and 0.
/// @return an error with the place in the text if it cannot be parsed or a symbol is unknown
[[nodiscard]] Result<double> evaluateExpression(std::string_view expression, const SymbolLookup& lookup);

/// An expression that is parsed once and evaluated many times, from any thread (evaluations of one object wait for each
/// other).
class CompiledExpression {
  public:
    [[nodiscard]] static Result<CompiledExpression> compile(std::string_view expression);

    /// In the order in which `evaluate` wants their values.
    [[nodiscard]] const std::vector<std::string>& symbols() const;
    /// Precondition: one value for each symbol. What has no value (0 / 0) is not a number.
    [[nodiscard]] double evaluate(std::span<const double> values) const;

  private:
    struct Parsed;
    std::shared_ptr<Parsed> parsed_;
};

/// Symbols in order of first appearance.
[[nodiscard]] Result<std::vector<std::string>> expressionSymbols(std::string_view expression);

/// The number that stands for a text in comparisons: equal texts, equal numbers.
[[nodiscard]] double textValue(std::string_view text);

}  // namespace trainyard
