#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {
namespace {

constexpr ScheduleParameter kParameters[] = {
    {"exchange", "1: show the exchange of attention context between ranks before each forward (default 1)", 0, 1, 1}};

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.slices % r.ranks != 0)
        return {fmt::format("slimpipe needs slices in a multiple of {} ranks, not {}; {} works", r.ranks, r.slices, r.ranks)};
    return {};
}

/// Slices of one micro-batch go forward in groups of p over the chunks; its backward runs in exactly the reverse order, last
/// in, first out. One forward and one backward in turn, so about one micro-batch is alive at a time.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int v = request.chunks;
    const int k = request.slices;
    const bool exchange = request.parameter("exchange").value_or(1) == 1;
    const std::vector<ChunkUnit> table = groupedTable(k, v, p);  // of one micro-batch; its "micro-batch" is the slice
    const int perMicroBatch = static_cast<int>(table.size());
    const int total = perMicroBatch * request.microBatches;
    ListBuilder out(request, loopedPlacement(p, v));
    out.reservePerUnit(exchange ? 3 : 2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int warmup = std::min(total, perMicroBatch - 1 + (v > 1 ? 2 : 1) * (p - 1 - rank));
        const auto forward = [&](int i) {
            const ChunkUnit unit = table[static_cast<std::size_t>(i % perMicroBatch)];
            const int stage = unit.chunk * p + rank;
            if (exchange) out.add(ActionKind::allGather, i / perMicroBatch, stage, unit.microBatch, Lane::context);
            out.forward(i / perMicroBatch, stage, unit.microBatch);
        };
        for (int i = 0; i < warmup; ++i) forward(i);
        for (int i = 0; i < total; ++i) {
            if (warmup + i < total) forward(warmup + i);
            const ChunkUnit unit = table[static_cast<std::size_t>(perMicroBatch - 1 - i % perMicroBatch)];
            out.backward(i / perMicroBatch, unit.chunk * p + rank, unit.microBatch);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "slimpipe",
    .title = "SlimPipe",
    .summary =
        "Many uniform slices per sequence, last in, first out: activations of about one micro-batch in all; attention context is "
        "exchanged to balance the slices.",
    .reference = "Li et al., arXiv 2504.14519, 2025",
    .aliases = {},
    .parameters = kParameters,
    .takesSlices = true,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.chunks > 1) return std::nullopt;
        return std::int64_t{3} * r.microBatches * r.slices + 3 * (r.ranks - 1);  // exchanges that take no time
    },
};
const ScheduleRegistration kRegistration{320, kDefinition};

}  // namespace
}  // namespace trainyard
