#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "widgets/timeline/timeline_model.h"

namespace trainyard {

/// What a person typed: `6` (micro-batch), `F6`, `I3.1` (kind, micro-batch, stage), `stage 2`, `W stage 3`, `forward 6`.
struct TimelineQuery {
    std::optional<SpanStyle> style;
    std::optional<int> microBatch;
    std::optional<int> stage;       ///< row
    std::optional<int> modelStage;  ///< global stage after a point
    bool operator==(const TimelineQuery&) const = default;
};

/// Empty if the text is not understood (or empty).
[[nodiscard]] std::optional<TimelineQuery> parseTimelineQuery(const QString& text);

/// Spans that match, by time; at most `most` (the count tells when there are more).
struct TimelineHits {
    std::vector<std::uint32_t> spans;
    std::size_t total = 0;
};
[[nodiscard]] TimelineHits findSpans(const TimelineModel& model, const TimelineQuery& query, std::size_t most = 20000);

}  // namespace trainyard
