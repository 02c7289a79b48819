// Passes over schedules, lanes in the simulator, and the figures taken from a timeline.

#include <QTest>
#include <algorithm>

#include "core/schedule/metrics.h"
#include "core/schedule/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/text_form.h"
#include "core/schedule/unit_times.h"
#include "core/schedule/validate_lists.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

ActionLists schedule(const char* name, int ranks, int microBatches, int chunks = 1) {
    ScheduleRequest request;
    request.ranks = ranks;
    request.microBatches = microBatches;
    request.chunks = chunks;
    const auto lists = buildSchedule(name, request);
    if (!lists) qFatal("%s", lists.error().message.c_str());
    return *lists;
}

StageTimes times(int stages, Ticks each) {
    StageTimes t;
    t.forward = t.backwardInput = t.backwardWeight = std::vector<Ticks>(static_cast<std::size_t>(stages), each);
    return t;
}

std::vector<Ticks> all(int stages, Ticks each) { return std::vector<Ticks>(static_cast<std::size_t>(stages), each); }

QString order(const ActionLists& lists) { return QString::fromStdString(fmt::to_string(orderText(lists))); }

std::size_t count(const ActionLists& lists, ActionKind kind) {
    return static_cast<std::size_t>(
        std::count_if(lists.actions.begin(), lists.actions.end(), [kind](const Action& a) { return a.kind == kind; }));
}

}  // namespace

class TestSchedulePasses : public QObject {
    Q_OBJECT

  private slots:
    void splitAndMerge() {
        const ActionLists lists = schedule("1f1b", 3, 4);
        const ActionLists split = splitBackward(lists);
        QCOMPARE(count(split, ActionKind::backward), std::size_t{0});
        QCOMPARE(count(split, ActionKind::backwardWeight), std::size_t{12});
        QVERIFY(validateLists(split).empty());
        QCOMPARE(order(mergeBackward(split)), order(lists));
        // Splitting lets the gradient go on before the weight gradient is done.
        QVERIFY(simulate(split, times(3, 1))->makespan < simulate(lists, times(3, 1))->makespan);
        // What is apart stays apart.
        QCOMPARE(count(mergeBackward(schedule("zb-h1", 4, 8)), ActionKind::backwardWeight), std::size_t{4 * 8 - 8});
    }

    /// With recompute a stage keeps nothing between forward and backward, and each backward takes a forward longer.
    void recompute() {
        const ActionLists lists = schedule("1f1b", 4, 8);
        const ActionLists with = insertRecompute(lists, [](int) { return true; });
        QVERIFY(validateLists(with).empty());
        QCOMPARE(count(with, ActionKind::recompute), std::size_t{32});
        const auto timeline = simulate(with, times(4, 1));
        QCOMPARE(timeline->peakInFlightB, std::vector<double>(4, 1.0));
        QCOMPARE(timeline->busy, std::vector<Ticks>(4, 32));

        const ActionLists some = insertRecompute(lists, [](int stage) { return stage == 0; });
        QCOMPARE(count(some, ActionKind::recompute), std::size_t{8});
        QCOMPARE(count(insertRecompute(some, [](int) { return true; }), ActionKind::recompute), std::size_t{32});

        // A slow first stage is the bottleneck: recomputing while it waits for the first gradient takes work off its back.
        StageTimes slowFirst = times(4, 10);
        slowFirst.forward[0] = 20;
        const ActionLists hoisted = hoistRecompute(with, slowFirst, 2);
        QVERIFY(validateLists(hoisted).empty());
        QVERIFY(order(hoisted) != order(with));
        const auto sooner = simulate(hoisted, slowFirst);
        QVERIFY(sooner->makespan < simulate(with, slowFirst)->makespan);
        QVERIFY(*std::max_element(sooner->peakInFlightB.begin(), sooner->peakInFlightB.end()) <= 2);
        // With equal stages the last one sets the pace, and nothing gets slower.
        QCOMPARE(simulate(hoistRecompute(with, times(4, 1), 2), times(4, 1))->makespan, timeline->makespan);

        // In a cell of two actions the recompute stands before the whole cell.
        const ActionLists cells = insertRecompute(schedule("1f1b-overlap", 4, 12), [](int) { return true; });
        QVERIFY(validateLists(cells).empty());
    }

    void collectives() {
        const ActionLists lists = schedule("looped-bfs", 2, 4, 2);
        const ActionLists gathered = insertCollectives(lists, GatherRule::perPass, ReduceRule::reduceScatter);
        QVERIFY(validateLists(gathered).empty());
        // Two chunks per rank: each is gathered once per pass, and reduced once.
        QCOMPARE(count(gathered, ActionKind::allGather), std::size_t{8});
        QCOMPARE(count(gathered, ActionKind::reduceScatter), std::size_t{4});
        const Ticks without = simulate(lists, times(4, 10))->makespan;
        StageTimes t = times(4, 10);
        QCOMPARE(simulate(gathered, t)->makespan, without);
        t.reduceScatter = all(4, 7);
        // Only the last chunk's reduction is exposed; the others run beside compute.
        QCOMPARE(simulate(gathered, t)->makespan, without + 7);
        t.reduceScatter.clear();
        t.allGather = all(4, 7);
        const auto timeline = simulate(gathered, t);
        QVERIFY(timeline->makespan > without);  // the first gather has nothing to hide behind
        QVERIFY(timeline->makespan < without + 4 * 7);
        for (int rank = 0; rank < 2; ++rank) QCOMPARE(timeline->finish(rank, Lane::data) - timeline->begin(rank, Lane::data), 6u);
        // Interleaved: every change of chunk gathers again.
        QVERIFY(count(insertCollectives(schedule("interleaved-1f1b", 2, 8, 2), GatherRule::perAction, ReduceRule::none),
                      ActionKind::allGather) > 8);
    }

    /// The norm synchronization squares off the end; with post-validation each rank updates when it is done.
    void optimizer() {
        const ActionLists lists = schedule("zb-h2", 4, 12);
        StageTimes t = times(4, 10);
        t.optimizer = all(4, 5);
        const auto synced = simulate(insertOptimizer(lists, OptimizerRule::afterNormSync), t);
        const auto validatedLater = simulate(insertOptimizer(lists, OptimizerRule::postValidation), t);
        const Ticks makespan = simulate(lists, times(4, 10))->makespan;
        QCOMPARE(synced->makespan, makespan + 5);
        for (int rank = 0; rank < 4; ++rank) {
            const Ticks update = synced->start[synced->finish(rank, Lane::compute) - 1];
            QCOMPARE(update, makespan);
            // Zero bubble: each rank's work is one block, shifted by its rank.
            QCOMPARE(validatedLater->start[validatedLater->finish(rank, Lane::compute) - 1], Ticks{10} * rank + Ticks{10} * 36);
        }
    }

    void offload() {
        ScheduleRequest request;
        request.ranks = 4;
        request.microBatches = 4;
        request.slices = 8;
        const ActionLists base = *buildSchedule("seq1f1b", request);
        const ActionLists lists = insertOffload(base, 4);
        QVERIFY(validateLists(lists).empty());
        QCOMPARE(count(lists, ActionKind::offload), count(lists, ActionKind::reload));
        StageTimes t = times(4, 10);
        const auto plain = simulate(base, t);
        auto moved = simulate(lists, t);
        QCOMPARE(moved->makespan, plain->makespan);
        QVERIFY(*std::max_element(moved->peakInFlightB.begin(), moved->peakInFlightB.end()) <
                *std::max_element(plain->peakInFlightB.begin(), plain->peakInFlightB.end()) / 2);
        // Copies slower than compute stretch the step and hold more.
        t.offload = t.reload = all(4, 40);
        QVERIFY(simulate(lists, t)->makespan > plain->makespan);
        // Copies as long as a forward hide.
        t.offload = t.reload = all(4, 9);
        QVERIFY(simulate(lists, t)->makespan <= plain->makespan + 9);
    }

    /// BPipe: no rank above the limit, nothing lost, transfers on the pipeline lane.
    void eviction() {
        for (const int p : {4, 6, 8, 12}) {
            const int limit = (p + 2) / 2;
            const ActionLists lists = insertEviction(schedule("1f1b", p, 3 * p), limit);
            QVERIFY(validateLists(lists).empty());
            QCOMPARE(count(lists, ActionKind::evict), count(lists, ActionKind::load));
            StageTimes t = times(p, 10);
            const auto timeline = simulate(lists, t);
            QCOMPARE(timeline->makespan, simulate(schedule("1f1b", p, 3 * p), t)->makespan);
            QCOMPARE(*std::max_element(timeline->peakInFlightB.begin(), timeline->peakInFlightB.end()),
                     static_cast<double>(limit));
            t.evict = t.load = all(p, 3);
            QVERIFY(simulate(lists, t)->makespan <= timeline->makespan + 6 * p);
        }
    }

    /// Every pass on every schedule leaves something that runs, cells of two actions whole.
    void everyPassOnEverySchedule() {
        for (const ScheduleDefinition* definition : allSchedules()) {
            ScheduleRequest request;
            request.ranks = 4;
            request.microBatches = 12;
            request.chunks = definition->needsChunks ? 2 : 1;
            request.slices = definition->takesSlices ? 4 : 1;
            const auto built = buildSchedule(definition->id, request);
            QVERIFY2(built, definition->id.data());
            StageTimes t = times(built->stages, 10);
            t.evict = t.load = t.offload = t.reload = t.allGather = t.reduceScatter = t.optimizer = all(built->stages, 3);
            const ActionLists results[] = {
                splitBackward(*built),
                mergeBackward(*built),
                insertRecompute(*built, [](int stage) { return stage % 2 == 0; }),
                hoistRecompute(insertRecompute(*built, [](int) { return true; }), t, 3),
                insertCollectives(*built, GatherRule::perPass, ReduceRule::reduceScatter),
                insertCollectives(*built, GatherRule::perAction, ReduceRule::allReduce),
                insertOptimizer(insertCollectives(*built, GatherRule::none, ReduceRule::allReduce), OptimizerRule::afterNormSync),
                insertOptimizer(*built, OptimizerRule::postValidation),
                insertOffload(*built, 6),
                insertEviction(*built, 4),
            };
            for (std::size_t i = 0; i < std::size(results); ++i) {
                const std::vector<Error> errors = validateLists(results[i], 1);
                const std::string what = fmt::format("{}, pass {}", definition->id, i);
                QVERIFY2(errors.empty(), (what + ": " + (errors.empty() ? "" : errors[0].message)).c_str());
                QVERIFY2(simulate(results[i], t), what.c_str());
            }
        }
    }

    void pipeSgd() {
        // Step time max(compute + update, all-reduce) with two iterations in flight, their sum with one.
        const auto period = [](int width, Ticks reduce) {
            ScheduleRequest request;
            request.ranks = 2;
            request.microBatches = 20;
            request.parameters = {{"width", width}};
            StageTimes t = times(1, 10);
            t.allReduce = {reduce};
            t.optimizer = {2};
            const auto timeline = simulate(*buildSchedule("pipe-sgd", request), t);
            // From the end of one rank's tenth backward to its nineteenth.
            std::vector<Ticks> ends;
            for (std::uint32_t i = timeline->begin(0, Lane::compute); i < timeline->finish(0, Lane::compute); ++i)
                if (timeline->action[i].kind == ActionKind::backward) ends.push_back(timeline->end[i]);
            return (ends[18] - ends[8]) / 10;
        };
        QCOMPARE(period(1, 25), Ticks{10 + 20 + 2 + 25});
        QCOMPARE(period(2, 25), Ticks{10 + 20 + 2});
        QCOMPARE(period(2, 50), Ticks{50});
    }

    void unevenReplicas() {
        ScheduleRequest request;
        request.ranks = 6;
        request.microBatches = 12;
        const ActionLists lists = *buildSchedule("uneven-replicas", request);
        QCOMPARE(lists.rankOfStage.size(), std::size_t{2});
        QCOMPARE(lists.rankOfStage[0].size(), std::size_t{4});
        QCOMPARE(lists.rankOfStage[1].size(), std::size_t{2});
        StageTimes t = times(4, 10);
        t.pipeFactor = pipeFactorsOf(lists);
        QCOMPARE(t.pipeFactor, (std::vector<double>{1, 2}));
        const auto timeline = simulate(lists, t);
        // 8 micro-batches over 4 stages; 4 over 2 stages of double length: 1F1B each.
        QCOMPARE(timeline->end[timeline->finish(0, Lane::compute) - 1], Ticks{30 * (8 + 3)});
        QCOMPARE(timeline->end[timeline->finish(4, Lane::compute) - 1], Ticks{60 * (4 + 1)});
        request.parameters = {{"stages1", 3}, {"stages2", 2}};
        QCOMPARE(QString::fromStdString(buildSchedule("uneven-replicas", request).error().message),
                 QString("the replicas have 5 stages in all, but there are 6 ranks"));
    }

    void links() {
        const ActionLists lists = schedule("gpipe", 2, 4);
        StageTimes t = times(2, 10);
        t.sendForward = t.sendBackward = all(2, 15);
        // Transfers of 15 behind forwards of 10: without serialization they overlap, with it they queue.
        QCOMPARE(simulate(lists, t)->start[8], Ticks{25});
        const Ticks overlapping = simulate(lists, t)->makespan;
        t.serializeLinks = true;
        const auto queued = simulate(lists, t);
        QCOMPARE(queued->start[8], Ticks{25});
        QCOMPARE(queued->start[11], Ticks{10 + 4 * 15});
        QVERIFY(queued->makespan > overlapping);
        const std::vector<LinkUse> uses = linkUse(lists, t, queued->makespan);
        QCOMPARE(uses.size(), std::size_t{2});
        QCOMPARE(uses[0].transfers, std::int64_t{4});
        QCOMPARE(uses[0].utilisation, 60.0 / static_cast<double>(queued->makespan));
    }

    void figures() {
        const ActionLists lists = schedule("1f1b", 4, 8);
        StageTimes t = times(4, 10);
        const auto timeline = simulate(lists, t);
        const Bubbles bubbles = bubblesOf(*timeline);
        QCOMPARE(bubbles.idleShare, 3.0 / 11);  // (p-1) / (m+p-1)
        QCOMPARE(bubbles.overhead, 3.0 / 8);    // (p-1) / m
        QCOMPARE(bubbles.span, 3.0 / 11);

        // Idle by cause, exactly: rank r waits r forwards at first and r backwards at the end.
        std::vector<IdleSplit> perRank;
        const auto split = idleByCause(lists, t, &perRank);
        QCOMPARE(split->fill, Ticks{10 * (0 + 1 + 2 + 3)});
        QCOMPARE(split->drain, Ticks{20 * (0 + 1 + 2 + 3)});
        QCOMPARE(split->communication, Ticks{0});
        QCOMPARE(perRank[3].dependency, Ticks{0});
        t.latencyForward = t.latencyBackward = all(4, 1);
        QCOMPARE(idleByCause(lists, t)->communication, Ticks{4} * 2 * (3 * 2 + 2));  // four ranks, 2c[(p-1)m/p + p-2] each

        // Memory over time: half of an activation leaves with the input gradient.
        const ActionLists zero = schedule("zb-h1", 4, 8);
        const auto run = simulate(zero, times(4, 10));
        const ActivationBytes bytes{100, 0.5, 0};
        const std::vector<MemoryStep> curve = memoryCurve(*run, 3, {&bytes, 1});
        double highest = 0;
        for (const MemoryStep& step : curve) highest = std::max(highest, step.bytes);
        QCOMPARE(highest, 3 * 50.0 + 100);  // three await their weight gradient beside the one at work
        QCOMPARE(curve.back().bytes, 0.0);
        QCOMPARE(curve.front().at, Ticks{30});

        QCOMPARE(steadyPeriod(*simulate(schedule("pipedream", 4, 64), times(4, 10)), 64), 30.0);
    }

    /// Jitter moves every time a little, the same way for the same seed, and averages out.
    void jitter() {
        const ActionLists lists = schedule("1f1b", 4, 64);
        StageTimes t = times(4, 1000);
        const Ticks exact = simulate(lists, t)->makespan;
        t.jitter = 0.1;
        const auto one = simulate(lists, t);
        QVERIFY(one->makespan != exact);
        QVERIFY(one->start == simulate(lists, t)->start);
        Ticks busy = 0;
        for (std::size_t i = 0; i < one->spans(); ++i) {
            const Ticks length = one->end[i] - one->start[i];
            const Ticks nominal = one->action[i].kind == ActionKind::forward ? 1000 : 2000;
            QVERIFY(length >= nominal * 9 / 10 && length <= nominal * 11 / 10);
            busy += length;
        }
        QVERIFY(std::abs(static_cast<double>(busy) / (4 * 64 * 3000.0) - 1) < 0.02);
        t.jitterSeed = 1;
        QVERIFY(one->start != simulate(lists, t)->start);
    }

    void workspaceIsReused() {
        SimulationWorkspace workspace;
        Timeline timeline;
        for (const auto& [name, ranks, microBatches] :
             {std::tuple{"1f1b", 8, 64}, std::tuple{"zb-h1", 3, 5}, std::tuple{"bpipe", 4, 9}, std::tuple{"gpipe", 6, 40},
              std::tuple{"mario", 4, 8}}) {
            const ActionLists lists = schedule(name, ranks, microBatches);
            QVERIFY(simulateInto(lists, times(ranks, 3), workspace, timeline));
            const auto fresh = simulate(lists, times(ranks, 3));
            QVERIFY(timeline.start == fresh->start && timeline.end == fresh->end && timeline.action == fresh->action &&
                    timeline.binding == fresh->binding);
            QCOMPARE(timeline.peakInFlightW, fresh->peakInFlightW);
            QCOMPARE(timeline.laneBegin, fresh->laneBegin);
        }
    }
};

TRAINYARD_CORE_TEST_MAIN(TestSchedulePasses)
#include "test_schedule_passes.moc"
