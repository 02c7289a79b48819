#pragma once

#include <QAbstractSlider>
#include <vector>

#include "core/plan/slider_stops.h"

namespace trainyard {

/// A slider whose handle rests on legal values only. Illegal ones are drawn, grey and struck through; hovering or pulling
/// the handle towards one reports it. The value of QAbstractSlider is the index of the stop.
class DegreeSlider : public QAbstractSlider {
    Q_OBJECT
  public:
    explicit DegreeSlider(QWidget* parent = nullptr);

    /// Stops ascending; `current` becomes the value (also if it is not legal: then it is drawn as what it is).
    void setStops(std::vector<SliderStop> stops, std::int64_t current);
    /// Moves the handle without asking; a value without a stop is ignored.
    void showNumber(std::int64_t number);
    [[nodiscard]] const std::vector<SliderStop>& stops() const { return stops_; }
    [[nodiscard]] std::int64_t number() const;
    [[nodiscard]] bool isDragging() const { return dragging_; }
    /// Centre of a stop in widget coordinates, for tests and tooltips.
    [[nodiscard]] QPoint stopPosition(int index) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void gestureBegun();
    void numberRequested(qint64 number);
    void gestureEnded();
    void gestureCancelled();
    /// The stop under the mouse, -1: none.
    void stopHovered(int index);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

  private:
    [[nodiscard]] double stopX(int index) const;
    [[nodiscard]] int nearest(double x, bool legalOnly) const;
    void ask(int index);
    void step(int direction);
    void hover(int index);
    void describe();

    std::vector<SliderStop> stops_;
    bool dragging_ = false;
    int hovered_ = -1;
};

}  // namespace trainyard
