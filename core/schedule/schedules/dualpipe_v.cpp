#include <fmt/format.h>

#include "core/schedule/schedules/dualpipe_order.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"dualpipev"};

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.microBatches < 2 * r.ranks)
        return {fmt::format("dualpipe-v needs at least {} micro-batches (twice the ranks), not {}", 2 * r.ranks, r.microBatches)};
    return {};
}

ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    ListBuilder out(request, wavePlacement(p, 2));
    out.reservePerUnit(3);
    for (int r = 0; r < p; ++r) {
        out.beginRank();
        DualPipeRank rank;
        rank.depth = r;
        rank.half = p;
        rank.perDirection = request.microBatches;
        rank.stage[0] = r;
        rank.stage[1] = 2 * p - 1 - r;
        emitDualPipeRank(out, rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "dualpipe-v",
    .title = "DualPipeV",
    .summary = "DualPipe cut in half: two chunks per rank in a V, one copy of the parameters, overlapped cells.",
    .reference = "DeepSeek-AI, DualPipe repository, 2025",
    .aliases = kAliases,
    .parameters = {},
    .fixedChunks = 2,
    .splitsBackward = true,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = [](const ScheduleRequest& r, int) { return (2 * r.ranks + 1) / 2.0; },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        return std::int64_t{6} * r.microBatches + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{230, kDefinition};

}  // namespace
}  // namespace trainyard
