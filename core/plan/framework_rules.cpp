#include "core/plan/framework_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/expression.h"
#include "core/base/format_quantity.h"
#include "core/plan/plan_choices.h"
#include "core/plan/rule_facts.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

/// An expression with the places of its symbols among the facts.
struct FactExpression {
    CompiledExpression expression;
    std::vector<std::size_t> facts;

    [[nodiscard]] double value(const std::vector<Fact>& all) const {
        std::vector<double> values;
        values.reserve(facts.size());
        for (const std::size_t index : facts) values.push_back(all[index].number);
        return expression.evaluate(values);
    }
};

Result<FactExpression> compileOverFacts(std::string_view text) {
    auto compiled = CompiledExpression::compile(text);
    if (!compiled) return tl::unexpected<Error>(compiled.error());
    FactExpression out{std::move(*compiled), {}};
    for (const std::string& symbol : out.expression.symbols()) {
        const auto index = ruleFactIndex(symbol);
        if (!index) return failure(Error::Kind::invalid, "rule-fact", "", fmt::format("'{}' is no fact of a scenario", symbol));
        out.facts.push_back(*index);
    }
    return out;
}

/// A piece of a message: words, or an expression to fill in.
struct MessagePart {
    std::string words;
    std::optional<FactExpression> filled;
    std::optional<std::size_t> textFact;  ///< where the expression is just a fact that is a text
};

Result<std::vector<MessagePart>> messageParts(const std::string& message) {
    std::vector<MessagePart> parts;
    for (std::size_t at = 0; at < message.size();) {
        const std::size_t open = std::min(message.find('{', at), message.size());
        if (open > at) parts.push_back({message.substr(at, open - at), {}, {}});
        if (open == message.size()) break;
        const std::size_t close = message.find('}', open);
        if (close == std::string::npos)
            return failure(Error::Kind::invalid, "rule-message", "", "a brace of the message is not closed");
        const std::string inside = message.substr(open + 1, close - open - 1);
        auto filled = compileOverFacts(inside);
        if (!filled) return tl::unexpected<Error>(filled.error());
        parts.push_back({{}, std::move(*filled), ruleFactIndex(inside)});
        at = close + 1;
    }
    return parts;
}

std::string filledIn(const std::vector<MessagePart>& parts, const std::vector<Fact>& facts) {
    std::string text;
    for (const MessagePart& part : parts) {
        if (!part.filled) {
            text += part.words;
        } else if (part.textFact && !facts[*part.textFact].text.empty()) {
            text += facts[*part.textFact].text;
        } else {
            const double value = part.filled->value(facts);
            const bool whole = std::isfinite(value) && value == std::floor(value) && std::abs(value) < 1e15;
            text += whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : threeDigits(value);
        }
    }
    return text;
}

bool hasNoMeaning(const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error &&
           (diagnostic.code == "out-of-range" || diagnostic.pointer.starts_with("/model") ||
            diagnostic.pointer.starts_with("/cluster"));
}

std::vector<std::string> generalErrors(const Scenario& scenario) {
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : validatePlan(scenario))
        if (diagnostic.severity == Severity::error) codes.push_back(diagnostic.code);
    return codes;
}

}  // namespace

struct FrameworkRules::Compiled {
    FactExpression condition;
    std::vector<MessagePart> message;

    [[nodiscard]] bool holds(const std::vector<Fact>& facts) const { return condition.value(facts) == 1; }
};

namespace {

/// Choices at a place that mend a rule and break nothing general that was whole before.
template <class Holds>
void addLegal(Diagnostic& diagnostic, const Scenario& scenario, const std::string& pointer, const Holds& holds) {
    const std::vector<std::string> before = generalErrors(scenario);
    for (const Others others : {Others::stay, Others::follow}) {
        for (const ChoiceValue& value : choicesAt(scenario, pointer)) {
            const Scenario next = withChoice(scenario, pointer, value, others);
            if (!holds(next)) continue;
            const std::vector<std::string> after = generalErrors(next);
            if (std::ranges::any_of(after,
                                    [&](const std::string& code) { return std::ranges::find(before, code) == before.end(); }))
                continue;
            if (const auto* number = std::get_if<std::int64_t>(&value))
                diagnostic.legalValues.push_back(*number);
            else
                diagnostic.legalNames.push_back(std::get<std::string>(value));
        }
        if (!diagnostic.legalValues.empty() || !diagnostic.legalNames.empty()) return;
    }
}

std::string allowedText(const Diagnostic& diagnostic) {
    constexpr std::size_t kShown = 12;
    std::vector<std::string> words = diagnostic.legalNames;
    for (const std::int64_t value : diagnostic.legalValues) words.push_back(fmt::format("{}", value));
    if (words.empty()) return {};
    std::string text;
    for (std::size_t i = 0; i < words.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + words[i];
    if (words.size() > kShown) text += ", ...";
    return text;
}

/// "/plan/tensor_parallel" as "tensor parallel", for sentences.
std::string spoken(std::string_view pointer) {
    std::string text(pointer.substr(pointer.find('/', 1) + 1));
    for (char& c : text)
        if (c == '_' || c == '/') c = ' ';
    return text;
}

}  // namespace

Result<FrameworkRules> FrameworkRules::make(Data data, const std::string& where) {
    std::vector<Compiled> compiled;
    for (std::size_t i = 0; i < data.rules.size(); ++i) {
        const FrameworkRule& rule = data.rules[i];
        const auto at = [&](const char* key, const Error& error) {
            return failure(Error::Kind::invalid, error.code, fmt::format("{}#/rules/{}/{}", where, i, key), error.message);
        };
        if (rule.code.empty() || rule.pointers.empty())
            return at("code", {Error::Kind::invalid, "rule-form", "", "a rule needs a code and at least one place"});
        auto condition = compileOverFacts(rule.condition);
        if (!condition) return at("condition", condition.error());
        auto message = messageParts(rule.message);
        if (!message) return at("message", message.error());
        compiled.push_back({std::move(*condition), std::move(*message)});
    }
    FrameworkRules rules;
    rules.data_ = std::move(data);
    rules.compiled_ = std::make_shared<const std::vector<Compiled>>(std::move(compiled));
    return rules;
}

const FrameworkRule* FrameworkRules::ruleOrNull(std::string_view code) const {
    const auto found = std::ranges::find(data_.rules, code, &FrameworkRule::code);
    return found == data_.rules.end() ? nullptr : &*found;
}

std::vector<Diagnostic> FrameworkRules::broken(const Scenario& scenario, Detail detail) const {
    const std::vector<Fact> facts = ruleFacts(scenario);
    std::vector<Diagnostic> found;
    for (std::size_t i = 0; i < compiled_->size(); ++i) {
        const Compiled& compiled = (*compiled_)[i];
        if (compiled.holds(facts)) continue;
        const FrameworkRule& rule = data_.rules[i];
        Diagnostic diagnostic{rule.severity, rule.code, filledIn(compiled.message, facts), rule.pointers.front(), {},
                              rule.source,   {}};
        if (detail == Detail::legalValues) {
            for (const std::string& pointer : rule.pointers) {
                addLegal(diagnostic, scenario, pointer, [&](const Scenario& next) { return compiled.holds(ruleFacts(next)); });
                if (diagnostic.legalValues.empty() && diagnostic.legalNames.empty()) continue;
                diagnostic.pointer = pointer;
                break;
            }
            if (const std::string allowed = allowedText(diagnostic); !allowed.empty())
                diagnostic.message += fmt::format("; {} {}: {}", spoken(diagnostic.pointer),
                                                  rule.severity == Severity::error ? "allowed" : "without it", allowed);
        }
        found.push_back(std::move(diagnostic));
    }
    return found;
}

std::vector<Diagnostic> FrameworkRules::joined(std::vector<Diagnostic> general, const Scenario& scenario, Detail detail) const {
    if (std::ranges::any_of(general, hasNoMeaning)) return general;
    std::vector<Diagnostic> all = broken(scenario, detail);
    for (const Diagnostic& diagnostic : all) {
        const FrameworkRule* rule = ruleOrNull(diagnostic.code);
        std::erase_if(general, [&](const Diagnostic& other) {
            return rule != nullptr && std::ranges::find(rule->replaces, other.code) != rule->replaces.end();
        });
    }
    all.insert(all.end(), std::make_move_iterator(general.begin()), std::make_move_iterator(general.end()));
    std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; });
    return all;
}

std::string FrameworkRules::refusal(const Scenario& scenario, std::string_view pointer, const ChoiceValue& choice) const {
    if (std::ranges::any_of(validatePlan(scenario), hasNoMeaning)) return {};
    const Scenario next = withChoice(scenario, pointer, choice, Others::stay);
    for (const Diagnostic& diagnostic : broken(next, Detail::sentences)) {
        if (diagnostic.severity != Severity::error) continue;
        if (ruleOrNull(diagnostic.code)->pointers.front() == pointer) return diagnostic.message;
    }
    return {};
}

}  // namespace trainyard
