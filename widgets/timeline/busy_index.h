#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/schedule/timeline.h"
#include "widgets/timeline/span_style.h"
#include "widgets/timeline/time_scale.h"

namespace trainyard {

/// Busy time per kind of work in any stretch of one lane, exactly and in O(log n): running sums every 16 spans, so that a picture
/// costs its pixels and not its actions. About 4 bytes a span. Borrows the timeline, which must outlive it.
class BusyIndex {
  public:
    using Sums = std::array<double, kSpanStyles>;

    /// Spans `first` to `last` (not included) of `timeline`: one lane, sorted, without overlap.
    BusyIndex(const Timeline& timeline, std::uint32_t first, std::uint32_t last);

    [[nodiscard]] std::uint32_t first() const { return first_; }
    [[nodiscard]] std::uint32_t last() const { return last_; }

    /// Ticks of each kind between two times.
    [[nodiscard]] Sums busyBetween(double begin, double end) const;

    /// Shares (0..1) of each kind in `columns` equal columns of the scale's picture, written to `out`. Columns that hold only a
    /// few spans are averaged with their neighbours, else the grid of pixels against the grid of actions would draw waves that
    /// are not there.
    void columnShares(const TimeScale& scale, int columns, std::vector<std::array<float, kSpanStyles>>& out) const;

    /// First span that ends after `time`; last() if none.
    [[nodiscard]] std::uint32_t firstEndingAfter(double time) const;
    /// First span that starts at `time` or later; last() if none.
    [[nodiscard]] std::uint32_t firstStartingFrom(double time) const;

  private:
    [[nodiscard]] Sums before(double time, std::uint32_t startedBefore) const;

    const Timeline* timeline_;
    std::uint32_t first_;
    std::uint32_t last_;
    std::vector<std::array<Ticks, kSpanStyles>> running_;  ///< sums of all spans before first_ + 16 i
    std::array<std::uint8_t, kSpanStyles> present_{};      ///< kinds that occur in the lane; the first presentCount_ entries
    std::size_t presentCount_ = 0;
};

}  // namespace trainyard
