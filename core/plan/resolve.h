#pragma once

#include <cstdint>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// The plan with everything filled in that the file may leave open. Only meaningful if there is no error diagnostic.
struct ResolvedPlan {
    std::int64_t devices = 0;
    std::int64_t dataParallel = 1;
    std::int64_t microBatches = 1;             ///< per step and pipeline replica
    std::int64_t virtualStages = 1;            ///< after the schedule's own rule (V shapes: 2)
    std::vector<std::int64_t> layersOfStage;   ///< one per global stage (pipeline x virtual), in model order
    std::int64_t shardGroup = 1;
    Precision gradientPrecision = Precision::fp32;
};

/// floor(layers / stages) each, the rest one each to the stages nearest the middle.
[[nodiscard]] std::vector<std::int64_t> evenLayers(std::int64_t layers, std::int64_t stages);

/// Fills in what the plan leaves open. Never fails: nonsensical values are clamped; `validate` reports them.
[[nodiscard]] ResolvedPlan resolve(const Scenario& scenario);

}  // namespace trainyard
