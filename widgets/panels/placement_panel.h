#pragma once

#include <QWidget>
#include <memory>
#include <thread>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"
#include "core/search/placement.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace trainyard {

class FigureTable;
class PlanDocument;
class TrafficMatrix;

/// Which rank sits where: the links, what the plan sends over them as it stands, and what it would send with the best placement
/// that annealing found. A row of the ten best is made the open plan by its button.
class PlacementPanel : public QWidget {
    Q_OBJECT
  public:
    explicit PlacementPanel(PlanDocument* document, QWidget* parent = nullptr);
    ~PlacementPanel() override;

    /// Anneals on a thread of its own, or during the call (`wait`: for pictures and tests).
    void start(bool wait = false);
    void cancel();
    [[nodiscard]] const PlacementResult& result() const { return result_; }
    /// Makes placement `row` of the best the open one, as one undo step.
    void load(int row);

    [[nodiscard]] QSize sizeHint() const override { return {1200, 460}; }

  private:
    void refresh();
    void show(const PlacementResult& result, const Snapshot& of);
    void showAfter(int row);

    PlanDocument* document_;
    QPushButton* start_;
    QPushButton* use_;
    QSpinBox* seed_;
    QSpinBox* thousands_;
    QProgressBar* progress_;
    QLabel* summary_;
    TrafficMatrix* links_;
    TrafficMatrix* before_;
    TrafficMatrix* after_;
    QLabel* afterTitle_;
    FigureTable* table_;
    PlacementResult result_;
    Snapshot resultOf_;
    int shownRow_ = 0;
    std::jthread thread_;  ///< last: stopped and joined first
};

}  // namespace trainyard
