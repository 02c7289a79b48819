#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "core/accuracy/validation_run.h"

namespace trainyard {

/// The scenario files that a row of published measurements stands for.
struct RowScenarios {
    std::vector<nlohmann::json> scenarios;
    Assumed assumed = Assumed::nothing;
};

/// A row as one scenario, or several where the source left something open; else the reason why it cannot be evaluated.
/// What is known of a source as a whole (its network, which optimizer it shards, what its kernels are) is filled in here.
[[nodiscard]] std::variant<RowScenarios, std::string> validationScenarios(const nlohmann::json& row, const std::string& source);

/// Seconds per step as published, or worked out from the throughput that was.
[[nodiscard]] std::optional<double> publishedStep(const nlohmann::json& row);

}  // namespace trainyard
