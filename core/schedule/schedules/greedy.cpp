#include <algorithm>
#include <utility>

#include "core/schedule/placement.h"
#include "core/schedule/registry.h"
#include "core/schedule/run_policy.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"limit", "micro-batches that may be on a rank at once (default: the number of ranks)", 1, 1'000'000, 0},
    {"wave", "1: chunks run down and up the ranks instead of round and round (default 0)", 0, 1, 0},
    {"forward_first", "1: a ready forward goes before a ready gradient (default 0)", 0, 1, 0},
    {"split", "0: whole backwards; 1: weight gradients where nothing else is ready (default 1)", 0, 1, 1},
};

StageTimes timesOrUnit(const ScheduleRequest& request) {
    if (!request.times.forward.empty()) return request.times;
    StageTimes times;
    times.forward = times.backwardInput = times.backwardWeight =
        std::vector<Ticks>(static_cast<std::size_t>(request.ranks) * static_cast<std::size_t>(request.chunks), 1);
    return times;
}

ActionLists emit(const ScheduleRequest& request) {
    PolicyRequest policy;
    policy.ranks = request.ranks;
    policy.microBatches = request.microBatches;
    policy.rankOfStage = {request.parameter("wave").value_or(0) == 1 ? wavePlacement(request.ranks, request.chunks)
                                                                     : loopedPlacement(request.ranks, request.chunks)};
    policy.limitOfRank.assign(static_cast<std::size_t>(request.ranks),
                              static_cast<int>(request.parameter("limit").value_or(request.ranks)));
    policy.splitsBackward = request.parameter("split").value_or(1) == 1;
    policy.prefer =
        request.parameter("forward_first").value_or(0) == 1 ? PolicyPreference::forwardFirst : PolicyPreference::backwardFirst;
    // One pipe enters every rank in the same order, so a limit of 1 or more never blocks.
    auto lists = runPolicy(policy, timesOrUnit(request));
    return lists ? std::move(*lists) : ActionLists{};
}

constexpr ScheduleDefinition kDefinition{
    .id = "greedy",
    .title = "Greedy at run time",
    .summary =
        "No list: each rank takes what is ready, gradients first, weight gradients in the gaps, under a limit of micro-batches.",
    .reference = "list scheduling; what a run-time scheduler does with the real stage times",
    .aliases = {},
    .parameters = kParameters,
    .splitsBackward = true,
    .searched = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{165, kDefinition};

}  // namespace
}  // namespace trainyard
