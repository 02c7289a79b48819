#include "core/schedule/schedules/slice_order.h"
#include "core/schedule/slice_split.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"seq1f1b-i"};

constexpr ScheduleDefinition kDefinition{
    .id = "seq1f1b-interleaved",
    .title = "Seq1F1B, interleaved",
    .summary = "Interleaved 1F1B over slices of the sequence.",
    .reference = "Sun et al., arXiv 2406.03488, 2024",
    .aliases = kAliases,
    .parameters = kSliceParameters,
    .takesSlices = true,
    .needsChunks = true,
    .check =
        [](const ScheduleRequest& r) {
            std::vector<std::string> wrong = checkInterleavedSliceOrder(r);
            return wrong.empty() ? checkSliceParameters(r) : wrong;
        },
    .emit = [](const ScheduleRequest& request) { return emitInterleavedSliceOrder(request, BackwardForm::whole); },
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return (r.ranks - 1) * (f + i + w) / r.chunks / r.slices; },
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{300, kDefinition};

}  // namespace
}  // namespace trainyard
