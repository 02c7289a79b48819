#include "core/schedule/schedules/grouped_order.h"

#include <algorithm>
#include <numeric>

#include "core/schedule/list_builder.h"

namespace trainyard {

ActionLists emitGroupedInterleaved(const ScheduleRequest& request, int group, int recomputedChunks) {
    const int p = request.ranks;
    const int v = request.chunks;
    const int m = request.microBatches;
    // A chunk returns to a rank after `turns` groups at the earliest, so that the pipeline of ceil(p/2) is covered.
    const int turns = ((p + 1) / 2 + group - 1) / group;
    const int common = std::gcd(v, turns);
    const int period = 3 * group * v;
    const auto turnSlot = [&](int turn, int member) {
        return 3 * turns * group * turn + 3 * member + 3 * group * (turn / (v / common));
    };

    ListBuilder out(request, loopedPlacement(p, v));
    out.reservePerUnit(recomputedChunks > 0 ? 4 : 3);
    struct Cell {
        int slot;
        int chunk;
        int microBatch;
        bool forward;
    };
    std::vector<Cell> cells;
    for (int rank = 0; rank < p; ++rank) {
        const auto forwardSlot = [&](int turn, int member) { return turnSlot(turn, member) + rank; };
        const int firstBackward = forwardSlot(v - 1, 0) + 1 + 3 * (p - 1 - rank);
        cells.clear();
        for (int first = 0, repeat = 0; first < m; first += group, ++repeat)
            for (int member = 0; member < std::min(group, m - first); ++member)
                for (int turn = 0; turn < v; ++turn) {
                    cells.push_back({forwardSlot(turn, member) + repeat * period, turn, first + member, true});
                    cells.push_back(
                        {firstBackward + turnSlot(turn, member) + repeat * period, v - 1 - turn, first + member, false});
                }
        std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.slot < b.slot; });
        out.beginRank();
        for (const Cell& cell : cells) {
            const int stage = cell.chunk * p + rank;
            const bool recomputed = cell.chunk < recomputedChunks;
            if (cell.forward) {
                out.forward(cell.microBatch, stage);
                if (recomputed) out.last().flags |= kRecomputed;
                continue;
            }
            if (recomputed) out.recompute(cell.microBatch, stage);
            out.backwardInput(cell.microBatch, stage);
            out.backwardWeight(cell.microBatch, stage);
        }
    }
    return out.take();
}

}  // namespace trainyard
