#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/schedules/dualpipe_order.h"

namespace trainyard {
namespace {

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.chunks != 1 && r.chunks != 2)
        return {fmt::format("dualpipe has 2 chunks per rank, one of each direction, not {}", r.chunks)};
    if (r.ranks % 2 != 0) return {fmt::format("dualpipe needs an even number of ranks, not {}", r.ranks)};
    if (r.microBatches % 2 != 0 || r.microBatches < 2 * r.ranks)
        return {fmt::format("dualpipe needs an even number of micro-batches of at least {} (twice the ranks), not {}",
                            2 * r.ranks, r.microBatches)};
    return {};
}

/// Micro-batches 0..m/2-1 enter at rank 0, the others at rank p-1; every stage is stored on two ranks.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int m = request.microBatches;
    std::vector<std::uint8_t> pipeOf(static_cast<std::size_t>(m), 0);
    std::fill(pipeOf.begin() + m / 2, pipeOf.end(), std::uint8_t{1});
    ListBuilder out(request, {linearPlacement(p), mirroredPlacement(p, p - 1)}, std::move(pipeOf));
    out.reservePerUnit(3);
    for (int r = 0; r < p; ++r) {
        out.beginRank();
        DualPipeRank rank;
        rank.depth = std::min(r, p - 1 - r);
        rank.half = p / 2;
        rank.perDirection = m / 2;
        const int near = r < p / 2 ? 0 : 1;  // pipe whose first stage is closer
        const int stageOfPipe[2] = {r, p - 1 - r};
        rank.stage[0] = stageOfPipe[near];
        rank.stage[1] = stageOfPipe[1 - near];
        rank.firstMicroBatch[0] = near * (m / 2);
        rank.firstMicroBatch[1] = (1 - near) * (m / 2);
        emitDualPipeRank(out, rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "dualpipe",
    .title = "DualPipe",
    .summary =
        "Two opposite pipelines over the same ranks; forward and backward of different directions run as one cell, which hides "
        "expert traffic.",
    .reference = "DeepSeek-AI, arXiv 2412.19437, 2024",
    .aliases = {},
    .parameters = {},
    .splitsBackward = true,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = [](const ScheduleRequest& r, int) { return static_cast<double>(r.ranks + 1); },
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        return std::int64_t{3} * r.microBatches + r.ranks / 2 - 1;
    },
};
const ScheduleRegistration kRegistration{220, kDefinition};

}  // namespace
}  // namespace trainyard
