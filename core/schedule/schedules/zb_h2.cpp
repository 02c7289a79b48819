#include <algorithm>

#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/simulated_figures.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"zb-2p"};

/// 2(p-rank)-1 forwards first. A weight gradient follows as soon as one more forward would make 2p micro-batches wait for
/// theirs, which is 2 rank + 1 input gradients later; so every rank's work is one block without gaps, shifted by its rank.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    ListBuilder out(request, linearPlacement(p));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int warmup = std::min(m, 2 * (p - rank) - 1);
        const int delay = 2 * rank + 1;
        for (int mb = 0; mb < warmup; ++mb) out.forward(mb, rank);
        int nextWeight = 0;
        for (int i = 0; i < m; ++i) {
            out.backwardInput(i, rank);
            if (i >= delay) out.backwardWeight(nextWeight++, rank);
            if (warmup + i < m) out.forward(warmup + i, rank);
        }
        while (nextWeight < m) out.backwardWeight(nextWeight++, rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "zb-h2",
    .title = "ZB-H2",
    .summary = "Zero bubble between a rank's first and last action, for twice the activations of 1F1B.",
    .reference = "Qi et al., arXiv 2401.10241, 2023",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 1,
    .splitsBackward = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm =
        [](const ScheduleRequest& r, double f, double i, double w) {
            if (r.microBatches < 2 * r.ranks) return simulatedIdle(emit(r), 1, f, i, w);
            return (r.ranks - 1) * std::max({f, f + i - 2 * w, i - f});
        },
    .peakClosedForm = [](const ScheduleRequest& r,
                         int rank) { return static_cast<double>(std::min(r.microBatches, 2 * (r.ranks - rank) - 1)); },
};
const ScheduleRegistration kRegistration{150, kDefinition};

}  // namespace
}  // namespace trainyard
