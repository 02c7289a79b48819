#include "widgets/timeline/timeline_search.h"

#include <QRegularExpression>
#include <algorithm>

namespace trainyard {
namespace {

std::optional<SpanStyle> styleFromWord(const QString& word) {
    const QString w = word.toLower();
    if (w.isEmpty()) return std::nullopt;
    if (w == QLatin1String("f") || QStringLiteral("forward").startsWith(w)) return SpanStyle::forward;
    if (w == QLatin1String("i") || w == QLatin1String("b") || QStringLiteral("backward").startsWith(w))
        return SpanStyle::backwardInput;
    if (w == QLatin1String("w") || QStringLiteral("weight").startsWith(w)) return SpanStyle::backwardWeight;
    if (w == QLatin1String("r") || QStringLiteral("recompute").startsWith(w)) return SpanStyle::recompute;
    if (w == QLatin1String("opt") || QStringLiteral("optimizer").startsWith(w)) return SpanStyle::optimizer;
    if (w.size() > 2 && QStringLiteral("communication").startsWith(w)) return SpanStyle::communication;
    return std::nullopt;
}

}  // namespace

std::optional<TimelineQuery> parseTimelineQuery(const QString& text) {
    static const QRegularExpression code(QStringLiteral("^([a-zA-Z]+)?\\s*#?(\\d+)(?:\\.(\\d+))?$"));
    static const QRegularExpression named(
        QStringLiteral("^(?:([a-zA-Z]+)\\s+)?(stage|device|row|rank|mb|micro-?batch)\\s*(\\d+)$"),
        QRegularExpression::CaseInsensitiveOption);
    const QString trimmed = text.trimmed();
    TimelineQuery query;
    if (const auto match = named.match(trimmed); match.hasMatch()) {
        if (!match.captured(1).isEmpty()) {
            query.style = styleFromWord(match.captured(1));
            if (!query.style) return std::nullopt;
        }
        const bool isMicroBatch = match.captured(2).startsWith(QLatin1Char('m'), Qt::CaseInsensitive);
        (isMicroBatch ? query.microBatch : query.stage) = match.captured(3).toInt();
        return query;
    }
    if (const auto match = code.match(trimmed); match.hasMatch()) {
        if (!match.captured(1).isEmpty()) {
            query.style = styleFromWord(match.captured(1));
            if (!query.style) return std::nullopt;
        }
        query.microBatch = match.captured(2).toInt();
        if (!match.captured(3).isEmpty()) query.modelStage = match.captured(3).toInt();
        return query;
    }
    query.style = styleFromWord(trimmed);
    if (query.style && trimmed.size() > 2) return query;
    return std::nullopt;
}

TimelineHits findSpans(const TimelineModel& model, const TimelineQuery& query, std::size_t most) {
    const Timeline& timeline = model.timeline();
    TimelineHits hits;
    for (int row = 0; row < model.rows(); ++row) {
        if (query.stage && *query.stage != row) continue;
        for (int lane = 0; lane < kLaneCount; ++lane) {
            const auto which = static_cast<Lane>(lane);
            const bool isTraffic = query.style == SpanStyle::communication;
            if (which != Lane::compute && !isTraffic) continue;
            for (std::uint32_t span = timeline.begin(row, which); span < timeline.finish(row, which); ++span) {
                const Action& action = timeline.action[span];
                if (query.style && styleOf(action.kind) != *query.style) continue;
                if (query.microBatch && action.microBatch != static_cast<std::uint32_t>(*query.microBatch)) continue;
                if (query.microBatch && action.kind > ActionKind::recompute) continue;
                if (query.modelStage && action.stage != *query.modelStage) continue;
                ++hits.total;
                if (hits.spans.size() < most) hits.spans.push_back(span);
            }
        }
    }
    std::sort(hits.spans.begin(), hits.spans.end(), [&](std::uint32_t a, std::uint32_t b) {
        return timeline.start[a] != timeline.start[b] ? timeline.start[a] < timeline.start[b] : a < b;
    });
    return hits;
}

}  // namespace trainyard
