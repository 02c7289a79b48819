#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/plan/scenario.h"

class QPainter;

namespace trainyard {

class PlanDocument;
class Selection;

/// The model as a row of blocks, embedding to head, coloured by pipeline stage; the borders between stages are handles.
/// Keys: Up/Down choose a border, Left/Right move it, Home/End pick the first or last border.
class ModelStrip : public QWidget {
    Q_OBJECT
  public:
    ModelStrip(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);

    /// Number of borders that can be dragged (global stages - 1).
    [[nodiscard]] int borders() const;
    /// Where a border is drawn, in widget coordinates.
    [[nodiscard]] QPoint borderPosition(int border) const;
    [[nodiscard]] int currentBorder() const { return currentBorder_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Geometry {
        double left = 0;  ///< of layer 0
        double layerWidth = 1;
        double embeddingLeft = 0;
        double headLeft = 0;
        double endWidth = 0;  ///< of embedding and head blocks
    };
    [[nodiscard]] Geometry geometry() const;
    [[nodiscard]] double layerX(std::int64_t layer) const;
    [[nodiscard]] int borderAt(const QPointF& at) const;
    [[nodiscard]] std::int64_t layerAt(double x) const;
    [[nodiscard]] int globalStageOfLayer(std::int64_t layer) const;
    [[nodiscard]] int rankOfStage(int globalStage) const;
    void refresh();
    /// Moves a border so that it stands before `layer`; stages left and right of it change.
    void moveBorder(int border, std::int64_t layer);
    void resetSplit();
    void describe();
    void paintBlocks(QPainter& painter) const;
    void paintMergedStages(QPainter& painter) const;
    void paintEnds(QPainter& painter) const;
    void paintBorders(QPainter& painter) const;
    void paintCaption(QPainter& painter) const;

    PlanDocument* document_;
    Selection* selection_;
    std::vector<std::int64_t> layersOfStage_;
    std::vector<std::int64_t> firstLayer_;  ///< of each global stage, and the layer count at the end
    std::vector<int> rankOfStage_;
    int ranks_ = 1;
    bool uneven_ = false;
    int currentBorder_ = 0;
    int hoveredBorder_ = -1;
    int draggedBorder_ = -1;
};

}  // namespace trainyard
