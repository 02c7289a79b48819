#pragma once

#include <QDialog>
#include <optional>
#include <thread>

#include "core/calibrate/calibrate.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace trainyard {

class FigureTable;
class PlanDocument;

/// The constants that the user's own measurements changed: what is in force, a fit to a file of runs with its error before
/// and after, and the way back to the built-in values. Taking a fit or resetting is one undo step.
class CalibrationDialog : public QDialog {
    Q_OBJECT
  public:
    explicit CalibrationDialog(PlanDocument* document, QWidget* parent = nullptr);
    ~CalibrationDialog() override;

    /// Reads the runs and fits, on a thread of its own or during the call (`wait`: for tests). What is wrong with the file
    /// stands in the dialog.
    void fit(const QString& file, bool wait = false);
    /// The fit that is shown and not yet taken.
    [[nodiscard]] const std::optional<CalibrationReport>& report() const { return report_; }
    [[nodiscard]] QString message() const;

    void take();   ///< the shown fit into the scenario
    void reset();  ///< back to the built-in constants

  private:
    void refresh();
    void showReport(Result<CalibrationReport> result);
    void chooseFile();

    PlanDocument* document_;
    QLabel* state_;
    QLabel* message_;
    QLabel* runsTitle_;
    FigureTable* constants_;
    FigureTable* runs_;
    QProgressBar* progress_;
    QPushButton* choose_;
    QPushButton* take_;
    QPushButton* reset_;
    std::optional<CalibrationReport> report_;
    std::jthread thread_;  ///< last: stopped and joined first
};

}  // namespace trainyard
