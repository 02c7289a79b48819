#pragma once

#include <vector>

#include "core/base/diagnostic.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Findings about a plan whose replicas have shapes of their own; its degrees, split and placement have no effect.
[[nodiscard]] std::vector<Diagnostic> validateReplicas(const Scenario& scenario);

}  // namespace trainyard
