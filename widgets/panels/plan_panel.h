#pragma once

#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

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
    /// Puts the keyboard on the control that sets this number; false if there is none.
    bool focusOn(const std::string& pointer);

  signals:
    void locksChanged();

  private:
    void addDegrees(QVBoxLayout* layout);
    void addBatchRow(QVBoxLayout* layout);
    void addChoices(QVBoxLayout* layout);
    void connectChoices();
    void refresh();
    void refreshChoices();
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
    std::vector<QAction*> moduleActions_;
    std::vector<QAction*> overlapActions_;
    NoticeArea* noticeArea_ = nullptr;
    NoticeList* notices_ = nullptr;
};

}  // namespace trainyard
