#include "core/engine/in_flight.h"

#include <algorithm>

namespace trainyard {
namespace {

constexpr std::size_t kEntries = 512;

double peakOf(const ActionLists& lists, int rank, bool untilWeight) {
    std::int64_t live = 0;
    std::int64_t peak = 0;
    for (auto i = lists.rankBegin[static_cast<std::size_t>(rank)]; i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
        const auto kind = lists.actions[i].kind;
        if (kind == ActionKind::forward) peak = std::max(peak, ++live);
        if (kind == ActionKind::backward || kind == (untilWeight ? ActionKind::backwardWeight : ActionKind::backwardInput)) --live;
    }
    return static_cast<double>(peak);
}

/// Micro-batches of the last stage that wait between forward and backward.
double peakAtHead(const ActionLists& lists) {
    std::int64_t peak = 0;
    for (const auto& placement : lists.rankOfStage) {
        const auto rank = static_cast<std::size_t>(placement.back());
        std::int64_t live = 0;
        for (auto i = lists.rankBegin[rank]; i < lists.rankBegin[rank + 1]; ++i) {
            const auto& action = lists.actions[i];
            if (action.stage + 1 != lists.stages) continue;
            if (action.kind == ActionKind::forward) peak = std::max(peak, ++live);
            if (action.kind == ActionKind::backward || action.kind == ActionKind::backwardInput) --live;
        }
    }
    return static_cast<double>(std::max<std::int64_t>(1, peak)) / std::max(1, lists.slices);
}

}  // namespace

InFlightCounts inFlightOf(const ActionLists& lists, int chunks) {
    InFlightCounts counts;
    const double units = static_cast<double>(std::max(1, chunks)) * std::max(1, lists.slices);
    for (int rank = 0; rank < lists.ranks(); ++rank) {
        counts.untilInput.push_back(peakOf(lists, rank, false) / units);
        counts.untilWeight.push_back(peakOf(lists, rank, true) / units);
    }
    counts.atHead = peakAtHead(lists);
    return counts;
}

InFlightCounts inFlightClosedForm(const ScheduleDefinition* schedule, const ScheduleRequest& request) {
    InFlightCounts counts;
    const double p = request.ranks;
    const double chunks = std::max(1, request.chunks);
    for (int rank = 0; rank < request.ranks; ++rank) {
        const double warmUp = (2 * (p - 1 - rank) + (chunks - 1) * p + 1) / chunks;
        counts.untilInput.push_back(schedule != nullptr && schedule->peakClosedForm != nullptr
                                        ? schedule->peakClosedForm(request, rank)
                                        : std::min<double>(request.microBatches, warmUp));
    }
    counts.untilWeight = counts.untilInput;
    // Breadth-first orders finish all forwards before the first loss goes backward.
    if (request.ranks > 1) counts.atHead = std::min(counts.untilInput.back(), schedule != nullptr && schedule->id == "gpipe" ? 1e9 : 1.0);
    return counts;
}

const InFlightCounts* InFlightMemo::find(const ScheduleDefinition& schedule, const ScheduleRequest& request) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& e = entries_[i];
        if (e.schedule != &schedule || e.ranks != request.ranks || e.microBatches != request.microBatches || e.chunks != request.chunks ||
            e.slices != request.slices || e.parameters != request.parameters)
            continue;
        if (i > 0) std::swap(entries_[i], entries_[i - 1]);
        return &entries_[i > 0 ? i - 1 : 0].counts;
    }
    return nullptr;
}

void InFlightMemo::keep(const ScheduleDefinition& schedule, const ScheduleRequest& request, InFlightCounts counts) {
    if (entries_.size() >= kEntries) entries_.erase(entries_.end() - kEntries / 4, entries_.end());
    entries_.push_back({&schedule, request.ranks, request.microBatches, request.chunks, request.slices, request.parameters, std::move(counts)});
}

}  // namespace trainyard
