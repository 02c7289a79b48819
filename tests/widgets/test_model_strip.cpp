#include "core/plan/resolve.h"
#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/document/selection.h"
#include "widgets/panels/model_strip.h"

using namespace trainyard;
using Split = std::vector<std::int64_t>;

class TestModelStrip : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        document_ = std::make_unique<PlanDocument>(
            test::sampleScenario(), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        editScenario(*document_, {}, [](Scenario& s) {
            s.plan.tensorParallel = 2;
            s.plan.pipelineParallel = 4;
        });
        document_->undoStack().clear();
        selection_ = std::make_unique<Selection>();
        strip_ = std::make_unique<ModelStrip>(document_.get(), selection_.get());
        strip_->resize(900, 82);
        strip_->show();
    }
    void cleanup() {
        strip_.reset();
        selection_.reset();
        document_.reset();
    }

    void dragMovesLayersBetweenTwoStages() {
        QCOMPARE(strip_->borders(), 3);
        const QPoint from = strip_->borderPosition(0);
        const int layerWidth = (strip_->borderPosition(1).x() - from.x()) / 8;
        QTest::mousePress(strip_.get(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 3; ++step) QTest::mouseMove(strip_.get(), from - QPoint(step * layerWidth, 0));
        QTest::mouseRelease(strip_.get(), Qt::LeftButton, {}, from - QPoint(3 * layerWidth, 0));
        QCOMPARE(split(), (Split{5, 11, 8, 8}));
        QCOMPARE(document_->undoStack().count(), 1);
        document_->undoStack().undo();
        QCOMPARE(split(), (Split{8, 8, 8, 8}));
    }
    void aBorderStopsAtItsNeighbours() {
        const QPoint from = strip_->borderPosition(1);
        QTest::mousePress(strip_.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(strip_.get(), QPoint(0, from.y()));
        QTest::mouseRelease(strip_.get(), Qt::LeftButton, {}, QPoint(0, from.y()));
        QCOMPARE(split(), (Split{8, 0, 16, 8}));  // an empty stage is legal
    }
    void keysChooseAndMoveBorders() {
        QTest::keyClick(strip_.get(), Qt::Key_Down);
        QTest::keyClick(strip_.get(), Qt::Key_Right);
        QCOMPARE(split(), (Split{8, 9, 7, 8}));
        QTest::keyClick(strip_.get(), Qt::Key_End);
        QTest::keyClick(strip_.get(), Qt::Key_Left);
        QCOMPARE(split(), (Split{8, 9, 6, 9}));
        QTest::keyClick(strip_.get(), Qt::Key_Delete);
        QVERIFY(document_->snapshot()->plan.layersPerStage.empty());
    }
    void descriptionSaysWhatStandsLeftAndRight() {
        QTest::keyClick(strip_.get(), Qt::Key_Right);
        QCOMPARE(strip_->accessibleDescription(), QStringLiteral("Border 1 of 3: 9 layers before it, 7 after it"));
    }
    void escapeRestores() {
        const QPoint from = strip_->borderPosition(0);
        QTest::mousePress(strip_.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(strip_.get(), from + QPoint(80, 0));
        QVERIFY(split() != (Split{8, 8, 8, 8}));
        QTest::keyClick(strip_.get(), Qt::Key_Escape);
        QCOMPARE(split(), (Split{8, 8, 8, 8}));
    }
    void clickSelectsTheStage() {
        const QPoint border = strip_->borderPosition(1);
        QTest::mouseClick(strip_.get(), Qt::LeftButton, {}, border + QPoint(30, 0));
        QCOMPARE(selection_->selected().stage, std::optional<int>(2));
        QVERIFY(selection_->selected().layer.has_value());
    }
    void thousandsOfLayersStillPaintAndDrag() {
        editScenario(*document_, {}, [](Scenario& s) {
            auto deep = std::make_shared<ModelSpec>(*s.model);
            deep->layers = 4000;
            s.model = deep;
        });
        QVERIFY(!strip_->grab().isNull());
        const QPoint from = strip_->borderPosition(1);
        QTest::mousePress(strip_.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(strip_.get(), from + QPoint(50, 0));
        QTest::mouseRelease(strip_.get(), Qt::LeftButton, {}, from + QPoint(50, 0));
        QVERIFY(split()[1] > 1000);
    }

  private:
    [[nodiscard]] Split split() const { return resolve(*document_->snapshot()).layersOfStage; }
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ModelStrip> strip_;
};

TRAINYARD_GUI_TEST_MAIN(TestModelStrip)
#include "test_model_strip.moc"
