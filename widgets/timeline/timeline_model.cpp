#include "widgets/timeline/timeline_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/schedule/metrics.h"

namespace trainyard {
namespace {

/// The chain that decides the pipeline's time. Traffic and updates after it may end later without being waited for by any action;
/// then the chain of the last compute action is meant.
std::vector<std::uint32_t> decidingChain(const Timeline& timeline) {
    if (timeline.binding.size() != timeline.spans()) return {};
    std::vector<std::uint32_t> chain = criticalPath(timeline);
    if (chain.size() > 1) return chain;
    std::int64_t span = -1;
    for (int row = 0; row < timeline.ranks; ++row) {
        if (timeline.begin(row, Lane::compute) == timeline.finish(row, Lane::compute)) continue;
        const auto last = static_cast<std::int64_t>(timeline.finish(row, Lane::compute)) - 1;
        if (span < 0 || timeline.end[static_cast<std::size_t>(last)] > timeline.end[static_cast<std::size_t>(span)]) span = last;
    }
    chain.clear();
    for (; span >= 0 && chain.size() < timeline.spans(); span = timeline.binding[static_cast<std::size_t>(span)]) {
        chain.push_back(static_cast<std::uint32_t>(span));
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

}  // namespace

TimelineModel::TimelineModel(std::shared_ptr<const Timeline> timeline, TimelineContext context)
    : timeline_(std::move(timeline)), context_(std::move(context)) {
    const Timeline& t = *timeline_;
    lanes_.reserve(static_cast<std::size_t>(t.ranks) * kLaneCount);
    std::array<bool, kLaneCount> used{};
    for (int row = 0; row < t.ranks; ++row) {
        for (int lane = 0; lane < kLaneCount; ++lane) {
            const auto which = static_cast<Lane>(lane);
            lanes_.emplace_back(t, t.begin(row, which), t.finish(row, which));
            if (t.finish(row, which) > t.begin(row, which)) used[static_cast<std::size_t>(lane)] = true;
        }
    }
    for (int lane = 1; lane < kLaneCount; ++lane) {
        if (used[static_cast<std::size_t>(lane)]) thinLanes_.push_back(static_cast<Lane>(lane));
    }
    int pipes = 1;
    int slices = 1;
    for (const Action& action : t.action) {
        slices = std::max(slices, action.slice + 1);
        pipes = std::max(pipes, action.pipe + 1);
        kinds_ |= 1U << static_cast<unsigned>(action.kind);
        hasStyle_[static_cast<std::size_t>(styleOf(action.kind))] = true;
    }

    if (context_.slices <= 0) context_.slices = slices;
    shades_ = std::clamp(std::max(context_.chunks, pipes), 1, 8);

    // Compute spans by micro-batch: counting sort, so that selecting one costs its own spans only.
    std::uint32_t largest = 0;
    bool any = false;
    for (int row = 0; row < t.ranks; ++row) {
        for (std::uint32_t span = t.begin(row, Lane::compute); span < t.finish(row, Lane::compute); ++span) {
            largest = std::max(largest, t.action[span].microBatch);
            any = true;
        }
    }
    // Numbers far beyond the span count cannot be micro-batches of this step; no table for them.
    microBatches_ = any ? static_cast<int>(std::min<std::size_t>(largest, t.spans())) + 1 : 0;
    microBatchBegin_.assign(static_cast<std::size_t>(microBatches_) + 1, 0);
    const auto eachCompute = [&](auto&& visit) {
        for (int row = 0; row < t.ranks; ++row) {
            for (std::uint32_t span = t.begin(row, Lane::compute); span < t.finish(row, Lane::compute); ++span) {
                const ActionKind kind = t.action[span].kind;
                if (kind <= ActionKind::recompute && t.action[span].microBatch < static_cast<std::uint32_t>(microBatches_))
                    visit(span);
            }
        }
    };
    eachCompute([&](std::uint32_t span) { ++microBatchBegin_[t.action[span].microBatch + 1]; });
    for (std::size_t index = 1; index < microBatchBegin_.size(); ++index) microBatchBegin_[index] += microBatchBegin_[index - 1];
    microBatchSpans_.resize(microBatchBegin_.empty() ? 0 : microBatchBegin_.back());
    std::vector<std::uint32_t> next(microBatchBegin_.begin(), microBatchBegin_.end());
    eachCompute([&](std::uint32_t span) { microBatchSpans_[next[t.action[span].microBatch]++] = span; });

    const double perAction = 1.0 / (std::max(1, context_.chunks) * std::max(1, context_.slices));
    inFlight_.reserve(static_cast<std::size_t>(t.ranks));
    for (int row = 0; row < t.ranks; ++row) {
        inFlight_.push_back(inFlightCurve(t, row, perAction));
        largestInFlight_ = std::max(largestInFlight_, inFlight_.back().peak());
    }
    criticalPath_ = decidingChain(t);
}

int TimelineModel::rowOf(std::uint32_t span) const {
    const auto found = std::upper_bound(timeline_->laneBegin.begin(), timeline_->laneBegin.end(), span);
    return static_cast<int>((found - timeline_->laneBegin.begin() - 1) / kLaneCount);
}

Lane TimelineModel::laneOf(std::uint32_t span) const {
    const auto found = std::upper_bound(timeline_->laneBegin.begin(), timeline_->laneBegin.end(), span);
    return static_cast<Lane>((found - timeline_->laneBegin.begin() - 1) % kLaneCount);
}

std::optional<std::uint32_t> TimelineModel::spanAt(int row, Lane which, double time) const {
    const BusyIndex& index = lane(row, which);
    const std::uint32_t span = index.firstEndingAfter(time);
    if (span >= index.last() || static_cast<double>(timeline_->start[span]) > time) return std::nullopt;
    return span;
}

std::vector<std::uint32_t> TimelineModel::spansOfMicroBatch(int microBatch) const {
    if (microBatch < 0 || microBatch >= microBatches_) return {};
    const auto at = static_cast<std::size_t>(microBatch);
    std::vector<std::uint32_t> spans(microBatchSpans_.begin() + microBatchBegin_[at],
                                     microBatchSpans_.begin() + microBatchBegin_[at + 1]);
    std::sort(spans.begin(), spans.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(timeline_->start[a], a) < std::tie(timeline_->start[b], b);
    });
    return spans;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> TimelineModel::dependencies(int microBatch) const {
    // (slice, stage) -> span, forwards and backwards apart. A bidirectional schedule runs a micro-batch through one pipe only.
    std::map<std::pair<int, int>, std::uint32_t> forward;
    std::map<std::pair<int, int>, std::uint32_t> backward;
    for (const std::uint32_t span : spansOfMicroBatch(microBatch)) {
        const Action& action = timeline_->action[span];
        const std::pair<int, int> key{action.slice, action.stage};
        if (action.kind == ActionKind::forward) forward.emplace(key, span);
        if (action.kind == ActionKind::backwardInput || action.kind == ActionKind::backward) backward.emplace(key, span);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& [key, span] : forward) {
        if (const auto next = forward.find({key.first, key.second + 1}); next != forward.end()) {
            pairs.emplace_back(span, next->second);
        } else if (const auto turn = backward.find(key); turn != backward.end()) {
            pairs.emplace_back(span, turn->second);
        }
    }
    for (const auto& [key, span] : backward) {
        if (const auto next = backward.find({key.first, key.second - 1}); next != backward.end())
            pairs.emplace_back(span, next->second);
    }
    return pairs;
}

double TimelineModel::waitBefore(std::uint32_t span) const {
    const BusyIndex& index = lane(rowOf(span), laneOf(span));
    const Ticks free = span > index.first() ? timeline_->end[span - 1] : 0;
    return static_cast<double>(std::max<Ticks>(0, timeline_->start[span] - free));
}

std::vector<IdlePiece> TimelineModel::idlePieces(int row, TimeRange range) const {
    std::vector<IdlePiece> pieces;
    const BusyIndex& index = lane(row, Lane::compute);
    const auto add = [&](double begin, double end, IdleCause cause) {
        if (end > begin && end > range.begin && begin < range.end) pieces.push_back({{begin, end}, cause});
    };
    const std::uint32_t first = index.firstEndingAfter(range.begin);
    const std::uint32_t last = std::min(index.last(), index.firstStartingFrom(range.end) + 1);
    for (std::uint32_t span = first; span < last; ++span) {
        const double free = span > index.first() ? static_cast<double>(timeline_->end[span - 1]) : 0.0;
        const auto start = static_cast<double>(timeline_->start[span]);
        if (start <= free) continue;
        if (span == index.first()) {
            add(free, start, IdleCause::fill);
            continue;
        }
        // Until the producer ended it was the schedule, from then on the way from there to here.
        const std::int32_t binding = timeline_->binding.size() == timeline_->spans() ? timeline_->binding[span] : -1;
        const double produced =
            binding >= 0 ? std::clamp(static_cast<double>(timeline_->end[static_cast<std::size_t>(binding)]), free, start)
                         : start;
        add(free, produced, IdleCause::dependency);
        add(produced, start, IdleCause::transfer);
    }
    if (index.last() > index.first() && last == index.last()) {
        add(static_cast<double>(timeline_->end[index.last() - 1]), makespan(), IdleCause::drain);
    }
    return pieces;
}

std::optional<std::uint32_t> TimelineModel::spanOf(const Action& action) const {
    if (action.microBatch >= static_cast<std::uint32_t>(microBatches_)) return std::nullopt;
    for (std::uint32_t i = microBatchBegin_[action.microBatch]; i < microBatchBegin_[action.microBatch + 1]; ++i) {
        const Action& candidate = timeline_->action[microBatchSpans_[i]];
        if (candidate.kind == action.kind && candidate.stage == action.stage && candidate.slice == action.slice)
            return microBatchSpans_[i];
    }
    return std::nullopt;
}

std::optional<double> TimelineModel::nextStart(double time) const {
    std::optional<double> best;
    for (int row = 0; row < rows(); ++row) {
        const BusyIndex& index = lane(row, Lane::compute);
        std::uint32_t span = index.firstStartingFrom(time);
        while (span < index.last() && static_cast<double>(timeline_->start[span]) <= time) ++span;
        if (span == index.last()) continue;
        const auto start = static_cast<double>(timeline_->start[span]);
        if (!best || start < *best) best = start;
    }
    return best;
}

std::optional<double> TimelineModel::previousStart(double time) const {
    std::optional<double> best;
    for (int row = 0; row < rows(); ++row) {
        const BusyIndex& index = lane(row, Lane::compute);
        const std::uint32_t span = index.firstStartingFrom(time);
        if (span == index.first()) continue;
        const auto start = static_cast<double>(timeline_->start[span - 1]);
        if (!best || start > *best) best = start;
    }
    return best;
}

QString TimelineModel::describe(std::uint32_t span) const {
    const Action& action = timeline_->action[span];
    QString text = kindName(action.kind).toLower();
    if (action.kind <= ActionKind::recompute) text += QLatin1Char(' ') + QString::number(action.microBatch);
    return QCoreApplication::translate("Timeline", "%1 on %2").arg(text, rowTitle(rowOf(span)).toLower());
}

}  // namespace trainyard
