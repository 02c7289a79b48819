#pragma once

#include <QWidget>
#include <memory>

#include "widgets/style/figure_export.h"

class QStackedLayout;

namespace trainyard {

class EmptyState;
class PlanDocument;
class Selection;
class TimelineBoard;

/// The pipeline schedule of the open plan: connects a timeline board to the document and the shared selection.
class TimelinePanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    TimelinePanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] TimelineBoard& board() { return *board_; }
    void paintFigure(QPainter& painter, const QRectF& area) override;

  private:
    void refresh();
    void takeSelection();

    PlanDocument* document_;
    Selection* selection_;
    QStackedLayout* stack_;
    TimelineBoard* board_;
    EmptyState* empty_;
    const void* shown_ = nullptr;  ///< evaluation on show, by address only
};

}  // namespace trainyard
