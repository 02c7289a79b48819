#include <QComboBox>
#include <QFile>
#include <QPushButton>

#include "core/engine/evaluate.h"
#include "core/io/json/scenario_json.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/import_dialog.h"

using namespace trainyard;

class TestImportDialog : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        presets_ = std::make_shared<const PresetLibrary>();
        auto scenario = readScenario(*presets_->text(PresetKind::scenarios, "dgx-h100-llama-70b"), {"preset", ""}, *presets_);
        QVERIFY(scenario.has_value());
        document_ = std::make_unique<PlanDocument>(
            std::make_shared<const Scenario>(std::move(*scenario)),
            std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        dialog_ = std::make_unique<ImportDialog>(document_.get(), presets_);
    }
    void cleanup() {
        dialog_.reset();
        document_.reset();
    }

    void everyImporterIsOffered() {
        const auto* kinds = dialog_->findChild<QComboBox*>();
        QVERIFY(kinds->findData(QStringLiteral("auto")) == 0);
        for (const Importer* importer : allImporters())
            QVERIFY2(kinds->findData(QString::fromUtf8(importer->id.data(), static_cast<qsizetype>(importer->id.size()))) > 0,
                     std::string(importer->id).c_str());
    }

    void aPastedScriptIsReportedAndTakenAsOneStep() {
        QVERIFY(!dialog_->canTake());
        QFile file(qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + QStringLiteral("/tests/golden/imports/megatron/by_size.sh"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        dialog_->setText(QString::fromUtf8(file.readAll()), QStringLiteral("by_size.sh"));
        QVERIFY2(dialog_->canTake(), qPrintable(dialog_->report()));
        QVERIFY(dialog_->report().contains(QStringLiteral("Megatron-LM")));
        QVERIFY(dialog_->report().contains(QStringLiteral("Assumed")));
        const auto before = document_->snapshot()->plan.tensorParallel;
        dialog_->take();
        QCOMPARE(document_->snapshot()->plan.tensorParallel, std::int64_t{2});
        QCOMPARE(document_->snapshot()->model->layers, std::int64_t{40});
        document_->undoStack().undo();
        QCOMPARE(document_->snapshot()->plan.tensorParallel, before);
    }

    void whatIsOpenIsAskedForAndNotTaken() {
        dialog_->setText(
            QStringLiteral(
                "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
                "--tensor-model-parallel-size $TP --micro-batch-size 1 --global-batch-size 8 --bf16"),
            QStringLiteral("line"));
        QVERIFY(!dialog_->canTake());
        QVERIFY2(dialog_->report().contains(QStringLiteral("--define TP=VALUE")), qPrintable(dialog_->report()));
    }

    void foreignTextSaysSo() {
        dialog_->setText(QStringLiteral("the quick brown fox"), QString());
        QVERIFY(!dialog_->canTake());
        QVERIFY(dialog_->report().contains(QStringLiteral("could not be read")));
        dialog_->setKind(QStringLiteral("torchtitan"));
        QVERIFY(dialog_->report().contains(QStringLiteral("TOML")));
    }

    void aTraceIsReportedButMakesNoPlan() {
        dialog_->setText(
            QStringLiteral(
                "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 0, \"dur\": 5, \"pid\": 0, \"tid\": 0}]}"),
            QStringLiteral("t"));
        QVERIFY(!dialog_->canTake());
        QVERIFY(dialog_->report().contains(QStringLiteral("1 slices on 1 lane")));
    }

  private:
    std::shared_ptr<const PresetLibrary> presets_;
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<ImportDialog> dialog_;
};

TRAINYARD_GUI_TEST_MAIN(TestImportDialog)
#include "test_import_dialog.moc"
