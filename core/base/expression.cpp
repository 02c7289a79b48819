#include "core/base/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>

namespace trainyard {
namespace {

/// A text with the words replaced by the parser's operators and quoted texts by numbers.
struct Prepared {
    std::string text;
    std::string error;
};

bool wordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$'; }

Prepared prepare(std::string_view source) {
    Prepared prepared;
    std::string& out = prepared.text;
    for (std::size_t at = 0; at < source.size();) {
        const char c = source[at];
        if (c == '"') {
            const std::size_t close = source.find('"', at + 1);
            if (close == std::string_view::npos) {
                prepared.error = fmt::format("column {}: a quoted text is not closed", at + 1);
                return prepared;
            }
            out += fmt::format("{:.0f}", textValue(source.substr(at + 1, close - at - 1)));
            at = close + 1;
            continue;
        }
        if (!wordCharacter(c)) {
            out += c;
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < source.size() && wordCharacter(source[end])) ++end;
        const std::string_view word = source.substr(at, end - at);
        if (word == "and")
            out += "&&";
        else if (word == "or")
            out += "||";
        else if (word == "not")
            out += "!";
        else if (word == "is") {
            std::size_t next = end;
            while (next < source.size() && source[next] == ' ') ++next;
            if (source.substr(next, 4) == "not ") {
                out += "!=";
                end = next + 4;
            } else {
                out += "==";
            }
        } else {
            out += word;
        }
        at = end;
    }
    return prepared;
}

/// Hands the parser storage for every symbol it meets.
struct Variables {
    std::deque<double> storage;
    std::vector<std::string> names;
};

double* addVariable(const char* symbol, void* data) {
    auto& variables = *static_cast<Variables*>(data);
    variables.names.emplace_back(symbol);
    return &variables.storage.emplace_back(0.0);
}

double logicalNot(double value) { return value == 0 ? 1 : 0; }
double ceiling(double value) { return std::ceil(value); }
double floorOf(double value) { return std::floor(value); }
double roundOf(double value) { return std::round(value); }

double divides(double divisor, double number) { return divisor != 0 && std::fmod(number, divisor) == 0 ? 1 : 0; }

void setUp(mu::Parser& parser, Variables& variables) {
    parser.ClearConst();
    parser.DefineNameChars("0123456789_.$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    parser.DefineFun("ceil", ceiling);
    parser.DefineFun("floor", floorOf);
    parser.DefineFun("round", roundOf);
    parser.DefineFun("divides", divides);
    parser.DefineInfixOprt("!", logicalNot);
    parser.SetVarFactory(addVariable, &variables);
}

constexpr std::size_t kLongestExpression = 65'536;

tl::unexpected<Error> unreadable(std::string_view expression, std::string message) {
    return failure(Error::Kind::invalid, "expression", std::string(expression.substr(0, 200)), std::move(message));
}

}  // namespace

double textValue(std::string_view text) {
    // FNV-1a, kept within the integers that a double holds exactly.
    std::uint64_t hash = 1469598103934665603ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return static_cast<double>((hash & 0xFFFFFFFFFFFFULL) + 1'000'000'000'000ULL);
}

struct CompiledExpression::Parsed {
    std::mutex mutex;
    Variables variables;
    mu::Parser parser;
};

Result<CompiledExpression> CompiledExpression::compile(std::string_view expression) {
    if (expression.size() > kLongestExpression) return unreadable(expression, "the expression is too long");
    const Prepared prepared = prepare(expression);
    if (!prepared.error.empty()) return unreadable(expression, prepared.error);
    try {
        CompiledExpression compiled;
        compiled.parsed_ = std::make_shared<Parsed>();
        setUp(compiled.parsed_->parser, compiled.parsed_->variables);
        compiled.parsed_->parser.SetExpr(prepared.text);
        static_cast<void>(compiled.parsed_->parser.GetUsedVar());  // parses, creates the symbols
        return compiled;
    } catch (const mu::Parser::exception_type& e) {
        return unreadable(expression, fmt::format("column {}: {}", e.GetPos() + 1, e.GetMsg()));
    }
}

const std::vector<std::string>& CompiledExpression::symbols() const { return parsed_->variables.names; }

double CompiledExpression::evaluate(std::span<const double> values) const {
    const std::scoped_lock lock(parsed_->mutex);
    std::copy(values.begin(), values.end(), parsed_->variables.storage.begin());
    try {
        return parsed_->parser.Eval();
    } catch (const mu::Parser::exception_type&) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

Result<double> evaluateExpression(std::string_view expression, const SymbolLookup& lookup) {
    const auto compiled = CompiledExpression::compile(expression);
    if (!compiled) return tl::unexpected<Error>(compiled.error());
    std::vector<double> values;
    for (const std::string& symbol : compiled->symbols()) {
        const std::optional<double> value = lookup(symbol);
        if (!value) return unreadable(expression, fmt::format("'{}' is not known here", symbol));
        values.push_back(*value);
    }
    return compiled->evaluate(values);
}

Result<std::vector<std::string>> expressionSymbols(std::string_view expression) {
    const auto compiled = CompiledExpression::compile(expression);
    if (!compiled) return tl::unexpected<Error>(compiled.error());
    return compiled->symbols();
}

}  // namespace trainyard
