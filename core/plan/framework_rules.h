#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/error.h"
#include "core/plan/plan_choices.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What one framework demands of a plan beyond what can be computed at all.
struct FrameworkRule {
    std::string code;  ///< stable, e.g. `megatron-heads`
    Severity severity = Severity::error;
    std::vector<std::string> pointers;  ///< places whose change may mend it, likeliest first; the first is where it is reported
    std::string condition;              ///< expression over the rule facts that holds for a good plan
    std::string message;                ///< what is wrong; `{expression}` is filled in
    std::string source;                 ///< framework, version, and its file in which the check lives
    std::vector<std::string> replaces;  ///< codes of general findings that this one says better
};

/// A demand on something that a scenario does not hold: listed for people, never evaluated.
struct UncheckedRule {
    std::string code;
    std::string message;
    std::string source;
};

/// The validity rules of one framework and version, ready to be evaluated. Immutable; safe to share between threads.
class FrameworkRules {
  public:
    struct Data {
        std::string id;     ///< as in `validate --for ID`
        std::string title;  ///< for people
        std::string version;
        std::vector<FrameworkRule> rules;
        std::vector<UncheckedRule> unchecked;
    };
    enum class Detail : std::uint8_t {
        sentences,    ///< code, place and message; cheap
        legalValues,  ///< and what would be legal there
    };

    /// Compiles conditions and messages. An unknown fact or a wrong expression is an error naming `where#/rules/N`.
    [[nodiscard]] static Result<FrameworkRules> make(Data data, const std::string& where);

    [[nodiscard]] const std::string& id() const { return data_.id; }
    [[nodiscard]] const std::string& title() const { return data_.title; }
    [[nodiscard]] const std::string& version() const { return data_.version; }
    [[nodiscard]] const std::vector<FrameworkRule>& rules() const { return data_.rules; }
    [[nodiscard]] const std::vector<UncheckedRule>& unchecked() const { return data_.unchecked; }
    [[nodiscard]] const FrameworkRule* ruleOrNull(std::string_view code) const;

    /// The rules that the scenario breaks. Its numbers must be inside their limits (see `validate`).
    [[nodiscard]] std::vector<Diagnostic> broken(const Scenario& scenario, Detail detail) const;
    /// General findings (of `validate` or `validatePlan`) and this framework's, errors first; a general finding that a broken
    /// rule replaces is left out. Nothing is added where the general findings show that model, cluster or a degree has no
    /// meaning at all.
    [[nodiscard]] std::vector<Diagnostic> joined(std::vector<Diagnostic> general, const Scenario& scenario, Detail detail) const;

    /// Why a choice at a place is refused: the sentence of an error that it would bring and that this place can mend. Empty if it
    /// is not refused.
    [[nodiscard]] std::string refusal(const Scenario& scenario, std::string_view pointer, const ChoiceValue& choice) const;

  private:
    struct Compiled;
    Data data_;
    std::shared_ptr<const std::vector<Compiled>> compiled_;
};

}  // namespace trainyard
