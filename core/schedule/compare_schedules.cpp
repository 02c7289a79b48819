#include "core/schedule/compare_schedules.h"

#include <algorithm>
#include <cmath>

#include "core/schedule/golden_form.h"
#include "core/schedule/metrics.h"
#include "core/schedule/simulate.h"
#include "core/schedule/unit_times.h"

namespace trainyard {

namespace {

constexpr double kTicksPerUnit = 27720;  // divisible by 1 to 12, so that chunks and slices of a unit are whole ticks

ScheduleRequest requestFor(const ScheduleDefinition& definition, const ScheduleRequest& asked) {
    ScheduleRequest request = asked;
    request.chunks = definition.fixedChunks > 0                       ? definition.fixedChunks
                     : definition.searched && !definition.needsChunks ? 1
                                                                      : std::max(2, asked.chunks);
    request.slices = definition.takesSlices ? asked.slices : 1;
    std::erase_if(request.parameters, [&](const auto& parameter) {
        return std::none_of(definition.parameters.begin(), definition.parameters.end(),
                            [&](const ScheduleParameter& known) { return known.key == parameter.first; });
    });
    return request;
}

StageTimes sharedTimes(std::size_t stages, double unit) {
    const std::vector<Ticks> each(stages, static_cast<Ticks>(std::llround(unit)));
    StageTimes times;
    times.forward = times.backwardInput = times.backwardWeight = each;
    return times;
}

/// Units that one forward of the longest pipe takes so that all forwards together are as many as micro-batches x ranks.
double forwardShare(const ActionLists& lists, const std::vector<double>& pipeFactors, const ScheduleRequest& request) {
    double forwards = 0;
    for (const Action& a : lists.actions)
        if (a.kind == ActionKind::forward) forwards += pipeFactors.empty() ? 1 : pipeFactors[a.pipe];
    return forwards > 0 ? static_cast<double>(request.microBatches) * request.ranks / forwards : 1;
}

ScheduleRow rowOf(const ScheduleDefinition& definition, const ScheduleRequest& asked) {
    ScheduleRequest request = requestFor(definition, asked);
    ScheduleRow row;
    row.definition = &definition;
    row.chunks = request.chunks;
    row.slices = request.slices;
    if (const std::vector<std::string> wrong = checkSchedule(definition, request); !wrong.empty()) {
        row.refusal = wrong.front();
        return row;
    }
    const ActionLists lists = definition.emit(request);
    StageTimes times = sharedTimes(static_cast<std::size_t>(lists.stages), 0);
    times.pipeFactor = pipeFactorsOf(lists);
    const double share = forwardShare(lists, times.pipeFactor, request);
    const std::vector<double> factors = times.pipeFactor;
    times = sharedTimes(static_cast<std::size_t>(lists.stages), kTicksPerUnit * share);
    times.pipeFactor = factors;
    const Result<Timeline> timeline = simulate(lists, times);
    if (!timeline) {
        row.refusal = timeline.error().message;
        return row;
    }
    const Bubbles bubbles = bubblesOf(*timeline);
    row.makespan = static_cast<double>(timeline->makespan) / kTicksPerUnit;
    row.idleShare = bubbles.idleShare;
    row.overhead = bubbles.overhead;
    row.span = bubbles.span;
    row.actions = static_cast<int>(lists.actions.size());
    // Every activation is of one action, so what a rank holds is counted in the share of work that one action has.
    row.peakInFlight = share * *std::max_element(timeline->peakInFlightB.begin(), timeline->peakInFlightB.end());
    row.peakUntilWeight = share * *std::max_element(timeline->peakInFlightW.begin(), timeline->peakInFlightW.end());
    row.chunks = lists.rankOfStage.size() > 1 ? 1 : chunksPerRank(lists);
    if (placementName(lists) == "bidirectional") row.parameterCopies = static_cast<int>(lists.rankOfStage.size());
    return row;
}

}  // namespace

std::vector<ScheduleRow> compareSchedules(const ScheduleRequest& request) {
    std::vector<ScheduleRow> rows;
    for (const ScheduleDefinition* definition : allSchedules()) rows.push_back(rowOf(*definition, request));
    return rows;
}

}  // namespace trainyard
