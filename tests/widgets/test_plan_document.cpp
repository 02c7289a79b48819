#include <QSignalSpy>

#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"

using namespace trainyard;

namespace {

/// Tells which plan it was made from, without the cost of a real evaluation.
Evaluation echo(const Scenario& scenario, Depth, std::stop_token) {
    Evaluation e;
    e.devices = scenario.plan.tensorParallel;
    return e;
}

std::unique_ptr<EvaluationService> inLine() {
    return std::make_unique<EvaluationService>(&echo, EvaluationService::Executor::inLine);
}

void setTensor(PlanDocument& document, std::int64_t degree) {
    editScenario(document, QStringLiteral("Set tensor"), [&](Scenario& s) { s.plan.tensorParallel = degree; });
}

}  // namespace

class TestPlanDocument : public QObject {
    Q_OBJECT
  private slots:
    void everyEditIsOneStepAndFiguresFollow() {
        PlanDocument document(test::sampleScenario(), inLine());
        setTensor(document, 8);
        setTensor(document, 2);
        QCOMPARE(document.undoStack().count(), 2);
        QCOMPARE(document.evaluation()->devices, 2);
        document.undoStack().undo();
        QCOMPARE(document.snapshot()->plan.tensorParallel, 8);
        QCOMPARE(document.evaluation()->devices, 8);
        document.undoStack().undo();
        QCOMPARE(document.snapshot()->plan.tensorParallel, 4);
        QVERIFY(document.undoStack().isClean());
    }
    void oneGestureIsOneStep() {
        PlanDocument document(test::sampleScenario(), inLine());
        document.beginGesture(QStringLiteral("Drag tensor"));
        for (const std::int64_t degree : {8, 16, 8, 2}) setTensor(document, degree);
        document.endGesture();
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("Drag tensor"));
        document.undoStack().undo();
        QCOMPARE(document.snapshot()->plan.tensorParallel, 4);
    }
    void twoGesturesAreTwoSteps() {
        PlanDocument document(test::sampleScenario(), inLine());
        for (const std::int64_t degree : {8, 2}) {
            document.beginGesture(QStringLiteral("Drag tensor"));
            setTensor(document, degree);
            document.endGesture();
        }
        QCOMPARE(document.undoStack().count(), 2);
    }
    void gestureThatEndsWhereItBeganLeavesNoStep() {
        PlanDocument document(test::sampleScenario(), inLine());
        document.beginGesture(QStringLiteral("Drag tensor"));
        setTensor(document, 8);
        setTensor(document, 4);
        document.endGesture();
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(document.undoStack().isClean());
    }
    void cancelledGestureRestores() {
        PlanDocument document(test::sampleScenario(), inLine());
        document.beginGesture(QStringLiteral("Drag tensor"));
        setTensor(document, 8);
        document.cancelGesture();
        QCOMPARE(document.snapshot()->plan.tensorParallel, 4);
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(!document.isInGesture());
    }
    void equalEditIsNoEdit() {
        PlanDocument document(test::sampleScenario(), inLine());
        QSignalSpy changed(&document, &PlanDocument::snapshotChanged);
        setTensor(document, 4);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(document.undoStack().count(), 0);
    }
    void olderResultsNeverReplaceNewerOnes() {
        PlanDocument document(test::sampleScenario(), inLine());
        setTensor(document, 8);
        auto old = std::make_shared<Evaluation>();
        old->devices = 99;
        document.setEvaluation(0, old);
        QCOMPARE(document.evaluation()->devices, 8);
    }
    void anotherFileForgetsUndoAndFiguresOfTheOld() {
        PlanDocument document(test::sampleScenario(), inLine());
        setTensor(document, 8);
        document.pinBaseline();
        const quint64 revisionOfOld = document.revision();
        document.replace(test::sampleScenario(1));
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(document.undoStack().isClean());
        QVERIFY(!document.baseline());
        auto late = std::make_shared<Evaluation>();
        late->devices = 77;
        document.setEvaluation(revisionOfOld, late);
        QCOMPARE(document.evaluation()->devices, 4);
    }
    void baselineStaysWhilePlansChange() {
        PlanDocument document(test::sampleScenario(), inLine());
        document.pinBaseline();
        setTensor(document, 8);
        QCOMPARE(document.baseline()->devices, 4);
        document.clearBaseline();
        QVERIFY(!document.baseline());
    }
};

TRAINYARD_GUI_TEST_MAIN(TestPlanDocument)
#include "test_plan_document.moc"
