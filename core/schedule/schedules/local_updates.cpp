#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {{"group", "stages that share one local loss (default 1)", 1, 65535, 1}};

/// Blocks of stages train with a loss of their own: activations flow on, gradients stop at the block's border. Inside a block
/// the order is 1F1B.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    const int group = static_cast<int>(request.parameter("group").value_or(1));
    ListBuilder out(request, linearPlacement(p));
    out.reservePerUnit(2);
    out.lists().localLoss.assign(static_cast<std::size_t>(p), 0);
    for (int rank = 0; rank < p; ++rank) {
        const int last = std::min(p - 1, rank / group * group + group - 1);
        if (rank == last) out.lists().localLoss[static_cast<std::size_t>(rank)] = 1;
        out.beginRank();
        const int warmup = std::min(m, last - rank);
        for (int mb = 0; mb < warmup; ++mb) out.forward(mb, rank);
        for (int i = 0; i < m; ++i) {
            if (warmup + i < m) out.forward(warmup + i, rank);
            out.backward(i, rank);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "local-updates",
    .title = "Local updates",
    .summary =
        "Each block of stages trains with its own loss, so no gradient crosses the blocks and only the fill of the pipeline is "
        "idle.",
    .reference = "local and greedy layer-wise learning, e.g. Belilovsky et al., arXiv 1901.08164, 2019",
    .aliases = {},
    .parameters = kParameters,
    .semantics = ScheduleSemantics::localLosses,
    .fixedChunks = 1,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm =
        [](const ScheduleRequest& r, int rank) {
            const int group = static_cast<int>(r.parameter("group").value_or(1));
            return static_cast<double>(
                std::min(r.microBatches, std::min(r.ranks - 1, rank / group * group + group - 1) - rank + 1));
        },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.parameter("group").value_or(1) != 1) return std::nullopt;
        return std::int64_t{3} * r.microBatches + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{360, kDefinition};

}  // namespace
}  // namespace trainyard
