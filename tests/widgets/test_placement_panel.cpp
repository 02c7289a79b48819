#include <QPushButton>
#include <QSignalSpy>

#include "core/engine/evaluate.h"
#include "core/plan/edit.h"
#include "tests/support/preset_scenarios.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"
#include "widgets/cluster/cluster_editor.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"
#include "widgets/panels/partition_bar.h"
#include "widgets/panels/placement_panel.h"
#include "widgets/plots/figure_table.h"

using namespace trainyard;

namespace {

std::unique_ptr<PlanDocument> document(Scenario scenario) {
    return std::make_unique<PlanDocument>(std::make_shared<Scenario>(std::move(scenario)),
                                          std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
}

Scenario slowPair() {
    Scenario s = test::scenario(8);
    auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
    cluster->measured.bytesPerS.assign(64, 400e9);
    cluster->measured.bytesPerS[1] = cluster->measured.bytesPerS[8] = 5e9;
    s.cluster = cluster;
    s.workload.globalBatchSize = 64;
    return s;
}

}  // namespace

class TestPlacementPanel : public QObject {
    Q_OBJECT
  private slots:
    void theBestPlacementBecomesThePlanInOneStep() {
        auto doc = document(slowPair());
        PlacementPanel panel(doc.get());
        panel.start(true);
        QVERIFY(!panel.result().best.empty());
        QVERIFY(panel.findChild<FigureTable*>()->rowCount() == static_cast<int>(panel.result().best.size()));
        const double before = doc->evaluation()->time.stepS;
        panel.load(0);
        QCOMPARE(doc->undoStack().count(), 1);
        QCOMPARE(doc->snapshot()->plan.deviceOfRank, panel.result().best[0].deviceOfRank);
        QVERIFY(doc->evaluation()->time.stepS < before);
        QCOMPARE(doc->evaluation()->time.stepS, panel.result().best[0].stepS);
        doc->undoStack().undo();
        QVERIFY(doc->snapshot()->plan.deviceOfRank.empty());
    }

    void annealingRunsBesideTheWindowAndStops() {
        auto doc = document(slowPair());
        PlacementPanel panel(doc.get());
        panel.start();
        panel.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.result().best.empty() || !panel.result().complete, 20000);
        QTRY_COMPARE(panel.findChildren<QPushButton*>().first()->text(), QStringLiteral("Place ranks"));
    }

    void partitionAppliesAsOneUndoStep() {
        auto doc = document(test::presetScenario("default"));
        PartitionBar bar(doc.get());
        QSignalSpy finished(&bar, &PartitionBar::finished);
        const double before = doc->evaluation()->time.stepS;
        bar.start();
        QVERIFY(bar.isRunning());
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 30000);
        QCOMPARE(doc->undoStack().count(), 1);
        QVERIFY(doc->evaluation()->time.stepS < before);
        bar.setFreedom({.order = false, .tensor = true, .replicas = true, .shares = false});
        bar.start(true);
        QVERIFY(!doc->snapshot()->plan.replicas.empty());
        QVERIFY(doc->evaluation()->time.stepS < 0.8 * before);
        // The slider of a degree says the same for all replicas again.
        const Scenario equal = withDegree(*doc->snapshot(), Dimension::tensor, 4, {});
        QVERIFY(equal.plan.replicas.empty());
        doc->undoStack().undo();
        doc->undoStack().undo();
        QCOMPARE(doc->evaluation()->time.stepS, before);
    }

    void cancellingLeavesThePlan() {
        auto doc = document(test::presetScenario("default"));
        PartitionBar bar(doc.get());
        bar.setFreedom({.order = true, .tensor = true, .replicas = true, .shares = true});
        QSignalSpy finished(&bar, &PartitionBar::finished);
        bar.start();
        bar.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 30000);
        QCOMPARE(doc->undoStack().count(), 0);
    }

    // What if: the first one pins the plan before it, so that the verdict has a before and an after.
    void whatIfsPinTheBaseline() {
        auto doc = document(test::scenario(8));
        Selection selection;
        ClusterEditor editor(doc.get(), &selection);
        editor.pick({"fabric"});
        const double before = doc->evaluation()->time.stepS;
        editor.setNeighbourJob(0.75);
        QVERIFY(doc->baseline() != nullptr);
        QCOMPARE(doc->baseline()->time.stepS, before);
        QVERIFY(doc->evaluation()->time.stepS > before);
        QCOMPARE(doc->snapshot()->cluster->switches[0].backgroundShare, 0.75);
        editor.oversubscribePicked(4);
        QCOMPARE(doc->baseline()->time.stepS, before);  // still the first
        editor.setNeighbourJob(0);
        QCOMPARE(doc->snapshot()->cluster->switches[0].backgroundShare, 0.0);
    }

    void aPastedTableOverridesTheDrawing() {
        Scenario s = test::scenario(2);
        s.plan.tensorParallel = 2;
        auto doc = document(s);
        Selection selection;
        ClusterEditor editor(doc.get(), &selection);
        QVERIFY(editor.setMeasuredBandwidth(QStringLiteral("0 5\n")).contains(QStringLiteral("2 nodes")));
        QCOMPARE(doc->undoStack().count(), 0);
        QCOMPARE(editor.setMeasuredBandwidth(QStringLiteral("a,b\n-,5\n5,-\n")), QString());
        QCOMPARE(doc->snapshot()->cluster->measured.bytesPerS, (std::vector<double>{0, 5e9, 5e9, 0}));
        QVERIFY(doc->evaluation()->time.stepS > doc->baseline()->time.stepS);
        QCOMPARE(editor.setMeasuredBandwidth({}), QString());
        QVERIFY(doc->snapshot()->cluster->measured.bytesPerS.empty());
    }
};

TRAINYARD_GUI_TEST_MAIN(TestPlacementPanel)
#include "test_placement_panel.moc"
