#pragma once

#include <QObject>
#include <optional>

#include "widgets/timeline/time_scale.h"

namespace trainyard {

/// What part of the time axis is shown, which stretch is marked and where the scrubber stands. Shared by ruler, rows, overview
/// and, in a comparison, by several pictures on one time scale.
class TimelineViewport : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    [[nodiscard]] const TimeLimits& limits() const { return limits_; }
    [[nodiscard]] const TimeRange& visible() const { return visible_; }
    [[nodiscard]] const std::optional<TimeRange>& marked() const { return marked_; }
    [[nodiscard]] const std::optional<double>& scrubber() const { return scrubber_; }

    /// New data: keeps the shown share of the step, so that a drag of a slider does not lose the place; shows all the first time.
    void setLimits(TimeLimits limits);

  public slots:
    void setVisible(trainyard::TimeRange range);
    void showAll();
    void zoom(double anchor, double factor);
    void pan(double ticks);
    void setMarked(std::optional<trainyard::TimeRange> range);
    void setScrubber(std::optional<double> time);

  signals:
    void visibleChanged();
    void markedChanged();
    void scrubberChanged();

  private:
    TimeLimits limits_;
    TimeRange visible_;
    std::optional<TimeRange> marked_;
    std::optional<double> scrubber_;
    bool hasLimits_ = false;
};

}  // namespace trainyard
