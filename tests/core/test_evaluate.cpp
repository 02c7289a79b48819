#include <QTest>

#include <cmath>

#include "core/engine/evaluate.h"
#include "core/engine/evaluator.h"
#include "tests/support/scenarios.h"

using namespace trainyard;

namespace {

double parts(const TimeSummary& t) {
    return t.computeS + t.bubbleS + t.exposedTensorS + t.exposedPipelineS + t.exposedContextS + t.exposedExpertS + t.exposedDataS + t.optimizerS + t.offloadS;
}

Scenario with(Scenario scenario, auto change) {
    change(scenario);
    return scenario;
}

Evaluation run(const Scenario& scenario, Depth depth = Depth::simulated) {
    Evaluation e = evaluate(scenario, depth);
    for (const auto& d : e.diagnostics)
        if (d.severity == Severity::error) qWarning("%s: %s", d.code.c_str(), d.message.c_str());
    return e;
}

}  // namespace

class TestEvaluate : public QObject {
    Q_OBJECT
  private slots:
    void everyFigureIsThere();
    void partsAddUp_data();
    void partsAddUp();
    void modelFlopsByHand();
    void moreMicroBatchesShrinkTheBubble();
    void moreBandwidthIsNeverSlower();
    void slowNodeSlowsTheStep();
    void depthsAgree_data();
    void depthsAgree();
    void absurdButValidPlansAnswer();
    void badPlansAreNotComputed();
    void timelineHasTrafficLanes();
    void evaluatorGivesTheSameFigures();
    void optimizerOffloadCostsTime();
};

void TestEvaluate::everyFigureIsThere() {
    const Evaluation e = run(test::scenario());
    QVERIFY(e.feasible && e.computed);
    QCOMPARE(e.devices, 128);
    QCOMPARE(e.parameters.total, 70553706496);  // published
    QVERIFY2(e.throughput.mfu > 0.25 && e.throughput.mfu < 0.65, qPrintable(QString::number(e.throughput.mfu)));
    QVERIFY(e.throughput.hfu > e.throughput.mfu);
    QCOMPARE(e.memory.stages.size(), std::size_t{4});
    QVERIFY(e.timeline != nullptr);
    QVERIFY(e.timeline->makespan > 0);
    QVERIFY(!e.communication.empty());
    QVERIFY(e.powerWPerDevice > 100 && e.powerWPerDevice < 700);
    QCOMPARE(e.trafficBlocks, 16);
    QVERIFY(!e.links.empty());
    for (const auto& link : e.links) QVERIFY2(link.utilisation >= 0 && link.utilisation < 1, "a link carries more than it can");
    double exposed = 0;
    for (const auto& item : e.communication) {
        QVERIFY(item.timeS > 0 && item.bytesPerDevicePerStep > 0 && item.callsPerStep > 0);
        if (item.group == Dimension::tensor) exposed += item.exposedS;
    }
    QVERIFY(std::abs(exposed - e.time.exposedTensorS) < 1e-9);
}

void TestEvaluate::partsAddUp_data() {
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("zero");
    QTest::addColumn<bool>("simulated");
    for (const int tensor : {1, 8})
        for (const int pipeline : {1, 2, 8})
            for (const int zero : {0, 1, 3})
                for (const bool simulated : {false, true})
                    QTest::addRow("tensor %d pipeline %d zero %d %s", tensor, pipeline, zero, simulated ? "simulated" : "closed form") << tensor << pipeline << zero << simulated;
}

void TestEvaluate::partsAddUp() {
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(int, zero);
    QFETCH(bool, simulated);
    const Evaluation e = run(with(test::scenario(),
                                  [&](Scenario& s) {
                                      s.plan.tensorParallel = tensor;
                                      s.plan.pipelineParallel = pipeline;
                                      s.plan.zeroStage = zero;
                                      s.plan.sequenceParallel = tensor > 1;
                                  }),
                             simulated ? Depth::simulated : Depth::closedForm);
    QVERIFY(e.computed);
    QVERIFY2(std::abs(parts(e.time) / e.time.stepS - 1) < 1e-3, qPrintable(QString("%1 against %2").arg(parts(e.time)).arg(e.time.stepS)));
    QVERIFY(e.time.bubbleFraction >= 0 && e.time.bubbleFraction < 1);
    for (const double part : {e.time.computeS, e.time.bubbleS, e.time.exposedTensorS, e.time.exposedPipelineS, e.time.exposedDataS, e.time.optimizerS}) QVERIFY(part >= 0);
    if (pipeline == 1) {
        QVERIFY(e.time.bubbleS < 1e-6);
        QCOMPARE(e.time.exposedPipelineS, 0.0);
    }
    if (tensor == 1) QCOMPARE(e.time.exposedTensorS, 0.0);
}

void TestEvaluate::modelFlopsByHand() {
    const Evaluation e = run(test::scenario());
    // 6 x matmul parameters per token plus full attention 12 x layers x hidden x sequence.
    const double h = 8192;
    const double layer = h * h + 2 * h * 1024 + h * h + 3 * h * 28672;
    const double perToken = 6 * (80 * layer + h * 128256) + 12 * 80 * h * 8192;
    const double tokens = 256 * 8192.0;
    const double mfu = perToken * tokens / (128 * 989e12 * e.time.stepS);
    QVERIFY2(std::abs(e.throughput.mfu / mfu - 1) < 2e-3, qPrintable(QString("%1 against %2").arg(e.throughput.mfu).arg(mfu)));
    QVERIFY(std::abs(e.throughput.tokensPerS - tokens / e.time.stepS) < 1);
}

void TestEvaluate::moreMicroBatchesShrinkTheBubble() {
    double last = 1;
    for (const std::int64_t batch : {64, 128, 256, 512, 1024}) {
        const Evaluation e = run(with(test::scenario(), [&](Scenario& s) { s.workload.globalBatchSize = batch; }));
        QVERIFY(e.time.bubbleFraction < last);
        last = e.time.bubbleFraction;
    }
}

void TestEvaluate::moreBandwidthIsNeverSlower() {
    double last = INFINITY;
    for (const double bandwidth : {5e9, 12.5e9, 25e9, 50e9, 100e9}) {
        const Evaluation e = run(with(test::scenario(), [&](Scenario& s) {
            ClusterSpec cluster = *s.cluster;
            cluster.links[0].bandwidthBytesPerS = bandwidth;
            cluster.nodes[0].nics.bandwidthBytesPerS = bandwidth;
            s.cluster = std::make_shared<ClusterSpec>(cluster);
        }));
        QVERIFY(e.time.stepS <= last);
        last = e.time.stepS;
    }
    last = INFINITY;
    for (const double bandwidth : {50e9, 200e9, 450e9, 900e9}) {
        const Evaluation e = run(with(test::scenario(), [&](Scenario& s) {
            ClusterSpec cluster = *s.cluster;
            cluster.nodes[0].intra.bandwidthBytesPerS = bandwidth;
            s.cluster = std::make_shared<ClusterSpec>(cluster);
        }));
        QVERIFY(e.time.stepS <= last);
        last = e.time.stepS;
    }
}

void TestEvaluate::slowNodeSlowsTheStep() {
    const double even = run(test::scenario()).time.stepS;
    const Evaluation e = run(with(test::scenario(), [](Scenario& s) {
        ClusterSpec cluster = *s.cluster;
        cluster.nodes[0].count = 15;
        NodeSpec hot = cluster.nodes[0];
        hot.id = "hot";
        hot.count = 1;
        hot.slowdown = 1.3;
        cluster.nodes.push_back(hot);
        LinkSpec link = cluster.links[0];
        link.from = "hot";
        cluster.links.push_back(link);
        s.cluster = std::make_shared<ClusterSpec>(cluster);
    }));
    QVERIFY(e.computed);
    QVERIFY(e.time.stepS > 1.1 * even);
}

void TestEvaluate::depthsAgree_data() {
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<int>("batch");
    for (const int pipeline : {2, 4, 8, 16})
        for (const int batch : {128, 512}) {
            QTest::addRow("1f1b %d stages batch %d", pipeline, batch) << "1f1b" << pipeline << 1 << batch;
            QTest::addRow("gpipe %d stages batch %d", pipeline, batch) << "gpipe" << pipeline << 1 << batch;
            if (pipeline <= 8) QTest::addRow("interleaved %d stages batch %d", pipeline, batch) << "interleaved-1f1b" << pipeline << 2 << batch;
        }
}

void TestEvaluate::depthsAgree() {
    QFETCH(QString, schedule);
    QFETCH(int, pipeline);
    QFETCH(int, chunks);
    QFETCH(int, batch);
    const Scenario s = with(test::scenario(), [&](Scenario& x) {
        x.plan.schedule = schedule.toStdString();
        x.plan.pipelineParallel = pipeline;
        x.plan.virtualStages = chunks;
        x.workload.globalBatchSize = batch;
        x.plan.tensorParallel = 4;
    });
    const Evaluation a = run(s, Depth::closedForm);
    const Evaluation b = run(s, Depth::simulated);
    QVERIFY(a.computed && b.computed);
    QVERIFY2(std::abs(a.time.stepS / b.time.stepS - 1) < 0.06, qPrintable(QString("%1 closed, %2 simulated").arg(a.time.stepS).arg(b.time.stepS)));
    QCOMPARE(a.memory.peakBytes, b.memory.peakBytes);
}

void TestEvaluate::absurdButValidPlansAnswer() {
    const Evaluation huge = run(with(test::scenario(), [](Scenario& s) { s.workload.globalBatchSize = 400'000'000; }));
    QVERIFY(huge.computed);
    QVERIFY(huge.timeline == nullptr);
    QVERIFY(!huge.validityNotes.empty());
    const Evaluation noNetwork = run(with(test::scenario(1), [](Scenario& s) {
        s.plan.pipelineParallel = 1;
        ClusterSpec cluster = *s.cluster;
        cluster.links.clear();
        cluster.switches.clear();
        s.cluster = std::make_shared<ClusterSpec>(cluster);
    }));
    QVERIFY(noNetwork.computed);
    QVERIFY(std::isfinite(noNetwork.time.stepS));
}

void TestEvaluate::badPlansAreNotComputed() {
    const Evaluation e = evaluate(with(test::scenario(), [](Scenario& s) { s.plan.tensorParallel = 5; }), Depth::simulated);
    QVERIFY(!e.feasible);
    QVERIFY(!e.computed);
}

void TestEvaluate::timelineHasTrafficLanes() {
    const Evaluation e = run(test::scenario());
    const Timeline& t = *e.timeline;
    QCOMPARE(t.ranks, 4);
    QVERIFY(std::abs(static_cast<double>(t.makespan) * t.secondsPerTick / e.time.stepS - 1) < 1e-6);
    for (int rank = 0; rank < t.ranks; ++rank) {
        for (int lane = 0; lane < kLaneCount; ++lane) {
            Ticks end = 0;
            for (auto i = t.begin(rank, static_cast<Lane>(lane)); i < t.finish(rank, static_cast<Lane>(lane)); ++i) {
                QVERIFY(t.start[i] >= end);
                QVERIFY(t.end[i] > t.start[i]);
                QVERIFY(static_cast<int>(t.action[i].lane) == lane);
                end = t.end[i];
            }
        }
        QVERIFY(t.finish(rank, Lane::tensor) > t.begin(rank, Lane::tensor));
        QVERIFY(t.finish(rank, Lane::data) > t.begin(rank, Lane::data));
        QVERIFY(t.finish(rank, Lane::pipeline) > t.begin(rank, Lane::pipeline));
        // Whatever an action waited for is another compute action that ended before it began.
        for (auto i = t.begin(rank, Lane::compute); i < t.finish(rank, Lane::compute); ++i) {
            if (t.binding[i] < 0) continue;
            const auto other = static_cast<std::size_t>(t.binding[i]);
            QVERIFY(other < t.spans());
            QVERIFY(t.action[other].lane == Lane::compute);
            QVERIFY(t.end[other] <= t.start[i]);
        }
    }
}

void TestEvaluate::evaluatorGivesTheSameFigures() {
    Evaluator evaluator;
    for (const int tensor : {1, 2, 8})
        for (const int pipeline : {1, 4})
            for (const int zero : {0, 1, 3}) {
                const Scenario s = with(test::scenario(), [&](Scenario& x) {
                    x.plan.tensorParallel = tensor;
                    x.plan.pipelineParallel = pipeline;
                    x.plan.zeroStage = zero;
                    x.plan.sequenceParallel = tensor > 1;
                });
                const Evaluation a = evaluate(s, Depth::closedForm);
                const Evaluation b = evaluator.evaluate(s, Depth::closedForm);
                const PlanEstimate c = evaluator.estimate(s, Evaluator::Validity::unknown);
                QCOMPARE(b.time.stepS, a.time.stepS);
                QCOMPARE(b.memory.peakBytes, a.memory.peakBytes);
                QCOMPARE(b.throughput.mfu, a.throughput.mfu);
                QVERIFY(c.feasible);
                QCOMPARE(c.stepS, a.time.stepS);
                QCOMPARE(c.peakBytes, a.memory.peakBytes);
                QVERIFY(c.verdict == a.memory.verdict);
                QVERIFY(std::abs(c.mfu / a.throughput.mfu - 1) < 1e-12);
            }
    QVERIFY(!evaluator.estimate(with(test::scenario(), [](Scenario& x) { x.plan.tensorParallel = 5; }), Evaluator::Validity::unknown).feasible);
}

void TestEvaluate::optimizerOffloadCostsTime() {
    const double kept = run(test::scenario()).time.stepS;
    const Evaluation e = run(with(test::scenario(), [](Scenario& s) { s.plan.optimizerOffloadFraction = 1; }));
    QVERIFY(e.time.offloadS > 0);
    QVERIFY(e.time.stepS > kept);
    QVERIFY(std::abs(parts(e.time) / e.time.stepS - 1) < 1e-3);
}

QTEST_APPLESS_MAIN(TestEvaluate)
#include "test_evaluate.moc"
