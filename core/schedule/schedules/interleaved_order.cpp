#include "core/schedule/schedules/interleaved_order.h"

#include <algorithm>

#include "core/schedule/list_builder.h"

namespace trainyard {

std::vector<ChunkUnit> groupedTable(int microBatches, int chunks, int group) {
    std::vector<ChunkUnit> table;
    table.reserve(static_cast<std::size_t>(microBatches) * static_cast<std::size_t>(chunks));
    for (int first = 0; first < microBatches; first += group)
        for (int chunk = 0; chunk < chunks; ++chunk)
            for (int mb = first; mb < std::min(first + group, microBatches); ++mb) table.push_back({mb, chunk});
    return table;
}

ActionLists emitInterleaved(const ScheduleRequest& request, int group, int extraWarmup, bool pairs) {
    const int p = request.ranks;
    const int v = request.chunks;
    const std::vector<ChunkUnit> table = groupedTable(request.microBatches, v, group);
    const int total = static_cast<int>(table.size());
    ListBuilder out(request, loopedPlacement(p, v));
    out.reservePerUnit(2);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const int warmup = std::min(total, 2 * (p - 1 - rank) + (v - 1) * group + extraWarmup);
        const auto forward = [&](int i) {
            const ChunkUnit unit = table[static_cast<std::size_t>(i)];
            out.forward(unit.microBatch, unit.chunk * p + rank);
        };
        const auto backward = [&](int i) {
            const ChunkUnit unit = table[static_cast<std::size_t>(i)];
            out.backward(unit.microBatch, (v - 1 - unit.chunk) * p + rank);
        };
        for (int i = 0; i < warmup; ++i) forward(i);
        for (int i = warmup; i < total; ++i) {
            forward(i);
            backward(i - warmup);
            if (pairs) out.pairLastTwo();
        }
        for (int i = total - warmup; i < total; ++i) backward(i);
    }
    return out.take();
}

}  // namespace trainyard
