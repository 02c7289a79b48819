#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/plan/scenario.h"

namespace trainyard {

/// What a place of the scenario may hold: a whole number, or a name (`1f1b`, `true`, `full`).
using ChoiceValue = std::variant<std::int64_t, std::string>;

/// Whole numbers that people try at a pointer: divisors and powers of two for degrees, the nearest multiples that the plan
/// needs for batch and sequence. Empty for a pointer that holds no such number.
[[nodiscard]] std::set<std::int64_t> numbersWorthTrying(const Scenario& scenario, std::string_view pointer);

/// All choices at a pointer of plan or workload, numbers or names; empty where there is nothing to choose from.
[[nodiscard]] std::vector<ChoiceValue> choicesAt(const Scenario& scenario, std::string_view pointer);
/// What stands there now; nothing where there is nothing to choose from.
[[nodiscard]] std::optional<ChoiceValue> choiceAt(const Scenario& scenario, std::string_view pointer);

enum class Others : std::uint8_t {
    stay,    ///< only this value changes
    follow,  ///< the other degrees move so that their product stays the number of devices
};
/// Precondition: `value` is one of choicesAt, or of its kind.
[[nodiscard]] Scenario withChoice(const Scenario& scenario, std::string_view pointer, const ChoiceValue& value, Others others);

/// Pointers at which two scenarios of the same model and cluster differ, with the new value; only places with choices.
struct PlanChange {
    std::string pointer;
    ChoiceValue before;
    ChoiceValue after;
};
[[nodiscard]] std::vector<PlanChange> changesBetween(const Scenario& before, const Scenario& after);

[[nodiscard]] std::string choiceText(const ChoiceValue& value);

}  // namespace trainyard
