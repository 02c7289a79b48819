#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"group", "micro-batches per update, at least the number of ranks (default: the number of ranks)", 1, 1'000'000, 0}};

int groupOf(const ScheduleRequest& r) {
    return static_cast<int>(r.parameter("group").value_or(std::min(r.ranks, r.microBatches)));
}

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.microBatches < r.ranks)
        return {fmt::format("{} micro-batches are fewer than {} ranks; pipedream-2bw needs at least as many per update",
                            r.microBatches, r.ranks)};
    if (groupOf(r) < r.ranks) return {fmt::format("{} micro-batches per update are fewer than {} ranks", groupOf(r), r.ranks)};
    return {};
}

/// 1F1B order without a flush; updates after `group` micro-batches, computed one version behind: two versions are kept.
ActionLists emit(const ScheduleRequest& request) {
    ActionLists lists = emitOneForwardOneBackward(
        request, [](const ScheduleRequest& r, int rank) { return r.ranks - 1 - rank; }, SteadyOrder::forwardFirst);
    const std::uint32_t group = static_cast<std::uint32_t>(groupOf(request));
    for (Action& action : lists.actions) {
        const std::uint32_t update = action.microBatch / group;
        action.weightVersion = update > 0 ? update - 1 : 0;
    }
    return lists;
}

constexpr ScheduleDefinition kDefinition{
    .id = "pipedream-2bw",
    .title = "PipeDream-2BW",
    .summary = "Asynchronous 1F1B with an update every few micro-batches and only two versions of the weights (delay 1).",
    .reference = "Narayanan et al., arXiv 2006.09503, 2020",
    .aliases = {},
    .parameters = kParameters,
    .semantics = ScheduleSemantics::staleWeights,
    .fixedChunks = 1,
    .check = check,
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, r.ranks - rank)); },
};
const ScheduleRegistration kRegistration{120, kDefinition};

}  // namespace
}  // namespace trainyard
