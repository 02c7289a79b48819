#include "app/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSplitter>
#include <QUrl>
#include <cmath>

#include "app/action_table.h"
#include "app/document_session.h"
#include "app/figure_caption.h"
#include "app/figures_text.h"
#include "app/help_window.h"
#include "app/report_folder.h"
#include "app/scenario_files.h"
#include "app/workbench.h"
#include "core/io/export/exporter.h"
#include "core/io/import/importer.h"
#include "core/io/presets/preset_library.h"
#include "core/io/teach/glossary.h"
#include "core/io/text_file.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/scenario_edits.h"
#include "widgets/document/selection.h"
#include "widgets/panels/calibration_dialog.h"
#include "widgets/panels/explain_panel.h"
#include "widgets/panels/header_bar.h"
#include "widgets/panels/import_dialog.h"
#include "widgets/panels/model_panel.h"
#include "widgets/panels/model_strip.h"
#include "widgets/panels/notice_bar.h"
#include "widgets/panels/partition_bar.h"
#include "widgets/panels/plan_panel.h"
#include "widgets/panels/search_panel.h"
#include "widgets/panels/verdict_strip.h"
#include "widgets/style/byte_units.h"
#include "widgets/style/figure_export.h"
#include "widgets/style/theme.h"
#include "widgets/teach/collective_player.h"
#include "widgets/teach/glossary_panel.h"
#include "widgets/teach/motion.h"
#include "widgets/teach/presentation_window.h"
#include "widgets/teach/spotlight.h"
#include "widgets/teach/term_help.h"

namespace trainyard {
namespace {

const QString kScenarioFilter = QStringLiteral("Trainyard scenarios (*.trainyard.json *.json)");

}  // namespace

MainWindow::MainWindow(PlanDocument* document, AppSettings settings, QWidget* parent)
    : QMainWindow(parent),
      document_(document),
      settings_((setDisplayUnits(settings.byteUnits), std::move(settings))),
      selection_(new Selection(this)),
      workbench_(new Workbench(document, selection_, this)),
      actions_(new ActionTable(this)),
      session_(new DocumentSession(document, DocumentSession::defaultFolder(), this)) {
    setAcceptDrops(true);
    setCentralWidget(workbench_);
    menuBar()->setNativeMenuBar(false);
    actions_->fill(menuBar());
    bindFile();
    bindEdit();
    bindPlan();
    bindView();
    makeGlossary();
    bindHelp();
    fillHeader();

    connect(session_, &DocumentSession::pathChanged, this, &MainWindow::refreshTitle);
    connect(session_, &DocumentSession::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(document_, &PlanDocument::snapshotChanged, this, &MainWindow::refreshTitle);
    connect(document_, &PlanDocument::baselineChanged, this, &MainWindow::refreshBaseline);
    connect(session_, &DocumentSession::unsavedKept, this, [this](const QString& name) {
        workbench_->notices()->show(NoticeBar::Kind::information, tr("Unsaved changes of “%1” were kept.").arg(name),
                                    {{tr("Bring them back"), [this] { offerUnsaved(); }}}, 15000);
    });
    connect(workbench_, &Workbench::tabChanged, this,
            [this] { settings_.tab = static_cast<int>(Workbench::tabNames().indexOf(workbench_->currentTab())); });
    workbench_->modelPanel()->setSource(modelSource());
    connect(workbench_->modelPanel(), &ModelPanel::failed, this, &MainWindow::showProblem);
    connect(workbench_->modelPanel(), &ModelPanel::fileDropped, this, &MainWindow::openDropped);
    connect(workbench_->modelPanel(), &ModelPanel::openConfigRequested, actions_->action("file.import_model"), &QAction::trigger);
    connect(workbench_->modelPanel(), &ModelPanel::saveRequested, actions_->action("plan.keep_model"), &QAction::trigger);

    PlanPanel* plan = workbench_->plan();
    plan->setFrameworks(frameworkChoices());
    plan->setFramework(settings_.framework);
    connect(plan, &PlanPanel::frameworkChosen, this, [this](const QString& id) {
        settings_.framework = id;
        settings_.save();
    });

    workbench_->verdict()->setByteUnits(settings_.byteUnits);
    resize(1440, 900);
    if (!settings_.windowGeometry.isEmpty()) restoreGeometry(settings_.windowGeometry);
    workbench_->arrange(size());
    const QList<QSplitter*> splitters = workbench_->splitters();
    for (int i = 0; i < splitters.size() && i < settings_.splitters.size(); ++i)
        splitters[i]->restoreState(settings_.splitters[i]);
    workbench_->showTab(Workbench::tabNames().value(settings_.tab));
    refreshTitle();
    refreshRecent();
    refreshBaseline();
}

MainWindow::~MainWindow() = default;

void MainWindow::bindFile() {
    actions_->bind("file.new", [this](bool) { session_->show(emptyScenario()); });
    actions_->bind("file.open", [this](bool) {
        const QString path = askPath(tr("Open scenario"), kScenarioFilter, false, {});
        if (!path.isEmpty()) openPath(path);
    });
    auto* examples = new QMenu(this);
    examples->setToolTipsVisible(true);
    connect(examples, &QMenu::aboutToShow, this, [this, examples] {
        if (!examples->isEmpty()) return;
        for (const ScenarioChoice& choice : scenarioChoices()) {
            QAction* action = examples->addAction(choice.name);
            action->setToolTip(choice.description);
            connect(action, &QAction::triggered, this, [this, id = choice.id] {
                auto scenario = openScenarioPreset(id);
                if (scenario)
                    session_->show(*scenario);
                else
                    showProblem(errorText(scenario.error()));
            });
        }
    });
    actions_->action("file.examples")->setMenu(examples);
    actions_->action("file.recent")->setMenu(new QMenu(this));
    actions_->bind("file.import_model", [this](bool) {
        const QString path = askPath(tr("Open model config"), tr("Model configs (*.json)"), false, {});
        if (!path.isEmpty()) openModelFile(path);
    });
    actions_->bind("file.import", [this](bool) { openImport({}, {}); });
    actions_->bind("file.save", [this](bool) { save(); });
    actions_->bind("file.save_as", [this](bool) { saveAs(); });
    actions_->bind("file.export_view", [this](bool) {
        const QString name = workbench_->activeView();
        exportView(workbench_->viewOrNull(name), name);
    });
    actions_->bind("file.export_window", [this](bool) { exportView(this, QStringLiteral("window")); });
    actions_->bind("file.close", [this](bool) { session_->show(emptyScenario()); });
    actions_->bind("file.quit", [this](bool) { close(); });
}

void MainWindow::bindEdit() {
    QUndoStack& stack = document_->undoStack();
    const auto follow = [this, &stack] {
        QAction* undo = actions_->action("edit.undo");
        undo->setEnabled(stack.canUndo());
        undo->setText(stack.canUndo() ? tr("&Undo: %1").arg(stack.undoText()) : tr("&Undo"));
        QAction* redo = actions_->action("edit.redo");
        redo->setEnabled(stack.canRedo());
        redo->setText(stack.canRedo() ? tr("&Redo: %1").arg(stack.redoText()) : tr("&Redo"));
    };
    connect(&stack, &QUndoStack::indexChanged, this, follow);
    connect(&stack, &QUndoStack::undoTextChanged, this, follow);
    follow();
    actions_->bind("edit.undo", [this](bool) { document_->undoStack().undo(); });
    actions_->bind("edit.redo", [this](bool) { document_->undoStack().redo(); });
    actions_->bind("edit.copy_figure", [this](bool) {
        QWidget* view = workbench_->viewOrNull(workbench_->activeView());
        if (view == nullptr) return;
        copyFigure(*view, figureText(*document_));
        workbench_->notices()->show(NoticeBar::Kind::information, tr("The picture is on the clipboard."), {}, 3000);
    });
    actions_->bind("edit.copy_figures", [this](bool) {
        if (!document_->evaluation()) return;
        QApplication::clipboard()->setText(figuresAsTable(*document_->evaluation()));
        workbench_->notices()->show(NoticeBar::Kind::information, tr("The figures are on the clipboard."), {}, 3000);
    });
    actions_->bind("edit.copy_link", [this](bool) {
        const QString link = scenarioAsText(*document_->snapshot());
        QApplication::clipboard()->setText(link);
        workbench_->notices()->show(NoticeBar::Kind::information,
                                    tr("The scenario is on the clipboard as one text of %1 characters.").arg(link.size()), {}, 3000);
    });
    actions_->bind("edit.paste_scenario", [this](bool) {
        auto scenario = scenarioFromText(QApplication::clipboard()->text());
        if (!scenario) return showProblem(errorText(scenario.error()));
        session_->show(*scenario);
    });
    actions_->bind("edit.rename",
                   [this](bool) { workbench_->header()->startRename(QString::fromStdString(document_->snapshot()->name)); });
    connect(workbench_->header(), &HeaderBar::renamed, this, [this](const QString& name) {
        editScenario(*document_, tr("Rename"), [&](Scenario& s) { s.name = name.toStdString(); });
    });
}

void MainWindow::bindPlan() {
    actions_->bind("plan.pin", [this](bool) { document_->pinBaseline(); });
    actions_->bind("plan.unpin", [this](bool) { document_->clearBaseline(); });
    actions_->bind("plan.back_to_baseline", [this](bool) {
        if (document_->baselineSnapshot()) document_->edit(document_->baselineSnapshot(), tr("Go back to baseline"));
    });
    actions_->bind("plan.even_layers", [this](bool) {
        editScenario(*document_, tr("Even layer split"), [](Scenario& s) { s.plan.layersPerStage.clear(); });
    });
    actions_->bind("plan.partition", [this](bool) {
        workbench_->showTab(QStringLiteral("search"));
        workbench_->search()->partition()->start();
    });
    actions_->bind("plan.keep_model", [this](bool) {
        const auto kept = keepModel(*document_->snapshot()->model);
        if (!kept) return showProblem(errorText(kept.error()));
        workbench_->modelPanel()->setSource(modelSource());
        workbench_->notices()->show(NoticeBar::Kind::information, tr("Kept in %1").arg(*kept), {}, 6000);
    });
    actions_->bind("plan.calibration", [this](bool) { openCalibration(); });
    actions_->bind("plan.keep_cluster", [this](bool) {
        const auto kept = keepCluster(*document_->snapshot()->cluster);
        if (!kept) return showProblem(errorText(kept.error()));
        workbench_->notices()->show(NoticeBar::Kind::information, tr("Kept in %1").arg(*kept), {}, 6000);
    });
}

void MainWindow::openCalibration() {
    if (calibration_ == nullptr) calibration_ = new CalibrationDialog(document_, this);
    calibration_->show();
    calibration_->raise();
    calibration_->activateWindow();
}

void MainWindow::bindView() {
    for (const char* page : {"plan", "workload", "model"})
        actions_->bind(std::string("view.") + page, [this, name = QString::fromLatin1(page)](bool) {
            workbench_->showSidePage(name);
            if (name == QStringLiteral("plan"))
                workbench_->plan()->focusOn("/plan/tensor_parallel");
            else if (name == QStringLiteral("model"))
                workbench_->model()->setFocus(Qt::ShortcutFocusReason);
            else if (QWidget* view = workbench_->viewOrNull(name))
                view->setFocus(Qt::ShortcutFocusReason);
        });
    actions_->bind("view.cluster",
                   [this](bool) { workbench_->viewOrNull(QStringLiteral("cluster"))->setFocus(Qt::ShortcutFocusReason); });
    for (const QString& tab : Workbench::tabNames())
        actions_->bind("view." + tab.toStdString(), [this, tab](bool) { workbench_->showTab(tab); });
    QAction* light = actions_->action("view.light");
    light->setChecked(settings_.theme == ThemeKind::light);
    connect(light, &QAction::toggled, this, [this](bool on) { applyTheme(on ? ThemeKind::light : ThemeKind::dark); });
    QAction* gigabytes = actions_->action("view.gigabytes");
    gigabytes->setChecked(settings_.byteUnits == ByteUnits::decimal);
    connect(gigabytes, &QAction::toggled, this, [this](bool on) {
        settings_.byteUnits = on ? ByteUnits::decimal : ByteUnits::binary;
        setDisplayUnits(settings_.byteUnits);
        workbench_->verdict()->setByteUnits(settings_.byteUnits);
        emit document_->evaluationChanged();  // every view reads its figures again
        settings_.save();
    });
    actions_->bind("view.animate", [this](bool) { workbench_->player()->start(CollectivePlay::allReduce); });
    actions_->bind("view.presentation", [this](bool) { present(); });
    fillLanguages();
    QAction* calm = actions_->action("view.reduced_motion");
    calm->setChecked(settings_.reducedMotion);
    setReducedMotion(settings_.reducedMotion);
    connect(calm, &QAction::toggled, this, [this](bool on) {
        settings_.reducedMotion = on;
        setReducedMotion(on);
        settings_.save();
    });
    actions_->bind("view.reset_layout", [this](bool) { workbench_->arrange(size()); });
}

void MainWindow::bindHelp() {
    const auto page = [this](const QString& title, const QString& html) {
        if (help_ == nullptr) help_ = new HelpWindow(this);
        help_->showPage(title, html);
    };
    actions_->bind("help.glossary", [this](bool) { showTerm(QString()); });
    actions_->bind("help.term", [this](bool) { showTerm(termHelp_->labelInUse()); });
    actions_->bind("help.keys", [page](bool) { page(tr("Keys"), QStringLiteral("<h2>%1</h2>").arg(tr("Keys")) + keysPage()); });
    actions_->bind("help.about", [page](bool) {
        page(tr("About Trainyard"),
             tr("<h2>Trainyard %1</h2><p>A planner and visualizer for distributed training.</p>"
                "<p>Free software under the GNU General Public License, version 3 or later.</p>"
                "<p>Font: Inter, SIL Open Font License. Icons: Lucide, ISC licence. Plots: QCustomPlot, GPL.</p>")
                 .arg(QStringLiteral(TRAINYARD_VERSION)));
    });
}

void MainWindow::present() {
    if (presentation_ == nullptr) {
        presentation_ = new PresentationWindow(this);
        connect(document_, &PlanDocument::evaluationChanged, presentation_, &PresentationWindow::refresh);
        std::vector<PresentationWindow::Page> pages;
        for (const char* name : {"cluster", "model", "timeline", "memory", "traffic", "explain", "compare"})
            pages.push_back({QString::fromLatin1(name), workbench_->viewOrNull(QString::fromLatin1(name))});
        presentation_->setPages(std::move(pages), [this] { return figureText(*document_); });
    }
    presentation_->showPage(workbench_->activeView());
    presentation_->showFullScreen();
}

void MainWindow::fillLanguages() {
    auto* menu = new QMenu(this);
    auto* group = new QActionGroup(menu);
    const std::pair<QString, QString> languages[] = {{tr("As the system"), QString()},
                                                     {QStringLiteral("English"), QStringLiteral("en")},
                                                     {QStringLiteral("Deutsch"), QStringLiteral("de")}};
    for (const auto& [title, code] : languages) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(settings_.language == code);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, code = code] {
            settings_.language = code;
            settings_.save();
            workbench_->notices()->show(NoticeBar::Kind::information, tr("The language changes at the next start."), {}, 6000);
        });
    }
    actions_->action("view.language")->setMenu(menu);
}

void MainWindow::makeGlossary() {
    glossaryDock_ = new QDockWidget(tr("Glossary"), this);
    glossaryDock_->setObjectName(QStringLiteral("glossaryDock"));
    glossaryDock_->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    glossary_ = new GlossaryPanel(glossaryDock_);
    glossary_->setMinimumWidth(300);
    glossaryDock_->setWidget(glossary_);
    addDockWidget(Qt::RightDockWidgetArea, glossaryDock_);
    glossaryDock_->hide();
    termHelp_ = new TermHelp(this);
    connect(termHelp_, &TermHelp::termRequested, this, &MainWindow::showTerm);
    connect(workbench_->explain(), &ExplainPanel::termRequested, this, &MainWindow::showTerm);
    connect(glossary_, &GlossaryPanel::viewRequested, this, [this](const QString& view) {
        if (QWidget* widget = workbench_->focusTargetOrNull(view)) workbench_->spotlight()->pointAt(widget);
    });
    connect(glossary_, &GlossaryPanel::scenarioRequested, this, [this](const QString& id) {
        const GlossaryEntry* entry = trainyard::glossary().byIdOrNull(id.toStdString());
        if (entry == nullptr) return;
        auto scenario = glossaryScenario(*entry, presetLibrary());
        if (!scenario) return showProblem(errorText(scenario.error()));
        document_->edit(std::make_shared<const Scenario>(std::move(*scenario)), tr("Open the scenario of a term"));
    });
}

void MainWindow::showTerm(const QString& term) {
    glossaryDock_->show();
    glossaryDock_->raise();
    if (term.isEmpty()) return glossary_->focusSearch();
    if (!glossary_->showTerm(term)) glossary_->search(term);
}

void MainWindow::fillHeader() {
    HeaderBar* header = workbench_->header();
    header->addIcon(actions_->action("edit.undo"));
    header->addIcon(actions_->action("edit.redo"));
    header->addIcon(actions_->action("view.light"));
    actions_->action("plan.pin")->setIconText(tr("Pin as baseline"));
    actions_->action("plan.unpin")->setIconText(tr("Remove baseline"));
    header->addButton(actions_->action("plan.pin"));
    header->addButton(actions_->action("plan.unpin"));
    auto* menu = new QMenu(this);
    for (const char* id : {"file.export_view", "file.export_window", "edit.copy_figure", "edit.copy_figures", "edit.copy_link"})
        menu->addAction(actions_->action(id));
    menu->addSeparator();
    for (const Exporter& exporter : allExporters()) {
        const QString id = QString::fromUtf8(exporter.id.data(), static_cast<qsizetype>(exporter.id.size()));
        QAction* action = menu->addAction(
            tr("%1…").arg(QString::fromUtf8(exporter.title.data(), static_cast<qsizetype>(exporter.title.size()))));
        action->setToolTip(QString::fromUtf8(exporter.target.data(), static_cast<qsizetype>(exporter.target.size())));
        connect(action, &QAction::triggered, this, [this, id] { exportPlan(id); });
    }
    header->addMenuButton(tr("Export"), menu);
}

void MainWindow::refreshTitle() {
    const QString name = QString::fromStdString(document_->snapshot()->name);
    const QString state = session_->isModified() ? tr("edited") : QString();
    workbench_->header()->setDocument(name, state);
    setWindowFilePath(session_->path());
    setWindowTitle(QStringLiteral("%1[*] — Trainyard").arg(name));
    setWindowModified(session_->isModified());
}

void MainWindow::refreshRecent() {
    QMenu* menu = actions_->action("file.recent")->menu();
    menu->clear();
    for (const QString& path : settings_.recentFiles)
        connect(menu->addAction(QFileInfo(path).fileName() + QLatin1Char('\t') + QFileInfo(path).dir().dirName()),
                &QAction::triggered, this, [this, path] { openPath(path); });
    actions_->action("file.recent")->setEnabled(!settings_.recentFiles.isEmpty());
}

void MainWindow::refreshBaseline() {
    const bool pinned = document_->baselineSnapshot() != nullptr;
    actions_->action("plan.unpin")->setEnabled(pinned);
    actions_->action("plan.back_to_baseline")->setEnabled(pinned);
    workbench_->header()->setButtonVisible(actions_->action("plan.unpin"), pinned);
    workbench_->header()->setButtonVisible(actions_->action("plan.pin"), !pinned);
}

bool MainWindow::openPath(const QString& path) {
    const auto opened = session_->open(path);
    if (!opened) {
        showProblem(errorText(opened.error()));
        return false;
    }
    settings_.addRecentFile(session_->path());
    settings_.lastFolder = QFileInfo(path).absolutePath();
    settings_.save();
    refreshRecent();
    return true;
}

void MainWindow::save() {
    if (session_->path().isEmpty()) return saveAs();
    const auto saved = session_->save(session_->path());
    if (!saved) showProblem(tr("Not saved. %1").arg(errorText(saved.error())));
}

void MainWindow::saveAs() {
    QString name = QString::fromStdString(document_->snapshot()->name);
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    QString path = askPath(tr("Save scenario"), kScenarioFilter, true, name + QStringLiteral(".trainyard.json"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".trainyard.json");
    const auto saved = session_->save(path);
    if (!saved) return showProblem(tr("Not saved. %1").arg(errorText(saved.error())));
    settings_.addRecentFile(session_->path());
    settings_.save();
    refreshRecent();
}

void MainWindow::openModelFile(const QString& path) {
    auto model = openModelConfig(path);
    if (!model) return showProblem(errorText(model.error()));
    workbench_->modelPanel()->adopt(std::move(*model), tr("Open model config"));
    workbench_->showSidePage(QStringLiteral("model"));
}

/// A scenario says so in its first key, a model's config by its keys; anything else goes to the import dialog.
void MainWindow::openDropped(const QString& path) {
    if (isScenarioFile(path) || !scenarioOfFigure(path).isEmpty()) {
        openPath(path);
        return;
    }
    const auto text = readTextFile(path.toStdString());
    const Importer* importer = text ? likeliestImporterOrNull(*text) : nullptr;
    if (!text || importer == nullptr || importer->id == "hf")
        openModelFile(path);
    else
        openImport(QString::fromStdString(*text), QFileInfo(path).fileName());
}

void MainWindow::openImport(const QString& text, const QString& name) {
    auto* dialog = new ImportDialog(document_, presetsOfTheUser(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::taken, this,
            [this](const QString& summary) { workbench_->notices()->show(NoticeBar::Kind::information, summary, {}, 8000); });
    const QString pasted = QApplication::clipboard()->text();
    if (!text.isEmpty())
        dialog->setText(text, name);
    else if (likeliestImporterOrNull(pasted.left(1 << 20).toStdString()) != nullptr)
        dialog->setText(pasted, tr("the clipboard"));
    dialog->show();
}

void MainWindow::exportView(QWidget* view, const QString& name) {
    if (view == nullptr) return;
    exportFigureInteractively(*view, name, figureText(*document_));
}

void MainWindow::exportReport() {
    const auto report = exportScenario("markdown", *document_->snapshot());
    if (!report) return showProblem(errorText(report.error()));
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the report"), settings_.lastFolder);
    if (folder.isEmpty()) return;
    settings_.lastFolder = folder;
    const auto written = writeReportFolder(folder, QString::fromStdString(report->text),
                                           [this](const QString& name) { return workbench_->viewOrNull(name); });
    if (!written) return showProblem(errorText(written.error()));
    workbench_->notices()->show(NoticeBar::Kind::information, tr("Written to %1").arg(*written), {}, 6000);
}

void MainWindow::exportPlan(const QString& exporterId) {
    if (exporterId == QStringLiteral("markdown")) return exportReport();
    const Exporter* exporter = findExporterOrNull(exporterId.toStdString());
    if (exporter == nullptr) return;
    const auto exported = exportScenario(exporter->id, *document_->snapshot());
    if (!exported) return showProblem(QString::fromStdString(exported.error().message));
    const QString ending = QString::fromUtf8(exporter->extension.data(), static_cast<qsizetype>(exporter->extension.size()));
    const QString path = askPath(
        tr("Export the plan"),
        tr("%1 (*.%2)").arg(QString::fromUtf8(exporter->title.data(), static_cast<qsizetype>(exporter->title.size())), ending),
        true, QStringLiteral("plan.") + ending);
    if (path.isEmpty()) return;
    if (const auto written = writeFileAtomically(path.toStdString(), exported->text); !written)
        return showProblem(QString::fromStdString(written.error().message));
    QStringList lost;
    for (const std::string& each : exported->notExpressed) lost << QString::fromStdString(each);
    workbench_->notices()->show(NoticeBar::Kind::information,
                                lost.isEmpty()
                                    ? tr("Written to %1").arg(path)
                                    : tr("Written to %1. Not expressed: %2").arg(path, lost.join(QStringLiteral("; "))),
                                exported->command.empty()
                                    ? std::vector<NoticeBar::Offer>{}
                                    : std::vector<NoticeBar::Offer>{{tr("Copy the command that starts it"),
                                                                      [command = QString::fromStdString(exported->command)] {
                                                                          QApplication::clipboard()->setText(command);
                                                                      }}},
                                lost.isEmpty() && exported->command.empty() ? 6000 : 0);
}

void MainWindow::applyTheme(ThemeKind kind) {
    settings_.theme = kind;
    Theme::apply(*qApp, kind);
    refreshTitle();
    settings_.save();
}

void MainWindow::showProblem(const QString& message) { workbench_->notices()->show(NoticeBar::Kind::problem, message); }

QString MainWindow::askPath(const QString& title, const QString& filter, bool saving, const QString& suggestion) {
    const QString start = settings_.lastFolder.isEmpty() ? suggestion : settings_.lastFolder + QLatin1Char('/') + suggestion;
    const QString path = saving ? QFileDialog::getSaveFileName(this, title, start, filter)
                                : QFileDialog::getOpenFileName(this, title, start, filter);
    if (!path.isEmpty()) settings_.lastFolder = QFileInfo(path).absolutePath();
    return path;
}

void MainWindow::offerUnsaved() {
    for (const DocumentSession::Unsaved& entry : session_->unsaved())
        workbench_->notices()->show(
            NoticeBar::Kind::information,
            tr("Unsaved work from %1: “%2”").arg(QLocale().toString(entry.when, QLocale::ShortFormat), entry.name),
            {{tr("Open"),
              [this, entry] {
                  const auto restored = session_->restore(entry);
                  if (!restored) showProblem(errorText(restored.error()));
              }},
             {tr("Discard"), [this, entry] { session_->discard(entry); }}});
}

void MainWindow::closeEvent(QCloseEvent* event) {
    session_->finish();
    settings_.windowGeometry = saveGeometry();
    settings_.splitters.clear();
    for (const QSplitter* splitter : workbench_->splitters()) settings_.splitters << splitter->saveState();
    settings_.save();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty() || !urls.first().isLocalFile()) return;
    event->acceptProposedAction();
    openDropped(urls.first().toLocalFile());
}

}  // namespace trainyard
