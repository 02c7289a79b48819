#pragma once

#include <QWidget>
#include <optional>

#include "widgets/plots/accuracy_plot.h"
#include "widgets/style/figure_export.h"

class QLabel;
class QScrollArea;
class QTabBar;

namespace trainyard {

class AccuracyTable;
class PlanDocument;

/// How far the figures can be trusted: predictions beside published runs, per source, and what is said of the open scenario.
/// The runs were evaluated when the program was made; nothing is computed here.
class AccuracyPanel : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit AccuracyPanel(PlanDocument* document, QWidget* parent = nullptr);

    void setFigure(AccuracyFigure figure);
    [[nodiscard]] AccuracyFigure figure() const { return figure_; }
    /// Lets one source stand out, with the reason of its largest error; the same again ends it.
    void toggleSource(int source);
    [[nodiscard]] AccuracyPlot* plot() const { return plot_; }
    [[nodiscard]] AccuracyTable* table() const { return table_; }
    /// The sentence below the table.
    [[nodiscard]] QString reason() const;
    /// What is said of the open scenario.
    [[nodiscard]] QString validity() const;

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize sizeHint() const override { return {1280, 800}; }

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void load();
    void refresh();
    void refreshValidity();
    void arrange();

    PlanDocument* document_;
    QLabel* title_;
    QLabel* summary_;
    QTabBar* switch_;
    AccuracyPlot* plot_;
    AccuracyTable* table_;
    QScrollArea* scroll_;
    QLabel* reason_;
    QLabel* validity_;
    AccuracyFigure figure_ = AccuracyFigure::time;
    std::optional<int> selected_;
    bool loaded_ = false;
};

}  // namespace trainyard
