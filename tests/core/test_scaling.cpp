#include <QtTest>
#include <cmath>

#include "core/engine/evaluate.h"
#include "core/search/scaling.h"
#include "tests/support/scenarios.h"

using namespace trainyard;

namespace {

const ScalingPoint& current(const std::vector<ScalingPoint>& points) {
    for (const ScalingPoint& p : points)
        if (p.isCurrent) return p;
    qFatal("no current point");
}

}  // namespace

class TestScaling : public QObject {
    Q_OBJECT
private slots:
    void theDrawnSizeIsWhatTheEvaluationSays() {
        const Scenario scenario = test::scenario();  // 128 devices, tensor 8 x pipeline 4
        const ScalingCurves curves = scalingCurves(scenario);
        const Evaluation e = evaluate(scenario, Depth::simulated);
        for (const auto* points : {&curves.strong, &curves.weak}) {
            QCOMPARE(current(*points).devices, std::int64_t{128});
            QCOMPARE(current(*points).stepS, e.time.stepS);
            QCOMPARE(current(*points).tokensPerS, e.throughput.tokensPerS);
        }
        QVERIFY(curves.note.empty());
    }

    void sizesArePowersOfTwoFromTheFirstThatRuns() {
        const ScalingCurves curves = scalingCurves(test::scenario());
        QCOMPARE(curves.strong.front().devices, std::int64_t{32});  // tensor 8 x pipeline 4
        QCOMPARE(curves.strong.back().devices, std::int64_t{8192});
        for (std::size_t i = 1; i < curves.strong.size(); ++i) QCOMPARE(curves.strong[i].devices, 2 * curves.strong[i - 1].devices);
        for (const ScalingPoint& p : curves.strong)
            if (p.computed) QCOMPARE(p.dataParallel * 32, p.devices);
    }

    void strongKeepsTheBatchAndLosesEfficiencyWeakKeepsIt() {
        const ScalingCurves curves = scalingCurves(test::scenario());
        QCOMPARE(curves.strong.front().efficiency, 1.0);
        QCOMPARE(curves.weak.front().efficiency, 1.0);
        double before = 1e300;
        for (const ScalingPoint& p : curves.strong) {
            QCOMPARE(p.globalBatchSize, std::int64_t{256});
            if (!p.computed) continue;
            QVERIFY(p.stepS < before);  // more devices are never slower here
            before = p.stepS;
        }
        for (const ScalingPoint& p : curves.weak) {
            QVERIFY(p.computed);
            QCOMPARE(p.globalBatchSize, 256 * p.devices / 128);
            QVERIFY(p.efficiency > 0.8 && p.efficiency < 1.2);
        }
        QVERIFY(curves.strong[4].efficiency < curves.weak[4].efficiency);  // bubbles grow with fewer micro-batches
    }

    void aBatchThatDoesNotDivideSaysSo() {
        const ScalingCurves curves = scalingCurves(test::scenario());
        const ScalingPoint& last = curves.strong.back();  // 256 replicas of one sequence each still run; more would not
        Scenario small = test::scenario();
        small.workload.globalBatchSize = 8;
        const ScalingCurves few = scalingCurves(small);
        QVERIFY(last.computed);
        QVERIFY(!few.strong.back().computed);
        QVERIFY(few.strong.back().reason.find("8 sequences") != std::string::npos);
        QVERIFY(few.weak.back().computed);
    }

    void oneNodeShrinksToPartsOfItself() {
        Scenario scenario = test::scenario(1);
        scenario.plan.tensorParallel = 1;
        scenario.plan.pipelineParallel = 1;
        scenario.plan.sequenceParallel = false;
        const ScalingCurves curves = scalingCurves(scenario);
        QCOMPARE(curves.strong.front().devices, std::int64_t{1});
        QCOMPARE(current(curves.strong).devices, std::int64_t{8});
    }

    void theBestPlanIsNeverSlowerThanTheSame() {
        ScalingOptions options;
        options.mostDoublings = 1;
        const ScalingCurves same = scalingCurves(test::scenario(4), options);
        options.plan = ScalingPlan::best;
        const ScalingCurves best = scalingCurves(test::scenario(4), options);
        for (const ScalingPoint& s : same.strong)
            for (const ScalingPoint& b : best.strong)
                if (s.devices == b.devices && s.computed && b.computed && s.verdict != MemoryVerdict::out_of_memory) QVERIFY(b.stepS <= s.stepS * 1.02);
    }

    void stoppedItReturnsWhatThereIs() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(scalingCurves(test::scenario(), {}, {}, stop.get_token()).strong.empty());
    }
};

QTEST_APPLESS_MAIN(TestScaling)
#include "test_scaling.moc"
