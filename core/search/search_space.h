#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/plan/scenario.h"

namespace trainyard {

/// Candidate plans of a scenario and how many combinations were ruled out by which rule before pricing.
struct SearchSpace {
    std::vector<Plan> plans;
    std::map<std::string, std::int64_t> rejected;
};

/// Every combination of degrees whose product is the device count, with the micro-batch sizes, schedules, chunks, ZeRO
/// stages and recomputation modes worth trying. Context parallelism is tried beyond the scenario's own degree only where
/// sequences are long; the scenario's overlap, placement order and offload stay as they are.
[[nodiscard]] SearchSpace searchSpace(const Scenario& scenario);

}  // namespace trainyard
