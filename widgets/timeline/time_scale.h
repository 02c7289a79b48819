#pragma once

#include <algorithm>
#include <cmath>

namespace trainyard {

/// A stretch of simulated time, in ticks. Kept as double: a view may start between two ticks.
struct TimeRange {
    double begin = 0;
    double end = 1;

    [[nodiscard]] double length() const { return end - begin; }
    [[nodiscard]] double middle() const { return 0.5 * (begin + end); }
    [[nodiscard]] bool contains(double time) const { return time >= begin && time <= end; }
    bool operator==(const TimeRange&) const = default;
};

/// Maps ticks to pixels of one picture: `range` fills `width` pixels from `left`.
struct TimeScale {
    TimeRange range;
    double left = 0;
    double width = 1;

    [[nodiscard]] double pixelsPerTick() const { return width / range.length(); }
    [[nodiscard]] double toX(double time) const { return left + (time - range.begin) * pixelsPerTick(); }
    [[nodiscard]] double toTime(double x) const { return range.begin + (x - left) / pixelsPerTick(); }
};

/// What a view may show: never less than `shortest` ticks, never more than a little beyond the whole step.
struct TimeLimits {
    double whole = 1;     ///< makespan
    double shortest = 1;  ///< shortest visible stretch
};

inline constexpr double kTimeMarginShare = 0.1;  ///< how far beyond either end one may scroll, of the whole

/// `range` moved and shortened or lengthened as little as the limits ask for; its middle stays where it can.
[[nodiscard]] inline TimeRange clampRange(TimeRange range, TimeLimits limits) {
    const double longest = limits.whole * (1 + 2 * kTimeMarginShare);
    const double length = std::clamp(range.length(), std::min(limits.shortest, longest), longest);
    const double lowest = -kTimeMarginShare * limits.whole;
    const double highest = limits.whole * (1 + kTimeMarginShare) - length;
    const double begin = std::clamp(range.middle() - 0.5 * length, lowest, std::max(lowest, highest));
    return {begin, begin + length};
}

/// Zooms by `factor` (> 1: closer) so that `anchor` keeps its place on the screen.
[[nodiscard]] inline TimeRange zoomRange(TimeRange range, double anchor, double factor, TimeLimits limits) {
    const double longest = limits.whole * (1 + 2 * kTimeMarginShare);
    const double length = std::clamp(range.length() / factor, std::min(limits.shortest, longest), longest);
    const double share = (anchor - range.begin) / range.length();
    const double begin = anchor - share * length;
    return clampRange({begin, begin + length}, limits);
}

[[nodiscard]] inline TimeRange panRange(TimeRange range, double ticks, TimeLimits limits) {
    return clampRange({range.begin + ticks, range.end + ticks}, limits);
}

/// The whole step with a little air at both ends.
[[nodiscard]] inline TimeRange wholeRange(double whole) { return {-0.004 * whole, 1.012 * whole}; }

/// Smallest of 1, 2, 5 x 10^n that is at least `least`.
[[nodiscard]] inline double niceStep(double least) {
    if (!(least > 0)) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

}  // namespace trainyard
