#pragma once

#include <vector>

#include "core/schedule/timeline.h"
#include "widgets/timeline/time_scale.h"

namespace trainyard {

/// A quantity that changes in steps: activations in flight over time. Values hold from their time until the next one.
class StepCurve {
  public:
    StepCurve() = default;
    /// `time` ascending, one value each; before the first the value is 0.
    StepCurve(std::vector<Ticks> time, std::vector<float> value);

    [[nodiscard]] bool isEmpty() const { return time_.empty(); }
    [[nodiscard]] float peak() const { return peak_; }
    [[nodiscard]] float at(double time) const;
    /// Largest value anywhere between two times.
    [[nodiscard]] float largestBetween(double begin, double end) const;

    struct Point {
        double x;
        float value;
    };
    /// The curve as horizontal runs, at most two a pixel: each value holds from its x to the next one's. In a pixel with several
    /// steps the largest value is shown, since memory is judged by its peaks.
    void points(const TimeScale& scale, std::vector<Point>& out) const;

  private:
    [[nodiscard]] std::size_t indexAfter(double time) const;

    std::vector<Ticks> time_;
    std::vector<float> value_;
    std::vector<float> blockPeak_;  ///< of every 32 values
    float peak_ = 0;
};

/// Micro-batches whose activations a rank holds: a forward takes one from its start (its recomputation does, where there is one),
/// an input or full backward gives it back at its end; `perAction`: what one action counts (1 / chunks / slices).
[[nodiscard]] StepCurve inFlightCurve(const Timeline& timeline, int rank, double perAction);

}  // namespace trainyard
