#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// One change of the plan and what it would do, both evaluated in closed form, so that their difference is the change alone.
struct WhatIf {
    std::string id;     ///< stable: `recompute-full`, `zero-3`, `tensor-8`, ...
    std::string label;  ///< `Full recompute`
    Scenario scenario;  ///< with the change made
    double peakBytes = 0;
    double savedBytes = 0;  ///< of the fullest stage's peak; negative if the change costs memory
    double timeRatio = 1;   ///< step time over the step time as it is
    MemoryVerdict verdict = MemoryVerdict::fits;
    std::vector<double> stageBytes;  ///< per pipeline stage of the changed plan
};

/// What would free most memory on the fullest stage: legal single changes of recompute, sharding, degrees, micro-batch and
/// offload, largest saving first; at most `most`, only those that save at least 1 %. Empty if the scenario itself has errors.
/// About ten closed-form evaluations.
[[nodiscard]] std::vector<WhatIf> whatWouldFreeMost(const Scenario& scenario, std::size_t most, std::stop_token stop = {});

}  // namespace trainyard
