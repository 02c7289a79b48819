#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <thread>

#include "core/plan/scenario.h"
#include "core/search/partition_plan.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace trainyard {

class PlanDocument;

/// Splits the model over the open cluster: layers per stage, and whatever else is ticked. Works on a thread of its own; what it
/// finds becomes the open plan as one undo step.
class PartitionBar : public QWidget {
    Q_OBJECT
  public:
    explicit PartitionBar(PlanDocument* document, QWidget* parent = nullptr);
    ~PartitionBar() override;

    /// Partitions on a thread of its own, or during the call (`wait`: for pictures and tests).
    void start(bool wait = false);
    void cancel();
    void setFreedom(const PartitionFreedom& freedom);
    [[nodiscard]] PartitionFreedom freedom() const;
    [[nodiscard]] bool isRunning() const { return thread_.joinable(); }

  signals:
    void finished();

  private:
    void apply(const PlanPartition& found, const Snapshot& of, bool cancelled);

    PlanDocument* document_;
    QPushButton* start_;
    std::array<QCheckBox*, 4> free_{};  ///< order, tensor, replicas, shares
    QProgressBar* progress_;
    QLabel* summary_;
    std::jthread thread_;  ///< last: stopped and joined first
};

}  // namespace trainyard
