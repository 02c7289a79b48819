#include <QTemporaryDir>

#include "core/engine/evaluate.h"
#include "core/io/presets/preset_library.h"
#include "core/io/json/scenario_json.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/calibration_dialog.h"
#include "widgets/panels/verdict_cell.h"
#include "widgets/panels/verdict_strip.h"
#include "widgets/plots/figure_table.h"

using namespace trainyard;

class TestCalibrationDialog : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<PlanDocument> document_;

    QString write(const char* name, const QByteArray& text) {
        QFile file(folder_.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
        file.write(text);
        return file.fileName();
    }

  private slots:
    void init() {
        const auto scenario = readScenarioFile(qEnvironmentVariable("TRAINYARD_SOURCE_DIR").toStdString() + "/presets/scenarios/dgx-h100-llama-70b.trainyard.json", presetLibrary());
        QVERIFY(scenario.has_value());
        document_ = std::make_unique<PlanDocument>(std::make_shared<const Scenario>(*scenario), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
    }

    void fitIsShownTakenAndReset() {
        CalibrationDialog dialog(document_.get());
        const double before = document_->evaluation()->time.stepS;
        dialog.fit(write("runs.csv", QByteArray("name,/plan/micro_batch_size,step_s\nmonday,1,") + QByteArray::number(before * 1.2) + "\n"), true);
        QVERIFY2(dialog.report().has_value(), qPrintable(dialog.message()));
        QVERIFY(dialog.message().contains(QStringLiteral("mean error 16.7 % before")));
        QCOMPARE(document_->evaluation()->time.stepS, before);  // not in use yet
        VerdictStrip strip(document_.get());
        QCOMPARE(strip.cell(1)->figure().caption, QStringLiteral("Step time"));

        dialog.take();
        const double after = document_->evaluation()->time.stepS;
        QVERIFY(after > 1.15 * before && after < 1.205 * before);
        QCOMPARE(strip.cell(1)->figure().caption, QStringLiteral("Step time · calibrated to 1 measurement of yours"));
        QVERIFY(strip.cell(1)->figure().toolTip.contains(QStringLiteral("compute.gemm_rate")));
        QVERIFY(!dialog.report().has_value());

        dialog.reset();
        QCOMPARE(document_->evaluation()->time.stepS, before);
        document_->undoStack().undo();
        QCOMPARE(document_->evaluation()->time.stepS, after);
        document_->undoStack().undo();
        QVERIFY(document_->snapshot()->calibration.empty());
    }

    void aBadFileSaysWhere() {
        CalibrationDialog dialog(document_.get());
        dialog.fit(write("bad.csv", "/plan/tensor_parallel,step_s\n3,9\n"), true);
        QVERIFY(!dialog.report().has_value());
        QVERIFY(dialog.message().contains(QStringLiteral("bad.csv:2")));
        QVERIFY(document_->snapshot()->calibration.empty());
    }

    void everyConstantIsListedAndReadable() {
        CalibrationDialog dialog(document_.get());
        auto* table = dialog.findChild<FigureTable*>();
        QVERIFY(table != nullptr && table->rowCount() >= 20);
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("1"));
        for (const QWidget* widget : dialog.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->parentWidget() == &dialog)
                QVERIFY2(!widget->accessibleName().isEmpty() || widget->inherits("QPushButton") || widget->inherits("QLabel"), widget->metaObject()->className());
    }
};

TRAINYARD_GUI_TEST_MAIN(TestCalibrationDialog)
#include "test_calibration_dialog.moc"
