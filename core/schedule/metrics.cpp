#include "core/schedule/metrics.h"

#include <algorithm>

#include "core/schedule/simulate.h"

namespace trainyard {

Ticks maximumSpan(const Timeline& timeline) {
    Ticks longest = 0;
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        const std::uint32_t begin = timeline.begin(rank, Lane::compute);
        const std::uint32_t finish = timeline.finish(rank, Lane::compute);
        if (begin < finish) longest = std::max(longest, timeline.end[finish - 1] - timeline.start[begin]);
    }
    return longest;
}

Bubbles bubblesOf(const Timeline& timeline) {
    Bubbles bubbles;
    double work = 0;
    for (const Ticks busy : timeline.busy) work += static_cast<double>(busy);
    const double ranks = timeline.ranks;
    const double makespan = static_cast<double>(timeline.makespan);
    if (makespan <= 0 || work <= 0 || ranks <= 0) return bubbles;
    bubbles.idleShare = 1 - work / (ranks * makespan);
    bubbles.overhead = ranks * makespan / work - 1;
    bubbles.span = 1 - work / ranks / static_cast<double>(maximumSpan(timeline));
    return bubbles;
}

Result<IdleSplit> idleByCause(const ActionLists& lists, const StageTimes& times, std::vector<IdleSplit>* perRank) {
    StageTimes free = times;
    for (auto* list : {&free.sendForward, &free.sendBackward, &free.latencyForward, &free.latencyBackward}) list->clear();
    SimulationWorkspace workspace;
    Timeline real;
    Timeline ideal;
    if (Result<void> done = simulateInto(lists, times, workspace, real); !done) return tl::unexpected<Error>(done.error());
    if (Result<void> done = simulateInto(lists, free, workspace, ideal); !done) return tl::unexpected<Error>(done.error());
    IdleSplit sum;
    if (perRank != nullptr) perRank->clear();
    for (int rank = 0; rank < real.ranks; ++rank) {
        IdleSplit split;
        const std::uint32_t begin = ideal.begin(rank, Lane::compute);
        const std::uint32_t finish = ideal.finish(rank, Lane::compute);
        const Ticks busy = ideal.busy[static_cast<std::size_t>(rank)];
        if (begin < finish) {
            split.fill = ideal.start[begin];
            split.drain = ideal.makespan - ideal.end[finish - 1];
            split.dependency = ideal.end[finish - 1] - ideal.start[begin] - busy;
        } else {
            split.drain = ideal.makespan;
        }
        split.communication = real.makespan - ideal.makespan;
        if (perRank != nullptr) perRank->push_back(split);
        sum.fill += split.fill;
        sum.drain += split.drain;
        sum.dependency += split.dependency;
        sum.communication += split.communication;
    }
    return sum;
}

std::vector<std::uint32_t> criticalPath(const Timeline& timeline) {
    std::vector<std::uint32_t> path;
    if (timeline.end.empty()) return path;
    const auto last = std::max_element(timeline.end.begin(), timeline.end.end());
    for (std::int32_t span = static_cast<std::int32_t>(last - timeline.end.begin()); span >= 0 && path.size() < timeline.spans();
         span = timeline.binding[static_cast<std::size_t>(span)])
        path.push_back(static_cast<std::uint32_t>(span));
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<MemoryStep> memoryCurve(const Timeline& timeline, int rank, std::span<const ActivationBytes> bytesOfStage) {
    std::vector<MemoryStep> changes;
    if (bytesOfStage.empty()) return changes;
    const auto bytes = [&](const Action& a) -> const ActivationBytes& {
        return bytesOfStage[bytesOfStage.size() == 1 ? 0 : a.stage];
    };
    std::vector<char> recomputes;
    for (int lane = 0; lane < kLaneCount; ++lane)
        for (std::uint32_t i = timeline.begin(rank, static_cast<Lane>(lane)); i < timeline.finish(rank, static_cast<Lane>(lane));
             ++i) {
            const Action& a = timeline.action[i];
            const ActivationBytes& b = bytes(a);
            if (a.kind == ActionKind::forward && (a.flags & kRecomputed) != 0) {
                if (recomputes.size() <= a.stage) recomputes.resize(a.stage + std::size_t{1}, 0);
                recomputes[a.stage] = 1;
            }
            const double checkpoint = a.stage < recomputes.size() && recomputes[a.stage] != 0 ? b.checkpoint : 0;
            switch (a.kind) {
                case ActionKind::forward:
                    changes.push_back({timeline.start[i], (a.flags & kRecomputed) != 0 ? b.checkpoint : b.kept});
                    break;
                case ActionKind::recompute:
                case ActionKind::load:
                case ActionKind::reload: changes.push_back({timeline.start[i], b.kept}); break;
                case ActionKind::backward: changes.push_back({timeline.end[i], -b.kept - checkpoint}); break;
                case ActionKind::backwardInput:
                    changes.push_back({timeline.end[i], -b.kept * b.freedByInput - checkpoint});
                    break;
                case ActionKind::backwardWeight: changes.push_back({timeline.end[i], -b.kept * (1 - b.freedByInput)}); break;
                case ActionKind::evict:
                case ActionKind::offload: changes.push_back({timeline.end[i], -b.kept}); break;
                default: break;
            }
        }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const MemoryStep& x, const MemoryStep& y) { return x.at != y.at ? x.at < y.at : x.bytes < y.bytes; });
    std::vector<MemoryStep> curve;
    double held = 0;
    for (const MemoryStep& change : changes) {
        held += change.bytes;
        if (!curve.empty() && curve.back().at == change.at)
            curve.back().bytes = held;
        else
            curve.push_back({change.at, held});
    }
    return curve;
}

double steadyPeriod(const Timeline& timeline, int microBatches) {
    if (microBatches < 4) return 0;
    const std::uint32_t late = static_cast<std::uint32_t>(microBatches - 1);
    const std::uint32_t early = static_cast<std::uint32_t>(microBatches / 2);
    Ticks lateEnd = 0;
    Ticks earlyEnd = 0;
    for (std::size_t i = 0; i < timeline.spans(); ++i) {
        const Action& a = timeline.action[i];
        if (a.stage != 0 || (a.kind != ActionKind::backward && a.kind != ActionKind::backwardInput)) continue;
        if (a.microBatch == late) lateEnd = std::max(lateEnd, timeline.end[i]);
        if (a.microBatch == early) earlyEnd = std::max(earlyEnd, timeline.end[i]);
    }
    return static_cast<double>(lateEnd - earlyEnd) / (late - early);
}

std::vector<LinkUse> linkUse(const ActionLists& lists, const StageTimes& times, Ticks makespan) {
    const std::size_t ranks = static_cast<std::size_t>(lists.ranks());
    std::vector<std::int64_t> transfers(ranks * ranks, 0);
    std::vector<Ticks> occupied(ranks * ranks, 0);
    const auto at = [](const std::vector<Ticks>& values, std::size_t i) { return i < values.size() ? values[i] : 0; };
    const std::int64_t perStage = lists.slices;
    for (int mb = 0; mb < lists.microBatches; ++mb) {
        const auto& rankOf = lists.rankOfStage[lists.pipeOf(static_cast<std::uint32_t>(mb))];
        for (std::size_t stage = 0; stage + 1 < rankOf.size(); ++stage) {
            const std::size_t a = rankOf[stage];
            const std::size_t b = rankOf[stage + 1];
            if (a == b) continue;
            transfers[a * ranks + b] += perStage;
            occupied[a * ranks + b] += perStage * at(times.sendForward, stage);
            if (!lists.localLoss.empty() && lists.localLoss[stage] != 0) continue;
            transfers[b * ranks + a] += perStage;
            occupied[b * ranks + a] += perStage * at(times.sendBackward, stage + 1);
        }
    }
    std::vector<LinkUse> uses;
    for (std::size_t from = 0; from < ranks; ++from)
        for (std::size_t to = 0; to < ranks; ++to)
            if (transfers[from * ranks + to] > 0)
                uses.push_back(
                    {static_cast<int>(from), static_cast<int>(to), transfers[from * ranks + to],
                     makespan > 0 ? static_cast<double>(occupied[from * ranks + to]) / static_cast<double>(makespan) : 0});
    return uses;
}

}  // namespace trainyard
