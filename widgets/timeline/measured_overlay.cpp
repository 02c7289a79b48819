#include "widgets/timeline/measured_overlay.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Timeline", text); }

QString changeText(double share) {
    if (std::abs(share) < 0.0005) return tr("as planned");
    return share > 0 ? tr("%1 longer than planned").arg(shareText(share)) : tr("%1 shorter than planned").arg(shareText(-share));
}

double workOf(const Timeline& timeline) {
    double work = 0;
    for (const Ticks busy : timeline.busy) work += static_cast<double>(busy);
    return work;
}

}  // namespace

MeasuredOverlay overlayOf(const TimelineModel& plan, const MeasuredTrace& trace) {
    MeasuredOverlay overlay;
    const TimeUnit unit = plan.context().unit;
    auto timeline = std::make_shared<Timeline>(trace.timeline);
    double factor = trace.timeline.secondsPerTick / std::max(1e-30, unit.perTick);
    if (!unit.isSeconds) {
        const double measured = workOf(trace.timeline) / std::max(1, trace.timeline.ranks);
        const double planned = workOf(plan.timeline()) / std::max(1, plan.rows());
        factor = measured > 0 && planned > 0 ? planned / measured : 1;
        overlay.planPerMeasured = factor;
    }
    const auto scaled = [factor](Ticks ticks) { return static_cast<Ticks>(std::llround(static_cast<double>(ticks) * factor)); };
    for (auto* column : {&timeline->start, &timeline->end, &timeline->busy})
        for (Ticks& ticks : *column) ticks = scaled(ticks);
    timeline->makespan = scaled(timeline->makespan);
    timeline->secondsPerTick = unit.perTick;

    overlay.rowOfPlanRow.assign(static_cast<std::size_t>(plan.rows()), -1);
    for (std::size_t row = 0; row < trace.rowNumbers.size(); ++row) {
        const int number = trace.rowNumbers[row];
        if (number >= 0 && number < plan.rows()) overlay.rowOfPlanRow[static_cast<std::size_t>(number)] = static_cast<int>(row);
    }
    TimelineContext context = plan.context();
    context.fold.reset();
    context.activationBytes.clear();
    overlay.model = std::make_shared<const TimelineModel>(std::move(timeline), std::move(context));

    std::size_t planned = 0;
    std::size_t matched = 0;
    for (int row = 0; row < plan.rows(); ++row)
        for (std::uint32_t span = plan.timeline().begin(row, Lane::compute); span < plan.timeline().finish(row, Lane::compute);
             ++span) {
            const Action& action = plan.timeline().action[span];
            if (action.kind > ActionKind::recompute) continue;
            ++planned;
            if (overlay.model->spanOf(action)) ++matched;
        }
    QStringList parts;
    if (unit.isSeconds) {
        parts << tr("Lower halves: measured, %1").arg(durationText(overlay.model->makespan(), unit));
        parts << changeText(overlay.model->makespan() / std::max(1.0, plan.makespan()) - 1);
    } else {
        parts << tr("Lower halves: measured, scaled to the same work");
    }
    parts << tr("%1 of %2 actions matched").arg(matched).arg(planned);
    overlay.summary = parts.join(QStringLiteral(", "));
    return overlay;
}

QString measuredLine(const TimelineModel& plan, std::uint32_t span, const MeasuredOverlay& overlay) {
    const auto measured = overlay.model->spanOf(plan.timeline().action[span]);
    if (!measured) return tr("Not in the measured trace");
    const TimeRange own = plan.rangeOf(span);
    const TimeRange other = overlay.model->rangeOf(*measured);
    const TimeUnit unit = plan.context().unit;
    return tr("Measured %1 from %2: %3")
        .arg(durationText(other.length(), unit), durationText(other.begin, unit),
             changeText(own.length() > 0 ? other.length() / own.length() - 1 : 0));
}

}  // namespace trainyard
