#include <fmt/format.h>

#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"group", "micro-batches one chunk works on before the next chunk (default: the number of ranks)", 1, 1'000'000, 0}};

int groupOf(const ScheduleRequest& request) { return static_cast<int>(request.parameter("group").value_or(request.ranks)); }

/// Megatron-core: ranks <= group <= micro-batches, and a last, smaller group must still hold as many as there are ranks.
std::vector<std::string> check(const ScheduleRequest& r) {
    const int group = groupOf(r);
    if (r.microBatches < r.ranks)
        return {fmt::format(
            "{} micro-batches are fewer than {} ranks; interleaved-1f1b needs at least as many (interleaved-1f1b-torch does not)",
            r.microBatches, r.ranks)};
    if (group < r.ranks || group > r.microBatches)
        return {fmt::format("group {} is not between {} ranks and {} micro-batches", group, r.ranks, r.microBatches)};
    const int rest = r.microBatches % group;
    if (rest != 0 && rest < r.ranks)
        return {fmt::format(
            "{} micro-batches in groups of {} leave a last group of {}, smaller than {} ranks; a multiple of the group works",
            r.microBatches, group, rest, r.ranks)};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "interleaved-1f1b",
    .title = "Interleaved 1F1B",
    .summary =
        "Each rank holds several chunks of the model, which shrinks the bubble by their number for more traffic between stages.",
    .reference = "Narayanan et al., arXiv 2104.04473, 2021 (Megatron-LM)",
    .aliases = {},
    .parameters = kParameters,
    .needsChunks = true,
    .check = check,
    .emit = [](const ScheduleRequest& request) { return emitInterleaved(request, groupOf(request), 0, false); },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return (r.ranks - 1) * (f + i + w) / r.chunks; },
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{60, kDefinition};

}  // namespace
}  // namespace trainyard
