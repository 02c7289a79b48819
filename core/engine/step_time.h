#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/engine/in_flight.h"
#include "core/engine/stage_costs.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"

namespace trainyard {

/// Which traffic is free: each level frees one more class, in the order of the contract.
enum class FreeTraffic : int { nothing, tensor, context, expert, pipeline, data };
inline constexpr int kFreeLevels = 6;

/// The step at one level of freed traffic.
struct StepAtLevel {
    double spanS = 0;       ///< first start to last end of the pipeline, all ranks
    double stepS = 0;       ///< with reduction, optimizer and synchronisation
    double stageBusyS = 0;  ///< mean over ranks of the time inside actions
};

struct StepTime {
    StepAtLevel level[kFreeLevels];
    double computeS = 0;    ///< mean over ranks, jitter included
    double optimizerS = 0;
    double offloadS = 0;
    InFlightCounts inFlight;
    bool splitBackward = false;
    std::int64_t chunks = 1;                   ///< per pipeline rank
    std::shared_ptr<const Timeline> timeline;  ///< simulated only
    bool simulated = false;
    std::string note;                          ///< why not simulated, if asked for

    /// Copies to and from host memory that nothing hides: longer steps at every level.
    void addOffload(double seconds);
};

/// Time of one step from what the stages cost. `simulate`: run the schedule's action lists; else the closed form. `levels`:
/// how many of the levels are wanted, from the first. `memo`: where earlier counts of micro-batches in flight are kept.
[[nodiscard]] StepTime stepTime(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, bool simulate, int levels = kFreeLevels,
                                InFlightMemo* memo = nullptr);

/// What one micro-batch occupies a stage for, nothing free: bounds of a step are built from it.
struct StageOccupation {
    double forwardS = 0;
    double backwardS = 0;  ///< input gradient and recomputation
    double weightS = 0;
    double sendS = 0;      ///< one message to the next stage
};
[[nodiscard]] std::vector<StageOccupation> stageOccupations(const StageCosts& costs);

/// Part of a rank's gradient reduction that outlasts its last backward, and of its parameter gather that outlasts the next
/// step's first forward.
[[nodiscard]] double exposedReduceS(const RankCost& rank, const StageCosts& costs, std::int64_t chunks);
[[nodiscard]] double exposedGatherS(const RankCost& rank, const StageCosts& costs);

/// The request that the plan's schedule is asked for.
[[nodiscard]] ScheduleRequest scheduleRequest(const Scenario& scenario, const ResolvedPlan& plan);

}  // namespace trainyard
