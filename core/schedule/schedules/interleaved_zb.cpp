#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/schedules/simulated_figures.h"
#include "core/schedule/schedules/zero_bubble_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"group", "micro-batches one chunk works on before the next chunk (default: torch's rule, about the number of ranks)", 1,
     1'000'000, 0}};

int groupOf(const ScheduleRequest& r) {
    const int rounds = std::max(1, r.microBatches / r.ranks);
    return static_cast<int>(r.parameter("group").value_or(r.microBatches / rounds));
}

std::vector<std::string> check(const ScheduleRequest& r) {
    const int rounds = std::max(1, r.microBatches / r.ranks);
    if (!r.parameter("group") && r.microBatches % rounds != 0)
        return {fmt::format("{} micro-batches do not divide into {} equal rounds over {} ranks; a multiple of {} works",
                            r.microBatches, rounds, r.ranks, rounds)};
    if (r.microBatches % groupOf(r) != 0)
        return {fmt::format("group {} does not divide {} micro-batches", groupOf(r), r.microBatches)};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "interleaved-zb",
    .title = "Interleaved zero bubble",
    .summary = "Interleaved 1F1B with the weight gradient split off and moved into the bubble.",
    .reference = "Qi et al., arXiv 2401.10241, 2023; torch.distributed.pipelining ScheduleInterleavedZeroBubble",
    .aliases = {},
    .parameters = kParameters,
    .splitsBackward = true,
    .check = check,
    .emit = [](const ScheduleRequest& request) { return emitZeroBubble1F1B(request, groupOf(request)); },
    .idleClosedForm =
        [](const ScheduleRequest& r, double f, double i, double w) {
            if (r.microBatches < r.ranks || r.parameter("group"))
                return simulatedIdle(emitZeroBubble1F1B(r, groupOf(r)), r.chunks, f, i, w);
            return (r.ranks - 1) * std::max({f + i - w, f, i}) / r.chunks;
        },
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{170, kDefinition};

}  // namespace
}  // namespace trainyard
