// Traces out and in, folding of the periodic part, reductions in buckets.

#include <QTest>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/io/import/measured_trace.h"
#include "core/schedule/fold.h"
#include "core/schedule/metrics.h"
#include "core/schedule/passes.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/trace_form.h"
#include "core/schedule/validate_lists.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using nlohmann::json;

namespace {

ActionLists schedule(const char* name, int p, int m, int v = 1, int k = 1) {
    ScheduleRequest request;
    request.ranks = p;
    request.microBatches = m;
    request.chunks = v;
    request.slices = k;
    auto lists = buildSchedule(name, request);
    if (!lists) qFatal("%s: %s", name, lists.error().message.c_str());
    return std::move(*lists);
}

StageTimes times(int stages, Ticks unit) {
    StageTimes t;
    t.forward = t.backwardInput = t.backwardWeight = std::vector<Ticks>(static_cast<std::size_t>(stages), unit);
    return t;
}

json traceOf(const Timeline& timeline, double microsecondsPerTick = 1) {
    return json::parse(fmt::to_string(traceForm(timeline, {.title = "a \"name\"", .microsecondsPerTick = microsecondsPerTick})));
}

}  // namespace

class TestScheduleTrace : public QObject {
    Q_OBJECT

  private slots:
    /// Every slice lies within the one that is open on its thread, so that viewers nest them: step, phase, cell, action.
    void slicesNest_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"1f1b", "zb-h1", "dualpipe-v", "gpipe", "bpipe", "pipe-sgd"})
            QTest::newRow(name) << QString(name);
    }
    void slicesNest() {
        QFETCH(QString, name);
        const std::string id = name.toStdString();
        const ActionLists lists = schedule(id.c_str(), 4, 8);
        StageTimes t = times(lists.stages, 7);
        t.evict = t.load = t.allReduce = std::vector<Ticks>(static_cast<std::size_t>(lists.stages), 3);
        const Timeline timeline = *simulate(lists, t);
        const json trace = traceOf(timeline, 1.0 / 3);
        struct Open {
            double end;
            std::string category;
        };
        std::map<std::pair<int, int>, std::vector<Open>> threads;
        std::map<std::string, int> depths;
        std::size_t actions = 0;
        std::set<std::string> processes;
        for (const json& event : trace["traceEvents"]) {
            if (event["ph"] == "M" && event["name"] == "process_name") processes.insert(event["args"]["name"]);
            if (event["ph"] != "X") continue;
            auto& open = threads[{event["pid"], event["tid"]}];
            const double start = event["ts"];
            const double end = start + event["dur"].get<double>();
            while (!open.empty() && open.back().end <= start + 1e-6) open.pop_back();
            if (!open.empty()) QVERIFY2(end <= open.back().end + 1e-6, (event.dump() + " in " + open.back().category).c_str());
            open.push_back({end, event["cat"]});
            const std::string category = event["cat"];
            actions += category != "step" && category != "phase" && category != "pair";
            depths[category] = std::max(depths[category], static_cast<int>(open.size()));
        }
        QCOMPARE(actions, timeline.spans());
        QCOMPARE(processes.size(), std::size_t{4});
        QVERIFY(processes.count("rank 3") == 1);
        QCOMPARE(depths["step"], 1);
        QCOMPARE(depths["phase"], 2);
        QCOMPARE(depths["F"], id == "dualpipe-v" ? 4 : 3);  // within a cell of two
        QCOMPARE(trace["otherData"]["schedule"].get<std::string>(), std::string("a \"name\""));
    }

    /// Arrows leave inside the producer's slice and arrive where the consumer's begins.
    void flowsJoinProducersAndConsumers() {
        const ActionLists lists = schedule("1f1b", 4, 8);
        StageTimes t = times(4, 10);
        t.latencyForward = t.latencyBackward = {2, 2, 2, 2};
        const Timeline timeline = *simulate(lists, t);
        std::map<int, std::pair<json, json>> flows;
        std::vector<json> slices;
        const json trace = traceOf(timeline);
        for (const json& event : trace["traceEvents"]) {
            if (event["ph"] == "s") flows[event["id"]].first = event;
            if (event["ph"] == "f") flows[event["id"]].second = event;
            if (event["ph"] == "X" && event["cat"] != "step" && event["cat"] != "phase") slices.push_back(event);
        }
        QCOMPARE(flows.size(), std::size_t{2 * 3 * 8});  // forward and back over three borders
        const auto sliceAt = [&](const json& flow) {
            for (const json& slice : slices)
                if (slice["pid"] == flow["pid"] && slice["ts"].get<double>() <= flow["ts"].get<double>() &&
                    flow["ts"].get<double>() < slice["ts"].get<double>() + slice["dur"].get<double>())
                    return slice;
            return json();
        };
        for (const auto& [id, ends] : flows) {
            const json from = sliceAt(ends.first);
            const json to = sliceAt(ends.second);
            QVERIFY(!from.is_null() && !to.is_null());
            QCOMPARE(from["args"]["micro_batch"].get<int>(), to["args"]["micro_batch"].get<int>());
            const int step = from["cat"] == "F" ? 1 : -1;
            QCOMPARE(to["args"]["stage"].get<int>(), from["args"]["stage"].get<int>() + step);
        }
    }

    /// What is written as a trace is read back as the same timeline, lanes by name.
    void traceIsReadBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inWords");
        QTest::newRow("zb-v") << "zb-v" << false;
        QTest::newRow("zb-v in words") << "zb-v" << true;
        QTest::newRow("dualpipe-v") << "dualpipe-v" << false;
        QTest::newRow("bpipe") << "bpipe" << false;
    }
    void traceIsReadBack() {
        QFETCH(QString, name);
        QFETCH(bool, inWords);
        const ActionLists lists = schedule(name.toStdString().c_str(), 4, 8, name == "bpipe" ? 1 : 2);
        StageTimes t = times(lists.stages, 1000);
        t.evict = t.load = std::vector<Ticks>(static_cast<std::size_t>(lists.stages), 300);
        const Timeline timeline = *simulate(lists, t);
        const auto read = readMeasuredTrace(
            fmt::to_string(traceForm(timeline, {.title = "x", .microsecondsPerTick = 0.001, .inWords = inWords})), "own.json");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->timeline.laneBegin, timeline.laneBegin);
        QVERIFY(read->timeline.start == timeline.start);
        QVERIFY(read->timeline.end == timeline.end);
        QCOMPARE(read->timeline.makespan, timeline.makespan);
        QCOMPARE(read->timeline.busy, timeline.busy);
        QCOMPARE(read->rowNumbers, (std::vector<int>{0, 1, 2, 3}));
        for (std::size_t i = 0; i < timeline.spans(); ++i) {
            QVERIFY(read->timeline.action[i].kind == timeline.action[i].kind);
            QCOMPARE(read->timeline.action[i].microBatch, timeline.action[i].microBatch);
            QCOMPARE(read->timeline.action[i].stage, timeline.action[i].stage);
        }
        QCOMPARE(read->overlapping, std::size_t{0});
    }

    /// As a torch profiler writes: processes out of order, annotations among thousands of kernels, begin and end apart.
    void profilerTrace() {
        const char* const text = R"json({"schemaVersion": 1, "traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 812, "args": {"name": "python rank 1"}},
            {"ph": "M", "name": "process_name", "pid": 811, "args": {"name": "python rank 0"}},
            {"ph": "X", "pid": 812, "tid": 7, "ts": 2000.5, "dur": 1000, "name": "PP:1F0", "cat": "user_annotation"},
            {"ph": "X", "pid": 811, "tid": 7, "ts": 1000, "dur": 900.25, "name": "PP:0F0", "cat": "user_annotation"},
            {"ph": "X", "pid": 811, "tid": 7, "ts": 1001, "dur": 5, "name": "aten::mm", "cat": "cpu_op"},
            {"ph": "B", "pid": 812, "tid": 7, "ts": 3000.5, "name": "PP:1B0"},
            {"ph": "E", "pid": 812, "tid": 7, "ts": 5000.5},
            {"ph": "X", "pid": 811, "tid": 7, "ts": 5100, "dur": 1900, "name": "PP:0B0"},
            {"ph": "X", "pid": 811, "tid": 9, "ts": 7000, "dur": 400, "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(args)"},
            {"ph": "X", "pid": 811, "tid": 7, "ts": "later", "dur": 1, "name": "PP:0F1"},
            {"ph": "i", "pid": 811, "tid": 7, "ts": 1, "name": "mark"}, 17, null
        ]
    })json";
        const auto read = readMeasuredTrace(text, "profile.json");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        const Timeline& t = read->timeline;
        QCOMPARE(t.ranks, 2);
        QCOMPARE(read->rowNames[0], std::string("python rank 0"));
        QCOMPARE(t.finish(0, Lane::compute) - t.begin(0, Lane::compute), 2u);
        QCOMPARE(t.finish(0, Lane::data) - t.begin(0, Lane::data), 1u);
        QCOMPARE(t.finish(1, Lane::compute) - t.begin(1, Lane::compute), 2u);
        QCOMPARE(t.start[t.begin(1, Lane::compute)], Ticks{1'000'500});  // nanoseconds from the first action
        QCOMPARE(t.end[t.begin(0, Lane::compute)], Ticks{900'250});
        QVERIFY(t.action[t.begin(1, Lane::compute) + 1].kind == ActionKind::backward);
        QCOMPARE(t.makespan, Ticks{6'400'000});
        QCOMPARE(read->ignored, std::size_t{1});
    }

    void wrongTraces_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no json") << QByteArray("{\"traceEvents\": [") << "trace.json:1";
        QTest::newRow("no list") << QByteArray("{\"traceEvents\": 5}") << "has no list \"traceEvents\"";
        QTest::newRow("no key") << QByteArray("{\"events\": []}") << "has no list \"traceEvents\"";
        QTest::newRow("no action") << QByteArray(R"([{"ph": "X", "ts": 1, "dur": 2, "name": "aten::add"}])")
                                   << "none of 1 slices names a pipeline action";
        QTest::newRow("empty") << QByteArray("[]") << "has no slices";
        QTest::newRow("infinite") << QByteArray(R"([{"ph": "X", "ts": 1e400, "dur": 2, "name": "F0.0"}])") << "trace.json:1:24";
    }
    void wrongTraces() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const auto read = readMeasuredTrace(text.toStdString(), "trace.json");
        QVERIFY(!read);
        const QString found = QString::fromStdString(read.error().where + ": " + read.error().message);
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    /// The periodic part of known schedules, and nothing but whole blocks is taken out.
    void folding_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("microBatches");  // of a block
        QTest::newRow("1f1b") << "1f1b" << 1 << 1;
        QTest::newRow("zb-h1") << "zb-h1" << 1 << 1;
        QTest::newRow("interleaved-1f1b") << "interleaved-1f1b" << 2 << 4;
        QTest::newRow("zb-v") << "zb-v" << 2 << 1;
        QTest::newRow("eager-1f1b") << "eager-1f1b" << 1 << 1;
    }
    void folding() {
        QFETCH(QString, name);
        QFETCH(int, chunks);
        QFETCH(int, microBatches);
        const ActionLists lists = schedule(name.toStdString().c_str(), 4, 64, chunks);
        const Timeline timeline = *simulate(lists, times(lists.stages, 100));
        const auto part = findPeriodicPart(timeline);
        QVERIFY(part.has_value());
        QCOMPARE(part->microBatches, microBatches);
        // In steady state a rank works 3 units per micro-batch and chunk without a pause.
        QCOMPARE(part->period, Ticks{300} * chunks * microBatches);
        QVERIFY(part->repeats * microBatches >= 40);
        const FoldedTimeline folded = foldTimeline(timeline, *part);
        QCOMPARE(folded.timeline.makespan, timeline.makespan - folded.removed);
        QCOMPARE(folded.removed, part->period * (part->repeats - 2));
        for (int rank = 0; rank < 4; ++rank) {
            const std::size_t r = static_cast<std::size_t>(rank);
            // Whole blocks of work without idle time are gone: idle time is what it was.
            QCOMPARE(folded.timeline.makespan - folded.timeline.busy[r], timeline.makespan - timeline.busy[r]);
            for (std::uint32_t i = folded.timeline.begin(rank, Lane::compute) + 1;
                 i < folded.timeline.finish(rank, Lane::compute); ++i)
                QVERIFY(folded.timeline.start[i] >= folded.timeline.end[i - 1]);
        }
        // The last action of the step is still the last.
        const std::uint32_t last = folded.timeline.finish(0, Lane::compute) - 1;
        QVERIFY(folded.timeline.action[last] == timeline.action[timeline.finish(0, Lane::compute) - 1]);
        QCOMPARE(folded.timeline.end[last], timeline.end[timeline.finish(0, Lane::compute) - 1] - folded.removed);
    }

    void nothingToFold() {
        QVERIFY(!findPeriodicPart(*simulate(schedule("1f1b", 4, 4), times(4, 100))));
        QVERIFY(!findPeriodicPart(Timeline{}));
        StageTimes jittery = times(4, 1000);
        jittery.jitter = 0.2;
        QVERIFY(!findPeriodicPart(*simulate(schedule("1f1b", 4, 64), jittery)));
    }

    /// Buckets start while the last gradient action runs, each when its share is there, and end as one reduction would at best.
    void reductionsInBuckets() {
        const ActionLists base = schedule("1f1b", 2, 4);
        StageTimes t = times(2, 100);
        t.reduceScatter = {120, 120};
        const auto dataSpans = [](const Timeline& timeline, int rank) {
            std::vector<std::pair<Ticks, Ticks>> spans;
            for (auto i = timeline.begin(rank, Lane::data); i < timeline.finish(rank, Lane::data); ++i)
                spans.emplace_back(timeline.start[i], timeline.end[i]);
            return spans;
        };
        const Timeline whole = *simulate(insertCollectives(base, GatherRule::none, ReduceRule::reduceScatter), t);
        const ActionLists bucketed = insertReductionBuckets(base, ReduceRule::reduceScatter, 4);
        QVERIFY(validateLists(bucketed).empty());
        const Timeline buckets = *simulate(bucketed, t);
        const Ticks end = whole.end[whole.finish(0, Lane::compute) - 1];  // of the last backward, which takes 200
        QCOMPARE(dataSpans(whole, 0), (std::vector<std::pair<Ticks, Ticks>>{{end, end + 120}}));
        QCOMPARE(dataSpans(buckets, 0),
                 (std::vector<std::pair<Ticks, Ticks>>{
                     {end - 150, end - 120}, {end - 100, end - 70}, {end - 50, end - 20}, {end, end + 30}}));
        QCOMPARE(buckets.makespan, whole.makespan - 90);
        // Without the pass nothing changes.
        QCOMPARE(simulate(base, t)->makespan, end);
        // An update waits for the last bucket.
        t.optimizer = {10, 10};
        const Timeline updated = *simulate(insertOptimizer(bucketed, OptimizerRule::postValidation), t);
        QCOMPARE(updated.start[updated.finish(0, Lane::compute) - 1], end + 30);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScheduleTrace)
#include "test_schedule_trace.moc"
