#include "widgets/timeline/playground_model.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/io/json/schedule_json.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/slice_split.h"
#include "core/schedule/text_form.h"
#include "core/schedule/unit_times.h"
#include "core/schedule/validate_lists.h"

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

ScheduleRequest requestOf(const PlaygroundSetup& setup, const ScheduleDefinition& definition) {
    ScheduleRequest request;
    request.ranks = setup.devices;
    request.microBatches = setup.microBatches;
    request.slices = definition.takesSlices ? setup.slices : 1;
    request.chunks =
        definition.fixedChunks > 0 ? definition.fixedChunks : (definition.needsChunks ? std::max(2, setup.chunks) : 1);
    for (const auto& parameter : setup.parameters) {
        const bool isKnown = std::any_of(definition.parameters.begin(), definition.parameters.end(),
                                         [&](const ScheduleParameter& known) { return known.key == parameter.first; });
        if (isKnown) request.parameters.push_back(parameter);
    }
    return request;
}

/// Times of a stage that is this share of a device's layers (and slices). Copies and reductions take what makes them visible.
StageTimes timesOf(const PlaygroundSetup& setup, std::size_t stages, double share) {
    StageTimes times;
    const auto all = [stages](double units) { return std::vector<Ticks>(stages, ticks(units)); };
    times.forward = all(setup.forward * share);
    times.backwardInput = all(setup.backwardInput * share);
    times.backwardWeight = all(setup.backwardWeight * share);
    if (setup.communication > 0) times.latencyForward = times.latencyBackward = all(setup.communication);
    times.evict = times.load = times.offload = times.reload = all(0.5 * setup.forward * share);
    times.contextExchange = all(0.1 * setup.forward * share);
    times.allReduce = times.reduceScatter = times.allGather = all(setup.forward * share);
    times.jitter = setup.jitter;
    return times;
}

/// The stages of the slow device; in bidirectional schedules those of every pipe.
void slowDown(const PlaygroundSetup& setup, const ActionLists& lists, StageTimes& times) {
    if (setup.slowDevice < 0) return;
    std::vector<char> isSlow(static_cast<std::size_t>(lists.stages), 0);
    for (const auto& rankOf : lists.rankOfStage)
        for (std::size_t stage = 0; stage < rankOf.size(); ++stage)
            if (rankOf[stage] == setup.slowDevice) isSlow[stage] = 1;
    for (std::size_t stage = 0; stage < isSlow.size(); ++stage) {
        if (isSlow[stage] == 0) continue;
        for (auto* column : {&times.forward, &times.backwardInput, &times.backwardWeight})
            (*column)[stage] = static_cast<Ticks>(std::llround(static_cast<double>((*column)[stage]) * setup.slowFactor));
    }
}

void simulateInto(PlaygroundResult& result, const ActionLists& lists, StageTimes times) {
    times.pipeFactor = pipeFactorsOf(lists);
    auto timeline = simulate(lists, times);
    if (!timeline) {
        result.problem = QString::fromStdString(timeline.error().message);
        return;
    }
    timeline->secondsPerTick = 1 / kTicksPerUnit;
    TimelineContext context;
    context.unit = {1 / kTicksPerUnit, false};
    context.rowName = tr("Device %1");
    context.chunks = std::max(1, lists.stages / std::max(1, timeline->ranks));
    context.slices = lists.slices;
    context.shortestVisibleTicks = kTicksPerUnit / 2;
    result.model =
        std::make_shared<const TimelineModel>(std::make_shared<const Timeline>(std::move(*timeline)), std::move(context));
}

PlaygroundResult playOwn(const PlaygroundSetup& setup) {
    PlaygroundResult result;
    result.title = tr("Own schedule");
    const auto document = parseAnySchedule(setup.ownText, "line");
    if (!document) {
        result.problem = QString::fromStdString(document.error().where + ": " + document.error().message);
        return result;
    }
    const ActionLists& lists = document->lists;
    if (const std::vector<Error> wrong = validateLists(lists, 1); !wrong.empty()) {
        result.problem = QString::fromStdString(wrong.front().message);
        return result;
    }
    const double share =
        1.0 / (std::max(1, lists.stages / std::max(1, lists.ranks())) * static_cast<double>(std::max(1, lists.slices)));
    StageTimes times = timesOf(setup, static_cast<std::size_t>(lists.stages), share);
    slowDown(setup, lists, times);
    simulateInto(result, lists, std::move(times));
    result.note = tr("%1 devices, %2 micro-batches, %3 actions")
                      .arg(lists.ranks())
                      .arg(lists.microBatches)
                      .arg(static_cast<qulonglong>(lists.actions.size()));
    return result;
}

PlaygroundResult playOne(const PlaygroundSetup& setup, const std::string& name) {
    if (name == kOwnSchedule) return playOwn(setup);
    PlaygroundResult result;
    const ScheduleDefinition* definition = findScheduleOrNull(name);
    if (definition == nullptr) {
        result.title = QString::fromStdString(name);
        result.problem = tr("There is no schedule of this name.");
        return result;
    }
    ScheduleRequest request = requestOf(setup, *definition);
    result.title = titleOf(*definition, request);
    const std::vector<std::string> wrong = checkSchedule(*definition, request);
    if (!wrong.empty()) {
        result.problem = QString::fromStdString(wrong.front());
        return result;
    }
    const double share = 1.0 / (request.chunks * request.slices);
    StageTimes times = timesOf(setup, static_cast<std::size_t>(request.ranks) * static_cast<std::size_t>(request.chunks), share);
    if (definition->takesSlices) times.sliceWeight = sliceWeightsOf(request);
    if (setup.slowDevice >= 0) {
        // Where the stages lie, only the lists say; searched schedules then plan with the slow one.
        const auto even = buildSchedule(name, request);
        if (even) slowDown(setup, *even, times);
    }
    request.times = times;
    const auto lists = buildSchedule(name, request);
    if (!lists) {
        result.problem = QString::fromStdString(lists.error().message);
        return result;
    }
    simulateInto(result, *lists, std::move(times));
    return result;
}

}  // namespace

double playgroundActions(const PlaygroundSetup& setup) {
    double sum = 0;
    for (const std::string& name : setup.schedules) {
        if (name == kOwnSchedule) sum += static_cast<double>(setup.ownText.size()) / 4;  // shortest cell
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

std::string orderOf(const PlaygroundSetup& setup, const std::string& schedule) {
    const ScheduleDefinition* definition = findScheduleOrNull(schedule);
    if (definition == nullptr) return {};
    const auto lists = buildSchedule(schedule, requestOf(setup, *definition));
    return lists ? fmt::to_string(orderText(*lists)) : std::string();
}

std::vector<PlaygroundResult> playTimelines(const PlaygroundSetup& setup) {
    std::vector<PlaygroundResult> results;
    for (const std::string& name : setup.schedules) results.push_back(playOne(setup, name));
    return results;
}

}  // namespace trainyard
