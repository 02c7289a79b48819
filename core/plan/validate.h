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

[[nodiscard]] bool hasErrors(const std::vector<Diagnostic>& diagnostics);

/// Why a value of a slider is not legal.
struct ValueVerdict {
    std::int64_t value = 1;
    bool legal = true;
    bool uneven = false;       ///< legal, but layers do not split evenly
    std::string reason;        ///< in the user's words, if not legal
};

/// Candidate stops of one degree's slider for this scenario, ascending, each with its verdict, other degrees as they are
/// (`data_parallel` takes what the device count leaves). `pointer`: e.g. `/plan/tensor_parallel`.
[[nodiscard]] std::vector<ValueVerdict> sliderStops(const Scenario& scenario, std::string_view pointer);

}  // namespace trainyard
