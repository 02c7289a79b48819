// What must hold for every schedule: it runs, does the work, keeps its order, and the simulator finds the longest path.

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "core/schedule/golden_form.h"
#include "core/schedule/metrics.h"
#include "core/schedule/placement.h"
#include "core/schedule/registry.h"
#include "core/schedule/run_policy.h"
#include "core/schedule/simulate.h"
#include "core/schedule/simulate_parts.h"
#include "core/schedule/slice_split.h"
#include "core/schedule/unit_times.h"
#include "core/schedule/validate_lists.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

struct Case {
    const ScheduleDefinition* definition;
    ScheduleRequest request;
};

/// Legal requests of one schedule over a grid of ranks, micro-batches, chunks and slices.
std::vector<Case> gridOf(const ScheduleDefinition& definition, int mostRanks) {
    std::vector<Case> cases;
    for (int p = 1; p <= mostRanks; p = p < 8 ? p + 1 : 2 * p)
        for (const int m : {1, 2, p - 1, p, p + 1, 2 * p, 2 * p + 1, 4 * p})
            for (const int v : {1, 2, 3, 4})
                for (const int k : {1, 2, 4, 8}) {
                    ScheduleRequest request;
                    request.ranks = p;
                    request.microBatches = m;
                    request.chunks = v;
                    request.slices = k;
                    if ((definition.fixedChunks > 0 && v != definition.fixedChunks) || (k > 1 && !definition.takesSlices))
                        continue;
                    if (m >= 1 && checkSchedule(definition, request).empty()) cases.push_back({&definition, request});
                }
    return cases;
}

std::string textOf(const Case& c) {
    return fmt::format("{} p={} m={} v={} k={}", c.definition->id, c.request.ranks, c.request.microBatches, c.request.chunks,
                       c.request.slices);
}

std::vector<Ticks> randomTicks(std::mt19937& random, int stages, int most) {
    std::vector<Ticks> ticks;
    for (int s = 0; s < stages; ++s) ticks.push_back(1 + static_cast<Ticks>(random() % static_cast<unsigned>(most)));
    return ticks;
}

/// Uneven stages, transfers that take time, everything that passes add.
StageTimes randomTimes(std::mt19937& random, int stages) {
    StageTimes times;
    times.forward = randomTicks(random, stages, 40);
    times.backwardInput = randomTicks(random, stages, 40);
    times.backwardWeight = randomTicks(random, stages, 40);
    times.recompute = randomTicks(random, stages, 40);
    times.sendForward = randomTicks(random, stages, 9);
    times.sendBackward = randomTicks(random, stages, 9);
    times.latencyForward = randomTicks(random, stages, 5);
    times.latencyBackward = randomTicks(random, stages, 5);
    times.allGather = randomTicks(random, stages, 30);
    times.reduceScatter = times.allReduce = randomTicks(random, stages, 30);
    times.evict = times.load = times.offload = times.reload = randomTicks(random, stages, 20);
    times.optimizer = randomTicks(random, stages, 10);
    times.contextExchange = randomTicks(random, stages, 5);
    return times;
}

using Key = std::tuple<int, unsigned, unsigned, unsigned>;  // kind, micro-batch, slice, stage

/// Start times by relaxation until nothing moves, straight from the dependency rules; compute actions only.
std::vector<Ticks> relaxedStarts(const ActionLists& lists, const StageTimes& times) {
    enum { kForward, kGradient, kRecompute };
    const std::size_t n = lists.actions.size();
    std::map<Key, std::size_t> producers;
    for (std::size_t i = 0; i < n; ++i) {
        const Action& a = lists.actions[i];
        const int kind = a.kind == ActionKind::forward ? kForward : a.kind == ActionKind::recompute ? kRecompute : kGradient;
        if (a.kind != ActionKind::backwardWeight) producers[{kind, a.microBatch, a.slice, a.stage}] = i;
    }
    const auto length = [&](const Action& a) {
        switch (a.kind) {
            case ActionKind::forward: return times.forward[a.stage];
            case ActionKind::backwardInput: return times.backwardInput[a.stage];
            case ActionKind::backwardWeight: return times.backwardWeight[a.stage];
            case ActionKind::recompute: return times.recompute[a.stage];
            default: return times.backwardInput[a.stage] + times.backwardWeight[a.stage];
        }
    };
    std::vector<Ticks> start(n, 0);
    const auto end = [&](std::size_t i) { return start[i] + length(lists.actions[i]); };
    bool moved = true;
    while (moved) {
        moved = false;
        for (std::size_t rank = 0; rank + 1 < lists.rankBegin.size(); ++rank)
            for (std::size_t i = lists.rankBegin[rank]; i < lists.rankBegin[rank + 1]; ++i) {
                const Action& a = lists.actions[i];
                const auto& home = lists.rankOfStage[a.pipe];
                Ticks ready = i > lists.rankBegin[rank] ? end(i - 1) : 0;
                const auto wait = [&](int kind, unsigned slice, unsigned stage, Ticks hop) {
                    const auto producer = producers.find({kind, a.microBatch, slice, stage});
                    if (producer != producers.end()) ready = std::max(ready, end(producer->second) + hop);
                };
                if (a.kind == ActionKind::forward) {
                    if (a.stage > 0) {
                        const std::size_t from = a.stage - std::size_t{1};
                        wait(kForward, a.slice, static_cast<unsigned>(from),
                             home[from] != home[a.stage] ? times.sendForward[from] + times.latencyForward[from] : 0);
                    }
                    if (a.slice > 0) wait(kForward, a.slice - 1u, a.stage, 0);
                } else if (a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput) {
                    wait(kForward, a.slice, a.stage, 0);
                    wait(kRecompute, a.slice, a.stage, 0);
                    const std::size_t from = a.stage + std::size_t{1};
                    const bool local = !lists.localLoss.empty() && lists.localLoss[a.stage] != 0;
                    if (from < home.size() && !local)
                        wait(kGradient, a.slice, static_cast<unsigned>(from),
                             home[from] != home[a.stage] ? times.sendBackward[from] + times.latencyBackward[from] : 0);
                    wait(kGradient, a.slice + 1u, a.stage, 0);
                } else if (a.kind == ActionKind::backwardWeight) {
                    wait(kGradient, a.slice, a.stage, 0);
                } else {
                    wait(kForward, a.slice, a.stage, 0);
                }
                if (ready > start[i]) {
                    start[i] = ready;
                    moved = true;
                }
            }
    }
    return start;
}

bool isPlain(const ActionLists& lists) {
    return std::all_of(lists.actions.begin(), lists.actions.end(),
                       [](const Action& a) { return a.kind <= ActionKind::recompute && a.lane == Lane::compute; });
}

}  // namespace

class TestScheduleProperties : public QObject {
    Q_OBJECT

  private slots:
    void every_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < allSchedules().size(); ++i)
            QTest::newRow(allSchedules()[i]->id.data()) << static_cast<int>(i);
    }

    /// Counts, order and no deadlock over the grid; unit times first, then the invariants with random ones.
    void every() {
        QFETCH(int, index);
        const ScheduleDefinition& definition = *allSchedules()[static_cast<std::size_t>(index)];
        const std::vector<Case> cases = gridOf(definition, 16);
        QVERIFY2(cases.size() >= 6, definition.id.data());
        std::mt19937 random(12345);
        for (const Case& c : cases) {
            const ActionLists lists = *buildSchedule(definition.id, c.request);
            const std::vector<Error> errors = validateLists(lists, 1);
            QVERIFY2(errors.empty(), (textOf(c) + ": " + (errors.empty() ? "" : errors[0].message)).c_str());
            const std::string text = textOf(c);

            const StageTimes times = randomTimes(random, lists.stages);
            SimulationWorkspace workspace;
            Timeline timeline;
            QVERIFY(simulateInto(lists, times, workspace, timeline));

            // No two spans of a lane overlap, compute spans stand in list order, and the makespan is not below any rank's work.
            for (int rank = 0; rank < timeline.ranks; ++rank) {
                for (int lane = 0; lane < kLaneCount; ++lane)
                    for (std::uint32_t i = timeline.begin(rank, static_cast<Lane>(lane)) + 1;
                         i < timeline.finish(rank, static_cast<Lane>(lane)); ++i)
                        QVERIFY2(timeline.start[i] >= timeline.end[i - 1], text.c_str());
                std::uint32_t span = timeline.begin(rank, Lane::compute);
                for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)];
                     i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i)
                    if (lists.actions[i].lane == Lane::compute)
                        QVERIFY2(timeline.action[span++] == lists.actions[i], text.c_str());
                QVERIFY2(timeline.makespan >= timeline.busy[static_cast<std::size_t>(rank)], text.c_str());
            }

            // The critical path ends with the makespan and goes back to the start without a jump in time.
            const std::vector<std::uint32_t> path = criticalPath(timeline);
            QCOMPARE(timeline.end[path.back()], timeline.makespan);
            QCOMPARE(timeline.start[path.front()], Ticks{0});
            for (std::size_t i = 1; i < path.size(); ++i)
                QVERIFY2(timeline.start[path[i]] >= timeline.start[path[i - 1]], text.c_str());

            // Longer transfers never shorten a fixed order.
            StageTimes slower = times;
            for (Ticks& ticks : slower.latencyForward) ticks += 7;
            for (Ticks& ticks : slower.latencyBackward) ticks += 7;
            Timeline later;
            QVERIFY(simulateInto(lists, slower, workspace, later));
            QVERIFY2(later.makespan >= timeline.makespan, text.c_str());
            // Nor does one transfer at a time.
            slower = times;
            slower.serializeLinks = true;
            QVERIFY(simulateInto(lists, slower, workspace, later));
            QVERIFY2(later.makespan >= timeline.makespan, text.c_str());

            const auto split = idleByCause(lists, times);
            Ticks idle = timeline.makespan * timeline.ranks;
            for (const Ticks busy : timeline.busy) idle -= busy;
            QCOMPARE(split->total(), idle);
        }
    }

    void bothEnginesAgree_data() { every_data(); }
    /// The in-order form, the graph form and plain relaxation give the same times.
    void bothEnginesAgree() {
        QFETCH(int, index);
        const ScheduleDefinition& definition = *allSchedules()[static_cast<std::size_t>(index)];
        std::mt19937 random(99);
        for (const Case& c : gridOf(definition, 5)) {
            const ActionLists lists = *buildSchedule(definition.id, c.request);
            if (!isPlain(lists)) continue;
            const StageTimes times = randomTimes(random, lists.stages);
            const auto timeline = simulate(lists, times);
            QVERIFY(timeline);
            QVERIFY2(timeline->start == relaxedStarts(lists, times), textOf(c).c_str());

            for (const double fused : {0.0, 0.75}) {
                StageTimes both = times;
                both.jitter = 0.3;
                both.fusedPairFactor = fused;
                both.serializeLinks = fused > 0;
                simulation::LaneMemory memory;
                Timeline graph;
                QVERIFY(simulation::simulateLanes(lists, both, memory, graph));
                const auto inOrder = simulate(lists, both);
                QVERIFY2(graph.start == inOrder->start && graph.end == inOrder->end, textOf(c).c_str());
                QCOMPARE(graph.peakInFlightB, inOrder->peakInFlightB);
                QCOMPARE(graph.peakInFlightW, inOrder->peakInFlightW);
                QCOMPARE(graph.busy, inOrder->busy);
            }
        }
    }

    void closedForms_data() { every_data(); }
    /// Idle time for equal stages and any times, and the peaks, where a schedule states them.
    void closedForms() {
        QFETCH(int, index);
        const ScheduleDefinition& definition = *allSchedules()[static_cast<std::size_t>(index)];
        if (definition.idleClosedForm == nullptr && definition.peakClosedForm == nullptr) return;
        std::mt19937 random(7);
        for (const Case& c : gridOf(definition, 16)) {
            const ActionLists lists = *buildSchedule(definition.id, c.request);
            // What a rank's whole share of the model is, in actions of one micro-batch; of bidirectional schedules one stage.
            const double share = lists.rankOfStage.size() > 1 ? 1 : chunksPerRank(lists) * lists.slices;
            for (int round = 0; round < 3; ++round) {
                const auto one = [&] { return round == 0 ? Ticks{10} : 1 + static_cast<Ticks>(random() % 20); };
                const Ticks f = one();
                const Ticks i = one();
                const Ticks w = one();
                const auto all = [&](Ticks ticks) { return std::vector<Ticks>(static_cast<std::size_t>(lists.stages), ticks); };
                StageTimes times;
                times.forward = all(f);
                times.backwardInput = all(i);
                times.backwardWeight = all(w);
                const auto timeline = simulate(lists, times);
                QVERIFY(timeline);
                const std::string text = fmt::format("{}, F={} I={} W={}", textOf(c), f, i, w);
                if (definition.idleClosedForm != nullptr) {
                    const double idle =
                        static_cast<double>(timeline->makespan - *std::max_element(timeline->busy.begin(), timeline->busy.end()));
                    const double formula =
                        definition.idleClosedForm(c.request, static_cast<double>(f) * share, static_cast<double>(i) * share,
                                                  static_cast<double>(w) * share);
                    QVERIFY2(std::abs(idle - formula) < 1e-3,
                             fmt::format("{}: idle {}, closed form {}", text, idle, formula).c_str());
                }
                for (int rank = 0; definition.peakClosedForm != nullptr && rank < lists.ranks(); ++rank) {
                    const double peak = timeline->peakInFlightB[static_cast<std::size_t>(rank)] / share;
                    const double formula = definition.peakClosedForm(c.request, rank);
                    QVERIFY2(std::abs(peak - formula) < 1e-9,
                             fmt::format("{}, rank {}: peak {}, closed form {}", text, rank, peak, formula).c_str());
                }
            }
        }
    }

    void unitClosedForms_data() { every_data(); }
    /// What a schedule states for unit times, on p = 2..16 and m = p..4p; most schedules state it for most requests.
    void unitClosedForms() {
        QFETCH(int, index);
        const ScheduleDefinition& definition = *allSchedules()[static_cast<std::size_t>(index)];
        int stated = 0;
        for (int p = 2; p <= 16; ++p)
            for (int m = p; m <= 4 * p; m += std::max(1, p / 3))
                for (const int v : {1, 2, 4})
                    for (const int k : {1, 2, 4, p}) {
                        ScheduleRequest request;
                        request.ranks = p;
                        request.microBatches = definition.id == "naive" ? 1 : m;
                        request.chunks = v;
                        request.slices = k;
                        if (definition.id == "grouped-interleaved") request.parameters = {{"group", p}};
                        if ((definition.fixedChunks > 0 && v != definition.fixedChunks) || (k > 1 && !definition.takesSlices))
                            continue;
                        if (!checkSchedule(definition, request).empty()) continue;
                        const std::optional<std::int64_t> closedForm = unitMakespan(definition, request);
                        if (!closedForm) continue;
                        const ActionLists lists = *buildSchedule(definition.id, request);
                        // Two pipes over the same ranks make one share; a chunk of 2 only names them.
                        if (lists.rankOfStage.size() > 1 && v > 1) continue;
                        StageTimes times;
                        times.forward = times.backwardInput = times.backwardWeight =
                            std::vector<Ticks>(static_cast<std::size_t>(lists.stages), 1);
                        const Ticks makespan = simulate(lists, times)->makespan;
                        QVERIFY2(makespan == *closedForm, fmt::format("{}: makespan {}, closed form {}",
                                                                      textOf({&definition, request}), makespan, *closedForm)
                                                              .c_str());
                        ++stated;
                    }
        constexpr std::string_view kNoneKnown[] = {"1f1b-v",          "mario",  "grouped-interleaved-recompute",
                                                   "uneven-replicas", "greedy", "interleaved-1f1b-overlap"};
        const bool isKnown = std::find(std::begin(kNoneKnown), std::end(kNoneKnown), definition.id) == std::end(kNoneKnown);
        QCOMPARE(stated >= 8, isKnown);
    }

    /// Peaks in flight as the papers and reference programs have them, in activations of one chunk and slice.
    void publishedPeaks() {
        const auto peaks = [](const char* name, int p, int m, int v, int k) {
            ScheduleRequest request;
            request.ranks = p;
            request.microBatches = m;
            request.chunks = v;
            request.slices = k;
            const auto lists = buildSchedule(name, request);
            if (!lists) qFatal("%s: %s", name, lists.error().message.c_str());
            StageTimes times;
            times.forward = times.backwardInput = times.backwardWeight =
                std::vector<Ticks>(static_cast<std::size_t>(lists->stages), 1);
            return *simulate(*lists, times);
        };
        const auto highest = [](const std::vector<double>& list) { return *std::max_element(list.begin(), list.end()); };
        for (int p = 2; p <= 16; ++p) {
            const int m = 2 * p;
            for (const int v : {2, 4})
                for (int r = 0; r < p; ++r) {
                    const std::size_t rank = static_cast<std::size_t>(r);
                    QCOMPARE(peaks("interleaved-1f1b", p, m, v, 1).peakInFlightB[rank],
                             static_cast<double>(std::min(m * v, v * p + p - 1 - 2 * r)));
                    QCOMPARE(peaks("interleaved-zb", p, m, v, 1).peakInFlightB[rank], static_cast<double>(v * p - r));
                }
            QCOMPARE(highest(peaks("v-half", p, 4 * p, 2, 1).peakInFlightB), 2.0 * ((p + 2) / 2));
            if (p > 2) QCOMPARE(highest(peaks("v-min", p, 4 * p, 2, 1).peakInFlightB), 2.0 * ((p + 4) / 3));
            for (const double peak : peaks("zb-v", p, m, 2, 1).peakInFlightW) QCOMPARE(peak, 2.0 * p);
            QCOMPARE(highest(peaks("zb-h2", p, m, 1, 1).peakInFlightW), static_cast<double>(std::min(2 * p, m)));
            if (p % 2 == 0)
                for (const double peak : peaks("dualpipe", p, m, 1, 1).peakInFlightB) QCOMPARE(peak, p + 1.0);
            for (const double peak : peaks("dualpipe-v", p, m, 2, 1).peakInFlightB) QCOMPARE(peak, 2 * p + 1.0);
            for (int r = 0; r < p; ++r)
                QCOMPARE(peaks("seq1f1b", p, m, 1, 4).peakInFlightB[static_cast<std::size_t>(r)], p - 1.0 - r + 4);
        }
    }

    /// The automatic search never holds more than its limit and gets no slower with more memory; uneven stages are its input.
    void zeroBubbleSearchKeepsItsLimit() {
        std::mt19937 random(31);
        for (const int p : {2, 4, 7})
            for (const bool uneven : {false, true}) {
                ScheduleRequest request;
                request.ranks = p;
                request.microBatches = 3 * p;
                if (uneven) request.times = randomTimes(random, p);
                StageTimes times = request.times;
                if (!uneven)
                    times.forward = times.backwardInput = times.backwardWeight =
                        std::vector<Ticks>(static_cast<std::size_t>(p), 1);
                const Ticks reference = simulate(*buildSchedule("1f1b", request), times)->makespan;
                Ticks before = std::numeric_limits<Ticks>::max();
                for (int limit = 1; limit <= 2 * p; ++limit) {
                    request.parameters = {{"limit", limit}};
                    const auto lists = buildSchedule("zb-auto", request);
                    QVERIFY(validateLists(*lists).empty());
                    const auto timeline = simulate(*lists, times);
                    for (const double peak : timeline->peakInFlightW)
                        QVERIFY2(peak <= limit, fmt::format("p {} limit {}: {}", p, limit, peak).c_str());
                    if (!uneven) QVERIFY(timeline->makespan <= before);
                    if (limit >= p && !uneven) QVERIFY(timeline->makespan <= reference);
                    before = timeline->makespan;
                }
                if (uneven) QVERIFY(before <= reference);
            }
    }

    /// Ranks that choose at run time are never idle while they could work, so no order of the same limit beats their bound by
    /// much.
    void runTimePolicyIsRepeatedByTheSimulator() {
        std::mt19937 random(5);
        for (const int v : {1, 2})
            for (const int limit : {1, 2, 4, 8}) {
                PolicyRequest policy;
                policy.ranks = 4;
                policy.microBatches = 12;
                policy.rankOfStage = {loopedPlacement(4, v)};
                policy.limitOfRank.assign(4, limit);
                const StageTimes times = randomTimes(random, 4 * v);
                const auto lists = runPolicy(policy, times);
                QVERIFY2(lists, lists ? "" : lists.error().message.c_str());
                QVERIFY(validateLists(*lists).empty());
                const auto timeline = simulate(*lists, times);
                QVERIFY(timeline->start == relaxedStarts(*lists, times));
                for (const double peak : timeline->peakInFlightW) QVERIFY(peak <= limit * v);
            }
        // With unlimited memory and no weight gradients apart, gradients first: 1F1B's own makespan.
        PolicyRequest policy;
        policy.ranks = 4;
        policy.microBatches = 8;
        policy.rankOfStage = {linearPlacement(4)};
        policy.limitOfRank = {4, 3, 2, 1};
        policy.splitsBackward = false;
        StageTimes unit;
        unit.forward = unit.backwardInput = unit.backwardWeight = {1, 1, 1, 1};
        QCOMPARE(simulate(*runPolicy(policy, unit), unit)->makespan, Ticks{33});
    }

    /// Slices of balanced cost end within a token of each other; their lengths add up.
    void slicesOfEqualCost() {
        ScheduleRequest request;
        request.ranks = 4;
        request.slices = 8;
        request.parameters = {{"sequence", 131072}, {"hidden", 4096}, {"balanced", 1}, {"multiple", 8}};
        const auto lengths = sliceLengthsOf(request);
        QCOMPARE(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), std::int64_t{131072});
        for (std::size_t i = 1; i < lengths.size(); ++i) {
            QVERIFY(lengths[i] < lengths[i - 1]);
            QCOMPARE(lengths[i] % 8, std::int64_t{0});
        }
        for (const double weight : sliceWeightsOf(request)) QVERIFY(std::abs(weight - 1) < 0.01);
        request.parameters[2].second = 0;
        const auto weights = sliceWeightsOf(request);
        // Equal lengths x = n / 8: cost 6 h x + x P + x (x + 1) / 2, from the first to the last slice.
        const double x = 131072.0 / 8;
        const double first = 6 * 4096 * x + x * (x + 1) / 2;
        const double last = first + x * 7 * x;
        QVERIFY(std::abs(weights.back() / weights.front() - last / first) < 1e-9);
        request.parameters = {{"sequence", 4}};
        QCOMPARE(checkSliceParameters(request).size(), std::size_t{1});
    }

    /// Makespans with unit times on p = 2..16 and m = p..4p, as published or measured on the reference programs.
    void unitMakespans() {
        const auto makespan = [](const char* name, int p, int m, double fused) {
            ScheduleRequest request;
            request.ranks = p;
            request.microBatches = m;
            const auto lists = buildSchedule(name, request);
            if (!lists) return Ticks{-1};
            StageTimes times;
            times.forward = times.backwardInput = times.backwardWeight =
                std::vector<Ticks>(static_cast<std::size_t>(lists->stages), 1);
            times.fusedPairFactor = fused;
            return simulate(*lists, times)->makespan;
        };
        for (int p = 2; p <= 16; ++p)
            for (int m = p; m <= 4 * p; ++m) {
                QCOMPARE(makespan("1f1b", p, m, 0), Ticks{3} * (m + p - 1));
                QCOMPARE(makespan("zb-h1", p, m, 0), Ticks{3} * m + p - 1);
                if (m >= 2 * p - 1) {
                    QCOMPARE(makespan("zb-h2", p, m, 0), Ticks{3} * m + p - 1);
                    QCOMPARE(makespan("zb-v", p, m, 0), Ticks{6} * m + p - 1);
                }
                if (m >= 2 * p - 1 && p >= 3)
                    QCOMPARE(makespan("v-half", p, m, 0), Ticks{6} * m + (p % 2 == 0 ? 3 * p - 7 : 3 * p - 4));
                if (m >= 2 * p - 1) QCOMPARE(makespan("v-min", p, m, 0), Ticks{6} * m + (p % 3 == 0 ? 4 * p - 7 : 4 * p - 5));
                if (m >= 2 * p) QCOMPARE(makespan("dualpipe-v", p, m, 1), Ticks{6} * m + 2 * (p - 1));
                if (m >= 2 * p && p % 2 == 0 && m % 2 == 0)
                    QCOMPARE(makespan("dualpipe", p, m, 1), Ticks{3} * m + 2 * (p / 2 - 1));
                if (m == p && p % 2 == 0) QCOMPARE(makespan("chimera", p, m, 0), Ticks{3} * p + 2 * (p - 2));
            }
    }

    /// What a hop of latency c costs (F=10, B=20, c=1): catalogue of the reference programs.
    void latencyPenalties() {
        const auto extra = [](const char* name, int p, int m, int v) {
            ScheduleRequest request;
            request.ranks = p;
            request.microBatches = m;
            request.chunks = v;
            const auto lists = buildSchedule(name, request);
            StageTimes times;
            times.forward = times.backwardInput = times.backwardWeight =
                std::vector<Ticks>(static_cast<std::size_t>(lists->stages), 10);
            const Ticks without = simulate(*lists, times)->makespan;
            times.latencyForward = times.latencyBackward = std::vector<Ticks>(static_cast<std::size_t>(lists->stages), 1);
            return simulate(*lists, times)->makespan - without;
        };
        for (const int p : {2, 4, 8})
            for (const int rounds : {2, 3, 4}) {
                const int m = p * rounds;
                QCOMPARE(extra("1f1b", p, m, 1), Ticks{2} * ((p - 1) * rounds + p - 2));
                QCOMPARE(extra("gpipe", p, m, 1), Ticks{2} * (p - 1));
                QCOMPARE(extra("eager-1f1b", p, m, 1), Ticks{2} * (p - 1));
                QCOMPARE(extra("zb-h1", p, m, 1), Ticks{4} * (p - 1));
                QCOMPARE(extra("interleaved-1f1b", p, m, 2), Ticks{2} * (2 * p - 1));
                QCOMPARE(extra("looped-bfs", p, m, 2), Ticks{2} * (p - 1));
            }
    }

    /// Uneven stages, free transfers: GPipe's formula is exact; 1F1B is never below the work of a stage plus the way to it.
    void unevenStages() {
        std::mt19937 random(4711);
        int equal = 0;
        for (int round = 0; round < 400; ++round) {
            ScheduleRequest request;
            request.ranks = 2 + static_cast<int>(random() % 7);
            request.microBatches = 1 + static_cast<int>(random() % 20);
            StageTimes times;
            times.forward = randomTicks(random, request.ranks, 50);
            times.backwardInput = randomTicks(random, request.ranks, 50);
            times.backwardWeight = randomTicks(random, request.ranks, 50);
            Ticks sum = 0, longestForward = 0, longestBackward = 0, bound = 0;
            for (std::size_t s = 0; s < times.forward.size(); ++s) {
                const Ticks backward = times.backwardInput[s] + times.backwardWeight[s];
                bound = std::max(bound, sum + request.microBatches * (times.forward[s] + backward));
                sum += times.forward[s] + backward;
                longestForward = std::max(longestForward, times.forward[s]);
                longestBackward = std::max(longestBackward, backward);
            }
            QCOMPARE(simulate(*buildSchedule("gpipe", request), times)->makespan,
                     sum + (request.microBatches - 1) * (longestForward + longestBackward));
            const Ticks makespan = simulate(*buildSchedule("1f1b", request), times)->makespan;
            QVERIFY(makespan >= std::max(bound, sum));
            equal += makespan == bound ? 1 : 0;
        }
        QVERIFY(equal > 0);
    }

    void namesAndRefusals() {
        QVERIFY(findScheduleOrNull("zbv") == findScheduleOrNull("zb-v"));
        QVERIFY(findScheduleOrNull("Interleaved_1F1B") == findScheduleOrNull("interleaved-1f1b"));
        QVERIFY(findScheduleOrNull("no-such-schedule") == nullptr);
        const auto message = [](const char* name, ScheduleRequest request) {
            const auto lists = buildSchedule(name, request);
            return QString::fromStdString(lists ? std::string("accepted") : lists.error().message);
        };
        QCOMPARE(message("1f2b", {}), QString("there is no schedule `1f2b`; near it: 1f1b, 1f1b-v, zb-v"));
        ScheduleRequest request;
        request.ranks = 4;
        request.microBatches = 2;
        request.chunks = 2;
        QCOMPARE(message("1f1b", request), QString("1f1b has 1 chunk per rank, not 2"));
        QVERIFY(message("interleaved-1f1b", request).contains("2 micro-batches are fewer than 4 ranks"));
        request.chunks = 1;
        request.slices = 4;
        QVERIFY(message("gpipe", request).contains("does not cut sequences into slices"));
        request.slices = 1;
        request.ranks = 5;
        QCOMPARE(message("chimera", request), QString("chimera needs an even number of ranks, not 5"));
        request.parameters = {{"colour", 3}};
        QCOMPARE(message("gpipe", request), QString("gpipe has no parameter `colour`; it has descending"));
        request.parameters = {{"descending", 3}};
        QCOMPARE(message("gpipe", request), QString("parameter `descending` is 3; allowed 0 to 1"));
        request.parameters.clear();
        request.ranks = 60000;
        request.microBatches = 60000;
        QVERIFY(message("gpipe", request).contains("are more than"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScheduleProperties)
#include "test_schedule_properties.moc"
