#include "core/schedule/passes.h"
#include "core/schedule/schedules/slice_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"slice-offload"};
constexpr ScheduleParameter kParameters[] = {
    {"distance",
     "compute actions between a slice's forward and backward from which its activation goes to host memory (default 4)", 2,
     1'000'000, 4}};

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
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit =
        [](const ScheduleRequest& request) {
            return insertOffload(emitSliceOrder(request, BackwardForm::whole),
                                 static_cast<int>(request.parameter("distance").value_or(4)));
        },
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{330, kDefinition};

}  // namespace
}  // namespace trainyard
