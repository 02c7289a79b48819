#include "core/schedule/schedules/slice_order.h"
#include "core/schedule/slice_split.h"

namespace trainyard {
namespace {

constexpr ScheduleDefinition kDefinition{
    .id = "seq1f1b-zb",
    .title = "Seq1F1B, zero bubble",
    .summary = "Seq1F1B with the weight gradient split off and moved into the bubble. Our order; the paper shows a figure only.",
    .reference = "Sun et al., arXiv 2406.03488, 2024 (figure)",
    .aliases = {},
    .parameters = kSliceParameters,
    .splitsBackward = true,
    .takesSlices = true,
    .check =
        [](const ScheduleRequest& r) {
            std::vector<std::string> wrong = r.chunks > 1 ? checkInterleavedSliceOrder(r) : std::vector<std::string>{};
            return wrong.empty() ? checkSliceParameters(r) : wrong;
        },
    .emit =
        [](const ScheduleRequest& request) {
            return request.chunks > 1 ? emitInterleavedSliceOrder(request, BackwardForm::split)
                                      : emitSliceOrder(request, BackwardForm::split);
        },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.chunks > 1 || std::int64_t{r.microBatches} * r.slices < r.ranks) return std::nullopt;
        return std::int64_t{3} * r.microBatches * r.slices + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{310, kDefinition};

}  // namespace
}  // namespace trainyard
