#include <algorithm>

#include "core/schedule/passes.h"
#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"prepose", "1: pull forwards ahead with the memory that recomputation frees (default 0)", 0, 1, 0},
    {"limit", "recomputed activations that may wait on a rank for their gradient (default 2)", 1, 1'000'000, 2}};

StageTimes timesOrUnit(const ScheduleRequest& request) {
    if (!request.times.forward.empty()) return request.times;
    StageTimes times;
    times.forward = times.backwardInput = times.backwardWeight = std::vector<Ticks>(static_cast<std::size_t>(request.ranks), 1);
    return times;
}

/// 1F1B where every stage keeps only its input; recomputes move into idle time before the gradient arrives.
ActionLists emit(const ScheduleRequest& request) {
    const bool prepose = request.parameter("prepose").value_or(0) == 1;
    const ActionLists base = emitOneForwardOneBackward(
        request,
        prepose ? [](const ScheduleRequest& r, int rank) { return 2 * (r.ranks - 1 - rank); }
                : [](const ScheduleRequest& r, int rank) { return r.ranks - 1 - rank; },
        SteadyOrder::forwardFirst);
    return hoistRecompute(insertRecompute(base, [](int) { return true; }), timesOrUnit(request),
                          static_cast<int>(request.parameter("limit").value_or(2)));
}

constexpr ScheduleDefinition kDefinition{
    .id = "mario",
    .title = "Recompute in bubbles (Mario)",
    .summary = "1F1B that keeps only stage inputs and recomputes in the idle time before each gradient arrives.",
    .reference = "Liu et al., PPoPP 2025 (Mario)",
    .aliases = {},
    .parameters = kParameters,
    .fixedChunks = 1,
    .searched = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{340, kDefinition};

}  // namespace
}  // namespace trainyard
