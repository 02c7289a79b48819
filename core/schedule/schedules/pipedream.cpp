#include <algorithm>

#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"pipedream-async"};

/// 1F1B order without a flush. Every backward is followed by an update of the rank's weights, so a forward of micro-batch j
/// sees version max(0, j - (p-1-rank)), which is kept for its backward.
ActionLists emit(const ScheduleRequest& request) {
    ActionLists lists = emitOneForwardOneBackward(
        request, [](const ScheduleRequest& r, int rank) { return r.ranks - 1 - rank; }, SteadyOrder::forwardFirst);
    for (Action& action : lists.actions)
        action.weightVersion =
            static_cast<std::uint32_t>(std::max(0, static_cast<int>(action.microBatch) - (request.ranks - 1 - action.stage)));
    return lists;
}

constexpr ScheduleDefinition kDefinition{
    .id = "pipedream",
    .title = "PipeDream",
    .summary = "Asynchronous 1F1B: an update after every backward, never flushed; rank r keeps p-r versions of its weights.",
    .reference = "Harlap et al., arXiv 1806.03377, 2018; Narayanan et al., SOSP 2019",
    .aliases = kAliases,
    .parameters = {},
    .semantics = ScheduleSemantics::staleWeights,
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, r.ranks - rank)); },
};
const ScheduleRegistration kRegistration{110, kDefinition};

}  // namespace
}  // namespace trainyard
