#pragma once

#include <QWidget>
#include <memory>
#include <thread>

#include "core/search/search_plans.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace trainyard {

class PartitionBar;
class PlanDocument;

/// The best plans for the open cluster and model, ranked, each with the reason why it lost; a row is loaded by a click.
class SearchPanel : public QWidget {
    Q_OBJECT
  public:
    explicit SearchPanel(PlanDocument* document, QWidget* parent = nullptr);
    ~SearchPanel() override;

    /// Searches on a thread of its own, or during the call (`wait`: for pictures and tests).
    void start(bool wait = false);
    void cancel();
    [[nodiscard]] const SearchResult& result() const { return result_; }
    [[nodiscard]] PartitionBar* partition() const { return partition_; }
    /// Makes plan `row` the open one.
    void load(int row);

  private:
    void show(const SearchResult& result);

    PlanDocument* document_;
    QComboBox* objective_;
    QPushButton* start_;
    QProgressBar* progress_;
    QLabel* summary_;
    PartitionBar* partition_;
    QTableWidget* table_;
    SearchResult result_;
    std::jthread thread_;  ///< last: stopped and joined first
};

}  // namespace trainyard
