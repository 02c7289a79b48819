#include "widgets/timeline/timeline_viewport.h"

namespace trainyard {

void TimelineViewport::setLimits(TimeLimits limits) {
    const double factor = hasLimits_ ? limits.whole / limits_.whole : 1;
    const bool showsAll = !hasLimits_ || visible_ == wholeRange(limits_.whole);
    limits_ = limits;
    hasLimits_ = true;
    if (marked_) setMarked(TimeRange{marked_->begin * factor, marked_->end * factor});
    if (scrubber_) setScrubber(*scrubber_ * factor);
    if (showsAll) {
        showAll();
    } else {
        setVisible({visible_.begin * factor, visible_.end * factor});
    }
}

void TimelineViewport::setVisible(TimeRange range) {
    const TimeRange clamped = clampRange(range, limits_);
    if (clamped == visible_) return;
    visible_ = clamped;
    emit visibleChanged();
}

void TimelineViewport::showAll() {
    if (visible_ == wholeRange(limits_.whole)) return;
    visible_ = wholeRange(limits_.whole);
    emit visibleChanged();
}

void TimelineViewport::zoom(double anchor, double factor) { setVisible(zoomRange(visible_, anchor, factor, limits_)); }

void TimelineViewport::pan(double ticks) { setVisible(panRange(visible_, ticks, limits_)); }

void TimelineViewport::setMarked(std::optional<TimeRange> range) {
    if (range && range->end < range->begin) std::swap(range->begin, range->end);
    if (range == marked_) return;
    marked_ = range;
    emit markedChanged();
}

void TimelineViewport::setScrubber(std::optional<double> time) {
    if (time) time = std::clamp(*time, 0.0, limits_.whole);
    if (time == scrubber_) return;
    scrubber_ = time;
    emit scrubberChanged();
}

}  // namespace trainyard
