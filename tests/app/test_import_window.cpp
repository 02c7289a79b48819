
#include "app/action_table.h"
#include "app/main_window.h"
#include "app/scenario_files.h"
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

    void theFileMenuHasImport() {
        window_->actions()->action("file.import")->trigger();
        QVERIFY(window_->findChild<ImportDialog*>() != nullptr);
    }

  private:
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<MainWindow> window_;
};

TRAINYARD_GUI_TEST_MAIN(TestImportWindow)
#include "test_import_window.moc"
