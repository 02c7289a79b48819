#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// Times as people write them: in any unit, one value for all stages or one per global stage. Empty: as in StageTimes.
struct UnitTimes {
    std::vector<double> forward = {1};
    std::vector<double> backwardInput = {1};
    std::vector<double> backwardWeight = {1};
    std::vector<double> backward;
    std::vector<double> recompute;
    std::vector<double> latencyForward;  ///< per hop, from a stage to the next
    std::vector<double> latencyBackward;
    std::vector<double> sendForward;  ///< occupies the link
    std::vector<double> sendBackward;
    std::vector<double> allGather, reduceScatter, allReduce, optimizer, evict, load, offload, reload, contextExchange;
    std::vector<double> sliceWeight;
    double jitter = 0;  ///< see StageTimes
    std::uint32_t jitterSeed = 0;
    bool serializeLinks = false;
    double fusedPairFactor = 0;
};

/// `F,BI,BW[,COMM]`: finite numbers of at least 0. Error kind commandLine.
[[nodiscard]] Result<UnitTimes> parseUnitTimes(std::string_view text);

/// The largest power of ten, 1e9 at most, with which times over `actions` actions stay exact and in the range of Ticks.
[[nodiscard]] double ticksPerUnitFor(const UnitTimes& times, double actions);

/// Ticks for `stages` global stages. Error: a list with neither one entry nor one per stage.
[[nodiscard]] Result<StageTimes> toStageTimes(const UnitTimes& times, int stages, double ticksPerUnit);

/// Replicas of different length hold the whole model each, so the stages of a short one are longer: the factor per pipe
/// against the longest. Empty where all have the same length.
[[nodiscard]] std::vector<double> pipeFactorsOf(const ActionLists& lists);

}  // namespace trainyard
