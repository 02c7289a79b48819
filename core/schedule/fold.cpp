#include "core/schedule/fold.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace trainyard {

namespace {

constexpr std::int32_t kNobody = -1;
constexpr std::size_t kComputeKinds = 5;

/// Compute spans by (kind, stage, micro-batch, slice).
class SpanTable {
  public:
    explicit SpanTable(const Timeline& timeline) : timeline_(timeline) {
        for (int rank = 0; rank < timeline.ranks; ++rank)
            for (std::uint32_t i = timeline.begin(rank, Lane::compute); i < timeline.finish(rank, Lane::compute); ++i) {
                const Action& a = timeline.action[i];
                if (static_cast<std::size_t>(a.kind) >= kComputeKinds) continue;
                stages_ = std::max(stages_, a.stage + std::size_t{1});
                slices_ = std::max(slices_, a.slice + std::size_t{1});
                microBatches_ = std::max(microBatches_, a.microBatch + std::size_t{1});
                spans_.push_back(i);
            }
        constexpr std::size_t kMostPlaces = 200'000'000;
        if (kComputeKinds * stages_ * slices_ * microBatches_ > kMostPlaces) spans_.clear();
        if (spans_.empty()) return;
        table_.assign(kComputeKinds * stages_ * slices_ * microBatches_, kNobody);
        for (const std::uint32_t i : spans_) table_[place(timeline.action[i], 0)] = static_cast<std::int32_t>(i);
    }
    [[nodiscard]] const std::vector<std::uint32_t>& spans() const { return spans_; }
    [[nodiscard]] std::size_t microBatches() const { return microBatches_; }
    /// The span of the same action, `later` micro-batches on.
    [[nodiscard]] std::int32_t later(const Action& a, std::size_t later) const {
        return a.microBatch + later < microBatches_ ? table_[place(a, later)] : kNobody;
    }

  private:
    [[nodiscard]] std::size_t place(const Action& a, std::size_t later) const {
        return ((static_cast<std::size_t>(a.kind) * stages_ + a.stage) * slices_ + a.slice) * microBatches_ + a.microBatch +
               later;
    }
    const Timeline& timeline_;
    std::size_t stages_ = 0;
    std::size_t slices_ = 0;
    std::size_t microBatches_ = 0;
    std::vector<std::uint32_t> spans_;
    std::vector<std::int32_t> table_;
};

/// The longest stretch whose spans all come again `microBatches` later after the same time, as long as before and with the same
/// pause before them.
std::optional<PeriodicPart> stretchOf(const Timeline& timeline, const SpanTable& table, std::size_t microBatches) {
    // The period is what most actions in the middle of the step show; the first of them stands for all.
    const Ticks middle = timeline.makespan / 2;
    Ticks period = 0;
    for (const std::uint32_t i : table.spans()) {
        if (timeline.start[i] < middle / 2 || timeline.start[i] > middle) continue;
        const std::int32_t next = table.later(timeline.action[i], microBatches);
        if (next == kNobody) continue;
        period = timeline.start[static_cast<std::size_t>(next)] - timeline.start[i];
        break;
    }
    if (period <= 0) return std::nullopt;
    // Spans that do not come again: the part lies between two neighbouring ones of those (by the times they cover).
    std::vector<std::pair<Ticks, Ticks>> breaks{{std::numeric_limits<Ticks>::min(), 0},
                                                {timeline.makespan - period, std::numeric_limits<Ticks>::max()}};
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        const std::uint32_t begin = timeline.begin(rank, Lane::compute);
        const std::uint32_t finish = timeline.finish(rank, Lane::compute);
        Ticks free = 0;
        for (std::uint32_t i = begin; i < finish; ++i) {
            const bool isUnit = static_cast<std::size_t>(timeline.action[i].kind) < kComputeKinds;
            const std::int32_t next = isUnit ? table.later(timeline.action[i], microBatches) : kNobody;
            const std::size_t n = static_cast<std::size_t>(next);
            const bool repeats = next != kNobody && timeline.start[n] - timeline.start[i] == period &&
                                 timeline.end[n] - timeline.end[i] == period &&
                                 timeline.start[i] - free == timeline.start[n] - timeline.end[n - 1];
            if (!repeats) breaks.emplace_back(free, timeline.end[i]);
            free = timeline.end[i];
        }
        breaks.emplace_back(free, std::numeric_limits<Ticks>::max());
    }
    std::sort(breaks.begin(), breaks.end());
    PeriodicPart best;
    Ticks covered = breaks.front().second;
    for (const auto& [start, end] : breaks) {
        if (start - covered > best.period * best.repeats) {
            best.begin = covered;
            best.period = period;
            // All of [covered, start) comes again one period later, so blocks follow each other up to start + period.
            best.repeats = static_cast<int>((start - covered) / period) + 1;
        }
        covered = std::max(covered, end);
    }
    best.microBatches = static_cast<int>(microBatches);
    if (best.repeats < 3) return std::nullopt;
    return best;
}

}  // namespace

std::optional<PeriodicPart> findPeriodicPart(const Timeline& timeline) {
    const SpanTable table(timeline);
    if (table.spans().empty()) return std::nullopt;
    // A group of interleaved schedules is as long as the ranks or a little more; half the step must hold a period.
    const std::size_t most = std::min<std::size_t>({table.microBatches() / 3, static_cast<std::size_t>(2 * timeline.ranks), 128});
    std::optional<PeriodicPart> best;
    for (std::size_t microBatches = 1; microBatches <= most; ++microBatches) {
        const auto found = stretchOf(timeline, table, microBatches);
        // A multiple of a period is one too; the shortest says most.
        if (found && (!best || found->end() - found->begin > best->end() - best->begin + best->period)) best = found;
    }
    return best;
}

FoldedTimeline foldTimeline(const Timeline& timeline, const PeriodicPart& part) {
    FoldedTimeline folded;
    folded.blocks = std::max(0, part.repeats - 2);
    folded.removed = part.period * folded.blocks;
    folded.cut = part.begin + part.period;
    const Ticks resumes = folded.cut + folded.removed;
    Timeline& out = folded.timeline;
    out.ranks = timeline.ranks;
    out.secondsPerTick = timeline.secondsPerTick;
    out.makespan = timeline.makespan - folded.removed;
    out.peakInFlightB = timeline.peakInFlightB;
    out.peakInFlightW = timeline.peakInFlightW;
    out.busy.assign(timeline.busy.size(), 0);
    std::vector<std::int32_t> newIndex(timeline.spans(), kNobody);
    for (int rank = 0; rank < timeline.ranks; ++rank)
        for (int lane = 0; lane < kLaneCount; ++lane) {
            out.laneBegin.push_back(static_cast<std::uint32_t>(out.start.size()));
            for (std::uint32_t i = timeline.begin(rank, static_cast<Lane>(lane));
                 i < timeline.finish(rank, static_cast<Lane>(lane)); ++i) {
                Ticks start = timeline.start[i];
                Ticks end = timeline.end[i];
                if (start >= folded.cut && end <= resumes && folded.blocks > 0) continue;
                if (folded.blocks > 0) {
                    start = start >= resumes ? start - folded.removed : std::min(start, folded.cut);
                    end = end > resumes ? end - folded.removed : std::min(end, folded.cut);
                }
                newIndex[i] = static_cast<std::int32_t>(out.start.size());
                out.start.push_back(start);
                out.end.push_back(end);
                out.action.push_back(timeline.action[i]);
                out.binding.push_back(timeline.binding.empty() ? kNobody : timeline.binding[i]);
                if (lane == 0 && static_cast<std::size_t>(rank) < out.busy.size())
                    out.busy[static_cast<std::size_t>(rank)] += end - start;
            }
        }
    out.laneBegin.push_back(static_cast<std::uint32_t>(out.start.size()));
    for (std::int32_t& binding : out.binding)
        if (binding >= 0) binding = newIndex[static_cast<std::size_t>(binding)];
    return folded;
}

}  // namespace trainyard
