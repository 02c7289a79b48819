#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/scenario.h"

namespace trainyard {

/// One thing that a validity rule may ask about a scenario.
struct Fact {
    double number = 0;  ///< truth is 1 and 0; a text's `textValue`
    std::string text;   ///< only of facts that are texts
};

/// What is known by name in the conditions and messages of validity rules: `plan.tensor_parallel`, `model.attention_heads`,
/// `cluster.devices`. Names follow the scenario file; what the file may leave open (data parallel, chunks) is filled in.
struct FactDefinition {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::span<const FactDefinition> ruleFactDefinitions();
[[nodiscard]] std::optional<std::size_t> ruleFactIndex(std::string_view name);

/// The facts of one scenario, in the order of the definitions. Numbers of the scenario must be inside their limits.
[[nodiscard]] std::vector<Fact> ruleFacts(const Scenario& scenario);

}  // namespace trainyard
