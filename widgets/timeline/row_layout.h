#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "core/schedule/action.h"

namespace trainyard {

/// Heights of one row: compute lane, curve of activations in flight, thin lanes for traffic and copies.
struct RowAnatomy {
    double pitch = 0;  ///< from one row to the next
    double computeTop = 0;
    double computeHeight = 0;
    double curveTop = 0;
    double curveHeight = 0;  ///< 0: no room
    double thinTop = 0;
    double thinHeight = 0;
    double thinGap = 0;
    int thinLanes = 0;
};

inline constexpr double kLeastRowPitch = 13;
inline constexpr double kMostRowPitch = 96;

/// Row pitch at which `rows` fill `available` pixels, within what can be read; `zoom` > 1 makes rows taller (and scroll).
[[nodiscard]] double rowPitch(double available, int rows, int thinLanes, double zoom, double least = kLeastRowPitch);
[[nodiscard]] RowAnatomy rowAnatomy(double pitch, int thinLanes);

/// Where everything of a timeline picture sits, in its widget's pixels.
struct TimelineLayout {
    QRectF area;    ///< all
    QRectF ruler;   ///< above the rows; empty if there is none
    QRectF labels;  ///< left of the rows
    QRectF rows;    ///< the time axis' part
    RowAnatomy anatomy;
    std::vector<Lane> thinLanes;
    int rowCount = 0;
    double scroll = 0;  ///< pixels hidden above

    [[nodiscard]] double contentHeight() const { return anatomy.pitch * rowCount; }
    [[nodiscard]] double rowTop(int row) const { return rows.top() - scroll + row * anatomy.pitch; }
    [[nodiscard]] QRectF computeLane(int row) const {
        return {rows.left(), rowTop(row) + anatomy.computeTop, rows.width(), anatomy.computeHeight};
    }
    [[nodiscard]] QRectF curve(int row) const {
        return {rows.left(), rowTop(row) + anatomy.curveTop, rows.width(), anatomy.curveHeight};
    }
    [[nodiscard]] QRectF thinLane(int row, int index) const {
        return {rows.left(), rowTop(row) + anatomy.thinTop + index * (anatomy.thinHeight + anatomy.thinGap), rows.width(),
                anatomy.thinHeight};
    }
    /// Rows that are at least partly visible.
    [[nodiscard]] int firstVisible() const;
    [[nodiscard]] int lastVisible() const;

    struct Place {
        int row = 0;
        std::optional<Lane> lane;  ///< empty: over the curve or between lanes
    };
    /// Row and lane under a point right of the labels, if any.
    [[nodiscard]] std::optional<Place> placeAt(QPointF point) const;
};

inline constexpr double kRulerHeight = 24;
inline constexpr double kLabelWidth = 124;

[[nodiscard]] TimelineLayout timelineLayout(QRectF area, int rows, const std::vector<Lane>& thinLanes, double zoom, double scroll,
                                            bool hasRuler, double leastPitch = kLeastRowPitch);

}  // namespace trainyard
