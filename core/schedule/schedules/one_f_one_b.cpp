#include <algorithm>

#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"pipedream-flush", "dapple"};

constexpr ScheduleDefinition kDefinition{
    .id = "1f1b",
    .title = "1F1B",
    .summary = "After a short warm-up every rank alternates one forward and one backward, so few micro-batches are kept.",
    .reference = "Narayanan et al., arXiv 2006.09503, 2020 (PipeDream-flush); Fan et al., arXiv 2007.01045, 2020 (DAPPLE)",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit =
        [](const ScheduleRequest& request) {
            return emitOneForwardOneBackward(
                request, [](const ScheduleRequest& r, int rank) { return r.ranks - 1 - rank; }, SteadyOrder::forwardFirst);
        },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, r.ranks - rank)); },
};
const ScheduleRegistration kRegistration{30, kDefinition};

}  // namespace
}  // namespace trainyard
