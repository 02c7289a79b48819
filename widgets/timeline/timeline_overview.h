#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <vector>

#include "widgets/timeline/timeline_model.h"
#include "widgets/timeline/timeline_viewport.h"

namespace trainyard {

/// The whole step as a strip with the visible part as a brush: drag its handles or its body, click elsewhere to jump there.
class TimelineOverview : public QWidget {
    Q_OBJECT
  public:
    /// `viewport` outlives this widget.
    explicit TimelineOverview(TimelineViewport* viewport, QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const TimelineModel> model);
    /// Times of search hits, marked above the strip.
    void setMarks(std::vector<double> times);
    /// Pixels kept free on the left, so that the strip stands under the rows of the timeline.
    void setLeftMargin(double pixels);

    [[nodiscard]] TimeScale timeScale() const;
    [[nodiscard]] QSize sizeHint() const override { return {600, 44}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 36}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    enum class Grip : std::uint8_t { none, begin, end, body };

    [[nodiscard]] QRectF strip() const;
    [[nodiscard]] Grip gripAt(double x) const;
    void paintStrip(QPainter& painter, const QRectF& area) const;

    TimelineViewport* viewport_;
    std::shared_ptr<const TimelineModel> model_;
    std::vector<double> marks_;
    double leftMargin_ = 0;
    QPixmap picture_;
    bool pictureIsValid_ = false;
    Grip grip_ = Grip::none;
    double pressedTime_ = 0;
    TimeRange pressedRange_;
};

}  // namespace trainyard
