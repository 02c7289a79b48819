#pragma once

#include <QWidget>

class QLabel;
class QTableWidget;

namespace trainyard {

class PlanDocument;

/// The open plan beside the pinned baseline: what was changed, then every figure that differs, largest difference first.
class ComparePanel : public QWidget {
    Q_OBJECT
  public:
    explicit ComparePanel(PlanDocument* document, QWidget* parent = nullptr);
    [[nodiscard]] QTableWidget* table() const { return table_; }

  private:
    void rebuild();

    PlanDocument* document_;
    QLabel* changes_;
    QTableWidget* table_;
};

}  // namespace trainyard
