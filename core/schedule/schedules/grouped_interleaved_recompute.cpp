#include <fmt/format.h>

#include "core/schedule/schedules/grouped_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"recompute", "chunks of each rank, counted from the first, that recompute their forward (default 1)", 0, 65535, 1}};

int recomputedOf(const ScheduleRequest& r) { return static_cast<int>(r.parameter("recompute").value_or(1)); }

std::vector<std::string> check(const ScheduleRequest& r) {
    if (recomputedOf(r) > r.chunks)
        return {fmt::format("recompute {} is more than {} chunks per rank", recomputedOf(r), r.chunks)};
    return {};
}

constexpr ScheduleDefinition kDefinition{
    .id = "grouped-interleaved-recompute",
    .title = "Grouped interleaved with recompute",
    .summary =
        "Grouped interleaved pipelining, one micro-batch at a time, where the first chunks recompute right before their "
        "backward.",
    .reference = "Wan et al., arXiv 2503.01328, 2025 (PipeOffload)",
    .aliases = {},
    .parameters = kParameters,
    .splitsBackward = true,
    .needsChunks = true,
    .check = check,
    .emit = [](const ScheduleRequest& request) { return emitGroupedInterleaved(request, 1, recomputedOf(request)); },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{75, kDefinition};

}  // namespace
}  // namespace trainyard
