#include <algorithm>

#include "core/schedule/schedules/one_f_one_b_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"overlap-friendly-1f1b"};

constexpr ScheduleDefinition kDefinition{
    .id = "eager-1f1b",
    .title = "Eager 1F1B",
    .summary = "1F1B with nearly twice the warm-up, so that transfers between stages hide behind compute.",
    .reference = "Zhuang et al., arXiv 2211.05322, 2022; DAPPLE policy B, arXiv 2007.01045",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit =
        [](const ScheduleRequest& request) {
            return emitOneForwardOneBackward(
                request, [](const ScheduleRequest& r, int rank) { return 2 * (r.ranks - rank) - 1; }, SteadyOrder::backwardFirst);
        },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, 2 * (r.ranks - rank) - 1)); },
};
const ScheduleRegistration kRegistration{40, kDefinition};

}  // namespace
}  // namespace trainyard
