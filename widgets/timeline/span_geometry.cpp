#include "widgets/timeline/span_geometry.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr double kSpansPerPixel = 0.5;  ///< more than this on average: columns
constexpr double kNarrow = 1.0;         ///< pixels; narrower spans join their neighbours

}  // namespace

std::uint32_t visibleSpans(const TimelineModel& model, int row, Lane lane, TimeRange range) {
    const BusyIndex& index = model.lane(row, lane);
    const std::uint32_t first = index.firstEndingAfter(range.begin);
    const std::uint32_t last = index.firstStartingFrom(range.end);
    return last > first ? last - first : 0;
}

void laneGeometry(const TimelineModel& model, int row, Lane lane, const TimeScale& scale, LaneGeometry& out) {
    out.rects.clear();
    out.columns.clear();
    const BusyIndex& index = model.lane(row, lane);
    const std::uint32_t first = index.firstEndingAfter(scale.range.begin);
    const std::uint32_t last = std::max(first, index.firstStartingFrom(scale.range.end));
    out.isColumns = static_cast<double>(last - first) > kSpansPerPixel * scale.width;
    if (out.isColumns) {
        index.columnShares(scale, std::max(1, static_cast<int>(std::lround(scale.width))), out.columns);
        return;
    }
    const Timeline& timeline = model.timeline();
    const double right = scale.left + scale.width;
    double widest = 0;
    for (std::uint32_t span = first; span < last; ++span) {
        const double x0 = std::max(scale.left, scale.toX(static_cast<double>(timeline.start[span])));
        const double x1 = std::min(right, scale.toX(static_cast<double>(timeline.end[span])));
        const double width = x1 - x0;
        const SpanStyle style = styleOf(timeline.action[span].kind);
        if (!out.rects.empty()) {
            SpanRect& before = out.rects.back();
            const bool bothNarrow = width < kNarrow && widest < kNarrow;
            const bool touches = x0 - before.x1 < kNarrow;
            if (bothNarrow && touches && (style == before.style || before.x1 - before.x0 < kNarrow)) {
                before.x1 = std::max(before.x1, x1);
                ++before.count;
                if (width > widest) {
                    widest = width;
                    before.style = style;
                    before.span = span;
                }
                continue;
            }
        }
        out.rects.push_back({x0, x1, style, span, 1});
        widest = width;
    }
}

std::optional<std::uint32_t> hitSpan(const TimelineModel& model, int row, Lane lane, const TimeScale& scale, double x,
                                     double slack) {
    const BusyIndex& index = model.lane(row, lane);
    const Timeline& timeline = model.timeline();
    const double time = scale.toTime(x);
    if (const auto exact = model.spanAt(row, lane, time)) return exact;
    // Between two spans: the nearer one, if it is too narrow to be pointed at.
    const std::uint32_t next = index.firstEndingAfter(time);
    std::optional<std::uint32_t> best;
    double distance = slack;
    const auto consider = [&](std::uint32_t span) {
        const double x0 = scale.toX(static_cast<double>(timeline.start[span]));
        const double x1 = scale.toX(static_cast<double>(timeline.end[span]));
        const double away = x < x0 ? x0 - x : x - x1;
        if (x1 - x0 < slack && away < distance) {
            distance = away;
            best = span;
        }
    };
    if (next < index.last()) consider(next);
    if (next > index.first()) consider(next - 1);
    return best;
}

}  // namespace trainyard
