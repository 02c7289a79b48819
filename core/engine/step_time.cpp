#include "core/engine/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard {
namespace {

constexpr double kTicksPerSecond = 1e12;
constexpr double kLongestTicks = 4e18;  ///< a whole step must stay below this
constexpr std::int64_t kMaximumSimulatedActions = 3'000'000;

/// Times of one global stage with some of the traffic free.
struct StageDuration {
    double forward = 0;
    double backwardInput = 0;
    double backwardWeight = 0;
    double recompute = 0;
    double send = 0;
    [[nodiscard]] double backward() const { return backwardInput + backwardWeight + recompute; }
};

double passAt(const PassCost& pass, int level, double jitter) {
    double t = pass.computeS() * jitter;
    if (level < static_cast<int>(FreeTraffic::tensor)) t += pass.tensorS;
    if (level < static_cast<int>(FreeTraffic::context)) t += pass.contextS;
    if (level < static_cast<int>(FreeTraffic::expert)) t += pass.expertS;
    return t;
}

std::vector<StageDuration> durationsAt(const StageCosts& costs, int level) {
    const double jitter = 1 + costs.jitterShare;
    std::vector<StageDuration> all;
    all.reserve(costs.stages.size());
    const bool data = level < static_cast<int>(FreeTraffic::data);
    const bool pipeline = level < static_cast<int>(FreeTraffic::pipeline);
    for (const auto& stage : costs.stages)
        all.push_back({.forward = passAt(stage.forward, level, jitter) + (data ? stage.forwardDataS : 0) + (pipeline ? stage.handoverS : 0),
                       .backwardInput = passAt(stage.backwardInput, level, jitter) + (data ? stage.backwardDataS : 0) + (pipeline ? stage.handoverS : 0),
                       .backwardWeight = passAt(stage.backwardWeight, level, jitter),
                       .recompute = passAt(stage.recompute, level, jitter),
                       .send = level < static_cast<int>(FreeTraffic::pipeline) ? stage.sendS : 0});
    return all;
}

/// What a rank still does after its last backward, and what of its traffic sticks out.
double tailOf(const RankCost& rank, const StageCosts& costs, int level, std::int64_t chunks) {
    double tail = rank.optimizerS + rank.offloadS;
    if (level >= static_cast<int>(FreeTraffic::data)) return tail;
    return tail + rank.tiedS + exposedReduceS(rank, costs, chunks) + exposedGatherS(rank, costs);
}

StageTimes stageTimes(const std::vector<StageDuration>& durations, int slices, double microBatches) {
    StageTimes t;
    // Six kinds of actions and transfers per stage, micro-batch and slice, all one after the other at worst.
    const double longest = kLongestTicks / (6.0 * static_cast<double>(durations.size()) * microBatches * slices);
    const auto ticks = [longest](double seconds) { return static_cast<Ticks>(std::llround(std::min(seconds * kTicksPerSecond, longest))); };
    const double part = 1.0 / slices;
    const auto n = durations.size();
    for (auto* column : {&t.forward, &t.backwardInput, &t.backwardWeight, &t.recompute, &t.sendForward, &t.sendBackward}) column->resize(n);
    t.backward.resize(n);
    for (std::size_t s = 0; s < n; ++s) {
        const auto& d = durations[s];
        t.forward[s] = ticks(d.forward * part);
        t.backwardInput[s] = ticks((d.backwardInput + d.recompute) * part);
        t.backwardWeight[s] = ticks(d.backwardWeight * part);
        t.backward[s] = t.backwardInput[s] + t.backwardWeight[s];
        t.recompute[s] = ticks(d.recompute * part);
        t.sendForward[s] = ticks(d.send * part);
        t.sendBackward[s] = s > 0 ? ticks(durations[s - 1].send * part) : 0;
    }
    return t;
}

struct RankLoad {
    double forward = 0, backward = 0, backwardInput = 0, backwardWeight = 0;
    [[nodiscard]] double both() const { return forward + backward; }
};

/// Closed form of the span. The busiest rank works m micro-batches; the schedule's own idle formula gives fill and drain,
/// stretched for unequal stages; hand-overs delay every group of p micro-batches, not only the first (arXiv 2405.18093).
double closedFormSpan(const ScheduleDefinition* schedule, const ScheduleRequest& request, const std::vector<RankLoad>& loads,
                      const std::vector<StageDuration>& durations) {
    const double m = request.microBatches;
    const double p = static_cast<double>(loads.size());
    double most = 0;
    double sum = 0;
    RankLoad mean;
    for (const auto& load : loads) {
        most = std::max(most, load.both());
        sum += load.both();
        mean.forward += load.forward / p;
        mean.backwardInput += load.backwardInput / p;
        mean.backwardWeight += load.backwardWeight / p;
    }
    if (loads.size() < 2) return m * most;
    double handover = 0;
    for (const auto& d : durations) handover += 2 * d.send;
    const double boundaries = static_cast<double>(durations.size()) - 1;
    const double perBoundary = boundaries > 0 ? handover / boundaries : 0;
    double idle = (p - 1) * (mean.forward + mean.backwardInput + mean.backwardWeight) / std::max(1, request.chunks);
    if (schedule != nullptr && schedule->idleClosedForm != nullptr)
        idle = schedule->idleClosedForm(request, mean.forward, mean.backwardInput, mean.backwardWeight);
    const double even = (p - 1) * sum / p;
    if (even > 0) idle *= (sum - most) / even;
    double hidden = 0;
    if (request.chunks == 1 && schedule != nullptr && schedule->id == "1f1b")
        hidden = std::max(0.0, m - 1) * std::max(0.0, (sum + (p - 1) * perBoundary) / p - most);
    return m * most + idle + (p - 1) * perBoundary + hidden;
}

}  // namespace

namespace {

/// The bucket of the layer that is ready last hides under nothing.
double lastBucketShare(const RankCost& rank) { return 1.0 / static_cast<double>(std::max<std::int64_t>(1, rank.layers + 1)); }
constexpr double kUsableWindow = 0.9;

}  // namespace

std::vector<StageOccupation> stageOccupations(const StageCosts& costs) {
    std::vector<StageOccupation> all;
    for (const auto& d : durationsAt(costs, static_cast<int>(FreeTraffic::nothing)))
        all.push_back({.forwardS = d.forward, .backwardS = d.backwardInput + d.recompute, .weightS = d.backwardWeight, .sendS = d.send});
    return all;
}

double exposedReduceS(const RankCost& rank, const StageCosts& costs, std::int64_t chunks) {
    if (!costs.dataOverlap) return rank.reduceS;
    // Buckets of all layers but the one that is ready last go out while earlier layers are still in backward. With several
    // chunks the later ones are complete while the first still has a round of micro-batches to go.
    const double perChunk = rank.lastBackwardS / static_cast<double>(chunks);
    const double others = static_cast<double>(costs.ranks.size()) - 1;
    const double window = chunks > 1 ? perChunk * (1 + others * (1 - 1.0 / static_cast<double>(chunks))) : rank.lastBackwardS;
    return std::max(rank.reduceS * lastBucketShare(rank), rank.reduceS - kUsableWindow * window);
}

double exposedGatherS(const RankCost& rank, const StageCosts& costs) {
    if (!costs.dataOverlap) return rank.gatherS;
    return std::max(rank.gatherS * lastBucketShare(rank), rank.gatherS - kUsableWindow * rank.firstForwardS);
}

ScheduleRequest scheduleRequest(const Scenario& scenario, const ResolvedPlan& plan) {
    ScheduleRequest request;
    request.ranks = static_cast<int>(std::clamp<std::int64_t>(scenario.plan.pipelineParallel, 1, 65535));
    request.microBatches = static_cast<int>(std::clamp<std::int64_t>(plan.microBatches, 1, 1'000'000'000));
    request.chunks = static_cast<int>(std::clamp<std::int64_t>(plan.virtualStages, 1, 65535));
    for (const auto& [key, value] : scenario.plan.scheduleParameters) {
        if (key == "slices") request.slices = static_cast<int>(std::clamp<std::int64_t>(value, 1, 65535));
        else request.parameters.emplace_back(key, value);
    }
    return request;
}

void StepTime::addOffload(double seconds) {
    if (seconds <= 0) return;
    offloadS += seconds;
    for (auto& at : level) {
        at.stepS += seconds;
        at.spanS += seconds;
        at.stageBusyS += seconds;
    }
}

StepTime stepTime(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, bool simulate, int levels, InFlightMemo* memo) {
    StepTime out;
    const ScheduleDefinition* schedule = findScheduleOrNull(scenario.plan.schedule);
    const ScheduleRequest request = scheduleRequest(scenario, plan);
    const auto ranks = costs.ranks.size();
    const double p = static_cast<double>(ranks);
    const std::int64_t chunks = std::max<std::int64_t>(1, plan.virtualStages);

    const double actions = 3.0 * static_cast<double>(costs.stages.size()) * request.microBatches * request.slices;
    std::optional<ActionLists> lists;
    const bool small = actions <= static_cast<double>(kMaximumSimulatedActions);
    const InFlightCounts* known = nullptr;
    if (memo != nullptr && !simulate && schedule != nullptr && !schedule->searched) known = memo->find(*schedule, request);
    const bool needLists = simulate || schedule == nullptr || (schedule->peakClosedForm == nullptr && known == nullptr);
    if (needLists && small && schedule != nullptr) {
        auto searchedRequest = request;
        if (schedule->searched) searchedRequest.times = stageTimes(durationsAt(costs, 0), 1, request.microBatches);
        auto built = buildSchedule(schedule->id, searchedRequest);
        if (built) lists = std::move(*built);
        else out.note = fmt::format("the schedule could not be laid out ({}); its time is the closed form", built.error().message);
    } else if (simulate && !small) {
        out.note = fmt::format("{:.0f} actions are too many to simulate at once; the time is the closed form", actions);
    }

    if (known != nullptr) out.inFlight = *known;
    else if (lists && lists->ranks() == static_cast<int>(ranks)) {
        out.inFlight = inFlightOf(*lists, request.chunks);
        if (memo != nullptr && !schedule->searched) memo->keep(*schedule, request, out.inFlight);
    } else {
        out.inFlight = inFlightClosedForm(schedule, request);
    }
    out.chunks = chunks;
    out.splitBackward = schedule != nullptr && schedule->splitsBackward;

    const double jitter = 1 + costs.jitterShare;
    for (const auto& stage : costs.stages)
        out.computeS += static_cast<double>(request.microBatches) / p * jitter *
                        (stage.forward.computeS() + stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS());
    for (const auto& rank : costs.ranks) {
        out.optimizerS += rank.optimizerS / p;
        out.offloadS += rank.offloadS / p;
    }

    SimulationWorkspace workspace;
    Timeline scratch;
    for (int level = 0; level < levels; ++level) {
        StepAtLevel& at = out.level[level];
        const auto durations = durationsAt(costs, level);
        std::vector<RankLoad> loads(ranks);
        for (std::size_t s = 0; s < durations.size(); ++s) {
            auto& load = loads[static_cast<std::size_t>(costs.stages[s].rank)];
            load.forward += durations[s].forward;
            load.backward += durations[s].backward();
            load.backwardInput += durations[s].backwardInput + durations[s].recompute;
            load.backwardWeight += durations[s].backwardWeight;
        }
        for (const auto& load : loads) at.stageBusyS += load.both() * request.microBatches / p;

        std::vector<double> finish(ranks, 0);
        bool done = false;
        if (simulate && lists) {
            auto ran = simulateInto(*lists, stageTimes(durations, request.slices, request.microBatches), workspace, scratch);
            if (ran) {
                done = true;
                out.simulated = true;
                at.spanS = static_cast<double>(scratch.makespan) / kTicksPerSecond;
                for (std::size_t r = 0; r < ranks; ++r) {
                    const auto end = scratch.finish(static_cast<int>(r), Lane::compute);
                    if (end > scratch.begin(static_cast<int>(r), Lane::compute)) finish[r] = static_cast<double>(scratch.end[end - 1]) / kTicksPerSecond;
                }
                if (level == 0) {
                    out.timeline = std::make_shared<Timeline>(scratch);
                }
            } else {
                out.note = fmt::format("the schedule could not be simulated ({}); its time is the closed form", ran.error().message);
                lists.reset();
            }
        }
        if (!done) {
            at.spanS = closedFormSpan(schedule, request, loads, durations);
            // The first rank ends last; every later one is done a backward earlier.
            double earlier = 0;
            for (std::size_t r = 0; r < ranks; ++r) {
                finish[r] = std::max(0.0, at.spanS - earlier);
                earlier += loads[r].backward / static_cast<double>(chunks);
            }
        }
        for (std::size_t r = 0; r < ranks; ++r) at.stepS = std::max(at.stepS, finish[r] + tailOf(costs.ranks[r], costs, level, chunks));
        at.stepS = std::max(at.stepS, at.spanS);
        if (level < static_cast<int>(FreeTraffic::data)) at.stepS += costs.synchronizationS;
    }
    // Freeing traffic never makes a step longer; where unequal stages rearrange by a hair, take the hair away.
    for (int level = 1; level < levels; ++level) out.level[level].stepS = std::min(out.level[level].stepS, out.level[level - 1].stepS);
    return out;
}

}  // namespace trainyard
