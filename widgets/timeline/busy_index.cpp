#include "widgets/timeline/busy_index.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr std::uint32_t kBlock = 16;
constexpr double kSpansAveraged = 12;  ///< a column is an average over about as many

std::size_t styleIndex(const Timeline& timeline, std::uint32_t span) {
    return static_cast<std::size_t>(styleOf(timeline.action[span].kind));
}

}  // namespace

BusyIndex::BusyIndex(const Timeline& timeline, std::uint32_t first, std::uint32_t last)
    : timeline_(&timeline), first_(first), last_(last) {
    running_.reserve((last - first) / kBlock + 1);
    std::array<Ticks, kSpanStyles> sums{};
    for (std::uint32_t span = first; span < last; ++span) {
        if ((span - first) % kBlock == 0) running_.push_back(sums);
        sums[styleIndex(timeline, span)] += timeline.end[span] - timeline.start[span];
    }
    if ((last - first) % kBlock == 0) running_.push_back(sums);
    for (std::size_t style = 0; style < kSpanStyles; ++style) {
        if (sums[style] > 0) present_[presentCount_++] = static_cast<std::uint8_t>(style);
    }
}

std::uint32_t BusyIndex::firstEndingAfter(double time) const {
    const auto begin = timeline_->end.begin();
    const auto found =
        std::upper_bound(begin + first_, begin + last_, time, [](double t, Ticks end) { return t < static_cast<double>(end); });
    return static_cast<std::uint32_t>(found - begin);
}

std::uint32_t BusyIndex::firstStartingFrom(double time) const {
    const auto begin = timeline_->start.begin();
    const auto found = std::lower_bound(begin + first_, begin + last_, time,
                                        [](Ticks start, double t) { return static_cast<double>(start) < t; });
    return static_cast<std::uint32_t>(found - begin);
}

BusyIndex::Sums BusyIndex::before(double time, std::uint32_t startedBefore) const {
    const std::uint32_t block = (startedBefore - first_) / kBlock;
    Sums sums{};
    for (std::size_t index = 0; index < presentCount_; ++index) {
        sums[present_[index]] = static_cast<double>(running_[block][present_[index]]);
    }
    for (std::uint32_t span = first_ + block * kBlock; span < startedBefore; ++span) {
        sums[styleIndex(*timeline_, span)] += static_cast<double>(timeline_->end[span] - timeline_->start[span]);
    }
    if (startedBefore > first_) {
        const std::uint32_t running = startedBefore - 1;
        const double beyond = static_cast<double>(timeline_->end[running]) - time;
        if (beyond > 0) sums[styleIndex(*timeline_, running)] -= beyond;
    }
    return sums;
}

BusyIndex::Sums BusyIndex::busyBetween(double begin, double end) const {
    Sums sums = before(end, firstStartingFrom(end));
    const Sums earlier = before(begin, firstStartingFrom(begin));
    for (std::size_t style = 0; style < kSpanStyles; ++style) sums[style] = std::max(0.0, sums[style] - earlier[style]);
    return sums;
}

void BusyIndex::columnShares(const TimeScale& scale, int columns, std::vector<std::array<float, kSpanStyles>>& out) const {
    out.assign(static_cast<std::size_t>(columns), {});
    const double columnTicks = scale.range.length() / columns;
    std::uint32_t started = firstStartingFrom(scale.range.begin);
    const std::uint32_t visible = firstStartingFrom(scale.range.end) - std::min(firstEndingAfter(scale.range.begin), last_);
    if (visible == 0 || presentCount_ == 0) return;

    // Busy time of each kind up to every column border.
    std::vector<Sums> border(static_cast<std::size_t>(columns) + 1);
    border[0] = before(scale.range.begin, started);
    for (int column = 0; column < columns; ++column) {
        const double end = scale.range.begin + (column + 1) * columnTicks;
        // Doubling steps from the last border: neighbouring ones are few spans apart.
        std::uint32_t low = started;
        std::uint32_t step = 1;
        while (low < last_ && static_cast<double>(timeline_->start[low]) < end) {
            started = low + 1;
            low += step;
            step *= 2;
        }
        std::uint32_t high = std::min(low, last_);
        while (started < high) {
            const std::uint32_t middle = started + (high - started) / 2;
            if (static_cast<double>(timeline_->start[middle]) < end) {
                started = middle + 1;
            } else {
                high = middle;
            }
        }
        border[static_cast<std::size_t>(column) + 1] = before(end, started);
    }

    // The mixture of kinds is that of a window around the column; how busy the column is stays its own, so that idle time keeps
    // sharp edges.
    const double perSpan = static_cast<double>(columns) / static_cast<double>(visible);
    const int half = std::clamp(static_cast<int>(std::ceil(kSpansAveraged * perSpan / 2)), 0, std::max(1, columns / 8));
    for (int column = 0; column < columns; ++column) {
        const Sums& begin = border[static_cast<std::size_t>(column)];
        const Sums& end = border[static_cast<std::size_t>(column) + 1];
        const Sums& from = border[static_cast<std::size_t>(std::max(0, column - half))];
        const Sums& to = border[static_cast<std::size_t>(std::min(columns, column + half + 1))];
        double busy = 0;
        double around = 0;
        for (std::size_t index = 0; index < presentCount_; ++index) {
            busy += end[present_[index]] - begin[present_[index]];
            around += to[present_[index]] - from[present_[index]];
        }
        if (busy <= 0 || around <= 0) continue;
        const double factor = busy / around / columnTicks;
        for (std::size_t index = 0; index < presentCount_; ++index) {
            const std::size_t style = present_[index];
            out[static_cast<std::size_t>(column)][style] = static_cast<float>((to[style] - from[style]) * factor);
        }
    }
}

}  // namespace trainyard
