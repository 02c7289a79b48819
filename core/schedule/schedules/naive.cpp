#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

/// Each micro-batch passes through all ranks and back before the next one starts; meant for one micro-batch.
ActionLists emit(const ScheduleRequest& request) {
    ListBuilder out(request, linearPlacement(request.ranks));
    out.reservePerUnit(2);
    for (int rank = 0; rank < request.ranks; ++rank) {
        out.beginRank();
        for (int mb = 0; mb < request.microBatches; ++mb) {
            out.forward(mb, rank);
            out.backward(mb, rank);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "naive",
    .title = "Naive model parallelism",
    .summary = "One rank works at a time: each micro-batch passes through all ranks and back before the next one starts.",
    .reference = "folklore",
    .aliases = {},
    .parameters = {},
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return r.microBatches * (r.ranks - 1) * (f + i + w); },
    .peakClosedForm = [](const ScheduleRequest&, int) { return 1.0; },
};
const ScheduleRegistration kRegistration{10, kDefinition};

}  // namespace
}  // namespace trainyard
