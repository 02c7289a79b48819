#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

std::vector<std::string> check(const ScheduleRequest& r) {
    if (r.chunks % 2 != 0)
        return {fmt::format("hanayo needs an even number of chunks per rank (two make one wave), not {}", r.chunks)};
    return {};
}

/// The time slots of one rank; grows as needed.
class SlotRow {
  public:
    /// First slot at or after `from` with `length` free slots.
    [[nodiscard]] std::int32_t firstFree(std::int32_t from, std::int32_t length) const {
        for (std::int32_t slot = from;; ++slot)
            if (isFree(slot) && (length == 1 || isFree(slot + 1))) return slot;
    }
    void take(std::int32_t slot) {
        if (static_cast<std::size_t>(slot) >= taken_.size()) taken_.resize(static_cast<std::size_t>(slot) * 2 + 16, 0);
        taken_[static_cast<std::size_t>(slot)] = 1;
    }

  private:
    [[nodiscard]] bool isFree(std::int32_t slot) const {
        return static_cast<std::size_t>(slot) >= taken_.size() || taken_[static_cast<std::size_t>(slot)] == 0;
    }
    std::vector<char> taken_;
};

/// In units of p micro-batches. The first of a unit takes the earliest slots of its chain (forward one slot, backward two).
/// The free slots just before each rank's first forward on chunk 1 and before its last chunk's backward stay empty for the
/// others to flow in step; then the others take their earliest slots, one after the other.
ActionLists emit(const ScheduleRequest& request) {
    const int p = request.ranks;
    const int v = request.chunks;
    const StagePlacement placement = wavePlacement(p, v);
    struct Cell {
        std::int32_t slot;
        std::int32_t microBatch;
        std::int32_t stage;
        bool forward;
    };
    std::vector<SlotRow> rows(static_cast<std::size_t>(p));
    std::vector<std::vector<Cell>> cells(static_cast<std::size_t>(p));
    const int stages = p * v;
    std::int32_t unitStart = 0;
    for (int first = 0; first < request.microBatches; first += p) {
        std::int32_t nextUnitStart = unitStart;
        for (int mb = first; mb < std::min(first + p, request.microBatches); ++mb) {
            std::int32_t from = unitStart;
            std::vector<std::pair<std::size_t, std::pair<std::int32_t, int>>> forbidden;
            for (int step = 0; step < 2 * stages; ++step) {
                const bool isForward = step < stages;
                const int stage = isForward ? step : 2 * stages - 1 - step;
                const std::size_t rank = placement[static_cast<std::size_t>(stage)];
                const std::int32_t length = isForward ? 1 : 2;
                const std::int32_t slot = rows[rank].firstFree(from, length);
                for (std::int32_t i = 0; i < length; ++i) rows[rank].take(slot + i);
                cells[rank].push_back({slot, mb, stage, isForward});
                from = slot + length;
                const int chunk = stage / p;
                if (mb == first && isForward && chunk == 1) forbidden.push_back({rank, {slot, p - 1 - static_cast<int>(rank)}});
                if (mb == first && !isForward && chunk == v - 1) forbidden.push_back({rank, {slot, static_cast<int>(rank)}});
            }
            if (mb == first) nextUnitStart = from;
            for (const auto& [rank, run] : forbidden)
                for (int i = 1; i <= run.second; ++i)
                    if (run.first - i >= 0) rows[rank].take(run.first - i);
        }
        unitStart = nextUnitStart;
    }
    ListBuilder out(request, placement);
    out.reservePerUnit(2);
    for (std::vector<Cell>& list : cells) {
        std::sort(list.begin(), list.end(), [](const Cell& a, const Cell& b) { return a.slot < b.slot; });
        out.beginRank();
        for (const Cell& cell : list)
            cell.forward ? out.forward(cell.microBatch, cell.stage) : out.backward(cell.microBatch, cell.stage);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "hanayo",
    .title = "Hanayo",
    .summary = "Chunks run down and up the ranks in waves: the bubble of Chimera without a second copy of the parameters.",
    .reference = "Liu et al., arXiv 2308.15762, 2023",
    .aliases = {},
    .parameters = {},
    .searched = true,
    .needsChunks = true,
    .check = check,
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.microBatches != r.ranks) return std::nullopt;
        return std::int64_t{3} * r.ranks * r.chunks + 4 * (r.ranks - 1);
    },
};
const ScheduleRegistration kRegistration{260, kDefinition};

}  // namespace
}  // namespace trainyard
