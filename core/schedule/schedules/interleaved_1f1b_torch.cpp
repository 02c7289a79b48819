#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"interleaved-1f1b-torch-flex"};

int roundsOf(const ScheduleRequest& r) { return std::max(1, r.microBatches / r.ranks); }

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.microBatches % roundsOf(r) != 0)
        return {fmt::format("{} micro-batches do not divide into {} equal rounds over {} ranks; a multiple of {} works",
                            r.microBatches, roundsOf(r), r.ranks, roundsOf(r))};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "interleaved-1f1b-torch",
    .title = "Interleaved 1F1B (torch)",
    .summary = "Interleaved 1F1B with torch's rule for the group, which also takes fewer micro-batches than ranks.",
    .reference = "torch.distributed.pipelining ScheduleInterleaved1F1B; Narayanan et al., arXiv 2104.04473, 2021",
    .aliases = kAliases,
    .parameters = {},
    .needsChunks = true,
    .check = check,
    .emit =
        [](const ScheduleRequest& request) {
            return emitInterleaved(request, request.microBatches / roundsOf(request), 0, false);
        },
    .idleClosedForm =
        [](const ScheduleRequest& r, double f, double i, double w) {
            const int missing = r.microBatches < r.ranks ? (r.chunks - 1) * (r.ranks - r.microBatches) : 0;
            return (r.ranks - 1 + missing) * (f + i + w) / r.chunks;
        },
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{62, kDefinition};

}  // namespace
}  // namespace trainyard
