#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/format_quantity.h"

namespace trainyard {

/// One figure and how it came about: the formula over the symbols of `terms`, their values, the unit and the source.
/// A figure without terms is a leaf: an input, a preset, a constant, or a value read off the simulation; its source says so.
struct Explanation {
    std::string symbol;   ///< short, a valid symbol of expressions: `t_compute`, `M_3`
    std::string name;     ///< in words
    double value = 0;     ///< SI base unit
    std::string unit;     ///< "s", "B", "B/s", "FLOP", "" (a number), "1" (a share)
    std::string formula;  ///< over the symbols of `terms`; empty for a leaf
    std::string source;   ///< paper, preset, input or rule
    std::vector<Explanation> terms;
};

[[nodiscard]] inline Explanation leaf(std::string symbol, std::string name, double value, std::string unit, std::string source) {
    return {std::move(symbol), std::move(name), value, std::move(unit), {}, std::move(source), {}};
}

/// A figure that its terms give. `value` is the one the engine computed; `checkExplanation` compares both.
[[nodiscard]] inline Explanation derived(std::string symbol, std::string name, double value, std::string unit,
                                         std::string formula, std::string source, std::vector<Explanation> terms) {
    return {std::move(symbol), std::move(name), value, std::move(unit), std::move(formula), std::move(source), std::move(terms)};
}

/// `a + b + c` over the terms' symbols.
[[nodiscard]] std::string sumFormula(const std::vector<Explanation>& terms);

/// Evaluates every formula of the tree from its children and compares with the stored value (relative 1e-9).
/// @return the first figure that does not follow from its terms, named, or nothing wrong
[[nodiscard]] Result<void> checkExplanation(const Explanation& explanation);

/// Plain text tree, two spaces a level, with the values substituted.
[[nodiscard]] std::string explanationText(const Explanation& explanation, int depth = 32);
/// LaTeX: one aligned equation per figure with terms.
[[nodiscard]] std::string explanationLatex(const Explanation& explanation);
/// Markdown: nested list with formulas in code spans.
[[nodiscard]] std::string explanationMarkdown(const Explanation& explanation);

/// The formula with each symbol replaced by its value in readable units.
[[nodiscard]] std::string substituted(const Explanation& explanation);
/// A value with its unit as people read it: "59.8 GiB", "4.82 s", "312 TFLOP/s".
[[nodiscard]] std::string readable(double value, std::string_view unit, ByteUnits bytes = ByteUnits::binary);

}  // namespace trainyard
