#include "core/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/expression.h"
#include "core/base/formula.h"
#include "core/base/format_quantity.h"

namespace trainyard {
namespace {

bool symbolCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Copies the formula, with each symbol of a term replaced by what `replace` gives for it.
template <class Replace>
std::string withSymbols(const Explanation& explanation, const Replace& replace) {
    const std::string& formula = explanation.formula;
    std::string out;
    for (std::size_t at = 0; at < formula.size();) {
        if (!symbolCharacter(formula[at]) || std::isdigit(static_cast<unsigned char>(formula[at])) != 0) {
            // Numbers are copied whole, so that the e of 1e9 is no symbol.
            if (std::isdigit(static_cast<unsigned char>(formula[at])) != 0) {
                while (at < formula.size() && (symbolCharacter(formula[at]) || formula[at] == '.')) out += formula[at++];
                continue;
            }
            out += formula[at++];
            continue;
        }
        std::size_t end = at;
        while (end < formula.size() && symbolCharacter(formula[end])) ++end;
        const std::string symbol = formula.substr(at, end - at);
        bool found = false;
        for (const Explanation& term : explanation.terms)
            if (term.symbol == symbol) {
                out += replace(term);
                found = true;
                break;
            }
        if (!found) out += symbol;
        at = end;
    }
    return out;
}

std::string latex(std::string_view formula) {
    const auto node = parseFormula(formula);
    return node ? formulaLatex(*node) : fmt::format("\\text{{{}}}", formula);
}

/// What LaTeX would read as a command.
std::string latexText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '&' || c == '#' || c == '$' || c == '{' || c == '}')
            out += '\\';
        if (c == '^')
            out += "\\^{}";
        else
            out += c;
    }
    return out;
}

void addText(const Explanation& e, int level, int depth, std::string& out) {
    const std::string indent(static_cast<std::size_t>(level) * 2, ' ');
    out += fmt::format("{}{} = {}  {}", indent, e.symbol, readable(e.value, e.unit), e.name);
    if (!e.source.empty() && e.terms.empty()) out += fmt::format("  [{}]", e.source);
    out += '\n';
    if (e.terms.empty()) return;
    out += fmt::format("{}  = {}\n", indent, e.formula);
    if (e.terms.size() <= 12) out += fmt::format("{}  = {}\n", indent, substituted(e));
    if (!e.source.empty()) out += fmt::format("{}  source: {}\n", indent, e.source);
    if (level + 1 > depth) return;
    for (const Explanation& term : e.terms) addText(term, level + 1, depth, out);
}

void addLatex(const Explanation& e, std::string& out) {
    if (e.terms.empty()) return;
    out += fmt::format("{} &= {} = \\text{{{}}} && \\text{{{}}} \\\\\n", latex(e.symbol), latex(e.formula),
                       latexText(readable(e.value, e.unit)), latexText(e.name));
    for (const Explanation& term : e.terms) addLatex(term, out);
}

void addMarkdown(const Explanation& e, int level, std::string& out) {
    const std::string indent(static_cast<std::size_t>(level) * 2, ' ');
    out += fmt::format("{}- **{}** `{}` = {}", indent, e.name, e.symbol, readable(e.value, e.unit));
    if (!e.formula.empty()) out += fmt::format(" = `{}`", e.formula);
    if (!e.source.empty()) out += fmt::format(" ({})", e.source);
    out += '\n';
    for (const Explanation& term : e.terms) addMarkdown(term, level + 1, out);
}

}  // namespace

std::string sumFormula(const std::vector<Explanation>& terms) {
    std::string formula;
    for (const Explanation& term : terms) formula += fmt::format("{}{}", formula.empty() ? "" : " + ", term.symbol);
    return formula.empty() ? "0" : formula;
}

Result<void> checkExplanation(const Explanation& e) {
    for (const Explanation& term : e.terms)
        if (auto checked = checkExplanation(term); !checked) return checked;
    if (e.terms.empty()) {
        if (e.source.empty())
            return failure(Error::Kind::invalid, "explanation-source", e.symbol,
                           fmt::format("{} has neither terms nor a source", e.name));
        return {};
    }
    const auto value = evaluateExpression(e.formula, [&](std::string_view symbol) -> std::optional<double> {
        for (const Explanation& term : e.terms)
            if (term.symbol == symbol) return term.value;
        return std::nullopt;
    });
    if (!value) return tl::unexpected<Error>(value.error());
    // A difference of nearly equal terms carries the rounding of the terms.
    double largest = 0;
    for (const Explanation& term : e.terms) largest = std::max(largest, std::abs(term.value));
    if (std::abs(*value - e.value) > 1e-9 * std::abs(e.value) + 1e-12 * largest)
        return failure(Error::Kind::invalid, "explanation-value", e.symbol,
                       fmt::format("{} is {:.12g}, but {} gives {:.12g}", e.name, e.value, e.formula, *value));
    return {};
}

std::string readable(double value, std::string_view unit, ByteUnits bytes) {
    if (unit == "s") return secondsText(value).joined();
    if (unit == "B") return bytesText(value, bytes).joined();
    if (unit == "B/s") return bytesPerSecondText(value).joined();
    if (unit == "FLOP/s") return flopsPerSecondText(value).joined();
    if (unit == "J") return energyText(value).joined();
    if (unit == "1") return percentText(value).joined();
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    const std::string number = whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
    return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

std::string substituted(const Explanation& explanation) {
    return withSymbols(explanation, [](const Explanation& term) { return readable(term.value, term.unit); });
}

std::string explanationText(const Explanation& explanation, int depth) {
    std::string out;
    addText(explanation, 0, depth, out);
    return out;
}

std::string explanationLatex(const Explanation& explanation) {
    std::string out = "\\begin{align*}\n";
    addLatex(explanation, out);
    return out + "\\end{align*}\n";
}

std::string explanationMarkdown(const Explanation& explanation) {
    std::string out;
    addMarkdown(explanation, 0, out);
    return out;
}

}  // namespace trainyard
