#include "core/schedule/passes.h"
#include "core/schedule/schedules/slice_order.h"
#include "core/schedule/slice_split.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"slice-offload"};
constexpr ScheduleParameter kOwnParameters[] = {
    {"distance",
     "compute actions between a slice's forward and backward from which its activation goes to host memory (default 4)", 2,
     1'000'000, 4}};
constexpr auto kParameters = withSliceParameters(kOwnParameters);

constexpr ScheduleDefinition kDefinition{
    .id = "sppo",
    .title = "Slice offload (SPPO style)",
    .summary =
        "Seq1F1B whose slices leave for host memory until their backward is near; copies run beside compute on the host lane.",
    .reference = "Chen et al., arXiv 2503.10377, 2025 (SPPO)",
    .aliases = kAliases,
    .parameters = kParameters,
    .fixedChunks = 1,
    .takesSlices = true,
    .check = checkSliceParameters,
    .emit =
        [](const ScheduleRequest& request) {
            return insertOffload(emitSliceOrder(request, BackwardForm::whole),
                                 static_cast<int>(request.parameter("distance").value_or(4)));
        },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        // Copies that take no time: Seq1F1B.
        return std::int64_t{3} * r.microBatches * r.slices + 3 * (r.ranks - 1);
    },
};
const ScheduleRegistration kRegistration{330, kDefinition};

}  // namespace
}  // namespace trainyard
