#pragma once

#include <array>
#include <optional>
#include <vector>

#include "widgets/timeline/timeline_model.h"

namespace trainyard {

/// One rectangle of a lane: one span, or a run of spans too narrow to tell apart.
struct SpanRect {
    double x0;
    double x1;
    SpanStyle style;      ///< of the widest member
    std::uint32_t span;   ///< the widest member
    std::uint32_t count;  ///< members
};

/// How one lane is drawn in one picture.
struct LaneGeometry {
    bool isColumns = false;       ///< too many spans for rectangles: busy shares per pixel column
    std::vector<SpanRect> rects;  ///< if not isColumns; cut at the picture's borders, ascending, without overlap
    std::vector<std::array<float, kSpanStyles>> columns;  ///< if isColumns: one per pixel from scale.left on
};

/// Visible rectangles of one lane. Never more than half as many as the picture is wide: beyond that the lane is given as columns,
/// so the work depends on pixels, not on the number of actions. Reuses the memory of `out`.
void laneGeometry(const TimelineModel& model, int row, Lane lane, const TimeScale& scale, LaneGeometry& out);

/// Spans visible in a lane.
[[nodiscard]] std::uint32_t visibleSpans(const TimelineModel& model, int row, Lane lane, TimeRange range);

/// Span under a point of a lane; a span narrower than `slack` pixels can still be hit. The narrowest that qualifies wins.
[[nodiscard]] std::optional<std::uint32_t> hitSpan(const TimelineModel& model, int row, Lane lane, const TimeScale& scale,
                                                   double x, double slack);

}  // namespace trainyard
