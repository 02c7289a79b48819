#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// A formula as a tree, for typesetting. Grammar: that of expressions (+ - * / ^, functions, parentheses), and on top
/// relations: `beta = (p - 1) / m`, `o <= B`.
struct FormulaNode {
    enum class Kind : std::uint8_t { number, symbol, text, sum, difference, product, quotient, power, negative, call, group, relation };
    Kind kind = Kind::number;
    std::string text;                ///< number, symbol, text as it is, function name or relation sign
    std::vector<FormulaNode> parts;  ///< operands; of a call its arguments; of a group its inside
};

/// At most 64 levels and 64 KiB.
/// @return an error that names the column
[[nodiscard]] Result<FormulaNode> parseFormula(std::string_view formula);

/// LaTeX with fractions, indices and Greek letters: `\frac{p - 1}{v \cdot m}`.
[[nodiscard]] std::string formulaLatex(const FormulaNode& node);

/// A symbol as it is written: `t_step` is base "t" with index "step", `eta` is "η".
struct SymbolParts {
    std::string base;
    std::string index;  ///< may be empty; bars become commas
    std::string latex;  ///< of the base
};
[[nodiscard]] SymbolParts symbolParts(std::string_view symbol);

/// Symbols in order of first appearance, without function names.
[[nodiscard]] std::vector<std::string> formulaSymbols(const FormulaNode& node);

}  // namespace trainyard
