#include <algorithm>

#include "core/schedule/schedules/slice_order.h"
#include "core/schedule/slice_split.h"

namespace trainyard {
namespace {

constexpr ScheduleDefinition kDefinition{
    .id = "seq1f1b",
    .title = "Seq1F1B",
    .summary = "1F1B over slices of the sequence: bubble and activations shrink with the number of slices.",
    .reference = "Sun et al., arXiv 2406.03488, 2024",
    .aliases = {},
    .parameters = kSliceParameters,
    .fixedChunks = 1,
    .takesSlices = true,
    .check = checkSliceParameters,
    .emit = [](const ScheduleRequest& request) { return emitSliceOrder(request, BackwardForm::whole); },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return (r.ranks - 1) * (f + i + w) / r.slices; },
    .peakClosedForm =
        [](const ScheduleRequest& r, int rank) {
            return static_cast<double>(std::min(r.microBatches * r.slices, r.ranks - 1 - rank + r.slices)) / r.slices;
        },
};
const ScheduleRegistration kRegistration{290, kDefinition};

}  // namespace
}  // namespace trainyard
