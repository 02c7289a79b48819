#include "core/schedule/list_builder.h"
#include "core/schedule/slice_split.h"

namespace trainyard {
namespace {

/// All slices of all micro-batches forward, then everything backward in exactly reversed order.
ActionLists emit(const ScheduleRequest& request) {
    ListBuilder out(request, linearPlacement(request.ranks));
    out.reservePerUnit(2);
    for (int rank = 0; rank < request.ranks; ++rank) {
        out.beginRank();
        for (int mb = 0; mb < request.microBatches; ++mb)
            for (int slice = 0; slice < request.slices; ++slice) out.forward(mb, rank, slice);
        for (int mb = request.microBatches - 1; mb >= 0; --mb)
            for (int slice = request.slices - 1; slice >= 0; --slice) out.backward(mb, rank, slice);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "terapipe",
    .title = "TeraPipe",
    .summary =
        "Slices of one sequence flow through the pipeline one after another, forward first, so the bubble shrinks with their "
        "number.",
    .reference = "Li et al., arXiv 2102.07988, 2021",
    .aliases = {},
    .parameters = kSliceParameters,
    .fixedChunks = 1,
    .takesSlices = true,
    .check = checkSliceParameters,
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return (r.ranks - 1) * (f + i + w) / r.slices; },
    .peakClosedForm = [](const ScheduleRequest& r, int) { return static_cast<double>(r.microBatches); },
};
const ScheduleRegistration kRegistration{280, kDefinition};

}  // namespace
}  // namespace trainyard
