#include "core/schedule/run_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <queue>
#include <set>
#include <tuple>

#include "core/schedule/simulate_parts.h"

namespace trainyard {

namespace {

class PolicyRun {
  public:
    PolicyRun(const PolicyRequest& request, const StageTimes& times) : request_(request) {
        lists_.microBatches = request.microBatches;
        lists_.slices = request.slices;
        lists_.rankOfStage = request.rankOfStage;
        lists_.pipeOfMicroBatch = request.pipeOfMicroBatch;
        for (const auto& placement : request.rankOfStage)
            lists_.stages = std::max(lists_.stages, static_cast<int>(placement.size()));
        lists_.rankBegin.assign(static_cast<std::size_t>(request.ranks) + 1, 0);
        duration_.fill(lists_, times);
        links_.fill(lists_, times);
        ranks_.resize(static_cast<std::size_t>(request.ranks));
        onRank_.assign(ranks_.size() * static_cast<std::size_t>(request.microBatches), 0);
        stagesOnRank_.assign(request.rankOfStage.size(), std::vector<int>(ranks_.size(), 0));
        for (std::size_t pipe = 0; pipe < request.rankOfStage.size(); ++pipe)
            for (const std::uint16_t rank : request.rankOfStage[pipe]) ++stagesOnRank_[pipe][rank];
    }

    Result<ActionLists> run() {
        for (int mb = 0; mb < request_.microBatches; ++mb) {
            Action first;
            first.microBatch = static_cast<std::uint32_t>(mb);
            first.pipe = lists_.pipeOf(first.microBatch);
            arrive(first, 0);
        }
        std::size_t done = 0;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) events_.push({0, rank});
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            Rank& rank = ranks_[event.rank];
            if (event.at < rank.free) continue;  // still at work; an event at the end of that stands in the heap
            Action next;
            if (!choose(event.rank, event.at, next)) continue;
            execute(event.rank, event.at, next);
            ++done;
        }
        std::size_t expected = 0;
        for (int mb = 0; mb < request_.microBatches; ++mb)
            expected += lists_.rankOfStage[lists_.pipeOf(static_cast<std::uint32_t>(mb))].size() *
                        static_cast<std::size_t>(request_.slices) * (request_.splitsBackward ? 3 : 2);
        if (done < expected)
            return failure(
                Error::Kind::invalid, "policy-deadlock", "limit",
                fmt::format("after {} of {} actions the ranks wait for each other; a higher limit helps", done, expected));
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            lists_.rankBegin[rank] = static_cast<std::uint32_t>(lists_.actions.size());
            lists_.actions.insert(lists_.actions.end(), ranks_[rank].order.begin(), ranks_[rank].order.end());
        }
        lists_.rankBegin.back() = static_cast<std::uint32_t>(lists_.actions.size());
        return std::move(lists_);
    }

  private:
    struct Event {
        Ticks at;
        std::size_t rank;
        bool operator>(const Event& other) const { return std::tie(at, rank) > std::tie(other.at, other.rank); }
    };
    struct Waiting {
        Action action;
        Ticks arrival;
    };
    /// Forwards: deepest stage first, so that what is under way ends; then oldest. Backwards: oldest, then last slice first.
    struct Order {
        bool operator()(const Waiting& x, const Waiting& y) const {
            const bool forward = x.action.kind == ActionKind::forward;
            const auto key = [forward](const Action& a) {
                return forward
                           ? std::tuple(-static_cast<int>(a.stage), static_cast<int>(a.microBatch), static_cast<int>(a.slice))
                           : std::tuple(static_cast<int>(a.microBatch), static_cast<int>(a.stage), -static_cast<int>(a.slice));
            };
            return key(x.action) < key(y.action);
        }
    };
    struct Rank {
        Ticks free = 0;
        int present = 0;  ///< micro-batches on the rank
        std::set<Waiting, Order> forwards;
        std::set<Waiting, Order> backwards;
        std::deque<Action> weights;
        std::vector<Action> order;
    };

    [[nodiscard]] int& onRank(std::size_t rank, std::uint32_t microBatch) {
        return onRank_[rank * static_cast<std::size_t>(request_.microBatches) + microBatch];
    }

    void arrive(Action action, Ticks at) {
        const std::size_t rank = lists_.rankOfStage[action.pipe][action.stage];
        (action.kind == ActionKind::forward ? ranks_[rank].forwards : ranks_[rank].backwards).insert({action, at});
        events_.push({std::max(at, ranks_[rank].free), rank});
    }

    [[nodiscard]] bool mayEnter(std::size_t rank, std::uint32_t microBatch) {
        return onRank(rank, microBatch) > 0 || request_.limitOfRank.empty() || ranks_[rank].present < request_.limitOfRank[rank];
    }

    /// Takes the action to run at `now` out of the waiting ones.
    bool choose(std::size_t rankIndex, Ticks now, Action& chosen) {
        Rank& rank = ranks_[rankIndex];
        const auto take = [&](std::set<Waiting, Order>& waiting, bool forward) {
            for (auto i = waiting.begin(); i != waiting.end(); ++i) {
                if (i->arrival > now || (forward && !mayEnter(rankIndex, i->action.microBatch))) continue;
                chosen = i->action;
                waiting.erase(i);
                return true;
            }
            return false;
        };
        const bool forwardFirst = request_.prefer == PolicyPreference::forwardFirst;
        if (forwardFirst && take(rank.forwards, true)) return true;
        if (take(rank.backwards, false)) return true;
        if (!forwardFirst && take(rank.forwards, true)) return true;
        if (rank.weights.empty()) return false;
        chosen = rank.weights.front();
        rank.weights.pop_front();
        return true;
    }

    void execute(std::size_t rankIndex, Ticks now, const Action& action) {
        Rank& rank = ranks_[rankIndex];
        const Ticks end = now + duration_.of(action);
        rank.free = end;
        rank.order.push_back(action);
        const std::size_t last = lists_.rankOfStage[action.pipe].size() - 1;
        const std::size_t link = action.pipe * static_cast<std::size_t>(lists_.stages) + action.stage;
        if (action.kind == ActionKind::forward) {
            int& uses = onRank(rankIndex, action.microBatch);
            if (uses == 0) {
                ++rank.present;
                uses = stagesOnRank_[action.pipe][rankIndex] * request_.slices;  // gradients until it leaves
            }
            if (action.stage < last) {
                Action next = action;
                ++next.stage;
                arrive(next, links_.arrival(links_.forward[link], end));
            } else if (action.slice + 1 == request_.slices) {
                Action back = action;
                back.kind = request_.splitsBackward ? ActionKind::backwardInput : ActionKind::backward;
                arrive(back, end);
            }
            if (action.slice + 1 < request_.slices && action.stage == 0) {
                Action next = action;
                ++next.slice;
                arrive(next, end);
            }
        } else {
            const bool finishes = action.kind != ActionKind::backwardInput;
            if (finishes && --onRank(rankIndex, action.microBatch) == 0) --rank.present;
            if (action.kind == ActionKind::backwardInput) {
                Action weight = action;
                weight.kind = ActionKind::backwardWeight;
                rank.weights.push_back(weight);
            }
            if (action.kind != ActionKind::backwardWeight) {
                if (action.stage > 0) {
                    Action next = action;
                    --next.stage;
                    arrive(next, links_.arrival(links_.backward[link], end));
                }
                if (action.slice > 0 && action.stage == last) {
                    Action next = action;
                    --next.slice;
                    arrive(next, end);
                }
            }
        }
        events_.push({end, rankIndex});
    }

    const PolicyRequest& request_;
    ActionLists lists_;
    simulation::ComputeDurations duration_;
    simulation::Links links_;
    std::vector<Rank> ranks_;
    std::vector<int> onRank_;                     ///< [rank][micro-batch] gradients still to run there; 0: not on the rank
    std::vector<std::vector<int>> stagesOnRank_;  ///< [pipe][rank]
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace

Result<ActionLists> runPolicy(const PolicyRequest& request, const StageTimes& times) { return PolicyRun(request, times).run(); }

}  // namespace trainyard
