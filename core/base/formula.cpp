#include "core/base/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace trainyard {
namespace {

using Kind = FormulaNode::Kind;
constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 64 << 10;

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool wordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool wordPart(char c) { return wordStart(c) || digit(c); }

struct Parser {
    std::string_view text;
    std::size_t at = 0;
    std::string problem{};

    void skip() {
        while (at < text.size() && text[at] == ' ') ++at;
    }
    bool take(char c) {
        skip();
        if (at >= text.size() || text[at] != c) return false;
        ++at;
        return true;
    }
    FormulaNode wrong(std::string message) {
        if (problem.empty()) problem = fmt::format("column {}: {}", at + 1, message);
        at = text.size();
        return {};
    }

    FormulaNode relation(int depth) {
        FormulaNode left = sum(depth);
        for (;;) {
            skip();
            static constexpr std::array<std::string_view, 6> kSigns{"<=", ">=", "==", "=", "<", ">"};
            const auto* sign = std::find_if(kSigns.begin(), kSigns.end(),
                                            [&](std::string_view s) { return text.substr(at, s.size()) == s; });
            if (sign == kSigns.end()) return left;
            at += sign->size();
            FormulaNode right = sum(depth);
            left = {Kind::relation, std::string(*sign), {std::move(left), std::move(right)}};
        }
    }
    FormulaNode sum(int depth) {
        FormulaNode left = product(depth);
        for (;;) {
            skip();
            const Kind kind = take('+') ? Kind::sum : take('-') ? Kind::difference : Kind::number;
            if (kind == Kind::number) return left;
            FormulaNode right = product(depth);
            // A long sum is one flat node, so that its depth is no limit.
            if (kind == Kind::sum && left.kind == Kind::sum)
                left.parts.push_back(std::move(right));
            else
                left = {kind, {}, {std::move(left), std::move(right)}};
        }
    }
    FormulaNode product(int depth) {
        FormulaNode left = unary(depth);
        for (;;) {
            skip();
            const Kind kind = take('*') ? Kind::product : take('/') ? Kind::quotient : Kind::number;
            if (kind == Kind::number) return left;
            FormulaNode right = unary(depth);
            if (kind == Kind::product && left.kind == Kind::product)
                left.parts.push_back(std::move(right));
            else
                left = {kind, {}, {std::move(left), std::move(right)}};
        }
    }
    FormulaNode unary(int depth) {
        if (depth > kDeepest) return wrong("a formula may nest 64 levels");
        if (take('-')) return {Kind::negative, {}, {unary(depth + 1)}};
        FormulaNode base = primary(depth);
        if (!take('^')) return base;
        return {Kind::power, {}, {std::move(base), unary(depth + 1)}};
    }
    FormulaNode primary(int depth) {
        skip();
        if (at >= text.size()) return wrong("expected a number, a symbol or a parenthesis");
        if (take('(')) {
            FormulaNode inside = relation(depth + 1);
            if (!take(')')) return wrong("expected )");
            return {Kind::group, {}, {std::move(inside)}};
        }
        const std::size_t begin = at;
        if (digit(text[at]) || text[at] == '.') {
            while (at < text.size() && (digit(text[at]) || text[at] == '.')) ++at;
            if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E') &&
                (digit(text[at + 1]) || text[at + 1] == '-' || text[at + 1] == '+')) {
                at += 2;
                while (at < text.size() && digit(text[at])) ++at;
            }
            return {Kind::number, std::string(text.substr(begin, at - begin)), {}};
        }
        if (!wordStart(text[at])) return wrong(fmt::format("'{}' is no part of a formula", text[at]));
        while (at < text.size() && wordPart(text[at])) ++at;
        std::string word(text.substr(begin, at - begin));
        if (!take('(')) return {Kind::symbol, std::move(word), {}};
        FormulaNode call{Kind::call, std::move(word), {}};
        if (take(')')) return call;
        do call.parts.push_back(relation(depth + 1));
        while (take(','));
        if (!take(')')) return wrong("expected )");
        return call;
    }
};

struct Greek {
    std::string_view name;
    std::string_view letter;
};
constexpr std::array kGreek{Greek{"alpha", "α"}, Greek{"beta", "β"},   Greek{"gamma", "γ"}, Greek{"delta", "δ"},
                            Greek{"eta", "η"},   Greek{"theta", "θ"},  Greek{"kappa", "κ"}, Greek{"lambda", "λ"},
                            Greek{"mu", "μ"},    Greek{"rho", "ρ"},    Greek{"sigma", "σ"}, Greek{"tau", "τ"},
                            Greek{"phi", "φ"},   Greek{"omega", "ω"}};

std::string joined(const FormulaNode& node, std::string_view between) {
    std::string out;
    for (const FormulaNode& part : node.parts) out += fmt::format("{}{}", out.empty() ? "" : between, formulaLatex(part));
    return out;
}

/// The inside of a group: brackets are not needed around what a fraction or an index already holds together.
const FormulaNode& bare(const FormulaNode& node) { return node.kind == Kind::group ? node.parts[0] : node; }

void collect(const FormulaNode& node, std::vector<std::string>& out) {
    if (node.kind == Kind::symbol && std::find(out.begin(), out.end(), node.text) == out.end()) out.push_back(node.text);
    for (const FormulaNode& part : node.parts) collect(part, out);
}

}  // namespace

Result<FormulaNode> parseFormula(std::string_view formula) {
    if (formula.size() > kLongest)
        return failure(Error::Kind::invalid, "formula", "", "a formula may have at most 65536 characters");
    Parser parser{formula};
    FormulaNode node = parser.relation(0);
    parser.skip();
    if (parser.problem.empty() && parser.at < formula.size()) parser.wrong("nothing more was expected");
    if (!parser.problem.empty()) return failure(Error::Kind::invalid, "formula", std::string(formula.substr(0, 60)), parser.problem);
    return node;
}

SymbolParts symbolParts(std::string_view symbol) {
    SymbolParts parts;
    const std::size_t bar = symbol.find('_');
    std::string_view base = symbol.substr(0, bar == 0 ? std::string_view::npos : bar);
    if (bar != std::string_view::npos && bar > 0) parts.index = std::string(symbol.substr(bar + 1));
    std::replace(parts.index.begin(), parts.index.end(), '_', ',');
    parts.base = std::string(base);
    parts.latex = base.size() == 1 ? parts.base : fmt::format("\\mathrm{{{}}}", base);
    for (const Greek& greek : kGreek)
        if (greek.name == base) {
            parts.base = std::string(greek.letter);
            parts.latex = fmt::format("\\{}", base);
        }
    return parts;
}

std::string formulaLatex(const FormulaNode& node) {
    switch (node.kind) {
        case Kind::number: return node.text;
        case Kind::text: return fmt::format("\\text{{{}}}", node.text);
        case Kind::symbol: {
            const SymbolParts parts = symbolParts(node.text);
            return parts.index.empty() ? parts.latex : fmt::format("{}_{{\\text{{{}}}}}", parts.latex, parts.index);
        }
        case Kind::sum: return joined(node, " + ");
        case Kind::difference: return joined(node, " - ");
        case Kind::product: return joined(node, " \\cdot ");
        case Kind::quotient:
            return fmt::format("\\frac{{{}}}{{{}}}", formulaLatex(bare(node.parts[0])), formulaLatex(bare(node.parts[1])));
        case Kind::power: return fmt::format("{}^{{{}}}", formulaLatex(node.parts[0]), formulaLatex(bare(node.parts[1])));
        case Kind::negative: return "-" + formulaLatex(node.parts[0]);
        case Kind::group: return fmt::format("\\left({}\\right)", formulaLatex(node.parts[0]));
        case Kind::relation: {
            const std::string sign = node.text == "<=" ? "\\le" : node.text == ">=" ? "\\ge" : node.text == "==" ? "=" : node.text;
            return fmt::format("{} {} {}", formulaLatex(node.parts[0]), sign, formulaLatex(node.parts[1]));
        }
        case Kind::call: {
            const std::string inside = joined(node, ", ");
            if (node.text == "ceil") return fmt::format("\\left\\lceil {} \\right\\rceil", inside);
            if (node.text == "floor") return fmt::format("\\left\\lfloor {} \\right\\rfloor", inside);
            if (node.text == "sqrt") return fmt::format("\\sqrt{{{}}}", inside);
            if (node.text == "log2") return fmt::format("\\log_2\\left({}\\right)", inside);
            if (node.text == "sum") return fmt::format("\\sum\\left({}\\right)", inside);
            const bool known = node.text == "min" || node.text == "max" || node.text == "ln" || node.text == "exp";
            return fmt::format("{}\\left({}\\right)", known ? "\\" + node.text : fmt::format("\\mathrm{{{}}}", node.text), inside);
        }
    }
    return {};
}

std::vector<std::string> formulaSymbols(const FormulaNode& node) {
    std::vector<std::string> out;
    collect(node, out);
    return out;
}

}  // namespace trainyard
