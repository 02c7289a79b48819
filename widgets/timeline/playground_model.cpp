#include "widgets/timeline/playground_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"

namespace trainyard {
namespace {

/// Divisible by 1 to 12, so that chunks and slices of a unit are whole ticks.
constexpr double kTicksPerUnit = 27720;

QString tr(const char* text) { return QCoreApplication::translate("Playground", text); }

Ticks ticks(double units) { return static_cast<Ticks>(std::llround(units * kTicksPerUnit)); }

QString titleOf(const ScheduleDefinition& definition, const ScheduleRequest& request) {
    QString title = QString::fromUtf8(definition.title.data(), static_cast<qsizetype>(definition.title.size()));
    QStringList notes;
    if (request.chunks > 1) notes << tr("%1 chunks").arg(request.chunks);
    if (request.slices > 1) notes << tr("%1 slices").arg(request.slices);
    if (definition.semantics == ScheduleSemantics::staleWeights) notes << tr("stale weights");
    if (definition.semantics == ScheduleSemantics::localLosses) notes << tr("local losses");
    if (!notes.isEmpty()) title += QStringLiteral(" (") + notes.join(QStringLiteral(", ")) + QLatin1Char(')');
    return title;
}

PlaygroundResult playOne(const PlaygroundSetup& setup, const std::string& name) {
    PlaygroundResult result;
    const ScheduleDefinition* definition = findScheduleOrNull(name);
    if (definition == nullptr) {
        result.title = QString::fromStdString(name);
        result.problem = tr("There is no schedule of this name.");
        return result;
    }
    ScheduleRequest request;
    request.ranks = setup.devices;
    request.microBatches = setup.microBatches;
    request.slices = definition->takesSlices ? setup.slices : 1;
    request.chunks =
        definition->fixedChunks > 0 ? definition->fixedChunks : (definition->needsChunks ? std::max(2, setup.chunks) : 1);
    for (const auto& parameter : setup.parameters) {
        const bool isKnown = std::any_of(definition->parameters.begin(), definition->parameters.end(),
                                         [&](const ScheduleParameter& known) { return known.key == parameter.first; });
        if (isKnown) request.parameters.push_back(parameter);
    }
    const auto stages = static_cast<std::size_t>(request.ranks) * static_cast<std::size_t>(request.chunks);
    const double share = 1.0 / (request.chunks * request.slices);
    StageTimes times;
    times.forward.assign(stages, ticks(setup.forward * share));
    times.backwardInput.assign(stages, ticks(setup.backwardInput * share));
    times.backwardWeight.assign(stages, ticks(setup.backwardWeight * share));
    if (setup.communication > 0) {
        times.latencyForward.assign(stages, ticks(setup.communication));
        times.latencyBackward.assign(stages, ticks(setup.communication));
    }
    request.times = times;  // searched schedules plan with them
    result.title = titleOf(*definition, request);
    const auto lists = buildSchedule(name, request);
    if (!lists) {
        result.problem = QString::fromStdString(lists.error().message);
        return result;
    }
    if (setup.slowDevice >= 0 && !lists->rankOfStage.empty()) {
        const auto& rankOf = lists->rankOfStage.front();
        for (std::size_t stage = 0; stage < std::min(stages, rankOf.size()); ++stage) {
            if (rankOf[stage] != setup.slowDevice) continue;
            for (auto* column : {&times.forward, &times.backwardInput, &times.backwardWeight}) {
                (*column)[stage] = static_cast<Ticks>(std::llround(static_cast<double>((*column)[stage]) * setup.slowFactor));
            }
        }
    }
    auto timeline = simulate(*lists, times);
    if (!timeline) {
        result.problem = QString::fromStdString(timeline.error().message);
        return result;
    }
    timeline->secondsPerTick = 1 / kTicksPerUnit;
    TimelineContext context;
    context.unit = {1 / kTicksPerUnit, false};
    context.rowName = tr("Device %1");
    context.chunks = std::max(1, lists->stages / std::max(1, timeline->ranks));
    context.slices = request.slices;
    context.shortestVisibleTicks = kTicksPerUnit / 2;
    result.model =
        std::make_shared<const TimelineModel>(std::make_shared<const Timeline>(std::move(*timeline)), std::move(context));
    return result;
}

}  // namespace

double playgroundActions(const PlaygroundSetup& setup) {
    double sum = 0;
    for (const std::string& name : setup.schedules) {
        const ScheduleDefinition* definition = findScheduleOrNull(name);
        if (definition == nullptr) continue;
        double actions = 3.0 * setup.devices * setup.microBatches;
        if (definition->fixedChunks > 0 || definition->needsChunks) actions *= std::max(2, setup.chunks);
        if (definition->takesSlices) actions *= setup.slices;
        if (definition->searched) actions *= 20;  // a heuristic weighs many orders
        sum += actions;
    }
    return sum;
}

std::vector<PlaygroundResult> playTimelines(const PlaygroundSetup& setup) {
    std::vector<PlaygroundResult> results;
    for (const std::string& name : setup.schedules) results.push_back(playOne(setup, name));
    return results;
}

}  // namespace trainyard
