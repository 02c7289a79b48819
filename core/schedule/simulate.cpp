#include "core/schedule/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/schedule/action_text.h"
#include "core/schedule/simulate_parts.h"

namespace trainyard {

namespace {

using simulation::kComputeKinds;
using simulation::kNobody;

/// The result of a forward or an input gradient of one (stage, micro-batch, slice).
struct Slot {
    Ticks arrival = 0;  ///< when the consumer on the next stage can use it
    std::uint32_t span = 0;
    std::uint32_t stamp = 0;  ///< below the run's stamp: not there yet; one above it: there, but its recompute is still to come
};

struct RankState {
    std::uint32_t next = 0;
    std::uint32_t finish = 0;
    Ticks free = 0;
    const Slot* blockedOn = nullptr;
    std::int32_t firstWaiter = kNobody;  ///< ranks that wait for a result of this one
    std::int32_t nextWaiter = kNobody;
};

}  // namespace

struct SimulationWorkspace::Memory {
    std::vector<Slot> forward;  ///< [stage][micro-batch x slice]
    std::vector<Slot> gradient;
    std::uint32_t stamp = 0;  ///< of the latest run; slots of earlier runs count as empty without being cleared
    simulation::ComputeDurations duration;
    simulation::Links links;
    std::vector<RankState> ranks;
    std::vector<std::int32_t> ready;
    simulation::LaneMemory lanes;
};

SimulationWorkspace::SimulationWorkspace() : memory_(std::make_unique<Memory>()) {}
SimulationWorkspace::~SimulationWorkspace() = default;
SimulationWorkspace::SimulationWorkspace(SimulationWorkspace&&) noexcept = default;
SimulationWorkspace& SimulationWorkspace::operator=(SimulationWorkspace&&) noexcept = default;

namespace {

/// What an action lacks, for the message of a deadlock.
struct Missing {
    Action blocked;
    Action producer;
    std::size_t producerRank = 0;
};

/// In-order simulation of lists that hold compute actions only.
class InOrderSimulation {
  public:
    InOrderSimulation(const ActionLists& lists, const StageTimes& times, SimulationWorkspace::Memory& memory, Timeline& out)
        : lists_(lists),
          memory_(memory),
          out_(out),
          stages_(static_cast<std::size_t>(lists.stages)),
          slices_(static_cast<std::size_t>(lists.slices)),
          units_(static_cast<std::size_t>(lists.microBatches) * slices_),
          fusedFactor_(times.fusedPairFactor) {
        memory.duration.fill(lists, times);
        memory.links.fill(lists, times);
        if (memory.stamp > std::numeric_limits<std::uint32_t>::max() - 8) {
            memory.forward.clear();
            memory.gradient.clear();
            memory.stamp = 0;
        }
        memory.stamp += 2;
        stamp_ = memory.stamp;
        if (memory.forward.size() < stages_ * units_) {
            memory.forward.resize(stages_ * units_);
            memory.gradient.resize(stages_ * units_);
        }
        prepareOutput();
    }

    Result<void> run() {
        const std::size_t ranks = static_cast<std::size_t>(lists_.ranks());
        memory_.ranks.assign(ranks, RankState{});
        memory_.ready.clear();
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            memory_.ranks[rank].next = lists_.rankBegin[rank];
            memory_.ranks[rank].finish = lists_.rankBegin[rank + 1];
            memory_.ready.push_back(static_cast<std::int32_t>(ranks - 1 - rank));
        }
        while (!memory_.ready.empty()) {
            const std::int32_t rank = memory_.ready.back();
            memory_.ready.pop_back();
            advance(static_cast<std::size_t>(rank));
            wakeWaiters(static_cast<std::size_t>(rank));
        }
        for (const RankState& state : memory_.ranks)
            if (state.next < state.finish) return deadlock();
        finishOutput();
        return {};
    }

  private:
    void prepareOutput() {
        const std::size_t count = lists_.actions.size();
        const std::size_t ranks = static_cast<std::size_t>(lists_.ranks());
        out_.ranks = lists_.ranks();
        out_.start.resize(count);
        out_.end.resize(count);
        out_.binding.resize(count);
        out_.action.resize(count);
        out_.laneBegin.resize(ranks * kLaneCount + 1);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            out_.laneBegin[rank * kLaneCount] = lists_.rankBegin[rank];
            for (std::size_t lane = 1; lane < kLaneCount; ++lane)
                out_.laneBegin[rank * kLaneCount + lane] = lists_.rankBegin[rank + 1];
        }
        out_.laneBegin[ranks * kLaneCount] = static_cast<std::uint32_t>(count);
    }

    void finishOutput() {
        const std::size_t ranks = memory_.ranks.size();
        out_.busy.resize(ranks);
        out_.peakInFlightB.resize(ranks);
        out_.peakInFlightW.resize(ranks);
        out_.makespan = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            out_.makespan = std::max(out_.makespan, memory_.ranks[rank].free);
            sumUp(rank);
        }
    }

    /// Work and peaks of one rank, in list order.
    void sumUp(std::size_t rank) {
        Ticks busy = 0;
        int heldB = 0;
        int heldW = 0;
        int peakB = 0;
        int peakW = 0;
        const std::uint32_t finish = lists_.rankBegin[rank + 1];
        for (std::uint32_t id = lists_.rankBegin[rank]; id < finish; ++id) {
            const Action& a = lists_.actions[id];
            busy += out_.end[id] - out_.start[id];
            const bool takes = (a.kind == ActionKind::forward && (a.flags & kRecomputed) == 0) || a.kind == ActionKind::recompute;
            const bool freesB = a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput;
            const bool freesW = a.kind == ActionKind::backward || a.kind == ActionKind::backwardWeight;
            heldB += static_cast<int>(takes) - static_cast<int>(freesB);
            heldW += static_cast<int>(takes) - static_cast<int>(freesW);
            peakB = std::max(peakB, heldB);
            peakW = std::max(peakW, heldW);
        }
        out_.busy[rank] = busy;
        out_.peakInFlightB[rank] = peakB;
        out_.peakInFlightW[rank] = peakW;
    }

    [[nodiscard]] bool isThere(const Slot& slot) const { return slot.stamp >= stamp_; }

    void block(std::size_t rank, std::size_t pipe, std::size_t producerStage, const Slot& slot) {
        RankState& state = memory_.ranks[rank];
        state.blockedOn = &slot;
        const std::size_t producer = lists_.rankOfStage[pipe][producerStage];
        if (producer == rank) return;  // only this rank could produce it, and it cannot move: a deadlock
        state.nextWaiter = memory_.ranks[producer].firstWaiter;
        memory_.ranks[producer].firstWaiter = static_cast<std::int32_t>(rank);
    }

    void wakeWaiters(std::size_t rank) {
        std::int32_t* place = &memory_.ranks[rank].firstWaiter;
        while (*place != kNobody) {
            RankState& waiter = memory_.ranks[static_cast<std::size_t>(*place)];
            if (!isThere(*waiter.blockedOn)) {
                place = &waiter.nextWaiter;
                continue;
            }
            memory_.ready.push_back(*place);
            *place = waiter.nextWaiter;
            waiter.nextWaiter = kNobody;
        }
    }

    /// Runs the rank until it ends or its next action lacks a result.
    void advance(std::size_t rank) {
        RankState& state = memory_.ranks[rank];
        const bool anyLocalLoss = !lists_.localLoss.empty();
        const Action* const actions = lists_.actions.data();
        Slot* const forward = memory_.forward.data();
        Slot* const gradient = memory_.gradient.data();
        Ticks* const starts = out_.start.data();
        Ticks* const ends = out_.end.data();
        std::int32_t* const bindings = out_.binding.data();
        Action* const copies = out_.action.data();
        const simulation::ComputeDurations& duration = memory_.duration;
        const std::uint32_t begin = lists_.rankBegin[rank];
        const std::uint32_t finish = state.finish;
        const std::uint32_t stamp = stamp_;
        std::uint32_t id = state.next;
        Ticks free = state.free;
        const Slot* missing = nullptr;
        std::size_t missingStage = 0;
        bool ofSecondHalf = false;
        const auto lacks = [&](const Slot& slot, std::size_t stage) {
            if (slot.stamp >= stamp) return false;
            missing = &slot;
            missingStage = stage;
            return true;
        };
        for (; id < finish; ++id) {
            const Action action = actions[id];
            const std::size_t stage = action.stage;
            const std::size_t place = stage * units_ + action.microBatch * slices_ + action.slice;
            Ticks arrival = 0;
            std::uint32_t producerSpan = 0;
            Slot* result = nullptr;
            const simulation::Link* link = nullptr;
            if (action.kind == ActionKind::forward) {
                if (stage > 0) {
                    const Slot& slot = forward[place - units_];
                    if (lacks(slot, stage - 1)) break;
                    arrival = slot.arrival;
                    producerSpan = slot.span;
                }
                if (action.slice > 0 && lacks(forward[place - 1], stage)) break;
                result = &forward[place];
                link = &memory_.links.forward[action.pipe * stages_ + stage];
            } else if (action.kind == ActionKind::backward || action.kind == ActionKind::backwardInput) {
                const Slot& own = forward[place];
                if (own.stamp != stamp) {  // not there, or its recompute is still to come
                    missing = &own;
                    missingStage = stage;
                    break;
                }
                if (stage + 1 < lists_.rankOfStage[action.pipe].size() && !(anyLocalLoss && lists_.localLoss[stage] != 0)) {
                    const Slot& slot = gradient[place + units_];
                    if (lacks(slot, stage + 1)) break;
                    arrival = slot.arrival;
                    producerSpan = slot.span;
                }
                if (static_cast<std::size_t>(action.slice) + 1 < slices_ && lacks(gradient[place + 1], stage)) break;
                result = &gradient[place];
                link = &memory_.links.backward[action.pipe * stages_ + stage];
            } else if (lacks(action.kind == ActionKind::backwardWeight ? gradient[place] : forward[place], stage)) {
                break;
            }

            Ticks start = free;
            std::int32_t binding = id > begin ? static_cast<std::int32_t>(id) - 1 : kNobody;
            if (arrival > start) {
                start = arrival;
                binding = static_cast<std::int32_t>(producerSpan);
            }
            Ticks end = start + duration.of(action);
            Ticks resultAt = end;
            if (fusedFactor_ > 0 && (action.flags & (kPairHead | kPairTail)) != 0 &&
                !fuse(rank, free, action, id, arrival, start, end, resultAt, binding, missing, missingStage)) {
                ofSecondHalf = true;
                break;
            }
            starts[id] = start;
            ends[id] = end;
            bindings[id] = binding;
            copies[id] = actions[id];
            free = end;
            if (result != nullptr) {
                __builtin_prefetch(result + 4, 1);
                result->span = id;
                result->stamp = stamp + ((action.flags & kRecomputed) != 0 ? 1u : 0u);
                result->arrival = memory_.links.arrival(*link, resultAt);
            } else if (action.kind == ActionKind::recompute) {
                forward[place].stamp = stamp;
            }
        }
        state.next = id;
        state.free = free;
        // Every rank walks its own stretch of each array, too many streams for the processor to foresee.
        __builtin_prefetch(actions + id + 4);
        __builtin_prefetch(starts + id + 8, 1);
        __builtin_prefetch(ends + id + 8, 1);
        __builtin_prefetch(bindings + id + 16, 1);
        __builtin_prefetch(copies + id + 4, 1);
        if (missing == nullptr) return;
        // What a fused cell lacks may belong to its second half, which in bidirectional schedules is of another pipe.
        const Action& waiting = actions[ofSecondHalf ? id + 1 : id];
        block(rank, waiting.pipe, missingStage, *missing);
    }

    /// Places one half of a fused cell. The head waits for the inputs of both halves; both results appear at the end.
    bool fuse(std::size_t rank, Ticks free, const Action& action, std::uint32_t id, Ticks arrival, Ticks& start, Ticks& end,
              Ticks& resultAt, std::int32_t& binding, const Slot*& missing, std::size_t& missingStage) {
        const auto lengthOf = [this](const Action& a) { return static_cast<double>(memory_.duration.of(a)); };
        if ((action.flags & kPairTail) != 0) {
            const Action& head = lists_.actions[id - 1];
            const Ticks blockStart = out_.start[id - 1];
            start = out_.end[id - 1];
            end = blockStart + static_cast<Ticks>(std::llround((lengthOf(head) + lengthOf(action)) * fusedFactor_));
            resultAt = end;
            binding = static_cast<std::int32_t>(id) - 1;
            return true;
        }
        if (id + 1 >= lists_.rankBegin[rank + 1]) return true;
        const Action& tail = lists_.actions[id + 1];
        const std::size_t last = lists_.rankOfStage[tail.pipe].size() - 1;
        if (tail.stage < last) {
            const Slot& slot = memory_.gradient[(tail.stage + std::size_t{1}) * units_ + tail.microBatch * slices_ + tail.slice];
            if (!isThere(slot)) {
                missing = &slot;
                missingStage = tail.stage + std::size_t{1};
                return false;
            }
            if (slot.arrival > std::max(arrival, free)) {
                start = slot.arrival;
                binding = static_cast<std::int32_t>(slot.span);
            }
        }
        end = start + static_cast<Ticks>(std::llround(lengthOf(action) * fusedFactor_));
        resultAt = start + static_cast<Ticks>(std::llround((lengthOf(action) + lengthOf(tail)) * fusedFactor_));
        return true;
    }

    Missing missingOf(const RankState& state) const {
        Missing result;
        result.blocked = lists_.actions[state.next];
        const std::size_t forwardCount = memory_.forward.size();
        const bool isForward =
            state.blockedOn >= memory_.forward.data() && state.blockedOn < memory_.forward.data() + forwardCount;
        const std::size_t place =
            static_cast<std::size_t>(state.blockedOn - (isForward ? memory_.forward.data() : memory_.gradient.data()));
        result.producer = result.blocked;
        result.producer.stage = static_cast<std::uint16_t>(place / units_);
        result.producer.microBatch = static_cast<std::uint32_t>(place % units_ / slices_);
        result.producer.slice = static_cast<std::uint16_t>(place % slices_);
        result.producer.kind = ActionKind::forward;
        if (isForward && state.blockedOn->stamp == stamp_ + 1) result.producer.kind = ActionKind::recompute;
        result.producer.pipe = lists_.pipeOf(result.producer.microBatch);
        result.producerRank = lists_.rankOfStage[result.producer.pipe][result.producer.stage];
        if (!isForward) {
            // The gradient comes from B or from I, whichever the producing rank lists.
            result.producer.kind = ActionKind::backward;
            for (std::uint32_t i = lists_.rankBegin[result.producerRank]; i < lists_.rankBegin[result.producerRank + 1]; ++i) {
                const Action& a = lists_.actions[i];
                if (a.kind == ActionKind::backwardInput && a.stage == result.producer.stage &&
                    a.microBatch == result.producer.microBatch && a.slice == result.producer.slice)
                    result.producer.kind = ActionKind::backwardInput;
            }
        }
        return result;
    }

    tl::unexpected<Error> deadlock() const {
        std::string text;
        std::string first;
        int named = 0;
        for (std::size_t rank = 0; rank < memory_.ranks.size(); ++rank) {
            const RankState& state = memory_.ranks[rank];
            if (state.next >= state.finish) continue;
            if (++named > 4) {
                text += "; ...";
                break;
            }
            const Missing missing = missingOf(state);
            const std::string blocked = actionText(missing.blocked, slices_ > 1);
            if (first.empty()) first = fmt::format("rank {}: {}", rank, blocked);
            text += fmt::format("{}rank {} is blocked at {} (position {}), which waits for {} on rank {}",
                                text.empty() ? "" : "; ", rank, blocked, state.next - lists_.rankBegin[rank],
                                actionText(missing.producer, slices_ > 1), missing.producerRank);
        }
        return failure(Error::Kind::invalid, "schedule-deadlock", first, "deadlock: " + text);
    }

    const ActionLists& lists_;
    SimulationWorkspace::Memory& memory_;
    Timeline& out_;
    std::size_t stages_;
    std::size_t slices_;
    std::size_t units_;
    double fusedFactor_;
    std::uint32_t stamp_ = 0;
};

/// Whether the lists hold compute actions only. Error: an action outside the counts.
Result<bool> isPlain(const ActionLists& lists) {
    const std::uint32_t microBatches = static_cast<std::uint32_t>(lists.microBatches);
    const std::size_t slices = static_cast<std::size_t>(lists.slices);
    std::vector<std::size_t> stagesOfPipe;
    for (const auto& placement : lists.rankOfStage) stagesOfPipe.push_back(placement.size());
    bool plain = true;
    for (const Action& a : lists.actions) {
        if (a.pipe >= stagesOfPipe.size() || a.stage >= stagesOfPipe[a.pipe] || a.microBatch >= microBatches || a.slice >= slices)
            return failure(Error::Kind::invalid, "schedule-out-of-range", actionText(a, slices > 1),
                           fmt::format("{} lies outside {} stages x {} micro-batches x {} slices", actionText(a, slices > 1),
                                       lists.stages, lists.microBatches, slices));
        plain = plain && static_cast<std::size_t>(a.kind) < kComputeKinds && a.lane == Lane::compute;
    }
    return plain;
}

}  // namespace

Result<void> simulateInto(const ActionLists& lists, const StageTimes& times, SimulationWorkspace& workspace, Timeline& out) {
    const Result<bool> plain = isPlain(lists);
    if (!plain) return tl::unexpected<Error>(plain.error());
    if (!*plain) return simulation::simulateLanes(lists, times, workspace.memory().lanes, out);
    return InOrderSimulation(lists, times, workspace.memory(), out).run();
}

Result<Timeline> simulate(const ActionLists& lists, const StageTimes& times) {
    SimulationWorkspace workspace;
    Timeline timeline;
    const Result<void> done = simulateInto(lists, times, workspace, timeline);
    if (!done) return tl::unexpected<Error>(done.error());
    return timeline;
}

}  // namespace trainyard
