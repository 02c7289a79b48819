#include "core/schedule/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/schedule/action_text.h"
#include "core/schedule/simulate_parts.h"

namespace trainyard {

namespace {

constexpr Ticks kNotDone = std::numeric_limits<Ticks>::min();
using simulation::kComputeKinds;
using simulation::kNobody;

/// The result of a forward or an input gradient of one (stage, micro-batch, slice).
struct Slot {
    Ticks arrival;  ///< when the consumer on the next stage can use it; kNotDone before
    std::uint32_t span;
    std::uint32_t recomputePending;  ///< forward only: 1 until the recompute has run
};

struct RankState {
    std::uint32_t next = 0;
    std::uint32_t finish = 0;
    Ticks free = 0;
    Ticks busy = 0;
    std::int64_t inFlightB = 0, peakB = 0, inFlightW = 0, peakW = 0;
    const Slot* blockedOn = nullptr;
    std::int32_t firstWaiter = kNobody;  ///< ranks that wait for a result of this one
    std::int32_t nextWaiter = kNobody;
};

}  // namespace

struct SimulationWorkspace::Memory {
    std::vector<Slot> forward;  ///< [stage][micro-batch x slice]
    std::vector<Slot> gradient;
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
        memory.forward.assign(stages_ * units_, Slot{kNotDone, 0, 0});
        memory.gradient.assign(stages_ * units_, Slot{kNotDone, 0, 0});
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
            if (bad_) return outOfRange();
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
        out_.action.assign(lists_.actions.begin(), lists_.actions.end());
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
            const RankState& state = memory_.ranks[rank];
            out_.busy[rank] = state.busy;
            out_.peakInFlightB[rank] = static_cast<double>(state.peakB);
            out_.peakInFlightW[rank] = static_cast<double>(state.peakW);
            out_.makespan = std::max(out_.makespan, state.free);
        }
    }

    void block(std::size_t rank, const Action& action, std::size_t producerStage, const Slot& slot) {
        RankState& state = memory_.ranks[rank];
        state.blockedOn = &slot;
        const std::size_t producer = lists_.rankOfStage[action.pipe][producerStage];
        if (producer == rank) return;  // only this rank could produce it, and it cannot move: a deadlock
        state.nextWaiter = memory_.ranks[producer].firstWaiter;
        memory_.ranks[producer].firstWaiter = static_cast<std::int32_t>(rank);
    }

    void wakeWaiters(std::size_t rank) {
        std::int32_t* place = &memory_.ranks[rank].firstWaiter;
        while (*place != kNobody) {
            RankState& waiter = memory_.ranks[static_cast<std::size_t>(*place)];
            if (waiter.blockedOn->arrival == kNotDone) {
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
        RankState state = memory_.ranks[rank];
        const std::size_t pipes = lists_.rankOfStage.size();
        const bool anyLocalLoss = !lists_.localLoss.empty();
        const Action* const actions = lists_.actions.data();
        Slot* const forward = memory_.forward.data();
        Slot* const gradient = memory_.gradient.data();
        const simulation::ComputeDurations& duration = memory_.duration;
        const std::uint32_t begin = lists_.rankBegin[rank];
        const Slot* missing = nullptr;
        std::size_t missingStage = 0;
        for (; state.next < state.finish; ++state.next) {
            const std::uint32_t id = state.next;
            const Action action = actions[id];
            const std::size_t stage = action.stage;
            if (stage >= stages_ || action.microBatch >= static_cast<std::uint32_t>(lists_.microBatches) ||
                action.slice >= slices_ || action.pipe >= pipes || static_cast<std::size_t>(action.kind) >= kComputeKinds) {
                bad_ = true;
                badAction_ = action;
                break;
            }
            const std::size_t unit = action.microBatch * slices_ + action.slice;
            const std::size_t place = stage * units_ + unit;
            const std::size_t last = lists_.rankOfStage[action.pipe].size() - 1;
            Ticks arrival = 0;
            std::uint32_t producerSpan = 0;
            Slot* done = nullptr;
            switch (action.kind) {
                case ActionKind::forward: {
                    if (stage > 0) {
                        const Slot& slot = forward[place - units_];
                        if (slot.arrival == kNotDone) {
                            missing = &slot;
                            missingStage = stage - 1;
                            break;
                        }
                        arrival = slot.arrival;
                        producerSpan = slot.span;
                    }
                    if (action.slice > 0 && forward[place - 1].arrival == kNotDone) {
                        missing = &forward[place - 1];
                        missingStage = stage;
                        break;
                    }
                    done = &forward[place];
                    break;
                }
                case ActionKind::backward:
                case ActionKind::backwardInput: {
                    const Slot& own = forward[place];
                    if (own.arrival == kNotDone || own.recomputePending != 0) {
                        missing = &own;
                        missingStage = stage;
                        break;
                    }
                    if (stage < last && !(anyLocalLoss && lists_.localLoss[stage] != 0)) {
                        const Slot& slot = gradient[place + units_];
                        if (slot.arrival == kNotDone) {
                            missing = &slot;
                            missingStage = stage + 1;
                            break;
                        }
                        arrival = slot.arrival;
                        producerSpan = slot.span;
                    }
                    if (static_cast<std::size_t>(action.slice) + 1 < slices_ && gradient[place + 1].arrival == kNotDone) {
                        missing = &gradient[place + 1];
                        missingStage = stage;
                        break;
                    }
                    done = &gradient[place];
                    break;
                }
                case ActionKind::backwardWeight:
                    if (gradient[place].arrival == kNotDone) {
                        missing = &gradient[place];
                        missingStage = stage;
                    }
                    break;
                default:
                    if (forward[place].arrival == kNotDone) {
                        missing = &forward[place];
                        missingStage = stage;
                    }
                    break;
            }
            if (missing != nullptr) break;

            Ticks length = duration.of(action);
            Ticks start = state.free;
            std::int32_t binding = id > begin ? static_cast<std::int32_t>(id) - 1 : kNobody;
            if (arrival > start) {
                start = arrival;
                binding = static_cast<std::int32_t>(producerSpan);
            }
            Ticks end = start + length;
            Ticks resultAt = end;
            if (fusedFactor_ > 0 && (action.flags & (kPairHead | kPairTail)) != 0) {
                if (!fuse(rank, state, action, id, arrival, start, end, resultAt, binding, missing, missingStage)) break;
                length = end - start;
            }
            out_.start[id] = start;
            out_.end[id] = end;
            out_.binding[id] = binding;
            state.free = end;
            state.busy += length;
            switch (action.kind) {
                case ActionKind::forward:
                    done->span = id;
                    done->arrival = memory_.links.arrival(memory_.links.forward[action.pipe * stages_ + stage], resultAt);
                    if ((action.flags & kRecomputed) != 0) {
                        done->recomputePending = 1;
                    } else {
                        state.peakB = std::max(state.peakB, ++state.inFlightB);
                        state.peakW = std::max(state.peakW, ++state.inFlightW);
                    }
                    break;
                case ActionKind::recompute:
                    forward[place].recomputePending = 0;
                    state.peakB = std::max(state.peakB, ++state.inFlightB);
                    state.peakW = std::max(state.peakW, ++state.inFlightW);
                    break;
                case ActionKind::backward:
                    done->span = id;
                    done->arrival = memory_.links.arrival(memory_.links.backward[action.pipe * stages_ + stage], resultAt);
                    --state.inFlightB;
                    --state.inFlightW;
                    break;
                case ActionKind::backwardInput:
                    done->span = id;
                    done->arrival = memory_.links.arrival(memory_.links.backward[action.pipe * stages_ + stage], resultAt);
                    --state.inFlightB;
                    break;
                default: --state.inFlightW; break;
            }
        }
        memory_.ranks[rank].next = state.next;
        state.firstWaiter = memory_.ranks[rank].firstWaiter;
        memory_.ranks[rank] = state;
        if (missing != nullptr) block(rank, actions[state.next], missingStage, *missing);
    }

    /// Places one half of a fused cell. The head waits for the inputs of both halves; both results appear at the end.
    bool fuse(std::size_t rank, const RankState& state, const Action& action, std::uint32_t id, Ticks arrival, Ticks& start,
              Ticks& end, Ticks& resultAt, std::int32_t& binding, const Slot*& missing, std::size_t& missingStage) {
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
            if (slot.arrival == kNotDone) {
                missing = &slot;
                missingStage = tail.stage + std::size_t{1};
                return false;
            }
            if (slot.arrival > std::max(arrival, state.free)) {
                start = slot.arrival;
                binding = static_cast<std::int32_t>(slot.span);
            }
        }
        end = start + static_cast<Ticks>(std::llround(lengthOf(action) * fusedFactor_));
        resultAt = start + static_cast<Ticks>(std::llround((lengthOf(action) + lengthOf(tail)) * fusedFactor_));
        return true;
    }

    tl::unexpected<Error> outOfRange() const {
        return failure(Error::Kind::invalid, "schedule-out-of-range", actionText(badAction_, slices_ > 1),
                       fmt::format("{} lies outside {} stages x {} micro-batches x {} slices",
                                   actionText(badAction_, slices_ > 1), stages_, lists_.microBatches, slices_));
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
        if (isForward && state.blockedOn->recomputePending != 0) result.producer.kind = ActionKind::recompute;
        result.producerRank = lists_.rankOfStage[result.blocked.pipe][result.producer.stage];
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
    bool bad_ = false;
    Action badAction_;
};

}  // namespace

Result<void> simulateInto(const ActionLists& lists, const StageTimes& times, SimulationWorkspace& workspace, Timeline& out) {
    const auto isPlain = [](const Action& a) {
        return static_cast<std::size_t>(a.kind) < kComputeKinds && a.lane == Lane::compute;
    };
    if (!std::all_of(lists.actions.begin(), lists.actions.end(), isPlain))
        return simulation::simulateLanes(lists, times, workspace.memory().lanes, out);
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
