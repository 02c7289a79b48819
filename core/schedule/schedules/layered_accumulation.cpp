#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/breadth_first.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"layered-gradient-accumulation", "modular-pipeline"};

/// All micro-batches pass a layer before the next one, forward and backward. Weights are gathered once per layer and pass,
/// one layer ahead; a layer's gradient is reduced right after its own backward.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    const int v = request.chunks;
    ListBuilder out(request, loopedPlacement(p, v));
    out.reserve(static_cast<std::size_t>(p) * static_cast<std::size_t>(v) * static_cast<std::size_t>(2 * m + 3));
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const auto gather = [&](int chunk) { out.add(ActionKind::allGather, 0, chunk * p + rank, 0, Lane::data); };
        gather(0);
        for (int chunk = 0; chunk < v; ++chunk)
            for (int mb = 0; mb < m; ++mb) {
                out.forward(mb, chunk * p + rank);
                if (mb == 0) gather(chunk + 1 < v ? chunk + 1 : v - 1);
            }
        for (int chunk = v - 1; chunk >= 0; --chunk) {
            for (int mb = m - 1; mb >= 0; --mb) {
                out.backward(mb, chunk * p + rank);
                if (mb == m - 1 && chunk > 0) gather(chunk - 1);
            }
            out.add(ActionKind::reduceScatter, 0, chunk * p + rank, 0, Lane::data);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "layered-accumulation",
    .title = "Layered accumulation, modular placement",
    .summary =
        "Layer after layer instead of micro-batch after micro-batch, layers dealt out over the ranks: each weight is gathered "
        "once per pass, reductions spread over the whole step.",
    .reference = "Lamy-Poirier, arXiv 2106.02679, 2021",
    .aliases = kAliases,
    .parameters = {},
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = breadthFirstIdle,
    .peakClosedForm = breadthFirstPeak,
};
const ScheduleRegistration kRegistration{90, kDefinition};

}  // namespace
}  // namespace trainyard
