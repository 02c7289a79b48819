#pragma once

#include <QWidget>
#include <vector>

#include "widgets/style/figure_export.h"

class QLabel;
class QScrollArea;
class QStackedLayout;

namespace trainyard {

class BarList;
class EmptyState;
class PlanDocument;
class Selection;
class TrafficMatrix;

/// Bytes and time of every collective, how much of it is felt, who sends to whom, and how busy every link is.
class TrafficPanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    TrafficPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] BarList& collectives() { return *collectives_; }
    [[nodiscard]] BarList& links() { return *links_; }
    [[nodiscard]] TrafficMatrix& matrix() { return *matrix_; }

    void paintFigure(QPainter& painter, const QRectF& area) override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void refresh();
    void takeSelection();
    void arrange();
    void copyTable() const;

    PlanDocument* document_;
    Selection* selection_;
    QStackedLayout* stack_;
    EmptyState* empty_;
    QWidget* content_;
    QLabel* collectiveTitle_;
    QLabel* linkTitle_;
    QLabel* matrixTitle_;
    BarList* collectives_;
    BarList* links_;
    QScrollArea* collectiveArea_;
    QScrollArea* linkArea_;
    TrafficMatrix* matrix_;
    std::vector<int> linkOfBar_;  ///< index into ClusterSpec::links; -1: inside a node
    std::vector<int> nodeOfBar_;  ///< index into ClusterSpec::nodes; -1: a link
    std::vector<int> communicationOfBar_;
};

}  // namespace trainyard
