#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/io/json/object_reader.h"
#include "core/plan/plan.h"

namespace trainyard {

/// `plan.replicas`: a list of `{"stages": [{"devices": [..], "layers": n}], "micro_batch_size", "micro_batches", "shard"}`.
void readReplicas(ObjectReader& plan, Plan& out);
void writeReplicas(const Plan& plan, nlohmann::json& out);

/// `plan.compression`: per boundary (`pipeline`, `tensor`, `data`) `{"method", "bits" | "keep" | "rank"}`;
/// `plan.local_update`: `{"every": steps, "between": "replicas|sites"}`.
void readTrafficPlan(ObjectReader& plan, Plan& out);
void writeTrafficPlan(const Plan& plan, nlohmann::json& out);

}  // namespace trainyard
