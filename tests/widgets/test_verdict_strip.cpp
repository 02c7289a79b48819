#include <QSignalSpy>

#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/verdict_cell.h"
#include "widgets/panels/verdict_strip.h"

using namespace trainyard;

namespace {

/// Figures that follow the tensor degree: 60 GiB and 4 s at 4, half of the time at 8.
Evaluation figures(const Scenario& scenario, Depth, std::stop_token) {
    constexpr double kGiB = 1073741824.0;
    Evaluation e;
    e.computed = e.feasible = true;
    e.devices = 16;
    const double share = 4.0 / static_cast<double>(scenario.plan.tensorParallel);
    e.memory.stages.push_back({.stage = 1, .accelerator = "sample", .totalBytes = 60 * kGiB, .capacityBytes = 80 * kGiB});
    e.memory.peakStage = 1;
    e.memory.peakBytes = 60 * kGiB * share;
    e.memory.capacityBytes = 80 * kGiB;
    e.memory.verdict = share > 1.5 ? MemoryVerdict::out_of_memory : MemoryVerdict::fits;
    e.time.stepS = 4 * share;
    e.time.bubbleFraction = 0.086;
    e.throughput.tokensPerS = 435000 / share;
    e.throughput.mfu = 0.468;
    e.joulesPerToken = 0.2052;
    return e;
}

}  // namespace

class TestVerdictStrip : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        document_ = std::make_unique<PlanDocument>(
            test::sampleScenario(), std::make_unique<EvaluationService>(&figures, EvaluationService::Executor::inLine));
        strip_ = std::make_unique<VerdictStrip>(document_.get());
    }
    void cleanup() {
        strip_.reset();
        document_.reset();
    }

    void figuresAreReadable() {
        QCOMPARE(strip_->cell(0)->figure().badge, QStringLiteral("Fits"));
        QCOMPARE(strip_->cell(0)->figure().number, QStringLiteral("60.0"));
        QCOMPARE(strip_->cell(0)->figure().unit, QStringLiteral("GiB"));
        QVERIFY(strip_->cell(0)->figure().caption.contains(QStringLiteral("stage 1")));
        QVERIFY(strip_->cell(0)->figure().caption.contains(QStringLiteral("Sample 80")));
        QVERIFY(strip_->cell(0)->figure().secondary.contains(QStringLiteral("25 % free")));
        QCOMPARE(strip_->cell(1)->figure().number, QStringLiteral("4.00"));
        QCOMPARE(strip_->cell(3)->figure().number, QStringLiteral("46.8"));
        QCOMPARE(strip_->cell(4)->figure().number, QStringLiteral("8.6"));
    }
    void unknownPriceShowsEnergyInstead() {
        QCOMPARE(strip_->cell(6)->figure().number, QStringLiteral("57.0"));
        QCOMPARE(strip_->cell(6)->figure().unit, QStringLiteral("kWh"));
    }
    void differencesFromTheBaselineKnowWhatIsBetter() {
        document_->pinBaseline();
        QCOMPARE(strip_->cell(1)->figure().change, VerdictFigure::Change::none);
        editScenario(*document_, {}, [](Scenario& s) { s.plan.tensorParallel = 8; });
        QCOMPARE(strip_->cell(1)->figure().change, VerdictFigure::Change::better);
        QVERIFY(!strip_->cell(1)->figure().rises);
        QCOMPARE(strip_->cell(2)->figure().change, VerdictFigure::Change::better);
        QVERIFY(strip_->cell(2)->figure().rises);
        QVERIFY(strip_->cell(1)->accessibleName().contains(QStringLiteral("down by")));
    }
    void outOfMemorySaysHowMuchIsMissing() {
        editScenario(*document_, {}, [](Scenario& s) { s.plan.tensorParallel = 2; });
        QCOMPARE(strip_->cell(0)->figure().badge, QStringLiteral("Out of memory"));
        QVERIFY(strip_->cell(0)->figure().secondary.contains(QStringLiteral("40.0")));
    }
    void decimalUnits() {
        strip_->setByteUnits(ByteUnits::decimal);
        QCOMPARE(strip_->cell(0)->figure().number, QStringLiteral("64.4"));
        QCOMPARE(strip_->cell(0)->figure().unit, QStringLiteral("GB"));
    }
    void everyFigureAsksForItsExplanation() {
        QSignalSpy asked(strip_.get(), &VerdictStrip::explainRequested);
        for (int i = 0; i < VerdictStrip::kCells; ++i) QTest::keyClick(strip_->cell(i), Qt::Key_Space);
        QCOMPARE(asked.count(), VerdictStrip::kCells);
        QCOMPARE(asked[1][0].toString(), QStringLiteral("/time/step_s"));
    }

  private:
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<VerdictStrip> strip_;
};

TRAINYARD_GUI_TEST_MAIN(TestVerdictStrip)
#include "test_verdict_strip.moc"
