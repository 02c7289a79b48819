#include "core/schedule/schedules/slice_order.h"

namespace trainyard {
namespace {

constexpr ScheduleDefinition kDefinition{
    .id = "seq1f1b-zb",
    .title = "Seq1F1B, zero bubble",
    .summary = "Seq1F1B with the weight gradient split off and moved into the bubble. Our order; the paper shows a figure only.",
    .reference = "Sun et al., arXiv 2406.03488, 2024 (figure)",
    .aliases = {},
    .parameters = {},
    .splitsBackward = true,
    .takesSlices = true,
    .check = [](const ScheduleRequest& r) { return r.chunks > 1 ? checkInterleavedSliceOrder(r) : std::vector<std::string>{}; },
    .emit =
        [](const ScheduleRequest& request) {
            return request.chunks > 1 ? emitInterleavedSliceOrder(request, BackwardForm::split)
                                      : emitSliceOrder(request, BackwardForm::split);
        },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{310, kDefinition};

}  // namespace
}  // namespace trainyard
