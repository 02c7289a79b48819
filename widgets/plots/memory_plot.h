#pragma once

#include <QWidget>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/evaluation.h"
#include "widgets/style/figure_export.h"

class QCustomPlot;

namespace trainyard {

/// The parts of a stage's memory, in the order in which bars are stacked.
inline constexpr int kMemoryParts = 8;
[[nodiscard]] QString memoryPartName(int part);
[[nodiscard]] double memoryPartBytes(const StageMemory& stage, int part);
[[nodiscard]] QColor memoryPartColor(int part);

/// Peak memory of every stage as stacked bars against what its device can use, with the 80 % line and, apart from the steady
/// peak, the peaks while loading and in the first optimizer step.
class MemoryPlot : public QWidget, public FigureSource {
    Q_OBJECT
  public:
    explicit MemoryPlot(QWidget* parent = nullptr);
    ~MemoryPlot() override;

    void setMemory(const MemorySummary& memory);
    void clearMemory();
    /// Totals of a changed plan, shown as outlines over the bars; empty: none.
    void setPreview(std::vector<double> stageBytes);
    void setSelectedStage(std::optional<int> stage);
    void setHoveredStage(std::optional<int> stage);
    /// Legend below the bars, wrapped.
    void setLegendVisible(bool isVisible);

    /// Stage under a point of this widget, if any.
    [[nodiscard]] std::optional<int> stageAt(QPointF point) const;
    [[nodiscard]] QString toolTipOf(int stage) const;

    void paintFigure(QPainter& painter, const QRectF& area) override;
    [[nodiscard]] QSize sizeHint() const override { return {420, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 140}; }

  signals:
    void stageClicked(int stage);
    void stageHovered(std::optional<int> stage);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Parts;  ///< the plot's items

    void rebuild();
    void refreshBands();
    void layoutLabels(double width);
    [[nodiscard]] double legendHeight(double width) const;
    double paintMemoryLegend(QPainter& painter, const QRectF& area, bool isMeasuring) const;

    QCustomPlot* plot_;
    std::unique_ptr<Parts> parts_;
    MemorySummary memory_;
    std::vector<double> preview_;
    std::optional<int> selected_;
    std::optional<int> hovered_;
    bool hasLegend_ = true;
};

}  // namespace trainyard
