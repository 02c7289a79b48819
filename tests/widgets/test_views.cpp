#include <QSettings>
#include <QTableWidget>
#include <QTreeWidget>

#include "core/engine/evaluate.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/compare_panel.h"
#include "widgets/panels/explain_panel.h"
#include "widgets/panels/learn_panel.h"
#include "widgets/panels/search_panel.h"

using namespace trainyard;

namespace {

std::unique_ptr<PlanDocument> document() {
    return std::make_unique<PlanDocument>(std::make_shared<Scenario>(test::scenario()), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
}

}  // namespace

class TestViews : public QObject {
    Q_OBJECT
  private slots:
    void explainShowsTheFigureOfTheEvaluation() {
        auto doc = document();
        ExplainPanel panel(doc.get());
        panel.setQuantity(QStringLiteral("/memory/stages/0/activations_bytes"));
        QVERIFY(panel.explanation().has_value());
        QCOMPARE(panel.explanation()->value, doc->evaluation()->memory.stages[0].activationsBytes);
        QVERIFY(panel.findChild<QTreeWidget*>()->topLevelItemCount() > 0);
    }

    void comparingNamesTheChangeAndItsEffects() {
        auto doc = document();
        ComparePanel panel(doc.get());
        QCOMPARE(panel.table()->rowCount(), 0);
        doc->pinBaseline();
        auto next = *doc->snapshot();
        next.workload.globalBatchSize = 512;
        doc->edit(std::make_shared<Scenario>(next), QStringLiteral("batch"));
        QVERIFY(panel.table()->rowCount() >= 8);
        bool stepGrew = false;
        for (int row = 0; row < panel.table()->rowCount(); ++row)
            stepGrew |= panel.table()->item(row, 0)->text() == QStringLiteral("Step time") && panel.table()->item(row, 3)->text().startsWith(QLatin1Char('+'));
        QVERIFY(stepGrew);
    }

    void aFoundPlanIsLoadedAsOneUndoStep() {
        auto doc = document();
        SearchPanel panel(doc.get());
        panel.start(true);
        QVERIFY(panel.result().plans.size() > 3);
        panel.load(0);
        QCOMPARE(doc->snapshot()->plan, panel.result().plans[0].plan);
        QCOMPARE(doc->undoStack().count(), 1);
        QVERIFY(doc->evaluation()->time.stepS <= panel.result().plans[1].stepS);
    }

    void aLessonStepIsReachedByDoingIt() {
        QSettings().clear();
        auto doc = document();
        LearnPanel panel(doc.get());
        QVERIFY(panel.lessons().size() >= 14);
        panel.openStep(0, 0);
        panel.setUp();
        QVERIFY(!panel.isReached());
        auto next = *doc->snapshot();
        next.plan.microBatchSize = 2;
        doc->edit(std::make_shared<Scenario>(next), QStringLiteral("micro-batch"));
        QVERIFY(panel.isReached());
        QCOMPARE(QSettings().value(QStringLiteral("learn/memory-of-one-device/0")).toBool(), true);
        panel.next();
        QCOMPARE(panel.step(), 1);
        QVERIFY(!panel.isReached());
    }
};

TRAINYARD_GUI_TEST_MAIN(TestViews)
#include "test_views.moc"
