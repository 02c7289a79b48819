#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// All findings about a scenario at once: errors (nothing to compute), warnings, notes. Every error about a number lists
/// the legal values.
[[nodiscard]] std::vector<Diagnostic> validate(const Scenario& scenario);

/// The part of `validate` that looks at the plan only (degrees, batch, stages, experts, placement); cheap enough to be
/// called for every stop of every slider.
[[nodiscard]] std::vector<Diagnostic> validatePlan(const Scenario& scenario);

[[nodiscard]] bool hasErrors(const std::vector<Diagnostic>& diagnostics);

}  // namespace trainyard
