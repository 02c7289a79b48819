#pragma once

#include <QString>
#include <QStringList>

#include "widgets/timeline/timeline_model.h"

namespace trainyard {

/// What a hover card says: a headline and a few lines.
struct SpanStory {
    QString title;
    QStringList lines;
    bool operator==(const SpanStory&) const = default;
};

/// What, when, how long, and why it did not start earlier. `merged`: spans drawn as one with it.
[[nodiscard]] SpanStory spanStory(const TimelineModel& model, std::uint32_t span, std::uint32_t merged);

/// An idle stretch of a compute lane: how long, and what the next span waits for.
[[nodiscard]] SpanStory idleStory(const TimelineModel& model, int row, double time);

/// Sums of a stretch of time over all rows: busy and idle share, share per kind of work, actions.
[[nodiscard]] QString rangeStory(const TimelineModel& model, TimeRange range);

}  // namespace trainyard
