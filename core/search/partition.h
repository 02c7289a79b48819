#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

struct PartitionOptions {
    std::int64_t mostSimulations = 200'000;  ///< splits simulated before the proof is given up
    double limitS = 10;
    bool proveManyStages = false;  ///< above eight stages only the gap is stated, unless this asks for the proof within `limitS`
};

/// A layer split and how good it is known to be.
struct PartitionResult {
    bool fits = false;                         ///< no device is out of memory
    std::vector<std::int64_t> layersPerStage;  ///< one per global stage, model order
    std::vector<int> stageDevices;             ///< first device of each pipeline rank
    double stepS = 0;                          ///< simulated step of the split
    double evenSplitStepS = 0;                 ///< of the plan as it stands without a split; 0: does not run
    double overflowBytes = 0;                  ///< of the fullest device, if nothing fits
    bool optimal = false;                      ///< proven: every other split has a larger lower bound
    double gap = 0;                            ///< stepS over the smallest lower bound left, minus 1
    std::int64_t simulated = 0;
};

/// Called now and then: best step so far (0: none fits yet), splits simulated.
using PartitionProgress = std::function<void(double bestStepS, std::int64_t simulated)>;

/// Layers per stage that minimise the simulated step under every device's memory, for the scenario's own stage order,
/// degrees and placement. Branch and bound over all splits: a stage with l layers must work m micro-batches, after the first
/// has come through the stages before it and before the last has gone back through them, which bounds every split from
/// below; splits are simulated in the order of their bound until no bound is left under the best step found.
[[nodiscard]] PartitionResult partitionLayers(const Scenario& scenario, const PartitionOptions& options = {},
                                              std::stop_token stop = {}, const PartitionProgress& progress = {});

}  // namespace trainyard
