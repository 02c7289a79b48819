#include <algorithm>

#include "core/schedule/schedules/zero_bubble_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"zb-1p", "zb1p"};

constexpr ScheduleDefinition kDefinition{
    .id = "zb-h1",
    .title = "ZB-H1",
    .summary = "1F1B with the weight gradient split off and moved into the bubble, at the memory of 1F1B.",
    .reference = "Qi et al., arXiv 2401.10241, 2023",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 1,
    .splitsBackward = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = [](const ScheduleRequest& request) { return emitZeroBubble1F1B(request, request.microBatches); },
    .idleClosedForm =
        [](const ScheduleRequest& r, double f, double i, double w) {
            if (r.microBatches < r.ranks) return (r.ranks - 1) * (f + i) - (r.microBatches - 1) * std::min({f, i, w});
            return (r.ranks - 1) * std::max({f + i - w, f, i});
        },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, r.ranks - rank)); },
};
const ScheduleRegistration kRegistration{140, kDefinition};

}  // namespace
}  // namespace trainyard
