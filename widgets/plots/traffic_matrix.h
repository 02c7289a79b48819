#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

namespace trainyard {

/// Bytes sent from every device (or node) to every other in one step, as a heat map on a logarithmic scale. A strip along both
/// edges shows the pipeline stage of each.
class TrafficMatrix : public QWidget {
    Q_OBJECT
  public:
    explicit TrafficMatrix(QWidget* parent = nullptr);

    struct Data {
        std::vector<double> bytes;  ///< row-major: from x to
        int blocks = 0;
        bool areNodes = false;
        std::vector<int> stageOfBlock;  ///< may be empty
        int stages = 1;
        bool perSecond = false;  ///< the figures are rates of links, not bytes of a step
    };
    void setTraffic(Data data);
    void setSelectedStage(std::optional<int> stage);

    struct Cell {
        int from = 0;
        int to = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::optional<Cell> cellAt(QPointF point) const;
    [[nodiscard]] QString toolTipOf(Cell cell) const;

    void paintMatrix(QPainter& painter, const QRectF& area, std::optional<Cell> hovered) const;
    [[nodiscard]] QSize sizeHint() const override { return {320, 340}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {150, 150}; }

  signals:
    void cellClicked(int from, int to);
    void cellHovered(std::optional<int> from);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    [[nodiscard]] QRectF gridIn(const QRectF& area) const;
    [[nodiscard]] QColor colorOf(double bytes) const;

    Data data_;
    double least_ = 0;  ///< smallest and largest that is not 0
    double most_ = 0;
    std::optional<int> selectedStage_;
    std::optional<Cell> hovered_;
};

}  // namespace trainyard
