#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/schedule/action_text.h"
#include "core/schedule/simulate_parts.h"

namespace trainyard::simulation {

namespace {

/// Which time of a producer the consumer waits for.
enum From : std::uint8_t { kFromEnd, kFromResult, kFromArrival, kFromStart, kFromShare };

enum class Event : std::uint8_t {
    forward,
    gradient,
    recompute,
    evict,
    load,
    offload,
    reload,
    sendForward,
    sendBackward,
    receiveForward,
    receiveBackward
};
constexpr std::size_t kEvents = 11;

/// The action graph: nodes are list positions, then one node per barrier round.
class LaneSimulation {
  public:
    LaneSimulation(const ActionLists& lists, const StageTimes& times, LaneMemory& memory, Timeline& out)
        : lists_(lists),
          times_(times),
          memory_(memory),
          out_(out),
          count_(static_cast<std::uint32_t>(lists.actions.size())),
          stages_(static_cast<std::size_t>(lists.stages)),
          slices_(static_cast<std::size_t>(lists.slices)),
          units_(static_cast<std::size_t>(lists.microBatches) * slices_) {}

    Result<void> run() {
        memory_.duration.fill(lists_, times_);
        memory_.links.fill(lists_, times_);
        layOut();
        indexEvents();
        buildEdges();
        return propagate();
    }

  private:
    // --- where spans lie ---

    void layOut() {
        const std::size_t ranks = static_cast<std::size_t>(lists_.ranks());
        memory_.spanOf.resize(count_);
        out_.ranks = lists_.ranks();
        out_.laneBegin.assign(ranks * kLaneCount + 1, 0);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            for (std::uint32_t i = lists_.rankBegin[rank]; i < lists_.rankBegin[rank + 1]; ++i)
                ++out_.laneBegin[rank * kLaneCount + static_cast<std::size_t>(lists_.actions[i].lane) + 1];
        for (std::size_t i = 1; i < out_.laneBegin.size(); ++i) out_.laneBegin[i] += out_.laneBegin[i - 1];
        std::vector<std::uint32_t> next(out_.laneBegin.begin(), out_.laneBegin.end() - 1);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            for (std::uint32_t i = lists_.rankBegin[rank]; i < lists_.rankBegin[rank + 1]; ++i)
                memory_.spanOf[i] = next[rank * kLaneCount + static_cast<std::size_t>(lists_.actions[i].lane)]++;
    }

    // --- what produces what ---

    [[nodiscard]] std::size_t place(const Action& a, std::size_t stage) const {
        return stage * units_ + a.microBatch * slices_ + a.slice;
    }

    static int eventOf(const Action& a) {
        const bool gradient = (a.flags & kGradient) != 0;
        switch (a.kind) {
            case ActionKind::forward: return static_cast<int>(Event::forward);
            case ActionKind::backward:
            case ActionKind::backwardInput: return static_cast<int>(Event::gradient);
            case ActionKind::recompute: return static_cast<int>(Event::recompute);
            case ActionKind::evict: return static_cast<int>(Event::evict);
            case ActionKind::load: return static_cast<int>(Event::load);
            case ActionKind::offload: return static_cast<int>(Event::offload);
            case ActionKind::reload: return static_cast<int>(Event::reload);
            case ActionKind::send: return static_cast<int>(gradient ? Event::sendBackward : Event::sendForward);
            case ActionKind::receive: return static_cast<int>(gradient ? Event::receiveBackward : Event::receiveForward);
            default: return kNobody;
        }
    }

    void indexEvents() {
        for (std::uint32_t i = 0; i < count_; ++i) {
            const int event = eventOf(lists_.actions[i]);
            if (event == kNobody) continue;
            auto& index = index_[static_cast<std::size_t>(event)];
            if (index.empty()) index.assign(stages_ * units_, kNobody);
            index[place(lists_.actions[i], lists_.actions[i].stage)] = static_cast<std::int32_t>(i);
        }
    }

    [[nodiscard]] std::int32_t find(Event event, const Action& a, std::size_t stage) const {
        const auto& index = index_[static_cast<std::size_t>(event)];
        return index.empty() ? kNobody : index[place(a, stage)];
    }

    /// Latest action of a kind per stage on the rank that is being walked.
    struct Latest {
        std::vector<std::int32_t> gather, backward, reduction, optimizer;
        void reset(std::size_t stages) {
            for (auto* list : {&gather, &backward, &reduction, &optimizer}) list->assign(stages, kNobody);
        }
    };

    /// Calls edge(producer position or kNobody, from) for all that the action at `i` waits for, lanes apart.
    template <class Edge>
    void producersOf(std::uint32_t i, const Latest& latest, std::int32_t previousCompute, Edge edge) const {
        const Action& a = lists_.actions[i];
        const std::size_t stage = a.stage;
        const std::size_t last = lists_.rankOfStage[a.pipe].size() - 1;
        const auto optional = [&](std::int32_t producer, From from) {
            if (producer != kNobody) edge(producer, from);
        };
        if (a.lane != Lane::compute) optional(previousCompute, (a.flags & kAfterPrevious) != 0 ? kFromEnd : kFromStart);
        switch (a.kind) {
            case ActionKind::forward: {
                if (stage > 0) {
                    const std::int32_t received = find(Event::receiveForward, a, stage);
                    received != kNobody ? edge(received, kFromEnd) : edge(find(Event::forward, a, stage - 1), kFromArrival);
                }
                if (a.slice > 0) edge(index_[static_cast<std::size_t>(Event::forward)][place(a, stage) - 1], kFromResult);
                optional(latest.gather[stage], kFromEnd);
                break;
            }
            case ActionKind::backward:
            case ActionKind::backwardInput: {
                const std::int32_t own = find(Event::forward, a, stage);
                edge(own, kFromResult);
                if (own != kNobody && (lists_.actions[static_cast<std::size_t>(own)].flags & kRecomputed) != 0)
                    edge(find(Event::recompute, a, stage), kFromEnd);
                if (stage < last && (lists_.localLoss.empty() || lists_.localLoss[stage] == 0)) {
                    const std::int32_t received = find(Event::receiveBackward, a, stage);
                    received != kNobody ? edge(received, kFromEnd) : edge(find(Event::gradient, a, stage + 1), kFromArrival);
                }
                if (static_cast<std::size_t>(a.slice) + 1 < slices_) {
                    const auto& gradients = index_[static_cast<std::size_t>(Event::gradient)];
                    edge(gradients[place(a, stage) + 1], kFromResult);
                }
                optional(find(Event::load, a, stage), kFromEnd);
                optional(find(Event::reload, a, stage), kFromEnd);
                optional(latest.gather[stage], kFromEnd);
                break;
            }
            case ActionKind::backwardWeight: edge(find(Event::gradient, a, stage), kFromResult); break;
            case ActionKind::recompute:
                edge(find(Event::forward, a, stage), kFromResult);
                optional(latest.gather[stage], kFromEnd);
                break;
            case ActionKind::evict:
            case ActionKind::offload: edge(find(Event::forward, a, stage), kFromResult); break;
            case ActionKind::load: edge(find(Event::evict, a, stage), kFromEnd); break;
            case ActionKind::reload: edge(find(Event::offload, a, stage), kFromEnd); break;
            case ActionKind::send:
                edge(find((a.flags & kGradient) != 0 ? Event::gradient : Event::forward, a, stage), kFromResult);
                break;
            case ActionKind::receive:
                if ((a.flags & kGradient) != 0)
                    edge(stage < last ? find(Event::sendBackward, a, stage + 1) : kNobody, kFromArrival);
                else
                    edge(stage > 0 ? find(Event::sendForward, a, stage - 1) : kNobody, kFromArrival);
                break;
            case ActionKind::allGather: optional(latest.optimizer[stage], kFromEnd); break;
            case ActionKind::reduceScatter:
            case ActionKind::allReduce:
                edge(latest.backward[stage], lists_.gradientBuckets > 1 ? kFromShare : kFromResult);
                break;
            case ActionKind::optimizer: optional(reductionFor(i, latest), kFromEnd); break;
            case ActionKind::barrier: break;
        }
    }

    /// The reduction that an update waits for: the one of the same iteration if several are under way, else the latest; the
    /// latest backward where nothing is reduced.
    [[nodiscard]] std::int32_t reductionFor(std::uint32_t optimizer, const Latest& latest) const {
        const Action& a = lists_.actions[optimizer];
        const std::int32_t newest = latest.reduction[a.stage];
        if (newest == kNobody) return latest.backward[a.stage];
        constexpr std::int32_t kFarthest = 4096;
        for (std::int32_t i = newest; i >= 0 && newest - i < kFarthest; --i) {
            const Action& candidate = lists_.actions[static_cast<std::size_t>(i)];
            if (isReduction(candidate) && candidate.stage == a.stage && candidate.microBatch == a.microBatch) return i;
        }
        return newest;
    }

    template <class Edge>
    void forEachEdge(Edge edge) {
        Latest latest;
        std::vector<std::vector<std::int32_t>> beforeBarrier;  // [round] last action of each lane of each rank
        for (std::size_t rank = 0; rank + 1 < lists_.rankBegin.size(); ++rank) {
            latest.reset(stages_);
            std::array<std::int32_t, kLaneCount> previous;
            previous.fill(kNobody);
            std::size_t round = 0;
            for (std::uint32_t i = lists_.rankBegin[rank]; i < lists_.rankBegin[rank + 1]; ++i) {
                const Action& a = lists_.actions[i];
                std::int32_t& onLane = previous[static_cast<std::size_t>(a.lane)];
                if (onLane != kNobody) edge(onLane, i, kFromEnd);
                const auto wait = [&](std::int32_t producer, From from) { edge(producer, i, from); };
                producersOf(i, latest, previous[0], wait);
                // A fused cell starts when the inputs of both its halves are there.
                if (times_.fusedPairFactor > 0 && (a.flags & kPairHead) != 0 && i + 1 < lists_.rankBegin[rank + 1])
                    producersOf(i + 1, latest, previous[0], wait);
                if (a.kind == ActionKind::barrier) {
                    if (beforeBarrier.size() <= round) beforeBarrier.emplace_back();
                    for (const std::int32_t position : previous)
                        if (position != kNobody) beforeBarrier[round].push_back(position);
                    edge(static_cast<std::int32_t>(count_ + round), i, kFromEnd);
                    ++round;
                }
                onLane = static_cast<std::int32_t>(i);
                switch (a.kind) {
                    case ActionKind::allGather: latest.gather[a.stage] = static_cast<std::int32_t>(i); break;
                    case ActionKind::backward:
                    case ActionKind::backwardWeight: latest.backward[a.stage] = static_cast<std::int32_t>(i); break;
                    case ActionKind::reduceScatter:
                    case ActionKind::allReduce: latest.reduction[a.stage] = static_cast<std::int32_t>(i); break;
                    case ActionKind::optimizer: latest.optimizer[a.stage] = static_cast<std::int32_t>(i); break;
                    default: break;
                }
            }
        }
        for (std::size_t round = 0; round < beforeBarrier.size(); ++round)
            for (const std::int32_t position : beforeBarrier[round])
                edge(position, static_cast<std::uint32_t>(count_ + round), kFromEnd);
        rounds_ = static_cast<std::uint32_t>(beforeBarrier.size());
    }

    void buildEdges() {
        std::uint32_t barriers = 0;
        for (const Action& a : lists_.actions) barriers += a.kind == ActionKind::barrier ? 1u : 0u;
        const std::size_t nodes = static_cast<std::size_t>(count_) + barriers;
        memory_.edgeBegin.assign(nodes + 2, 0);
        memory_.waiting.assign(nodes + 1, 0);
        forEachEdge([&](std::int32_t from, std::uint32_t to, From) {
            ++memory_.waiting[to];  // an absent producer is waited for without end
            if (from != kNobody) ++memory_.edgeBegin[static_cast<std::size_t>(from) + 1];
        });
        for (std::size_t i = 1; i < memory_.edgeBegin.size(); ++i) memory_.edgeBegin[i] += memory_.edgeBegin[i - 1];
        memory_.edges.resize(memory_.edgeBegin.back());
        std::vector<std::uint32_t> next(memory_.edgeBegin.begin(), memory_.edgeBegin.end());
        forEachEdge([&](std::int32_t from, std::uint32_t to, From kind) {
            if (from != kNobody) memory_.edges[next[static_cast<std::size_t>(from)]++] = {to, kind};
        });
    }

    // --- times ---

    [[nodiscard]] Ticks lengthOf(const Action& a) const {
        if (static_cast<std::size_t>(a.kind) < kComputeKinds) return memory_.duration.of(a);
        const Ticks length = otherDuration(a, times_);
        return lists_.gradientBuckets > 1 && isReduction(a) ? length / lists_.gradientBuckets : length;
    }

    static bool isReduction(const Action& a) { return a.kind == ActionKind::reduceScatter || a.kind == ActionKind::allReduce; }

    /// When the gradients of a bucket are there: its share of the action that ends them.
    [[nodiscard]] Ticks shareOf(std::uint32_t producer, std::uint32_t reduction) const {
        const Ticks buckets = lists_.gradientBuckets;
        const Ticks bucket = std::min<Ticks>(buckets, Ticks{lists_.actions[reduction].weightVersion} + 1);
        const Ticks length = memory_.end[producer] - memory_.start[producer];
        return memory_.start[producer] + length / buckets * bucket + length % buckets * bucket / buckets;
    }

    [[nodiscard]] Ticks scaled(Ticks length) const {
        return static_cast<Ticks>(std::llround(static_cast<double>(length) * times_.fusedPairFactor));
    }

    void finish(std::uint32_t i) {
        if (i >= count_) {
            memory_.end[i] = memory_.result[i] = memory_.arrival[i] = memory_.start[i];
            return;
        }
        const Action& a = lists_.actions[i];
        const bool fused = times_.fusedPairFactor > 0 && (a.flags & (kPairHead | kPairTail)) != 0;
        const Ticks length = lengthOf(a);
        memory_.end[i] = memory_.start[i] + (fused ? scaled(length) : length);
        if (fused && (a.flags & kPairTail) != 0)
            memory_.end[i] = memory_.start[i - 1] + scaled(lengthOf(lists_.actions[i - 1]) + length);
        memory_.result[i] = fused && (a.flags & kPairHead) != 0
                                ? memory_.start[i] + scaled(length + lengthOf(lists_.actions[i + 1]))
                                : memory_.end[i];
        memory_.arrival[i] = memory_.result[i];
        const std::size_t stage = a.pipe * stages_ + a.stage;
        if (a.kind == ActionKind::forward && a.stage + std::size_t{1} < lists_.rankOfStage[a.pipe].size() &&
            find(Event::receiveForward, a, a.stage + std::size_t{1}) == kNobody)
            memory_.arrival[i] = memory_.links.arrival(memory_.links.forward[stage], memory_.result[i]);
        else if ((a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput) && a.stage > 0 &&
                 find(Event::receiveBackward, a, a.stage - std::size_t{1}) == kNobody)
            memory_.arrival[i] = memory_.links.arrival(memory_.links.backward[stage], memory_.result[i]);
        else if (a.kind == ActionKind::send)  // its own duration held the link
            memory_.arrival[i] = memory_.end[i] + ((a.flags & kGradient) != 0 ? memory_.links.backward[stage].latency
                                                                              : memory_.links.forward[stage].latency);
    }

    Result<void> propagate() {
        const std::size_t nodes = static_cast<std::size_t>(count_) + rounds_;
        for (auto* times : {&memory_.start, &memory_.end, &memory_.result, &memory_.arrival}) times->assign(nodes, 0);
        memory_.binding.assign(nodes, kNobody);
        memory_.ready.clear();
        for (std::uint32_t i = static_cast<std::uint32_t>(nodes); i-- > 0;)
            if (memory_.waiting[i] == 0) memory_.ready.push_back(i);
        std::size_t done = 0;
        while (!memory_.ready.empty()) {
            const std::uint32_t i = memory_.ready.back();
            memory_.ready.pop_back();
            finish(i);
            ++done;
            for (std::uint32_t e = memory_.edgeBegin[i]; e < memory_.edgeBegin[i + 1]; ++e) {
                const LaneMemory::Edge edge = memory_.edges[e];
                const Ticks ready = edge.from == kFromEnd      ? memory_.end[i]
                                    : edge.from == kFromResult ? memory_.result[i]
                                    : edge.from == kFromStart  ? memory_.start[i]
                                    : edge.from == kFromShare  ? shareOf(i, edge.to)
                                                               : memory_.arrival[i];
                if (ready > memory_.start[edge.to] || (ready == memory_.start[edge.to] && memory_.binding[edge.to] == kNobody)) {
                    memory_.start[edge.to] = ready;
                    memory_.binding[edge.to] = i < count_ ? static_cast<std::int32_t>(i) : memory_.binding[i];
                }
                if (--memory_.waiting[edge.to] == 0) memory_.ready.push_back(edge.to);
            }
        }
        if (done < nodes) return deadlock();
        write();
        return {};
    }

    void write() {
        out_.start.resize(count_);
        out_.end.resize(count_);
        out_.action.resize(count_);
        out_.binding.resize(count_);
        const std::size_t ranks = static_cast<std::size_t>(lists_.ranks());
        out_.busy.assign(ranks, 0);
        out_.makespan = 0;
        bool moves = false;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            for (std::uint32_t i = lists_.rankBegin[rank]; i < lists_.rankBegin[rank + 1]; ++i) {
                const std::uint32_t span = memory_.spanOf[i];
                out_.start[span] = memory_.start[i];
                out_.end[span] = memory_.end[i];
                out_.action[span] = lists_.actions[i];
                out_.binding[span] =
                    memory_.binding[i] == kNobody
                        ? kNobody
                        : static_cast<std::int32_t>(memory_.spanOf[static_cast<std::size_t>(memory_.binding[i])]);
                if (lists_.actions[i].lane == Lane::compute) out_.busy[rank] += memory_.end[i] - memory_.start[i];
                out_.makespan = std::max(out_.makespan, memory_.end[i]);
                moves = moves || lists_.actions[i].kind == ActionKind::evict || lists_.actions[i].kind == ActionKind::offload;
            }
        writePeaks(moves);
    }

    /// Activations held: from the start of F (or R, or of bringing back) to the end of I or B, of W or B, or of moving out.
    void writePeaks(bool moves) {
        const std::size_t ranks = static_cast<std::size_t>(lists_.ranks());
        out_.peakInFlightB.assign(ranks, 0);
        out_.peakInFlightW.assign(ranks, 0);
        struct Change {
            Ticks at;
            std::int8_t b;
            std::int8_t w;
        };
        std::vector<Change> changes;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            changes.clear();
            for (std::uint32_t i = lists_.rankBegin[rank]; i < lists_.rankBegin[rank + 1]; ++i) {
                const Action& a = lists_.actions[i];
                switch (a.kind) {
                    case ActionKind::forward:
                        if ((a.flags & kRecomputed) == 0) changes.push_back({memory_.start[i], 1, 1});
                        break;
                    case ActionKind::recompute:
                    case ActionKind::load:
                    case ActionKind::reload: changes.push_back({memory_.start[i], 1, 1}); break;
                    case ActionKind::backward: changes.push_back({memory_.end[i], -1, -1}); break;
                    case ActionKind::backwardInput: changes.push_back({memory_.end[i], -1, 0}); break;
                    case ActionKind::backwardWeight: changes.push_back({memory_.end[i], 0, -1}); break;
                    case ActionKind::evict:
                    case ActionKind::offload: changes.push_back({memory_.end[i], -1, -1}); break;
                    default: break;
                }
            }
            // Without moves the list order is the time order, and it settles ties of actions without length.
            if (moves)
                std::stable_sort(changes.begin(), changes.end(), [](const Change& x, const Change& y) {
                    return x.at != y.at ? x.at < y.at : x.w + x.b < y.w + y.b;
                });
            int heldB = 0;
            int heldW = 0;
            for (const Change& change : changes) {
                out_.peakInFlightB[rank] = std::max(out_.peakInFlightB[rank], static_cast<double>(heldB += change.b));
                out_.peakInFlightW[rank] = std::max(out_.peakInFlightW[rank], static_cast<double>(heldW += change.w));
            }
        }
    }

    // --- what is wrong ---

    tl::unexpected<Error> deadlock() {
        struct Wait {
            std::uint32_t blocked;
            std::int32_t producer;
        };
        std::vector<Wait> waits(static_cast<std::size_t>(lists_.ranks()), Wait{count_, kNobody});
        const auto isDone = [&](std::int32_t i) { return i != kNobody && memory_.waiting[static_cast<std::size_t>(i)] == 0; };
        forEachEdge([&](std::int32_t from, std::uint32_t to, From) {
            if (to >= count_ || memory_.waiting[to] == 0 || isDone(from)) return;
            const std::size_t rank =
                static_cast<std::size_t>(std::upper_bound(lists_.rankBegin.begin(), lists_.rankBegin.end(), to) -
                                         lists_.rankBegin.begin()) -
                1;
            if (to < waits[rank].blocked) waits[rank] = {to, from};
        });
        std::string text;
        std::string first;
        int named = 0;
        for (std::size_t rank = 0; rank < waits.size(); ++rank) {
            if (waits[rank].blocked >= count_) continue;
            if (++named > 4) {
                text += "; ...";
                break;
            }
            const std::string blocked = actionText(lists_.actions[waits[rank].blocked], slices_ > 1);
            if (first.empty()) first = fmt::format("rank {}: {}", rank, blocked);
            const std::string producer =
                waits[rank].producer == kNobody ? std::string("a result that no rank lists")
                : waits[rank].producer >= static_cast<std::int32_t>(count_)
                    ? std::string("the other ranks at the barrier")
                    : actionText(lists_.actions[static_cast<std::size_t>(waits[rank].producer)], slices_ > 1);
            text += fmt::format("{}rank {} is blocked at {} (position {}), which waits for {}", text.empty() ? "" : "; ", rank,
                                blocked, waits[rank].blocked - lists_.rankBegin[rank], producer);
        }
        return failure(Error::Kind::invalid, "schedule-deadlock", first, "deadlock: " + text);
    }

    const ActionLists& lists_;
    const StageTimes& times_;
    LaneMemory& memory_;
    Timeline& out_;
    std::uint32_t count_;
    std::size_t stages_;
    std::size_t slices_;
    std::size_t units_;
    std::uint32_t rounds_ = 0;
    std::array<std::vector<std::int32_t>, kEvents> index_;  ///< [event][stage][micro-batch x slice] -> list position
};

}  // namespace

Result<void> simulateLanes(const ActionLists& lists, const StageTimes& times, LaneMemory& memory, Timeline& out) {
    return LaneSimulation(lists, times, memory, out).run();
}

}  // namespace trainyard::simulation
