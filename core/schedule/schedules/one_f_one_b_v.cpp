#include <algorithm>
#include <cstdint>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr std::int32_t kPeriod = 6;
constexpr int kTypes = 4;  // chain order: forward on chunk 0, forward on chunk 1, backward on chunk 1, backward on chunk 0

std::int32_t lengthOf(int type) { return type < 2 ? 1 : 2; }

/// Rank that runs the i-th step of a type's pass over the ranks: types 0 and 2 run down, 1 and 3 up.
std::size_t rankOfStep(int type, std::size_t step, std::size_t ranks) { return type % 2 == 0 ? step : ranks - 1 - step; }

/// Slots of the first micro-batch, [type][rank]. Backwards take two slots each and leave every third pair of slots to the
/// forwards, so that a period of six slots repeats without collision.
std::vector<std::vector<std::int32_t>> firstSlots(std::size_t p) {
    std::vector<std::vector<std::int32_t>> slots(kTypes, std::vector<std::int32_t>(p));
    std::int32_t now = 0;
    for (int type = 0; type < 2; ++type)
        for (std::size_t step = 0; step < p; ++step) slots[static_cast<std::size_t>(type)][rankOfStep(type, step, p)] = now++;
    if (p % 3 == 0) now += 3;
    std::size_t inRow = (3 - (p + 2) % 3) % 3;
    for (int type = 2; type < kTypes; ++type)
        for (std::size_t step = 0; step < p; ++step) {
            slots[static_cast<std::size_t>(type)][rankOfStep(type, step, p)] = now;
            now += 2;
            if (++inRow == 3) {
                inRow = 0;
                now += 3;
            }
        }
    // The same residues as early as the chain allows.
    std::int32_t earliest = 0;
    for (int type = 0; type < kTypes; ++type)
        for (std::size_t step = 0; step < p; ++step) {
            std::int32_t& slot = slots[static_cast<std::size_t>(type)][rankOfStep(type, step, p)];
            slot = earliest + ((slot - earliest) % kPeriod + kPeriod) % kPeriod;
            earliest = slot + lengthOf(type);
        }
    return slots;
}

struct Cell {
    std::int32_t slot;
    std::int32_t rank;
    std::int32_t type;
    std::int32_t microBatch;
};

/// Repeats the pattern and moves every action, in the order of its slots, as early as its producers, free slots and the
/// highest number of held activations allow.
std::vector<std::vector<Cell>> packedCells(std::size_t p, std::int32_t m) {
    const auto first = firstSlots(p);
    std::vector<Cell> order;
    std::int32_t end = 0;
    for (int type = 0; type < kTypes; ++type)
        for (std::size_t rank = 0; rank < p; ++rank)
            for (std::int32_t mb = 0; mb < m; ++mb) {
                const std::int32_t slot = first[static_cast<std::size_t>(type)][rank] + kPeriod * mb;
                order.push_back({slot, static_cast<std::int32_t>(rank), type, mb});
                end = std::max(end, slot + 2);
            }
    std::sort(order.begin(), order.end(),
              [](const Cell& a, const Cell& b) { return a.slot != b.slot ? a.slot < b.slot : a.rank < b.rank; });

    const std::size_t width = static_cast<std::size_t>(end);
    std::vector<char> taken(p * width, 0);
    std::vector<std::int32_t> held(p * width, 0);  // after each slot, as the pattern has it and then as it changes
    const auto at = [width](std::size_t rank, std::int32_t slot) { return rank * width + static_cast<std::size_t>(slot); };
    for (const Cell& cell : order) {
        const std::size_t rank = static_cast<std::size_t>(cell.rank);
        for (std::int32_t i = 0; i < lengthOf(cell.type); ++i) taken[at(rank, cell.slot + i)] = 1;
        held[at(rank, cell.slot + lengthOf(cell.type) - 1)] += cell.type < 2 ? 1 : -1;
    }
    std::int32_t peak = 0;
    for (std::size_t rank = 0; rank < p; ++rank)
        for (std::size_t slot = 1; slot < width; ++slot) {
            held[rank * width + slot] += held[rank * width + slot - 1];
            peak = std::max(peak, held[rank * width + slot]);
        }

    std::vector<std::int32_t> doneAt(kTypes * p * static_cast<std::size_t>(m), 0);  // slot after the action
    const auto done = [&](int type, std::size_t rank, std::int32_t mb) -> std::int32_t& {
        return doneAt[(static_cast<std::size_t>(type) * p + rank) * static_cast<std::size_t>(m) + static_cast<std::size_t>(mb)];
    };
    std::vector<std::vector<Cell>> packed(p);
    for (Cell cell : order) {
        const std::size_t rank = static_cast<std::size_t>(cell.rank);
        const bool down = cell.type % 2 == 0;
        const bool entry = down ? rank == 0 : rank == p - 1;
        const std::int32_t length = lengthOf(cell.type);
        std::int32_t earliest = cell.microBatch > 0 ? done(cell.type, rank, cell.microBatch - 1) : 0;
        if (!entry) earliest = std::max(earliest, done(cell.type, down ? rank - 1 : rank + 1, cell.microBatch));
        if (entry && cell.type > 0) earliest = std::max(earliest, done(cell.type - 1, rank, cell.microBatch));
        std::int32_t slot = earliest;
        if (cell.type < 2) {
            // Not before the last slot at which one more activation would exceed the peak.
            std::int32_t allowed = cell.slot;
            while (allowed > earliest && held[at(rank, allowed - 1)] < peak) --allowed;
            slot = allowed;
        }
        for (std::int32_t i = 0; i < length; ++i) taken[at(rank, cell.slot + i)] = 0;
        while (slot < cell.slot && (taken[at(rank, slot)] != 0 || (length == 2 && taken[at(rank, slot + 1)] != 0))) ++slot;
        for (std::int32_t i = 0; i < length; ++i) taken[at(rank, slot + i)] = 1;
        if (slot < cell.slot)
            for (std::int32_t i = slot + length - 1; i < cell.slot + length - 1; ++i) held[at(rank, i)] += cell.type < 2 ? 1 : -1;
        cell.slot = slot;
        done(cell.type, rank, cell.microBatch) = slot + length;
        packed[rank].push_back(cell);
    }
    for (auto& list : packed) std::sort(list.begin(), list.end(), [](const Cell& a, const Cell& b) { return a.slot < b.slot; });
    return packed;
}

ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    ListBuilder out(request, wavePlacement(p, 2));
    out.reservePerUnit(2);
    const auto packed = packedCells(static_cast<std::size_t>(p), request.microBatches);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        for (const Cell& cell : packed[static_cast<std::size_t>(rank)]) {
            const bool secondChunk = cell.type == 1 || cell.type == 2;
            const int stage = secondChunk ? 2 * p - 1 - rank : rank;
            cell.type < 2 ? out.forward(cell.microBatch, stage) : out.backward(cell.microBatch, stage);
        }
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "1f1b-v",
    .title = "1F1B-V",
    .summary = "Two chunks per rank in a V without splitting the backward, at about two thirds of the activation memory of 1F1B.",
    .reference = "Qi et al., arXiv 2405.15362, 2024",
    .aliases = {},
    .parameters = {},
    .fixedChunks = 2,
    .searched = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
};
const ScheduleRegistration kRegistration{210, kDefinition};

}  // namespace
}  // namespace trainyard
