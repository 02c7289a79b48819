#include "core/schedule/schedules/v_pattern.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/schedule/list_builder.h"

namespace trainyard {

namespace {

enum class WeightSlots { listed, implied };

constexpr int kForward0 = 0;
constexpr int kForward1 = 1;
constexpr int kInput1 = 2;
constexpr int kInput0 = 3;
constexpr int kWeight = 4;
constexpr int kChainTypes = 4;

bool isForward(int type) { return type <= kForward1; }
bool isInput(int type) { return type == kInput1 || type == kInput0; }

struct Element {
    std::int32_t slot;
    std::int32_t rank;
    std::int32_t type;
    std::int32_t index;
};

/// Slots of all actions of one rank, one list per type in ascending order.
struct RankSlots {
    std::vector<std::int32_t> of[5];

    [[nodiscard]] std::int32_t end() const {
        std::int32_t last = -1;
        for (const auto& list : of)
            if (!list.empty()) last = std::max(last, list.back());
        return last + 1;
    }
};

/// Calls visit(slot, pendingOfChunk1, pendingOfChunk0) for each free slot while input gradients await their weight
/// gradient; the visitor takes one.
template <class Visit>
void forEachWeightSlot(const RankSlots& rank, Visit visit) {
    const std::int32_t end = rank.end();
    std::size_t next[kChainTypes] = {0, 0, 0, 0};
    int pending1 = 0;
    int pending0 = 0;
    for (std::int32_t slot = 0; slot < end || pending1 + pending0 > 0; ++slot) {
        bool taken = false;
        for (int type = 0; type < kChainTypes && slot < end; ++type) {
            if (next[type] >= rank.of[type].size() || rank.of[type][next[type]] != slot) continue;
            ++next[type];
            taken = true;
            if (type == kInput1) ++pending1;
            if (type == kInput0) ++pending0;
        }
        if (!taken && pending1 + pending0 > 0) visit(slot, pending1, pending0);
    }
}

void listWeights(RankSlots& rank) {
    rank.of[kWeight].clear();
    forEachWeightSlot(rank, [&](std::int32_t slot, int& pending1, int& pending0) {
        rank.of[kWeight].push_back(slot);
        --(pending1 > 0 ? pending1 : pending0);
    });
}

std::vector<Element> inSlotOrder(const std::vector<RankSlots>& ranks, int types) {
    std::int32_t end = 0;
    std::size_t count = 0;
    for (const RankSlots& rank : ranks) {
        end = std::max(end, rank.end());
        for (int type = 0; type < types; ++type) count += rank.of[type].size();
    }
    std::vector<std::uint32_t> place(static_cast<std::size_t>(end) + 1, 0);
    for (const RankSlots& rank : ranks)
        for (int type = 0; type < types; ++type)
            for (const std::int32_t slot : rank.of[type]) ++place[static_cast<std::size_t>(slot) + 1];
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    std::vector<Element> elements(count);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (int type = 0; type < types; ++type) {
            const auto& list = ranks[rank].of[type];
            for (std::size_t i = 0; i < list.size(); ++i)
                elements[place[static_cast<std::size_t>(list[i])]++] = {list[i], static_cast<std::int32_t>(rank), type,
                                                                        static_cast<std::int32_t>(i)};
        }
    return elements;
}

/// Activations held on one rank before each slot, for trial moves of one action to an earlier slot.
class MemoryCurve {
  public:
    MemoryCurve(const RankSlots& rank, WeightSlots weights) : weights_(weights) {
        const std::size_t end = static_cast<std::size_t>(rank.end());
        kind_.assign(end, kFree);
        for (int type = 0; type < (weights == WeightSlots::listed ? 5 : kChainTypes); ++type)
            for (const std::int32_t slot : rank.of[type])
                kind_[static_cast<std::size_t>(slot)] = isForward(type) ? kStore : isInput(type) ? kRelease : kFreeOne;
        before_.resize(end + 1);
        State state{};
        for (std::size_t slot = 0; slot < end; ++slot) {
            before_[slot] = state;
            step(state, kind_[slot]);
            peak_ = std::max(peak_, state.held);
        }
        before_[end] = state;
    }

    [[nodiscard]] int peak() const { return peak_; }

    /// Moves what stands at `from` to the free slot `to` < from, unless more than `limit` would be held then.
    bool moveIfFits(std::int32_t from, std::int32_t to, int limit) {
        const std::size_t source = static_cast<std::size_t>(from);
        const std::size_t target = static_cast<std::size_t>(to);
        const std::uint8_t moved = kind_[source];
        const auto kindAt = [&](std::size_t slot) { return slot == target ? moved : slot == source ? kFree : kind_[slot]; };
        State state = before_[target];
        for (std::size_t slot = target; slot < kind_.size(); ++slot) {
            step(state, kindAt(slot));
            if (state.held > limit) return false;
            if (slot >= source && state == before_[slot + 1]) break;
        }
        kind_[target] = moved;
        kind_[source] = kFree;
        state = before_[target];
        for (std::size_t slot = target; slot < kind_.size(); ++slot) {
            step(state, kind_[slot]);
            if (slot >= source && state == before_[slot + 1]) break;
            before_[slot + 1] = state;
        }
        return true;
    }

  private:
    struct State {
        std::int32_t held = 0;
        std::int32_t pendingWeights = 0;
        bool operator==(const State&) const = default;
    };
    static constexpr std::uint8_t kFree = 0;
    static constexpr std::uint8_t kStore = 1;
    static constexpr std::uint8_t kRelease = 2;
    static constexpr std::uint8_t kFreeOne = 3;

    void step(State& state, std::uint8_t kind) const {
        switch (kind) {
            case kStore: ++state.held; break;
            case kRelease: ++state.pendingWeights; break;
            case kFreeOne: --state.held; break;
            default:
                if (weights_ == WeightSlots::implied && state.pendingWeights > 0) {
                    --state.held;
                    --state.pendingWeights;
                }
        }
    }

    WeightSlots weights_;
    std::vector<std::uint8_t> kind_;
    std::vector<State> before_;
    int peak_ = 0;
};

/// Slot after the latest producer within the pattern; 0 if there is none.
std::int32_t slotAfterProducers(const std::vector<RankSlots>& ranks, const Element& e) {
    std::int32_t latest = -1;
    const std::size_t rank = static_cast<std::size_t>(e.rank);
    const std::size_t index = static_cast<std::size_t>(e.index);
    const bool down = e.type == kForward0 || e.type == kInput1;
    if (e.type < kChainTypes) {
        if (down && rank > 0) latest = std::max(latest, ranks[rank - 1].of[e.type][index]);
        if (!down && rank + 1 < ranks.size()) latest = std::max(latest, ranks[rank + 1].of[e.type][index]);
        if (e.type > 0) latest = std::max(latest, ranks[rank].of[e.type - 1][index]);
    }
    if (index > 0) latest = std::max(latest, ranks[rank].of[e.type][index - 1]);
    return latest + 1;
}

/// Runs the actions in their order as soon as possible, one slot each.
void squeeze(std::vector<RankSlots>& ranks, int types) {
    const std::vector<Element> elements = inSlotOrder(ranks, types);
    std::vector<std::int32_t> free(ranks.size(), 0);
    for (const Element& e : elements) {
        const std::size_t rank = static_cast<std::size_t>(e.rank);
        const std::int32_t slot = std::max(slotAfterProducers(ranks, e), free[rank]);
        ranks[rank].of[e.type][static_cast<std::size_t>(e.index)] = slot;
        free[rank] = slot + 1;
    }
}

/// Moves actions of warm-up (only with listed weights) and cool-down earlier without raising the highest peak.
void reorder(std::vector<RankSlots>& ranks, WeightSlots weights) {
    const bool listed = weights == WeightSlots::listed;
    if (listed)
        for (RankSlots& rank : ranks) listWeights(rank);
    std::vector<MemoryCurve> curves;
    std::vector<std::vector<char>> occupied;
    std::vector<std::vector<std::int32_t>> inputSlots(ranks.size());
    int limit = 0;
    for (const RankSlots& rank : ranks) {
        curves.emplace_back(rank, weights);
        occupied.emplace_back(static_cast<std::size_t>(rank.end()), char{0});
        limit = std::max(limit, curves.back().peak());
    }
    const std::int32_t lastMicroBatch = static_cast<std::int32_t>(ranks[0].of[0].size()) - 1;
    enum class Phase { warmup, steady, cooldown } phase = Phase::warmup;
    for (const Element& e : inSlotOrder(ranks, listed ? 5 : kChainTypes)) {
        const std::size_t rank = static_cast<std::size_t>(e.rank);
        if (phase == Phase::warmup && e.type == kInput0 && e.rank == 0) phase = Phase::steady;
        std::int32_t slot = e.slot;
        bool movable = phase == Phase::cooldown || (phase == Phase::warmup && listed);
        if (phase == Phase::steady && e.type == kForward0 && e.index == lastMicroBatch) phase = Phase::cooldown;
        if (movable) {
            std::int32_t earliest = slotAfterProducers(ranks, e);
            if (e.type == kWeight) earliest = std::max(earliest, inputSlots[rank][static_cast<std::size_t>(e.index)] + 1);
            for (std::int32_t candidate = earliest; candidate < e.slot; ++candidate) {
                if (occupied[rank][static_cast<std::size_t>(candidate)] != 0 ||
                    !curves[rank].moveIfFits(e.slot, candidate, limit))
                    continue;
                slot = candidate;
                break;
            }
        }
        ranks[rank].of[e.type][static_cast<std::size_t>(e.index)] = slot;
        occupied[rank][static_cast<std::size_t>(slot)] = 1;
        if (listed && isInput(e.type))
            inputSlots[rank].insert(std::upper_bound(inputSlots[rank].begin(), inputSlots[rank].end(), slot), slot);
    }
    if (!listed)
        for (RankSlots& rank : ranks) listWeights(rank);
    squeeze(ranks, 5);
    for (RankSlots& rank : ranks) rank.of[kWeight].clear();
}

}  // namespace

ActionLists emitVPattern(const ScheduleRequest& request, const std::vector<VPattern>& patternOfRank) {
    const int p = request.ranks;
    const int m = request.microBatches;
    std::vector<RankSlots> ranks(static_cast<std::size_t>(p));
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::size_t type = 0; type < kChainTypes; ++type)
            for (int mb = 0; mb < m; ++mb) ranks[rank].of[type].push_back(patternOfRank[rank][type] + kPatternPeriod * mb);
    reorder(ranks, WeightSlots::listed);
    reorder(ranks, WeightSlots::implied);

    ListBuilder out(request, wavePlacement(p, 2));
    out.reservePerUnit(3);
    for (int rank = 0; rank < p; ++rank) {
        out.beginRank();
        const RankSlots& slots = ranks[static_cast<std::size_t>(rank)];
        const int stageOf[2] = {rank, 2 * p - 1 - rank};
        struct Cell {
            std::int32_t slot;
            ActionKind kind;
            std::int32_t microBatch;
            std::int32_t chunk;
        };
        std::vector<Cell> cells;
        cells.reserve(static_cast<std::size_t>(6 * m));
        for (int mb = 0; mb < m; ++mb) {
            const std::size_t i = static_cast<std::size_t>(mb);
            cells.push_back({slots.of[kForward0][i], ActionKind::forward, mb, 0});
            cells.push_back({slots.of[kForward1][i], ActionKind::forward, mb, 1});
            cells.push_back({slots.of[kInput1][i], ActionKind::backwardInput, mb, 1});
            cells.push_back({slots.of[kInput0][i], ActionKind::backwardInput, mb, 0});
        }
        std::int32_t weights[2] = {0, 0};
        forEachWeightSlot(slots, [&](std::int32_t slot, int& pending1, int& pending0) {
            const int chunk = pending1 > 0 ? 1 : 0;
            --(chunk == 1 ? pending1 : pending0);
            cells.push_back({slot, ActionKind::backwardWeight, weights[chunk]++, chunk});
        });
        std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.slot < b.slot; });
        for (const Cell& cell : cells) out.add(cell.kind, cell.microBatch, stageOf[cell.chunk]);
    }
    return out.take();
}

}  // namespace trainyard
