#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/schedule/timeline.h"
#include "widgets/timeline/busy_index.h"
#include "widgets/timeline/step_curve.h"
#include "widgets/timeline/time_text.h"

namespace trainyard {

/// Repeating blocks that were taken out of a timeline; see foldTimeline().
struct TimelineFold {
    double cut = 0;      ///< where, in ticks
    double removed = 0;  ///< how much
    int blocks = 0;
    int microBatches = 0;  ///< of one block
};

/// What a timeline does not know about itself.
struct TimelineContext {
    TimeUnit unit;
    QString rowName = QStringLiteral("Stage %1");
    int chunks = 1;                       ///< model chunks per rank
    int slices = 1;                       ///< sequence slices per micro-batch; 0: as many as occur
    double shortestVisibleTicks = 1;      ///< closest zoom
    std::vector<double> activationBytes;  ///< per rank, of one micro-batch on its whole share; empty: unknown
    std::optional<TimelineFold> fold;
};

/// An idle stretch of a compute lane that has one cause.
struct IdlePiece {
    TimeRange range;
    IdleCause cause;
};

/// A timeline prepared for drawing: rows, lanes that have spans, running sums, in-flight curves. Immutable, cheap to share; built
/// in O(spans).
class TimelineModel {
  public:
    TimelineModel(std::shared_ptr<const Timeline> timeline, TimelineContext context);

    [[nodiscard]] const Timeline& timeline() const { return *timeline_; }
    [[nodiscard]] const TimelineContext& context() const { return context_; }
    [[nodiscard]] int rows() const { return timeline_->ranks; }
    [[nodiscard]] double makespan() const { return static_cast<double>(timeline_->makespan); }
    /// Time in the step for a place on the axis: later than shown behind a fold.
    [[nodiscard]] double realTime(double shown) const {
        return context_.fold && shown >= context_.fold->cut ? shown + context_.fold->removed : shown;
    }
    /// The whole step, folded or not.
    [[nodiscard]] double realMakespan() const { return makespan() + (context_.fold ? context_.fold->removed : 0); }
    [[nodiscard]] TimeLimits limits() const { return {makespan(), context_.shortestVisibleTicks}; }

    /// Lanes besides compute that have spans on any rank, in lane order.
    [[nodiscard]] const std::vector<Lane>& thinLanes() const { return thinLanes_; }
    [[nodiscard]] const BusyIndex& lane(int row, Lane lane) const { return lanes_[laneIndex(row, lane)]; }
    [[nodiscard]] const StepCurve& inFlight(int row) const { return inFlight_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] float largestInFlight() const { return largestInFlight_; }

    [[nodiscard]] bool has(SpanStyle style) const { return hasStyle_[static_cast<std::size_t>(style)]; }
    [[nodiscard]] bool hasKind(ActionKind kind) const { return (kinds_ >> static_cast<unsigned>(kind) & 1U) != 0; }
    [[nodiscard]] int microBatches() const { return microBatches_; }
    /// Variants of each colour: model chunks of a rank, or pipes in opposite directions.
    [[nodiscard]] int shades() const { return shades_; }

    [[nodiscard]] int rowOf(std::uint32_t span) const;
    [[nodiscard]] Lane laneOf(std::uint32_t span) const;
    [[nodiscard]] TimeRange rangeOf(std::uint32_t span) const {
        return {static_cast<double>(timeline_->start[span]), static_cast<double>(timeline_->end[span])};
    }
    /// Span of this lane that covers `time`, if any.
    [[nodiscard]] std::optional<std::uint32_t> spanAt(int row, Lane lane, double time) const;

    /// Compute spans of one micro-batch, in order of start.
    [[nodiscard]] std::vector<std::uint32_t> spansOfMicroBatch(int microBatch) const;
    /// Data dependencies between those spans that cross from one stage to the next, as pairs (producer, consumer).
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> dependencies(int microBatch) const;
    /// The chain of spans that decides the makespan, in order of time.
    [[nodiscard]] const std::vector<std::uint32_t>& criticalPath() const { return criticalPath_; }

    /// How long the lane stood idle before this span, in ticks.
    [[nodiscard]] double waitBefore(std::uint32_t span) const;
    /// Idle stretches of a row's compute lane that touch `range`, split by cause, in order of time.
    [[nodiscard]] std::vector<IdlePiece> idlePieces(int row, TimeRange range) const;
    /// Next time after `time` at which any compute span starts, or the one before it; empty at the ends.
    [[nodiscard]] std::optional<double> nextStart(double time) const;
    [[nodiscard]] std::optional<double> previousStart(double time) const;
    /// The compute span of the same action (kind, micro-batch, stage, slice), e.g. of another model.
    [[nodiscard]] std::optional<std::uint32_t> spanOf(const Action& action) const;

    [[nodiscard]] QString rowTitle(int row) const { return context_.rowName.arg(row); }
    /// `forward 6 on stage 1` in the words of this picture.
    [[nodiscard]] QString describe(std::uint32_t span) const;

  private:
    [[nodiscard]] static std::size_t laneIndex(int row, Lane lane) {
        return static_cast<std::size_t>(row) * kLaneCount + static_cast<std::size_t>(lane);
    }

    std::shared_ptr<const Timeline> timeline_;
    TimelineContext context_;
    std::vector<BusyIndex> lanes_;  ///< rows x lanes
    std::vector<StepCurve> inFlight_;
    std::vector<Lane> thinLanes_;
    std::vector<std::uint32_t> microBatchBegin_;  ///< into microBatchSpans_
    std::vector<std::uint32_t> microBatchSpans_;  ///< compute spans by micro-batch, then rank, then time
    std::vector<std::uint32_t> criticalPath_;
    std::array<bool, kSpanStyles> hasStyle_{};
    std::uint32_t kinds_ = 0;  ///< bit per ActionKind
    int microBatches_ = 0;
    int shades_ = 1;
    float largestInFlight_ = 0;
};

}  // namespace trainyard
