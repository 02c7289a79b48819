#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

/// Micro-batches take the two mirrored copies in turn; the next one's forward follows the backward of the one before from
/// rank to rank, so no more than two are in flight.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    std::vector<std::uint8_t> pipeOf;
    for (int mb = 0; mb < request.microBatches; ++mb) pipeOf.push_back(static_cast<std::uint8_t>(mb % 2));
    ListBuilder out(request, {linearPlacement(p), mirroredPlacement(p, p - 1)}, std::move(pipeOf));
    out.reservePerUnit(2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        for (int mb = 0; mb < request.microBatches; ++mb) {
            const int stage = mb % 2 == 0 ? rank : p - 1 - rank;
            out.forward(mb, stage);
            out.backward(mb, stage);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "gems",
    .title = "GEMS",
    .summary =
        "Two mirrored copies of the model take micro-batches in turn, at most two in flight: for when memory is all that counts.",
    .reference = "Jain et al., SC 2020",
    .aliases = {},
    .parameters = {},
    .check =
        [](const ScheduleRequest& r) {
            return r.chunks > 2 ? std::vector<std::string>{fmt::format("gems has 2 copies of the model, not {} chunks", r.chunks)}
                                : std::vector<std::string>{};
        },
    .emit = emit,
    .idleClosedForm = [](const ScheduleRequest& r, double f, double i,
                         double w) { return (r.ranks - 1) * (f + i + w + (r.microBatches - 1) * std::max(f, i + w)); },
    .peakClosedForm = [](const ScheduleRequest&, int) { return 1.0; },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        return std::int64_t{3} * r.microBatches + (r.ranks - 1) * (3 + 2 * (std::int64_t{r.microBatches} - 1));
    },
};
const ScheduleRegistration kRegistration{250, kDefinition};

}  // namespace
}  // namespace trainyard
