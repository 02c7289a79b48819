#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/schedule/list_builder.h"

namespace trainyard {
namespace {

constexpr std::string_view kAliases[] = {"zb-2p-auto", "zb-auto-uneven"};
constexpr ScheduleParameter kParameters[] = {
    {"limit", "micro-batches a rank may hold at once (default: twice the ranks)", 1, 1'000'000, 0},
    {"freed", "thousandths of an activation that the input gradient already frees (default 0: all at the weight gradient)", 0,
     1000, 0},
};
constexpr std::int64_t kWholeActivation = 1000;

struct Costs {
    Ticks forward;
    Ticks input;
    Ticks weight;
    Ticks hopForward;   ///< from this rank to the next
    Ticks hopBackward;  ///< from this rank to the one before
};

std::vector<Costs> costsOf(const ScheduleRequest& request) {
    const StageTimes& t = request.times;
    const auto at = [](const std::vector<Ticks>& list, std::size_t i, Ticks fallback) {
        return list.empty() ? fallback : i < list.size() ? list[i] : 0;
    };
    const Ticks unit = t.forward.empty() ? 1 : 0;
    std::vector<Costs> costs;
    for (std::size_t i = 0; i < static_cast<std::size_t>(request.ranks); ++i)
        costs.push_back({at(t.forward, i, unit), at(t.backwardInput, i, unit), at(t.backwardWeight, i, unit),
                         at(t.sendForward, i, 0) + at(t.latencyForward, i, 0),
                         at(t.sendBackward, i, 0) + at(t.latencyBackward, i, 0)});
    return costs;
}

/// Choices that the search tries in all combinations.
struct Options {
    bool bubbleBeforeFirstInput;  ///< warm-up forwards may not make the first input gradient wait
    bool preferInput;             ///< rather an input gradient than a second forward ahead of the next rank
    bool fillShortGaps;           ///< a weight gradient also where the gap is shorter than it
};

/// One greedy pass. Keeps, per rank, the time it is free, what it holds and the idle time since its first forward.
class GreedyPass {
  public:
    GreedyPass(const std::vector<Costs>& costs, int microBatches, std::int64_t limit, std::int64_t freedByInput, Options options)
        : costs_(costs),
          m_(microBatches),
          limit_(limit),
          freedByInput_(freedByInput),
          options_(options),
          ranks_(costs.size()),
          forwardEnd_(costs.size() * static_cast<std::size_t>(microBatches)),
          inputEnd_(forwardEnd_.size()) {
        for (Rank& rank : ranks_) rank.order.reserve(static_cast<std::size_t>(3 * microBatches));
        warmUp();
        for (int i = 1; i < m_; ++i) {
            placeForwards();
            placeInputs();
        }
        for (std::size_t j = 0; j < ranks_.size(); ++j)
            while (ranks_[j].weights < m_) put(j, ActionKind::backwardWeight);
    }

    /// Longest time from a rank's first start to its last end.
    [[nodiscard]] Ticks span() const {
        Ticks longest = 0;
        for (const Rank& rank : ranks_) longest = std::max(longest, rank.free - rank.firstStart);
        return longest;
    }
    [[nodiscard]] const std::vector<ActionKind>& order(std::size_t rank) const { return ranks_[rank].order; }

  private:
    struct Rank {
        int forwards = 0;
        int inputs = 0;
        int weights = 0;
        Ticks free = 0;
        Ticks firstStart = 0;
        Ticks idle = 0;
        std::int64_t held = 0;
        std::vector<ActionKind> order;
        [[nodiscard]] bool hasPendingWeight() const { return weights < inputs; }
    };

    [[nodiscard]] std::size_t place(std::size_t rank, int microBatch) const {
        return rank * static_cast<std::size_t>(m_) + static_cast<std::size_t>(microBatch);
    }
    /// When the input of the rank's next forward or input gradient arrives.
    [[nodiscard]] Ticks forwardArrival(std::size_t j) const {
        return forwardEnd_[place(j - 1, ranks_[j].forwards)] + costs_[j - 1].hopForward;
    }
    [[nodiscard]] Ticks inputArrival(std::size_t j) const {
        return inputEnd_[place(j + 1, ranks_[j].inputs)] + costs_[j + 1].hopBackward;
    }

    void put(std::size_t j, ActionKind kind) {
        Rank& rank = ranks_[j];
        Ticks start = rank.free;
        Ticks length = costs_[j].weight;
        if (kind == ActionKind::forward) {
            length = costs_[j].forward;
            if (j > 0) start = std::max(start, forwardArrival(j));
        } else if (kind == ActionKind::backwardInput) {
            length = costs_[j].input;
            if (j + 1 < ranks_.size()) start = std::max(start, inputArrival(j));
        }
        if (rank.forwards > 0)
            rank.idle += start - rank.free;
        else
            rank.firstStart = start;
        mostIdle_ = std::max(mostIdle_, rank.idle);
        rank.free = start + length;
        rank.order.push_back(kind);
        switch (kind) {
            case ActionKind::forward:
                forwardEnd_[place(j, rank.forwards++)] = rank.free;
                rank.held += kWholeActivation;
                break;
            case ActionKind::backwardInput:
                inputEnd_[place(j, rank.inputs++)] = rank.free;
                rank.held -= freedByInput_;
                break;
            default:
                ++rank.weights;
                rank.held -= kWholeActivation - freedByInput_;
                break;
        }
    }

    /// One forward on each rank, further ones while they end before the first gradient returns, then that gradient.
    void warmUp() {
        const std::size_t p = ranks_.size();
        for (std::size_t j = 0; j < p; ++j) put(j, ActionKind::forward);
        std::vector<int> extra(p, 0);
        Ticks gradient = forwardEnd_[place(p - 1, 0)] + costs_[p - 1].input;
        for (std::size_t j = p - 1; j-- > 0;) {
            const Ticks arrival = gradient + costs_[j + 1].hopBackward;
            std::int64_t held = ranks_[j].held;
            Ticks free = ranks_[j].free;
            while (ranks_[j].forwards + extra[j] < m_ && held + kWholeActivation <= limit_) {
                if (options_.bubbleBeforeFirstInput ? free + costs_[j].forward > arrival : free >= arrival) break;
                held += kWholeActivation;
                free += costs_[j].forward;
                ++extra[j];
            }
            gradient = std::max(free, arrival) + costs_[j].input;
        }
        for (std::size_t j = 1; j < p; ++j)
            while (extra[j] > 0 && extra[j] >= extra[j - 1] && ranks_[j].forwards + extra[j] < m_) --extra[j];
        for (std::size_t j = 0; j < p; ++j)
            for (int i = 0; i < extra[j]; ++i) put(j, ActionKind::forward);
        for (std::size_t j = p; j-- > 0;) put(j, ActionKind::backwardInput);
    }

    /// Whether the rank should run one more forward in this round.
    [[nodiscard]] bool wantsForward(std::size_t j) const {
        const Rank& rank = ranks_[j];
        if (rank.forwards >= m_) return false;
        if (!options_.preferInput || j + 1 >= ranks_.size() || rank.forwards < ranks_[j + 1].forwards + 2) return true;
        // Two ahead of the next rank: only if it ends before that rank has done its forward and input gradient.
        const Ticks nextDone = ranks_[j + 1].free + costs_[j + 1].forward + costs_[j + 1].input + costs_[j].hopForward;
        if (rank.free >= nextDone) return false;
        std::int64_t held = rank.held + kWholeActivation;
        Ticks weightTime = 0;
        for (int w = rank.weights; held > limit_ && w < rank.inputs; ++w) {
            weightTime += costs_[j].weight;
            held -= kWholeActivation - freedByInput_;
        }
        if (rank.free + costs_[j].forward + weightTime <= nextDone) return true;
        return nextDone - rank.free > mostIdle_ - rank.idle;
    }

    /// Weight gradients into the time until `arrival`.
    void fillGap(std::size_t j, Ticks arrival) {
        Rank& rank = ranks_[j];
        while (rank.hasPendingWeight() && rank.free + costs_[j].weight <= arrival) put(j, ActionKind::backwardWeight);
        if (rank.hasPendingWeight() && rank.free < arrival &&
            (options_.fillShortGaps || arrival - rank.free > mostIdle_ - rank.idle))
            put(j, ActionKind::backwardWeight);
    }

    void placeForwards() {
        const std::size_t p = ranks_.size();
        std::vector<char>& wanted = wanted_;
        wanted.assign(p, 0);
        for (std::size_t j = 0; j < p; ++j) wanted[j] = wantsForward(j) ? 1 : 0;
        for (std::size_t j = p - 1; j-- > 0;) wanted[j] = std::min(wanted[j], wanted[j + 1]);
        for (std::size_t j = 0; j < p; ++j) {
            if (wanted[j] == 0) continue;
            while (ranks_[j].held + kWholeActivation > limit_ && ranks_[j].hasPendingWeight()) put(j, ActionKind::backwardWeight);
            if (j > 0) fillGap(j, forwardArrival(j));
            put(j, ActionKind::forward);
        }
    }

    void placeInputs() {
        for (std::size_t j = ranks_.size(); j-- > 0;) {
            if (j + 1 < ranks_.size()) fillGap(j, inputArrival(j));
            if (j == 0 && ranks_[j].forwards == m_)
                while (ranks_[j].hasPendingWeight()) put(j, ActionKind::backwardWeight);
            put(j, ActionKind::backwardInput);
        }
    }

    const std::vector<Costs>& costs_;
    int m_;
    std::int64_t limit_;
    std::int64_t freedByInput_;
    Options options_;
    std::vector<Rank> ranks_;
    std::vector<Ticks> forwardEnd_;  ///< [rank][micro-batch]
    std::vector<Ticks> inputEnd_;
    std::vector<char> wanted_;
    Ticks mostIdle_ = 0;
};

ActionLists emit(const ScheduleRequest& request) {
    const std::vector<Costs> costs = costsOf(request);
    const std::int64_t limit = request.parameter("limit").value_or(2 * request.ranks) * kWholeActivation;
    const std::int64_t freed = request.parameter("freed").value_or(0);
    std::vector<GreedyPass> best;
    for (const bool bubble : {true, false})
        for (const bool prefer : {true, false})
            for (const bool fill : {true, false}) {
                GreedyPass pass(costs, request.microBatches, limit, freed, {bubble, prefer, fill});
                if (!best.empty() && pass.span() >= best.front().span()) continue;
                best.clear();
                best.push_back(std::move(pass));
            }
    ListBuilder out(request, linearPlacement(request.ranks));
    out.reservePerUnit(3);
    for (int rank = 0; rank < request.ranks; ++rank) {
        out.beginRank();
        int forwards = 0;
        int inputs = 0;
        int weights = 0;
        for (const ActionKind kind : best.front().order(static_cast<std::size_t>(rank)))
            out.add(kind,
                    kind == ActionKind::forward         ? forwards++
                    : kind == ActionKind::backwardInput ? inputs++
                                                        : weights++,
                    rank);
    }
    return out.take();
}

constexpr ScheduleDefinition kDefinition{
    .id = "zb-auto",
    .title = "Automatic zero bubble",
    .summary = "A greedy search for a schedule without bubbles under a memory limit, with the real times of each stage.",
    .reference = "Qi et al., arXiv 2401.10241, 2023",
    .aliases = kAliases,
    .parameters = kParameters,
    .fixedChunks = 1,
    .splitsBackward = true,
    .searched = true,
    .check = [](const ScheduleRequest&) { return std::vector<std::string>{}; },
    .emit = emit,
    .idleClosedForm = nullptr,
    .peakClosedForm = nullptr,
    .unitMakespanClosedForm = [](const ScheduleRequest& r) -> std::optional<std::int64_t> {
        if (r.microBatches < r.ranks || r.parameter("limit") || !r.times.forward.empty()) return std::nullopt;
        return std::int64_t{3} * r.microBatches + r.ranks - 1;
    },
};
const ScheduleRegistration kRegistration{160, kDefinition};

}  // namespace
}  // namespace trainyard
