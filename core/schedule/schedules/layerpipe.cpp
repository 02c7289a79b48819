#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

/// Never flushed. Twice as many forwards in flight as stages below, so the gradient of a micro-batch is used with a delay of
/// twice the number of downstream stages; input and weight gradients are separate actions.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    ListBuilder out(request, linearPlacement(p));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int delay = 2 * (p - 1 - rank);
        const int warmup = std::min(m, delay);
        const auto version = [&](int mb) { out.last().weightVersion = static_cast<std::uint32_t>(std::max(0, mb - delay)); };
        const auto forward = [&](int mb) {
            out.forward(mb, rank);
            version(mb);
        };
        for (int mb = 0; mb < warmup; ++mb) forward(mb);
        for (int i = 0; i < m; ++i) {
            if (warmup + i < m) forward(warmup + i);
            out.backwardInput(i, rank);
            version(i);
            out.backwardWeight(i, rank);
            version(i);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "layerpipe",
    .title = "LayerPipe",
    .summary =
        "Delayed gradients instead of a flush: a stage trains with a delay of twice the stages below it; old weights are kept or "
        "reconstructed.",
    .reference = "Unnikrishnan and Parhi, arXiv 2108.06629, 2021; LayerPipe2, 2025",
    .aliases = {},
    .parameters = {},
    .semantics = ScheduleSemantics::staleWeights,
    .fixedChunks = 1,
    .splitsBackward = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.microBatches < r.ranks) return std::nullopt;
        return std::int64_t{3} * r.microBatches + 2 * (r.ranks - 1);
    },
};
const ScheduleRegistration kRegistration{130, kDefinition};

}  // namespace
}  // namespace trainyard
