#pragma once

#include <QMainWindow>
#include <memory>

#include "app/app_settings.h"
#include "core/plan/scenario.h"

class QDockWidget;

namespace trainyard {

class ActionTable;
class CalibrationDialog;
class DocumentSession;
class GlossaryPanel;
class HelpWindow;
class PresentationWindow;
class PlanDocument;
class Selection;
class TermHelp;
class Workbench;

/// The one window: menus, the workbench, and the wires between them.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    /// `document` outlives the window.
    MainWindow(PlanDocument* document, AppSettings settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workbench* workbench() const { return workbench_; }
    [[nodiscard]] ActionTable* actions() const { return actions_; }
    /// Opens the glossary at a term or label; an unknown one becomes a search.
    void showTerm(const QString& term);
    [[nodiscard]] PresentationWindow* presentationOrNull() const { return presentation_; }
    [[nodiscard]] GlossaryPanel* glossaryPanel() const { return glossary_; }
    [[nodiscard]] TermHelp* termHelp() const { return termHelp_; }
    [[nodiscard]] DocumentSession* session() const { return session_; }
    [[nodiscard]] const AppSettings& settings() const { return settings_; }

    /// Opens a file; a failure becomes a notice and leaves all as it was.
    bool openPath(const QString& path);
    /// Offers unsaved work of earlier sessions.
    void offerUnsaved();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void bindFile();
    void bindEdit();
    void bindPlan();
    void bindView();
    void bindHelp();
    void makeGlossary();
    void present();
    void fillLanguages();
    void fillHeader();
    void refreshTitle();
    void refreshRecent();
    void refreshBaseline();
    void save();
    void saveAs();
    void openModelFile(const QString& path);
    void openDropped(const QString& path);
    /// Shows the import dialog with this text (empty: what is on the clipboard, if it is of a kind that can be imported).
    void openImport(const QString& text, const QString& name);
    /// A folder with the report and a picture of each view.
    void exportReport();
    void exportView(QWidget* view, const QString& name);
    /// Writes the plan with the exporter of this id; says what the format could not hold.
    void exportPlan(const QString& exporterId);
    void openCalibration();
    void applyTheme(ThemeKind kind);
    void showProblem(const QString& message);
    [[nodiscard]] QString askPath(const QString& title, const QString& filter, bool saving, const QString& suggestion);

    PlanDocument* document_;
    AppSettings settings_;
    Selection* selection_;
    Workbench* workbench_;
    ActionTable* actions_;
    DocumentSession* session_;
    HelpWindow* help_ = nullptr;
    PresentationWindow* presentation_ = nullptr;
    QDockWidget* glossaryDock_ = nullptr;
    GlossaryPanel* glossary_ = nullptr;
    TermHelp* termHelp_ = nullptr;
    CalibrationDialog* calibration_ = nullptr;
};

}  // namespace trainyard
