#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {{"descending", "1: backward of the last micro-batch first", 0, 1, 0}};

/// All forwards, then all backwards, in the order of torch and Alpa (ascending) or reversed.
ActionLists emit(const ScheduleRequest& request) {
    const bool descending = request.parameter("descending").value_or(0) == 1;
    ListBuilder out(request, linearPlacement(request.ranks));
    out.reservePerUnit(2);
    for (int rank = 0; rank < request.ranks; ++rank) {
        out.beginRank();
        for (int mb = 0; mb < request.microBatches; ++mb) out.forward(mb, rank);
        for (int i = 0; i < request.microBatches; ++i) out.backward(descending ? request.microBatches - 1 - i : i, rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "gpipe",
    .title = "GPipe",
    .summary = "All forwards, then all backwards; every micro-batch is kept until its backward.",
    .reference = "Huang et al., arXiv 1811.06965, 2018",
    .aliases = {},
    .parameters = kParameters,
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i, double w) { return (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest& r, int) { return static_cast<double>(r.microBatches); },
};
const ScheduleRegistration kRegistration{20, kDefinition};

}  // namespace
}  // namespace trainyard
