#include <algorithm>
#include <deque>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

/// Backward stays whole on rank 0 and in the steady state; the first `rank`, the last steady and the final ones are split.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    ListBuilder out(request, linearPlacement(p));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int warmup = std::min(m, p - 1 - rank);
        std::deque<int> pending;
        const auto split = [&](int mb) {
            out.backwardInput(mb, rank);
            pending.push_back(mb);
        };
        const auto weight = [&] {
            out.backwardWeight(pending.front(), rank);
            pending.pop_front();
        };
        for (int mb = 0; mb < warmup; ++mb) out.forward(mb, rank);
        for (int i = 0; i < m; ++i) {
            const bool steady = warmup + i < m;
            const bool lastSteady = warmup + i == m - 1;
            if (steady) out.forward(warmup + i, rank);
            if (rank == 0 || (steady && !lastSteady && i >= rank)) {
                out.backward(i, rank);
            } else {
                split(i);
                if (lastSteady || !steady) weight();
            }
        }
        while (!pending.empty()) weight();
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "zb-h1-quick",
    .title = "ZB-H1, quick start",
    .summary = "ZB-H1 that splits only the backwards whose weight gradient fills the bubble; the steady state stays as in 1F1B.",
    .reference = "Qi et al., arXiv 2401.10241, 2023 (quick-start branch of the authors' code)",
    .aliases = {},
    .parameters = {},
    .fixedChunks = 1,
    .splitsBackward = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, r.ranks - rank)); },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        return std::int64_t{3} * r.microBatches + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{145, kDefinition};

}  // namespace
}  // namespace trainyard
