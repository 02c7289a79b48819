#pragma once

#include <cstdint>

#include "core/plan/scenario.h"

namespace trainyard {

/// Degrees that a rebalance must leave alone.
struct DegreeLocks {
    bool tensor = false;
    bool context = false;
    bool data = false;
    bool pipeline = false;
    bool operator==(const DegreeLocks&) const = default;
};

/// The scenario with one degree set and the unlocked others moved so that tensor x context x data x pipeline stays the
/// device count: data takes the change where it can, then pipeline, context, tensor, each as near to its old value as
/// possible. Micro-batch size and expert parallelism follow to the nearest legal smaller value; an explicit layer split is
/// dropped if the number of stages changes. If no product fits, only the one degree is set (and validate() says why).
[[nodiscard]] Scenario withDegree(const Scenario& scenario, Dimension dimension, std::int64_t value,
                                  const DegreeLocks& locks = {});

/// True if withDegree finds a product that equals the device count.
[[nodiscard]] bool canSetDegree(const Scenario& scenario, Dimension dimension, std::int64_t value, const DegreeLocks& locks = {});

}  // namespace trainyard
