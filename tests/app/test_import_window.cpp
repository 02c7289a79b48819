#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include "app/action_table.h"
#include "app/main_window.h"
#include "app/report_folder.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "core/engine/evaluate.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/panels/import_dialog.h"

using namespace trainyard;

class TestImportWindow : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        document_ = std::make_unique<PlanDocument>(
            defaultScenario(), std::make_unique<EvaluationService>(&evaluate, EvaluationService::Executor::inLine));
        window_ = std::make_unique<MainWindow>(document_.get(), AppSettings{});
        window_->show();
    }
    void cleanup() {
        document_->undoStack().setClean();
        window_->close();
        window_.reset();
        document_.reset();
    }

    void aDroppedLaunchScriptOpensTheImport() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(qEnvironmentVariable("TRAINYARD_SOURCE_DIR") +
                                          QStringLiteral("/tests/golden/imports/torchtitan/llama3_70b.toml"))});
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window_.get(), &drop);
        auto* dialog = window_->findChild<ImportDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QVERIFY2(dialog->canTake(), qPrintable(dialog->report()));
        dialog->take();
        QCOMPARE(document_->snapshot()->plan.zeroStage, std::int64_t{3});
        QCOMPARE(document_->snapshot()->plan.recompute.mode, RecomputeMode::full);
    }

    void theFileMenuHasImport() {
        window_->actions()->action("file.import")->trigger();
        QVERIFY(window_->findChild<ImportDialog*>() != nullptr);
    }

    void theReportIsAFolderWithPictures() {
        QTemporaryDir folder;
        const auto written = writeReportFolder(folder.path(), QStringLiteral("# Report\n"),
                                               [this](const QString& name) { return window_->workbench()->viewOrNull(name); });
        QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
        QFile file(*written);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        for (const char* name : {"cluster.png", "timeline.png", "memory.png", "traffic.png"}) {
            QVERIFY2(text.contains(QLatin1String(name)), name);
            QVERIFY2(QImage(folder.filePath(QLatin1String(name))).width() >= 1200, name);
        }
    }

  private:
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<MainWindow> window_;
};

TRAINYARD_GUI_TEST_MAIN(TestImportWindow)
#include "test_import_window.moc"
