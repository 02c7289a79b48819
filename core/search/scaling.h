#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What stays the same while devices are added.
enum class Scaling : std::uint8_t {
    strong,  ///< the global batch: each replica gets fewer sequences
    weak,    ///< sequences per replica: the global batch grows with the devices
};
/// Which plan runs at each size.
enum class ScalingPlan : std::uint8_t {
    same,  ///< the scenario's, with data parallelism taking up the devices
    best,  ///< the fastest that fits, found anew for each size
};

struct ScalingPoint {
    std::int64_t devices = 0;
    std::int64_t globalBatchSize = 0;
    std::int64_t dataParallel = 0;
    bool isCurrent = false;  ///< the drawn size
    bool computed = false;
    std::string reason;      ///< why not, in one sentence
    MemoryVerdict verdict = MemoryVerdict::fits;
    double stepS = 0;
    double tokensPerS = 0;
    double mfu = 0;
    double peakBytes = 0;
    double efficiency = 0;   ///< tokens/s per device over that of the smallest computed size of this curve
    Plan plan;
};

struct ScalingCurves {
    std::vector<ScalingPoint> strong, weak;  ///< by devices, ascending
    std::string note;                        ///< what had to be changed to scale; may be empty
};

struct ScalingOptions {
    ScalingPlan plan = ScalingPlan::same;
    std::int64_t mostDevices = 16384;
    int mostDoublings = 6;    ///< up from the drawn size
    double searchLimitS = 1;  ///< per size, for `best`
};

/// The scenario on half, a quarter, ... and twice, four times, ... its nodes: every node block shrinks and grows alike, as
/// far as counts stay whole. Simulated depth; `reached` is called after each size with the share done.
[[nodiscard]] ScalingCurves scalingCurves(const Scenario& scenario, const ScalingOptions& options = {}, const std::function<void(double)>& reached = {},
                                          std::stop_token stop = {});

}  // namespace trainyard
