#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Megatron-LM's command line for a plan: flags with their values (empty for switches), and what it cannot say.
struct MegatronCommand {
    std::vector<std::pair<std::string, std::string>> words;
    std::vector<std::string> notExpressed;
};
[[nodiscard]] MegatronCommand megatronCommand(const Scenario& scenario, const Evaluation& evaluation);

}  // namespace trainyard
