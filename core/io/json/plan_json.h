#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/json/object_reader.h"
#include "core/plan/plan.h"
#include "core/plan/workload.h"

namespace trainyard {

/// The `plan` and `workload` objects of a scenario. Types and names are checked here; whether the numbers fit the model
/// and the cluster is for `validate` to say.
[[nodiscard]] Plan readPlan(const nlohmann::json& value, const std::string& pointer, ReadState& state);
[[nodiscard]] nlohmann::json planJson(const Plan& plan);
[[nodiscard]] Workload readWorkload(const nlohmann::json& value, const std::string& pointer, ReadState& state);
[[nodiscard]] nlohmann::json workloadJson(const Workload& workload);

}  // namespace trainyard
