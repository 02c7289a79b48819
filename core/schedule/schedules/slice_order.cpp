#include "core/schedule/schedules/slice_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {

namespace {

/// `warmup` forwards, then one forward and one backward in turn over the table of (unit, chunk).
void emitRank(ListBuilder& out, const ScheduleRequest& request, const std::vector<ChunkUnit>& table, int rank, int warmup,
              BackwardForm form) {
    const int k = request.slices;
    const int v = request.chunks;
    const int total = static_cast<int>(table.size());
    const auto backward = [&](ActionKind kind, int i) {
        const ChunkUnit unit = table[static_cast<std::size_t>(i)];
        out.add(kind, unit.microBatch / k, (v - 1 - unit.chunk) * request.ranks + rank, k - 1 - unit.microBatch % k);
    };
    const auto forward = [&](int i) {
        const ChunkUnit unit = table[static_cast<std::size_t>(i)];
        out.forward(unit.microBatch / k, unit.chunk * request.ranks + rank, unit.microBatch % k);
    };
    int nextWeight = 0;
    for (int i = 0; i < warmup; ++i) forward(i);
    for (int i = 0; i < total; ++i) {
        if (warmup + i < total) forward(warmup + i);
        backward(form == BackwardForm::split ? ActionKind::backwardInput : ActionKind::backward, i);
        if (form == BackwardForm::split && i >= rank) backward(ActionKind::backwardWeight, nextWeight++);
    }
    while (form == BackwardForm::split && nextWeight < total) backward(ActionKind::backwardWeight, nextWeight++);
}

}  // namespace

ActionLists emitSliceOrder(const ScheduleRequest& request, BackwardForm form) {
    const int p = request.ranks;
    const int units = request.microBatches * request.slices;
    const std::vector<ChunkUnit> table = groupedTable(units, 1, units);
    ListBuilder out(request, linearPlacement(p));
    out.reservePerUnit(form == BackwardForm::split ? 3 : 2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        emitRank(out, request, table, rank, std::min(units, p - 1 - rank + request.slices - 1), form);
    }
    return out.take();
}

ActionLists emitInterleavedSliceOrder(const ScheduleRequest& request, BackwardForm form) {
    const int p = request.ranks;
    const int v = request.chunks;
    const std::vector<ChunkUnit> table = groupedTable(request.microBatches * request.slices, v, p);
    const int total = static_cast<int>(table.size());
    const int perRank = form == BackwardForm::split ? 1 : 2;
    ListBuilder out(request, loopedPlacement(p, v));
    out.reservePerUnit(form == BackwardForm::split ? 3 : 2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        emitRank(out, request, table, rank, std::min(total, perRank * (p - 1 - rank) + (v - 1) * p + request.slices - 1), form);
    }
    return out.take();
}

std::vector<std::string> checkInterleavedSliceOrder(const ScheduleRequest& r) {
    if (r.slices > r.ranks || r.ranks % r.slices != 0)
        return {fmt::format("{} slices do not divide {} ranks; the interleaved form deadlocks otherwise", r.slices, r.ranks)};
    if (r.microBatches * static_cast<std::int64_t>(r.slices) % r.ranks != 0)
        return {fmt::format("{} micro-batches x {} slices are no multiple of {} ranks", r.microBatches, r.slices, r.ranks)};
    return {};
}

}  // namespace trainyard
