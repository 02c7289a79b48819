#include "widgets/timeline/span_story.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/format_quantity.h"
#include "widgets/style/byte_units.h"

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Timeline", text); }

constexpr const char16_t* kDot = u" \u00b7 ";

/// Why a span starts when it does.
QString reason(const TimelineModel& model, std::uint32_t span) {
    const Timeline& timeline = model.timeline();
    const TimeUnit unit = model.context().unit;
    const double wait = model.waitBefore(span);
    const std::int32_t binding = timeline.binding.size() == timeline.spans() ? timeline.binding[span] : -1;
    if (binding < 0) {
        return wait > 0 ? tr("Idle for %1 before it").arg(durationText(wait, unit))
                        : tr("Starts with the step; waits for nothing");
    }
    const auto before = static_cast<std::uint32_t>(binding);
    const auto travel = static_cast<double>(timeline.start[span] - timeline.end[before]);
    const bool isOwnLane = model.rowOf(before) == model.rowOf(span) && model.laneOf(before) == model.laneOf(span);
    if (wait <= 0) {
        return isOwnLane ? tr("Starts as soon as its device is free, after %1").arg(model.describe(before))
                         : tr("Starts at once after %1").arg(model.describe(before));
    }
    QString text = tr("Device idle for %1: waits for %2").arg(durationText(wait, unit), model.describe(before));
    if (travel > 0 && !isOwnLane) text += tr(", then %1 on the way").arg(durationText(travel, unit));
    return text;
}

}  // namespace

SpanStory spanStory(const TimelineModel& model, std::uint32_t span, std::uint32_t merged) {
    const Timeline& timeline = model.timeline();
    const Action& action = timeline.action[span];
    const TimeUnit unit = model.context().unit;
    const TimeRange range = model.rangeOf(span);
    const int row = model.rowOf(span);
    const Lane lane = model.laneOf(span);
    SpanStory story;
    story.title = kindName(action.kind);
    if (lane == Lane::compute && action.kind <= ActionKind::recompute) {
        story.title += QString::fromUtf16(kDot) + tr("micro-batch %1").arg(action.microBatch);
        if (model.context().slices > 1) story.title += QString::fromUtf16(kDot) + tr("slice %1").arg(action.slice);
    }
    QString where = model.rowTitle(row);
    if (lane != Lane::compute) where += QString::fromUtf16(kDot) + laneLabel(lane);
    if (model.context().chunks > 1 && lane == Lane::compute)
        where += QString::fromUtf16(kDot) + tr("model chunk %1").arg(action.stage);
    if (action.pipe > 0) where += QString::fromUtf16(kDot) + tr("opposite pipe");
    story.lines << where;
    story.lines << tr("%1, from %2 to %3")
                       .arg(durationText(range.length(), unit), durationText(model.realTime(range.begin), unit),
                            durationText(model.realTime(range.end), unit));
    if (lane == Lane::compute) story.lines << reason(model, span);
    if (lane == Lane::compute) {
        const auto held = static_cast<double>(model.inFlight(row).at(range.middle()));
        QString text =
            held == 1.0 ? tr("1 micro-batch in flight here") : tr("%1 micro-batches in flight here").arg(amountText(held));
        if (static_cast<std::size_t>(row) < model.context().activationBytes.size()) {
            text += QString::fromUtf16(kDot) +
                    tr("%1 of activations")
                        .arg(QString::fromStdString(
                            shownBytes(held * model.context().activationBytes[static_cast<std::size_t>(row)]).joined()));
        }
        story.lines << text;
    }
    if (action.weightVersion > 0) story.lines << tr("Weights of version %1").arg(action.weightVersion);
    if (merged > 1) story.lines << tr("One of %1 actions drawn together; zoom in to tell them apart").arg(merged);
    return story;
}

SpanStory idleStory(const TimelineModel& model, int row, double time) {
    const BusyIndex& index = model.lane(row, Lane::compute);
    const Timeline& timeline = model.timeline();
    const TimeUnit unit = model.context().unit;
    SpanStory story;
    if (time < 0 || time > model.makespan()) return story;
    const std::uint32_t next = index.firstEndingAfter(time);
    const double begin = next > index.first() ? static_cast<double>(timeline.end[next - 1]) : 0.0;
    const double end = next < index.last() ? static_cast<double>(timeline.start[next]) : model.makespan();
    if (end <= begin) return story;
    story.title = tr("Idle for %1").arg(durationText(end - begin, unit));
    story.lines << model.rowTitle(row) + QString::fromUtf16(kDot) +
                       tr("from %1 to %2").arg(durationText(model.realTime(begin), unit), durationText(model.realTime(end), unit));
    if (next >= index.last()) {
        story.lines << tr("Nothing left to do in this step");
        return story;
    }
    const std::int32_t binding = timeline.binding.size() == timeline.spans() ? timeline.binding[next] : -1;
    if (binding >= 0) {
        const auto before = static_cast<std::uint32_t>(binding);
        story.lines << tr("Next is %1; it waits for %2")
                           .arg(kindName(timeline.action[next].kind).toLower() + QLatin1Char(' ') +
                                    QString::number(timeline.action[next].microBatch),
                                model.describe(before));
        const double travel = end - static_cast<double>(timeline.end[before]);
        if (travel > 0) story.lines << tr("of which %1 on the way between devices").arg(durationText(travel, unit));
    }
    return story;
}

QString rangeStory(const TimelineModel& model, TimeRange range) {
    const TimeUnit unit = model.context().unit;
    range.begin = std::clamp(range.begin, 0.0, model.makespan());
    range.end = std::clamp(range.end, 0.0, model.makespan());
    if (range.length() <= 0 || model.rows() == 0) return {};
    BusyIndex::Sums sums{};
    std::uint64_t actions = 0;
    for (int row = 0; row < model.rows(); ++row) {
        const BusyIndex::Sums own = model.lane(row, Lane::compute).busyBetween(range.begin, range.end);
        for (std::size_t style = 0; style < kSpanStyles; ++style) sums[style] += own[style];
        const BusyIndex& index = model.lane(row, Lane::compute);
        actions += index.firstStartingFrom(range.end) -
                   std::min(index.firstEndingAfter(range.begin), index.firstStartingFrom(range.end));
    }
    const double total = range.length() * model.rows();
    double busy = 0;
    for (const double sum : sums) busy += sum;
    QStringList parts;
    parts << tr("%1 marked").arg(durationText(range.length(), unit));
    parts << tr("busy %1").arg(shareText(busy / total));
    parts << tr("idle %1").arg(shareText(std::max(0.0, 1 - busy / total)));
    for (const SpanStyle style : kAllSpanStyles) {
        const double share = sums[static_cast<std::size_t>(style)] / total;
        if (share <= 0) continue;
        parts << styleName(style, model.hasKind(ActionKind::backward), model.hasKind(ActionKind::backwardInput)) +
                     QLatin1Char(' ') + shareText(share);
    }
    parts << (actions == 1 ? tr("1 action") : tr("%1 actions").arg(actions));
    return parts.join(QString::fromUtf16(kDot));
}

}  // namespace trainyard
