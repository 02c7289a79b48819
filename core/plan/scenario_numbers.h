#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/plan/edit.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// A number of the scenario by JSON pointer (`/plan/tensor_parallel`, `/workload/global_batch_size`, `/model/layers`, ...);
/// nothing if the pointer names no whole number that can be set.
[[nodiscard]] std::optional<std::int64_t> numberAt(const Scenario& scenario, std::string_view pointer);

/// The scenario with that number set, degrees rebalanced. Same pointers as numberAt.
/// @param keepGlobalBatch  false: the number of micro-batches stays and the global batch follows
[[nodiscard]] std::optional<Scenario> withNumberAt(const Scenario& scenario, std::string_view pointer, std::int64_t value,
                                                   const DegreeLocks& locks, bool keepGlobalBatch);

}  // namespace trainyard
