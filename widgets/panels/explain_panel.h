#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/explain/explanation.h"

class QComboBox;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace trainyard {

class PlanDocument;

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

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void refresh();
    void rebuild();
    void fillQuantities();
    void copy(std::string (*form)(const Explanation&)) const;

    PlanDocument* document_;
    QComboBox* quantities_;
    QLabel* headline_;
    QLabel* formula_;
    QTreeWidget* view_;
    std::optional<Explanation> tree_;
    bool outdated_ = true;
};

}  // namespace trainyard
