#include "core/schedule/schedules/zero_bubble_order.h"

#include <algorithm>

#include "core/schedule/list_builder.h"
#include "core/schedule/schedules/interleaved_order.h"

namespace trainyard {

ActionLists emitZeroBubble1F1B(const ScheduleRequest& request, int group) {
    const int p = request.ranks;
    const int v = request.chunks;
    const std::vector<ChunkUnit> table = groupedTable(request.microBatches, v, group);
    const int total = static_cast<int>(table.size());
    ListBuilder out(request, loopedPlacement(p, v));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int warmup = std::min(total, p - 1 - rank + (v - 1) * group);
        const auto forward = [&](int i) {
            const ChunkUnit unit = table[static_cast<std::size_t>(i)];
            out.forward(unit.microBatch, unit.chunk * p + rank);
        };
        const auto backwardStage = [&](ChunkUnit unit) { return (v - 1 - unit.chunk) * p + rank; };
        int nextWeight = 0;
        const auto weight = [&] {
            const ChunkUnit unit = table[static_cast<std::size_t>(nextWeight++)];
            out.backwardWeight(unit.microBatch, backwardStage(unit));
        };
        for (int i = 0; i < warmup; ++i) forward(i);
        for (int i = 0; i < total; ++i) {
            if (warmup + i < total) forward(warmup + i);
            const ChunkUnit unit = table[static_cast<std::size_t>(i)];
            out.backwardInput(unit.microBatch, backwardStage(unit));
            if (i >= rank) weight();
        }
        while (nextWeight < total) weight();
    }
    return out.take();
}

}  // namespace trainyard
