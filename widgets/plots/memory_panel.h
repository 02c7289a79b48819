#pragma once

#include <QTimer>
#include <QWidget>

#include "widgets/style/figure_export.h"

class QBoxLayout;
class QLabel;
class QStackedLayout;

namespace trainyard {

class EmptyState;
class FigureTable;
class MemoryPlot;
class PlanDocument;
class Selection;
class WhatIfList;
struct MemorySummary;

/// Memory of every stage: bars, what would free most, and where there is room the table of all figures.
class MemoryPanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    MemoryPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] MemoryPlot& plot() { return *plot_; }
    [[nodiscard]] FigureTable& table() { return *table_; }
    [[nodiscard]] WhatIfList& whatIf() { return *whatIf_; }

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 160}; }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void refresh();
    void takeSelection();
    void fillTable(const MemorySummary& memory);
    void arrange();
    void askWhatIf();

    PlanDocument* document_;
    Selection* selection_;
    QStackedLayout* stack_;
    QWidget* content_;
    EmptyState* empty_;
    QWidget* header_;
    QLabel* title_;
    QLabel* verdict_;
    MemoryPlot* plot_;
    FigureTable* table_;
    WhatIfList* whatIf_;
    QTimer whatIfDelay_;
    quint64 whatIfAsked_ = ~quint64{0};  ///< revision of the document asked about
};

}  // namespace trainyard
