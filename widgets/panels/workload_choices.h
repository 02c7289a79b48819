#pragma once

#include <QString>

#include "core/plan/scenario.h"

class QWidget;

namespace trainyard {

class FieldCombo;

/// Fields of the workload that stand both in the plan panel and in the workload panel.
[[nodiscard]] FieldCombo* makePrecisionField(QWidget* parent);
[[nodiscard]] FieldCombo* makeGradientPrecisionField(QWidget* parent);
[[nodiscard]] FieldCombo* makeOptimizerField(QWidget* parent);
[[nodiscard]] FieldCombo* makeAttentionField(QWidget* parent);

void setPrecision(Scenario& scenario, const QString& key);
void setGradientPrecision(Scenario& scenario, const QString& key);
void setOptimizer(Scenario& scenario, const QString& key);
void setAttention(Scenario& scenario, const QString& key);

void showWorkload(const Scenario& scenario, FieldCombo* precision, FieldCombo* gradientPrecision, FieldCombo* optimizer,
                  FieldCombo* attention);

}  // namespace trainyard
