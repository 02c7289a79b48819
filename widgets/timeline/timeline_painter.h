#pragma once

#include <QHash>
#include <QPixmap>
#include <optional>
#include <vector>

#include "widgets/timeline/measured_overlay.h"
#include "widgets/timeline/row_layout.h"
#include "widgets/timeline/span_geometry.h"

class QPainter;

namespace trainyard {

struct Theme;

/// Numbers drawn once and then copied: shaping text is the slowest thing in a timeline.
class NumberCache {
  public:
    /// Draws `number` centred in `rect` if `largest` would fit too (so that not only small numbers are shown); on a vector device
    /// as text. Returns whether it was drawn.
    bool draw(QPainter& painter, const QRectF& rect, std::uint32_t number, std::uint32_t largest, const QColor& ink,
              int pixelSize);

  private:
    QHash<quint64, QPixmap> pixmaps_;
    QHash<int, double> digitWidth_;  ///< by pixel size
};

/// What one picture of a timeline shows, besides the data.
struct TimelineScene {
    const TimelineModel* model = nullptr;  ///< not null
    TimelineLayout layout;
    TimeRange visible;

    std::optional<int> selectedRow;
    std::optional<int> hoveredRow;
    std::vector<std::uint32_t> emphasised;  ///< spans shown in full colour with an outline, all others veiled
    bool veilOthers = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arrows;
    bool arrowsAreCritical = false;
    std::optional<std::uint32_t> selectedSpan;
    std::optional<std::uint32_t> hoveredSpan;
    std::optional<TimeRange> marked;
    std::optional<double> scrubber;
    std::optional<double> pointer;              ///< time under the mouse
    const MeasuredOverlay* measured = nullptr;  ///< below the planned actions of each lane; null: none
    bool idleByCause = false;                   ///< idle stretches in the colour of what they wait for
    bool isCompact = false;                     ///< no second line in labels

    [[nodiscard]] TimeScale scale() const { return {visible, layout.rows.left(), layout.rows.width()}; }
    /// Where the planned actions of a row's compute lane stand, and the measured ones; without an overlay all is the plan's.
    [[nodiscard]] QRectF plannedLane(int row) const;
    [[nodiscard]] QRectF measuredLane(int row) const;
};

/// Paints timelines. Base and marks are apart so that a moving pointer does not repaint the spans. Everything is cut at the
/// layout's rectangles by arithmetic, not by clipping, so that SVG files are right too.
class TimelinePainter {
  public:
    /// Lanes, spans, curves, ruler and grid.
    void paintBase(QPainter& painter, const TimelineScene& scene, const Theme& theme);
    /// Row names; apart, since selection changes them.
    void paintLabels(QPainter& painter, const TimelineScene& scene, const Theme& theme) const;
    /// Emphasis, arrows, marked stretch, scrubber, pointer.
    void paintMarks(QPainter& painter, const TimelineScene& scene, const Theme& theme);

  private:
    struct Shade {
        QColor fill;
        QColor strong;
        QColor ink;
        QColor strongInk;
    };
    void preparePalette(const TimelineModel& model, const Theme& theme);
    [[nodiscard]] const Shade& shadeOf(const TimelineModel& model, const Action& action) const;
    void paintLane(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row, Lane lane, const QRectF& rect);
    void paintColumns(QPainter& painter, const QRectF& rect, const Theme& theme);
    void paintMeasured(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row);
    void paintFold(QPainter& painter, const TimelineScene& scene, const Theme& theme) const;
    void paintHeldAtScrubber(QPainter& painter, const TimelineScene& scene, const Theme& theme) const;
    void paintIdle(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row);
    void paintCurve(QPainter& painter, const TimelineScene& scene, const Theme& theme, int row);
    void paintRuler(QPainter& painter, const TimelineScene& scene, const Theme& theme) const;
    void paintEmphasised(QPainter& painter, const TimelineScene& scene, const Theme& theme);
    void paintArrows(QPainter& painter, const TimelineScene& scene, const Theme& theme) const;

    NumberCache numbers_;
    LaneGeometry geometry_;
    std::vector<StepCurve::Point> curve_;
    std::array<std::vector<Shade>, kSpanStyles> shades_;
    bool hasRoundedCorners_ = true;
};

}  // namespace trainyard
