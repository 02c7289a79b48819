#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/plan/edit.h"

class QAction;
class QLineEdit;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace trainyard {

class DegreeRow;
class FieldCombo;
class FieldMenu;
class FieldNumber;
class FrameworkRules;
class NoticeArea;
class NoticeList;
class PlanDocument;
class SectionTitle;

/// How the work is split: a slider per degree, the batch, schedule, sharding, recomputation and the rest of the plan.
class PlanPanel : public QWidget {
    Q_OBJECT
  public:
    explicit PlanPanel(PlanDocument* document, QWidget* parent = nullptr);

    [[nodiscard]] DegreeRow* row(const std::string& pointer) const;
    [[nodiscard]] NoticeList* notices() const { return notices_; }
    [[nodiscard]] DegreeLocks locks() const;
    [[nodiscard]] bool isGlobalBatchLocked() const;
    void setLocks(const DegreeLocks& locks, bool globalBatch);
    /// What the framework field offers besides "any".
    void setFrameworks(std::vector<std::shared_ptr<const FrameworkRules>> frameworks);
    /// By id; empty or unknown: any framework. What the framework forbids then counts as not legal.
    void setFramework(const QString& id);
    [[nodiscard]] QString framework() const;  ///< empty: any
    /// Puts the keyboard on the control that sets this number; false if there is none.
    bool focusOn(const std::string& pointer);

  signals:
    void locksChanged();
    void frameworkChosen(const QString& id);

  private:
    void addDegrees(QVBoxLayout* layout);
    void addBatchRow(QVBoxLayout* layout);
    void addChoices(QVBoxLayout* layout);
    void connectChoices();
    void refresh();
    void refreshChoices();
    /// Greys out what the framework forbids in the other fields.
    void refreshRefusals();
    /// Of the plan alone, with the framework's; cheap.
    [[nodiscard]] std::vector<Diagnostic> planFindings(const Scenario& scenario) const;
    void refreshNotices();
    void setNumber(const std::string& pointer, qint64 number);
    void typeNumber(const std::string& pointer, qint64 number);

    PlanDocument* document_;
    SectionTitle* title_;
    std::vector<DegreeRow*> rows_;
    QLineEdit* globalBatch_ = nullptr;
    QLabel* microBatches_ = nullptr;
    QToolButton* globalBatchLock_ = nullptr;
    QLabel* hint_ = nullptr;
    FieldCombo* framework_ = nullptr;
    FieldCombo* schedule_ = nullptr;
    FieldCombo* zero_ = nullptr;
    FieldCombo* recompute_ = nullptr;
    FieldMenu* recomputeModules_ = nullptr;
    FieldNumber* recomputeLayers_ = nullptr;
    FieldCombo* precision_ = nullptr;
    FieldCombo* gradientPrecision_ = nullptr;
    FieldCombo* optimizer_ = nullptr;
    FieldCombo* attention_ = nullptr;
    FieldCombo* contextMethod_ = nullptr;
    FieldCombo* sequenceParallel_ = nullptr;
    FieldMenu* overlap_ = nullptr;
    FieldCombo* placement_ = nullptr;
    FieldCombo* activationOffload_ = nullptr;
    FieldCombo* optimizerOffload_ = nullptr;
    std::vector<std::shared_ptr<const FrameworkRules>> frameworks_;
    std::shared_ptr<const FrameworkRules> rules_;  ///< null: any framework
    std::vector<QAction*> moduleActions_;
    std::vector<QAction*> overlapActions_;
    NoticeArea* noticeArea_ = nullptr;
    NoticeList* notices_ = nullptr;
};

}  // namespace trainyard
