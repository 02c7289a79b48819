#include <algorithm>

#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr ScheduleDefinition kDefinition{
    .id = "1f1b-overlap",
    .title = "1F1B with overlapped cells",
    .summary =
        "One more forward in flight per rank, so that a forward and a backward of different micro-batches run as one cell and "
        "hide expert traffic.",
    .reference = "Megatron-core batch-level overlap of expert-parallel communication",
    .aliases = {},
    .parameters = {},
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit =
        [](const ScheduleRequest& request) {
            return emitOneForwardOneBackward(
                request, [](const ScheduleRequest& r, int rank) { return 2 * (r.ranks - rank - 1) + 1; }, SteadyOrder::pairs);
        },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, 2 * (r.ranks - rank))); },
};
const ScheduleRegistration kRegistration{50, kDefinition};

}  // namespace
}  // namespace trainyard
