#pragma once

#include <string>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// The evaluation for a terminal: verdict, parts of the step, memory per stage, traffic, findings; aligned columns.
[[nodiscard]] std::string evaluationText(const Scenario& scenario, const Evaluation& evaluation);
[[nodiscard]] std::string diagnosticsText(const std::vector<Diagnostic>& diagnostics);

}  // namespace trainyard
