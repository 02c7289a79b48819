#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QUrl>

#include "app/action_table.h"
#include "app/document_session.h"
#include "app/help_window.h"
#include "app/main_window.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "core/plan/resolve.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/panels/degree_row.h"
#include "widgets/panels/degree_slider.h"
#include "widgets/panels/import_dialog.h"
#include "widgets/panels/model_panel.h"
#include "widgets/panels/notice_bar.h"
#include "widgets/panels/plan_panel.h"

using namespace trainyard;

class TestMainWindow : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
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
        folder_.reset();
    }

    void theDefaultScenarioRuns() {
        QVERIFY(document_->evaluation()->feasible);
        QVERIFY(document_->evaluation()->computed);
        QCOMPARE(document_->evaluation()->memory.verdict, MemoryVerdict::fits);
    }
    void dragUndoSaveReopen() {
        DegreeSlider* tensor = window_->workbench()->plan()->row("/plan/tensor_parallel")->slider();
        const std::int64_t before = tensor->number();
        QTest::keyClick(tensor, Qt::Key_Left);
        const std::int64_t after = document_->snapshot()->plan.tensorParallel;
        QVERIFY(after < before);
        window_->actions()->action("edit.undo")->trigger();
        QCOMPARE(document_->snapshot()->plan.tensorParallel, before);
        window_->actions()->action("edit.redo")->trigger();
        const double step = document_->evaluation()->time.stepS;
        const QString path = folder_->filePath(QStringLiteral("plan.trainyard.json"));
        QVERIFY(window_->session()->save(path).has_value());
        window_->actions()->action("file.new")->trigger();
        QVERIFY(document_->evaluation()->time.stepS != step);
        QVERIFY(window_->openPath(path));
        QCOMPARE(document_->snapshot()->plan.tensorParallel, after);
        QCOMPARE(document_->evaluation()->time.stepS, step);
    }
    void aDroppedScenarioOpens() {
        const QString path = folder_->filePath(QStringLiteral("dropped.trainyard.json"));
        auto scenario = std::make_shared<Scenario>(*defaultScenario());
        scenario->name = "dropped";
        QVERIFY(saveScenario(*scenario, path).has_value());
        drop(path);
        QCOMPARE(document_->snapshot()->name, std::string("dropped"));
    }
    void aDroppedModelConfigBecomesTheModel() {
        const QString path = folder_->filePath(QStringLiteral("config.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
                       "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
                       "tie_word_embeddings": true})");
        file.close();
        drop(path);
        QCOMPARE(document_->snapshot()->model->layers, 16);
        QCOMPARE(document_->snapshot()->model->hiddenSize, 2048);
        window_->actions()->action("edit.undo")->trigger();
        QVERIFY(document_->snapshot()->model->layers != 16);
    }
    void aDroppedLaunchScriptOpensTheImport() {
        const QString path = folder_->filePath(QStringLiteral("train.sh"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/bash\ntorchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py \\\n  --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 "
                   "\\\n  --num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 \\\n"
                   "  --micro-batch-size 1 --global-batch-size 32 --bf16\n");
        file.close();
        const Snapshot before = document_->snapshot();
        drop(path);
        QTRY_VERIFY(window_->findChild<ImportDialog*>() != nullptr);
        auto* dialog = window_->findChild<ImportDialog*>();
        QVERIFY(dialog->isVisible());
        QCOMPARE(document_->snapshot(), before);  // nothing is taken over before the report was read
        dialog->reject();
    }
    void aBadDropIsANoticeAndNothingIsLost() {
        const QString path = folder_->filePath(QStringLiteral("bad.trainyard.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ not json");
        file.close();
        const std::string before = document_->snapshot()->name;
        drop(path);
        QCOMPARE(document_->snapshot()->name, before);
        QCOMPARE(window_->workbench()->notices()->count(), 1);
        QVERIFY(window_->workbench()->notices()->message(0).contains(QStringLiteral("bad.trainyard.json")));
    }
    void pickingAModelIsOneStep() {
        ModelPanel* models = window_->workbench()->modelPanel();
        models->searchField()->setText(QStringLiteral("llama 3.1 8b"));
        QTest::keyClick(models->searchField(), Qt::Key_Return);
        QCOMPARE(document_->snapshot()->model->layers, 32);
        QCOMPARE(document_->undoStack().count(), 1);
    }
    void themeSwitchReachesEveryView() {
        window_->actions()->action("view.light")->setChecked(true);
        QCOMPARE(Theme::current().kind, ThemeKind::light);
        QCOMPARE(window_->settings().theme, ThemeKind::light);
        window_->actions()->action("view.light")->setChecked(false);
        QCOMPARE(Theme::current().kind, ThemeKind::dark);
    }
    void settingsReturn() {
        AppSettings settings;
        settings.theme = ThemeKind::light;
        settings.byteUnits = ByteUnits::decimal;
        settings.tab = 2;
        for (int i = 0; i < 14; ++i) settings.addRecentFile(QStringLiteral("/tmp/%1").arg(i));
        settings.addRecentFile(QStringLiteral("/tmp/13"));
        settings.save();
        const AppSettings loaded = AppSettings::load();
        QCOMPARE(loaded.theme, ThemeKind::light);
        QCOMPARE(loaded.byteUnits, ByteUnits::decimal);
        QCOMPARE(loaded.tab, 2);
        QCOMPARE(loaded.recentFiles.size(), 10);
        QCOMPARE(loaded.recentFiles.first(), QStringLiteral("/tmp/13"));
        AppSettings{}.save();
    }
    void figuresGoToTheClipboard() {
        window_->actions()->action("edit.copy_figures")->trigger();
        const QString table = QApplication::clipboard()->text();
        QVERIFY(table.startsWith(QStringLiteral("figure\tvalue\tunit")));
        QVERIFY(table.contains(QStringLiteral("step\t")));
        window_->actions()->action("edit.copy_figure")->trigger();
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }
    void theFrameworkIsKept() {
        PlanPanel* plan = window_->workbench()->plan();
        QVERIFY(plan->framework().isEmpty());
        plan->setFramework(QStringLiteral("megatron"));
        emit plan->frameworkChosen(QStringLiteral("megatron"));
        QCOMPARE(AppSettings::load().framework, QStringLiteral("megatron"));
        MainWindow second(document_.get(), AppSettings::load());
        QCOMPARE(second.workbench()->plan()->framework(), QStringLiteral("megatron"));
        AppSettings{}.save();
    }
    void aScenarioTravelsOverTheClipboard() {
        const Snapshot before = document_->snapshot();
        window_->actions()->action("edit.copy_link")->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(QStringLiteral("trainyard1.")));
        window_->actions()->action("file.new")->trigger();
        QVERIFY(!(*document_->snapshot() == *before));
        window_->actions()->action("edit.paste_scenario")->trigger();
        QVERIFY(*document_->snapshot() == *before);
        QVERIFY(window_->session()->path().isEmpty());  // it has no file yet
        QVERIFY(document_->evaluation()->feasible);
    }
    void aBrokenTextIsANoticeAndNothingIsLost() {
        const Snapshot before = document_->snapshot();
        window_->actions()->action("edit.copy_link")->trigger();
        const QString whole = QApplication::clipboard()->text();
        for (const QString& text : {whole.left(60), QString(whole).replace(80, 3, QStringLiteral("xyz")), QStringLiteral("hello"), QString(),
                                    QStringLiteral("{\"format\": 1")}) {
            QApplication::clipboard()->setText(text);
            window_->actions()->action("edit.paste_scenario")->trigger();
            QCOMPARE(document_->snapshot(), before);
            QVERIFY2(window_->workbench()->notices()->message(0).startsWith(QStringLiteral("Clipboard")),
                     qPrintable(window_->workbench()->notices()->message(0)));
        }
    }
    void noTwoCommandsShareAKey() {
        QSet<QString> used;
        for (const ActionDefinition& definition : actionDefinitions())
            for (const QKeySequence& key : window_->actions()->action(definition.id)->shortcuts()) {
                QVERIFY2(!used.contains(key.toString()), definition.id);
                used.insert(key.toString());
            }
    }
    void thePageOfKeysListsEveryCommand() {
        const QString page = keysPage();
        for (const ActionDefinition& definition : actionDefinitions()) {
            const QString text = QString::fromUtf8(definition.text).remove(QLatin1Char('&')).toHtmlEscaped();
            QVERIFY2(page.contains(text), definition.text);
        }
    }
    void everyTabHasItsView() {
        for (const QString& tab : Workbench::tabNames()) {
            window_->workbench()->showTab(tab);
            QCOMPARE(window_->workbench()->currentTab(), tab);
            QVERIFY(window_->workbench()->viewOrNull(tab) != nullptr);
        }
    }
    void everyButtonOfTheWindowHasAName() {
        for (const auto* button : window_->findChildren<QAbstractButton*>())
            if (button->isVisible() && qobject_cast<QLineEdit*>(button->parentWidget()) == nullptr)  // the field has the name
                QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(), button->metaObject()->className());
    }

  private:
    void drop(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
    }
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<PlanDocument> document_;
    std::unique_ptr<MainWindow> window_;
};

TRAINYARD_GUI_TEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
