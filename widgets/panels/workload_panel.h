#pragma once

#include <QWidget>

class QLabel;

namespace trainyard {

class FieldCombo;
class FieldNumber;
class PlanDocument;
class SectionTitle;

/// What is trained: sequence, batch, formats, length of the run; and what that costs.
class WorkloadPanel : public QWidget {
    Q_OBJECT
  public:
    explicit WorkloadPanel(PlanDocument* document, QWidget* parent = nullptr);

  private:
    void refresh();
    void refreshRun();

    PlanDocument* document_;
    FieldNumber* sequence_;
    FieldNumber* batch_;
    FieldNumber* tokens_;
    FieldCombo* precision_;
    FieldCombo* gradientPrecision_;
    FieldCombo* optimizer_;
    FieldCombo* attention_;
    FieldCombo* norm_;
    FieldCombo* flops_;
    SectionTitle* runTitle_;
    QLabel* run_;
    QLabel* step_;
};

}  // namespace trainyard
