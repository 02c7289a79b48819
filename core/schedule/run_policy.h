#pragma once

#include <cstdint>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// What a rank does first when several actions are ready.
enum class PolicyPreference : std::uint8_t { backwardFirst, forwardFirst };

/// A pipeline whose ranks choose at run time instead of following a list.
struct PolicyRequest {
    int ranks = 1;
    int microBatches = 1;
    int slices = 1;
    std::vector<std::vector<std::uint16_t>> rankOfStage;  ///< [pipe][stage]
    std::vector<std::uint8_t> pipeOfMicroBatch;           ///< empty: all on pipe 0
    std::vector<int> limitOfRank;                         ///< micro-batches that may be on a rank at once; empty: no limit
    bool splitsBackward = true;                           ///< weight gradients apart, run where nothing else is ready
    PolicyPreference prefer = PolicyPreference::backwardFirst;
};

/// Runs the policy with these times on a heap of events (catalogue engine B, O(actions log ranks)) and returns the order that
/// came out, which simulate() then repeats. A micro-batch enters a rank with its first forward there and leaves with its last
/// gradient. Error: the limits make the ranks wait for each other.
[[nodiscard]] Result<ActionLists> runPolicy(const PolicyRequest& request, const StageTimes& times);

}  // namespace trainyard
