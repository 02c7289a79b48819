#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/breadth_first.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"bfs", "breadth-first"};

/// Chunk after chunk, all micro-batches each; backward from the last chunk, micro-batches descending as torch does.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    ListBuilder out(request, loopedPlacement(p, request.chunks));
    out.reservePerUnit(2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        for (int chunk = 0; chunk < request.chunks; ++chunk)
            for (int mb = 0; mb < request.microBatches; ++mb) out.forward(mb, chunk * p + rank);
        for (int chunk = request.chunks - 1; chunk >= 0; --chunk)
            for (int mb = request.microBatches - 1; mb >= 0; --mb) out.backward(mb, chunk * p + rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "looped-bfs",
    .title = "Breadth-first",
    .summary = "All micro-batches pass one chunk before the next, so sharded weights are gathered once per chunk and pass.",
    .reference = "Lamy-Poirier, arXiv 2211.05953, 2022",
    .aliases = kAliases,
    .parameters = {},
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = breadthFirstIdle,
    .peakClosedForm = breadthFirstPeak,
};
const ScheduleRegistration kRegistration{80, kDefinition};

}  // namespace
}  // namespace trainyard
