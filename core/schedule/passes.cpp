#include "core/schedule/passes.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/schedule/simulate.h"

namespace trainyard {

namespace {

/// The lists without their actions, to be filled again rank by rank.
ActionLists emptied(const ActionLists& lists) {
    ActionLists result;
    result.stages = lists.stages;
    result.microBatches = lists.microBatches;
    result.slices = lists.slices;
    result.rankOfStage = lists.rankOfStage;
    result.pipeOfMicroBatch = lists.pipeOfMicroBatch;
    result.localLoss = lists.localLoss;
    result.gradientBuckets = lists.gradientBuckets;
    result.actions.reserve(lists.actions.size() * 2);
    return result;
}

/// Nothing may stand inside a cell of two actions: what a pass put there goes before it, reductions behind it.
void closePairs(std::vector<Action>& actions, std::size_t begin) {
    for (std::size_t head = begin; head < actions.size(); ++head) {
        if ((actions[head].flags & kPairHead) == 0) continue;
        std::size_t tail = head + 1;
        while (tail < actions.size() && (actions[tail].flags & kPairTail) == 0) ++tail;
        if (tail >= actions.size()) return;
        const auto first = actions.begin() + static_cast<std::ptrdiff_t>(head);
        const auto place = [&](const Action& a) {
            if ((a.flags & (kPairHead | kPairTail)) != 0) return 1;
            return a.kind == ActionKind::reduceScatter || a.kind == ActionKind::allReduce || a.kind == ActionKind::optimizer ? 2
                                                                                                                             : 0;
        };
        std::stable_sort(first, first + static_cast<std::ptrdiff_t>(tail - head + 1),
                         [&](const Action& a, const Action& b) { return place(a) < place(b); });
        head = tail;
    }
}

/// Calls rewrite(actions of the rank, output) for each rank.
template <class Rewrite>
ActionLists rewritten(const ActionLists& lists, Rewrite rewrite) {
    ActionLists result = emptied(lists);
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        result.rankBegin.push_back(static_cast<std::uint32_t>(result.actions.size()));
        const auto begin = lists.actions.begin() + lists.rankBegin[static_cast<std::size_t>(rank)];
        const auto finish = lists.actions.begin() + lists.rankBegin[static_cast<std::size_t>(rank) + 1];
        rewrite(std::span<const Action>(begin, finish), result.actions);
        closePairs(result.actions, result.rankBegin.back());
    }
    result.rankBegin.push_back(static_cast<std::uint32_t>(result.actions.size()));
    return result;
}

bool sameCell(const Action& a, const Action& b) {
    return a.microBatch == b.microBatch && a.stage == b.stage && a.slice == b.slice;
}

bool isCompute(const Action& a) { return a.lane == Lane::compute; }
bool givesGradient(const Action& a) { return a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput; }

Action derived(const Action& from, ActionKind kind, Lane lane) {
    Action a = from;
    a.kind = kind;
    a.lane = lane;
    a.flags = 0;
    return a;
}

/// Position in the rank's list of the backward that uses each forward's activation; the list's size if there is none.
std::vector<std::size_t> usesOf(std::span<const Action> actions, const ActionLists& lists) {
    const std::size_t units = static_cast<std::size_t>(lists.microBatches) * static_cast<std::size_t>(lists.slices);
    const auto key = [&](const Action& a) {
        return a.stage * units + a.microBatch * static_cast<std::size_t>(lists.slices) + a.slice;
    };
    std::vector<std::size_t> useOfKey(static_cast<std::size_t>(lists.stages) * units, actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i)
        if (givesGradient(actions[i])) useOfKey[key(actions[i])] = i;
    std::vector<std::size_t> uses(actions.size(), actions.size());
    for (std::size_t i = 0; i < actions.size(); ++i)
        if (actions[i].kind == ActionKind::forward) uses[i] = useOfKey[key(actions[i])];
    return uses;
}

}  // namespace

ActionLists splitBackward(const ActionLists& lists) {
    return rewritten(lists, [](std::span<const Action> actions, std::vector<Action>& out) {
        for (const Action& a : actions) {
            if (a.kind != ActionKind::backward) {
                out.push_back(a);
                continue;
            }
            Action input = a;
            input.kind = ActionKind::backwardInput;
            out.push_back(input);
            out.push_back(derived(a, ActionKind::backwardWeight, Lane::compute));
        }
    });
}

ActionLists mergeBackward(const ActionLists& lists) {
    return rewritten(lists, [](std::span<const Action> actions, std::vector<Action>& out) {
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const bool whole = actions[i].kind == ActionKind::backwardInput && i + 1 < actions.size() &&
                               actions[i + 1].kind == ActionKind::backwardWeight && sameCell(actions[i], actions[i + 1]) &&
                               (actions[i + 1].flags & (kPairHead | kPairTail)) == 0;
            out.push_back(actions[i]);
            if (!whole) continue;
            out.back().kind = ActionKind::backward;
            ++i;
        }
    });
}

ActionLists insertRecompute(const ActionLists& lists, const std::function<bool(int stage)>& recomputed) {
    const auto chosen = [&](const Action& a) { return recomputed(a.stage); };
    std::vector<char> already(static_cast<std::size_t>(lists.stages), 0);
    for (const Action& a : lists.actions)
        if (a.kind == ActionKind::recompute) already[a.stage] = 1;
    return rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        for (std::size_t i = 0; i < actions.size(); ++i) {
            Action a = actions[i];
            const bool apply = chosen(a) && already[a.stage] == 0;
            // A recompute before a cell of two actions stands before the whole cell.
            const bool tailBackward = (a.flags & kPairHead) != 0 && i + 1 < actions.size() && givesGradient(actions[i + 1]);
            if (tailBackward && chosen(actions[i + 1]) && already[actions[i + 1].stage] == 0)
                out.push_back(derived(actions[i + 1], ActionKind::recompute, Lane::compute));
            if (apply && givesGradient(a) && (a.flags & kPairTail) == 0)
                out.push_back(derived(a, ActionKind::recompute, Lane::compute));
            if (apply && a.kind == ActionKind::forward) a.flags |= kRecomputed;
            out.push_back(a);
        }
    });
}

ActionLists hoistRecompute(const ActionLists& lists, const StageTimes& times, int maximumHeld) {
    const Result<Timeline> timeline = simulate(lists, times);
    if (!timeline) return lists;
    ActionLists result = lists;
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        const std::size_t begin = lists.rankBegin[static_cast<std::size_t>(rank)];
        const std::size_t finish = lists.rankBegin[static_cast<std::size_t>(rank) + 1];
        // Only compute-lane actions have a span per list position in order.
        std::vector<std::size_t> positions;
        for (std::size_t i = begin; i < finish; ++i)
            if (isCompute(lists.actions[i])) positions.push_back(i);
        const std::uint32_t firstSpan = timeline->begin(rank, Lane::compute);
        std::vector<Ticks> idleBefore(positions.size(), 0);
        for (std::size_t k = 1; k < positions.size(); ++k)
            idleBefore[k] = timeline->start[firstSpan + k] - timeline->end[firstSpan + k - 1];
        std::vector<std::size_t> target(positions.size());  // compute index before which each action stands
        for (std::size_t k = 0; k < positions.size(); ++k) target[k] = k;
        std::vector<int> held(positions.size(), 0);  // recomputed activations while each action runs
        for (std::size_t k = 0; k + 1 < positions.size(); ++k)
            held[k + 1] = lists.actions[positions[k]].kind == ActionKind::recompute ? 1 : 0;
        for (std::size_t k = 0; k < positions.size(); ++k) {
            const Action& a = lists.actions[positions[k]];
            if (a.kind != ActionKind::recompute) continue;
            const Ticks length = timeline->end[firstSpan + k] - timeline->start[firstSpan + k];
            if (k + 1 < positions.size() && idleBefore[k + 1] > 0)
                continue;  // its backward waits anyway: it already runs beside that wait
            for (std::size_t gap = k; gap > 0; --gap) {
                if (gap < k && held[gap] >= maximumHeld) break;
                const Action& before = lists.actions[positions[gap - 1]];
                if (before.kind == ActionKind::forward && sameCell(before, a)) break;
                if (idleBefore[gap] < length || (lists.actions[positions[gap]].flags & kPairTail) != 0) continue;
                idleBefore[gap] -= length;
                target[k] = gap;
                for (std::size_t i = gap; i < k; ++i) ++held[i];
                break;
            }
        }
        std::vector<std::vector<std::size_t>> moved(positions.size());
        for (std::size_t k = 0; k < positions.size(); ++k)
            if (target[k] != k) moved[target[k]].push_back(k);
        std::size_t out = begin;
        std::size_t k = 0;
        for (std::size_t i = begin; i < finish; ++i) {
            if (!isCompute(lists.actions[i])) {
                result.actions[out++] = lists.actions[i];
                continue;
            }
            for (const std::size_t early : moved[k]) result.actions[out++] = lists.actions[positions[early]];
            if (target[k] == k) result.actions[out++] = lists.actions[i];
            ++k;
        }
    }
    return result;
}

ActionLists insertCollectives(const ActionLists& lists, GatherRule gather, ReduceRule reduce) {
    return rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        std::vector<std::size_t> lastGradient(static_cast<std::size_t>(lists.stages), actions.size());
        for (std::size_t i = 0; i < actions.size(); ++i)
            if (actions[i].kind == ActionKind::backward || actions[i].kind == ActionKind::backwardWeight)
                lastGradient[actions[i].stage] = i;

        // Which compute actions need a gather first.
        std::vector<char> needs(actions.size(), 0);
        enum class Pass : std::uint8_t { unused, forward, backward };
        std::vector<Pass> passOf(static_cast<std::size_t>(lists.stages), Pass::unused);
        int current = -1;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const Action& a = actions[i];
            if (!isCompute(a) || a.kind == ActionKind::backwardWeight ||
                !(a.kind == ActionKind::forward || a.kind == ActionKind::recompute || givesGradient(a)))
                continue;
            const Pass pass = a.kind == ActionKind::forward ? Pass::forward : Pass::backward;
            if (gather == GatherRule::perAction) needs[i] = a.stage != current ? 1 : 0;
            if (gather == GatherRule::perPass &&
                (passOf[a.stage] == Pass::unused || (passOf[a.stage] == Pass::forward && pass == Pass::backward)))
                needs[i] = 1;
            if (passOf[a.stage] != Pass::backward) passOf[a.stage] = pass;
            current = a.stage;
        }
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (i == 0 && needs[0] != 0) out.push_back(derived(actions[0], ActionKind::allGather, Lane::data));
            out.push_back(actions[i]);
            if (i + 1 < actions.size() && needs[i + 1] != 0) {
                // One action ahead: issued when the action before the present one started.
                const Action gathered = derived(actions[i + 1], ActionKind::allGather, Lane::data);
                out.push_back(gathered);
            }
            if (reduce != ReduceRule::none && lastGradient[actions[i].stage] == i)
                out.push_back(derived(
                    actions[i], reduce == ReduceRule::allReduce ? ActionKind::allReduce : ActionKind::reduceScatter, Lane::data));
        }
    });
}

ActionLists insertReductionBuckets(const ActionLists& lists, ReduceRule reduce, int buckets) {
    const auto isReduction = [](const Action& a) {
        return a.kind == ActionKind::reduceScatter || a.kind == ActionKind::allReduce;
    };
    ActionLists result = rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        std::vector<std::size_t> lastGradient(static_cast<std::size_t>(lists.stages), actions.size());
        for (std::size_t i = 0; i < actions.size(); ++i)
            if (actions[i].kind == ActionKind::backward || actions[i].kind == ActionKind::backwardWeight)
                lastGradient[actions[i].stage] = i;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (isReduction(actions[i])) continue;
            out.push_back(actions[i]);
            if (reduce == ReduceRule::none || lastGradient[actions[i].stage] != i) continue;
            Action bucket = derived(
                actions[i], reduce == ReduceRule::allReduce ? ActionKind::allReduce : ActionKind::reduceScatter, Lane::data);
            for (bucket.weightVersion = 0; bucket.weightVersion < static_cast<std::uint32_t>(buckets); ++bucket.weightVersion)
                out.push_back(bucket);
        }
    });
    result.gradientBuckets = std::max(1, buckets);
    return result;
}

ActionLists insertOptimizer(const ActionLists& lists, OptimizerRule rule) {
    return rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        out.insert(out.end(), actions.begin(), actions.end());
        if (actions.empty()) return;
        std::vector<Action> lastOfStage;  // in the order in which the stages finish
        for (std::size_t i = actions.size(); i-- > 0;) {
            const Action& a = actions[i];
            if (a.kind != ActionKind::backward && a.kind != ActionKind::backwardWeight) continue;
            if (std::none_of(lastOfStage.begin(), lastOfStage.end(), [&](const Action& seen) { return seen.stage == a.stage; }))
                lastOfStage.push_back(a);
        }
        if (rule == OptimizerRule::afterNormSync) out.push_back(derived(actions.back(), ActionKind::barrier, Lane::compute));
        for (std::size_t i = lastOfStage.size(); i-- > 0;)
            out.push_back(derived(lastOfStage[i], ActionKind::optimizer, Lane::compute));
    });
}

ActionLists insertOffload(const ActionLists& lists, int minimumDistance) {
    return rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        const std::vector<std::size_t> uses = usesOf(actions, lists);
        std::vector<std::vector<std::size_t>> returning(
            actions.size());  // forwards whose activation comes back after this action
        for (std::size_t i = 0; i < actions.size(); ++i) {
            out.push_back(actions[i]);
            // What comes back may start while this action runs; what leaves, only after it.
            for (const std::size_t forward : returning[i])
                out.push_back(derived(actions[forward], ActionKind::reload, Lane::host));
            const bool away = uses[i] < actions.size() && (actions[i].flags & kRecomputed) == 0 &&
                              uses[i] - i >= static_cast<std::size_t>(std::max(2, minimumDistance));
            if (away) {
                out.push_back(derived(actions[i], ActionKind::offload, Lane::host));
                returning[uses[i] - 1].push_back(i);
            }
        }
    });
}

ActionLists insertEviction(const ActionLists& lists, int limit) {
    return rewritten(lists, [&](std::span<const Action> actions, std::vector<Action>& out) {
        const std::vector<std::size_t> uses = usesOf(actions, lists);
        std::set<std::size_t> resident;  // by the position of their use
        std::set<std::size_t> away;
        const auto held = [&] { return static_cast<int>(resident.size()); };
        const auto load = [&](std::size_t use) {
            out.push_back(derived(actions[use], ActionKind::load, Lane::pipeline));
            away.erase(use);
            resident.insert(use);
        };
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const Action& a = actions[i];
            if (a.kind == ActionKind::forward && uses[i] < actions.size() && (a.flags & kRecomputed) == 0) {
                const std::size_t nextResident = resident.empty() ? actions.size() : *resident.begin();
                const std::size_t nextAway = away.empty() ? actions.size() : *away.begin();
                const bool loadsNext = nextAway < nextResident && nextAway < uses[i];
                const int room = loadsNext ? 2 : 1;
                while (held() + room > limit && !resident.empty()) {
                    const std::size_t farthest = *resident.rbegin();
                    if (farthest == nextResident && !loadsNext) break;  // needed next of all
                    out.push_back(derived(actions[farthest], ActionKind::evict, Lane::pipeline));
                    resident.erase(farthest);
                    away.insert(farthest);
                }
                out.push_back(a);
                resident.insert(uses[i]);
                if (loadsNext && held() < limit) load(nextAway);
                continue;
            }
            if (givesGradient(a)) {
                if (away.count(i) != 0) {
                    load(i);
                    out.back().flags |= kAfterPrevious;  // only then is there room
                }
                out.push_back(a);
                if (!away.empty() && held() < limit) {
                    const auto after = resident.upper_bound(i);
                    if (after == resident.end() || *away.begin() < *after) load(*away.begin());
                }
                resident.erase(i);
                continue;
            }
            out.push_back(a);
        }
    });
}

}  // namespace trainyard
