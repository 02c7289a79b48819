#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/explain/explanation.h"
#include "core/explain/sensitivity.h"

class QComboBox;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard {

class FormulaView;
class PlanDocument;
class SensitivityList;

/// Any figure as a tree of formulas with the values filled in, from the intermediates of the engine. Follows the open plan.
class ExplainPanel : public QWidget {
    Q_OBJECT
  public:
    explicit ExplainPanel(PlanDocument* document, QWidget* parent = nullptr);
    ~ExplainPanel() override;

    /// JSON pointer into the evaluation, e.g. `/time/step_s`.
    void setQuantity(const QString& pointer);
    [[nodiscard]] QString quantity() const;
    /// The tree that is shown; nothing while the plan cannot be computed.
    [[nodiscard]] const std::optional<Explanation>& explanation() const { return tree_; }
    /// What the last change of the plan moved in the tree of this figure.
    [[nodiscard]] const std::vector<ExplanationChange>& changes() const { return changes_; }
    [[nodiscard]] SensitivityList* sensitivityList() const { return sensitivities_; }
    /// At once instead of beside the drawing: for pictures.
    void fillSensitivities();

  signals:
    /// The glossary entry of a figure is asked for.
    void termRequested(const QString& label);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void refresh();
    void rebuild();
    void fillQuantities();
    void copy(std::string (*form)(const Explanation&)) const;
    void askSensitivities();
    void preview(const SensitivityCase* oneOrNull);
    void showHeadline(const QString& more);

    PlanDocument* document_;
    QComboBox* quantities_;
    QLabel* headline_;
    QLabel* formula_;
    FormulaView* typeset_;
    QLabel* changed_;
    QTreeWidget* view_;
    SensitivityList* sensitivities_;
    QTimer sensitivityDelay_;
    quint64 sensitivityAsked_ = 0;
    QString sensitivityFigure_;
    std::vector<ExplanationChange> changes_;
    QString explained_;
    std::optional<Explanation> tree_;
    bool outdated_ = true;
};

}  // namespace trainyard
