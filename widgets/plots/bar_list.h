#pragma once

#include <QColor>
#include <QWidget>
#include <optional>
#include <vector>

namespace trainyard {

/// Rows of a name, a bar on a common scale and a figure: collectives by time, links by utilisation.
class BarList : public QWidget {
    Q_OBJECT
  public:
    explicit BarList(QWidget* parent = nullptr);

    struct Segment {
        double share = 0;  ///< of the common scale, 0..1
        QColor color;
        bool isPale = false;  ///< outlined only: hidden, not felt
    };
    struct Bar {
        QString title;
        QString note;  ///< small, after or below the title
        std::vector<Segment> segments;
        QString value;
        QString valueNote;  ///< small, below the value
        QString tip;
    };
    void setBars(std::vector<Bar> bars);
    [[nodiscard]] const std::vector<Bar>& bars() const { return bars_; }
    void setSelected(std::optional<int> index);
    void setHovered(std::optional<int> index);
    [[nodiscard]] std::optional<int> barAt(QPointF point) const;

    /// Draws the rows from the top of `area`, as many as fit. @return height used
    double paintBars(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 40}; }

  signals:
    void barClicked(int index);
    void barHovered(std::optional<int> index);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<Bar> bars_;
    std::optional<int> selected_;
    std::optional<int> hovered_;
    bool isReachedByKey_ = false;
};

}  // namespace trainyard
