#include <fmt/format.h>

#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"interleaved-1f1b-ep-overlap"};
constexpr ScheduleParameter kParameters[] = {
    {"group", "micro-batches one chunk works on before the next chunk (default: the number of ranks)", 1, 1'000'000, 0}};

int groupOf(const ScheduleRequest& request) { return static_cast<int>(request.parameter("group").value_or(request.ranks)); }

std::vector<std::string> check(const ScheduleRequest& r) {
    const int group = groupOf(r);
    if (group < r.ranks || group > r.microBatches)
        return {fmt::format("group {} is not between {} ranks and {} micro-batches", group, r.ranks, r.microBatches)};
    const int rest = r.microBatches % group;
    if (rest != 0 && rest < r.ranks)
        return {fmt::format("{} micro-batches in groups of {} leave a last group of {}, smaller than {} ranks", r.microBatches,
                            group, rest, r.ranks)};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "interleaved-1f1b-overlap",
    .title = "Interleaved 1F1B with overlapped cells",
    .summary =
        "Interleaved 1F1B with one more forward in flight, so that forward and backward run as one cell and hide expert traffic.",
    .reference = "Megatron-core overlap of expert-parallel communication with interleaved pipelining",
    .aliases = kAliases,
    .parameters = kParameters,
    .needsChunks = true,
    .check = check,
    .emit = [](const ScheduleRequest& request) { return emitInterleaved(request, groupOf(request), 1, true); },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{65, kDefinition};

}  // namespace
}  // namespace trainyard
