#include "widgets/timeline/row_layout.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

double rowPitch(double available, int rows, int thinLanes, double zoom, double least) {
    const double most = kMostRowPitch + 8 * thinLanes;
    const double fitting = std::clamp(available / std::max(1, rows), least, most);
    return std::clamp(fitting * zoom, least, 2 * most);
}

RowAnatomy rowAnatomy(double pitch, int thinLanes) {
    RowAnatomy a;
    a.pitch = pitch;
    // Whole pixels throughout, so that edges are sharp.
    const double air = pitch >= 40 ? std::floor(pitch * 0.10) : (pitch >= 20 ? 3 : (pitch >= 10 ? 2 : 1));
    double left = pitch - air;
    a.computeTop = std::floor(air / 2);
    if (thinLanes > 0 && pitch >= 22) {
        a.thinGap = pitch >= 40 ? 2 : 1;
        a.thinLanes = thinLanes;
        const double share = std::min(0.34, 0.11 * thinLanes);
        a.thinHeight = std::clamp(std::floor(left * share / thinLanes - a.thinGap), 2.0, 7.0);
        left -= thinLanes * (a.thinHeight + a.thinGap);
    }
    if (pitch >= 24) {
        a.curveHeight = std::clamp(std::floor(left * 0.34), 5.0, 32.0);
        left -= a.curveHeight + 2;
    }
    a.computeHeight = std::max(3.0, std::floor(left));
    a.curveTop = a.computeTop + a.computeHeight + 2;
    a.thinTop = a.computeTop + a.computeHeight + (a.curveHeight > 0 ? a.curveHeight + 2 : 0) + a.thinGap;
    return a;
}

int TimelineLayout::firstVisible() const {
    return std::clamp(static_cast<int>(std::floor(scroll / anatomy.pitch)), 0, std::max(0, rowCount - 1));
}

int TimelineLayout::lastVisible() const {
    return std::clamp(static_cast<int>(std::floor((scroll + rows.height() - 0.5) / anatomy.pitch)), -1, rowCount - 1);
}

std::optional<TimelineLayout::Place> TimelineLayout::placeAt(QPointF point) const {
    if (!rows.contains(point) || rowCount == 0) return std::nullopt;
    const int row = static_cast<int>(std::floor((point.y() - rows.top() + scroll) / anatomy.pitch));
    if (row < 0 || row >= rowCount) return std::nullopt;
    Place place{row, std::nullopt};
    const double y = point.y();
    if (const QRectF lane = computeLane(row); y >= lane.top() && y <= lane.bottom()) place.lane = Lane::compute;
    for (int index = 0; index < anatomy.thinLanes; ++index) {
        const QRectF lane = thinLane(row, index);
        if (y >= lane.top() - 1 && y <= lane.bottom() + 1) place.lane = thinLanes[static_cast<std::size_t>(index)];
    }
    return place;
}

TimelineLayout timelineLayout(QRectF area, int rows, const std::vector<Lane>& thinLanes, double zoom, double scroll,
                              bool hasRuler, double leastPitch) {
    TimelineLayout layout;
    layout.area = area;
    const double ruler = hasRuler ? kRulerHeight : 0;
    const double labels = std::min(kLabelWidth, area.width() / 3);
    layout.ruler = QRectF(area.left() + labels, area.top(), area.width() - labels, ruler);
    layout.labels = QRectF(area.left(), area.top() + ruler, labels, area.height() - ruler);
    layout.rows = QRectF(area.left() + labels, area.top() + ruler, area.width() - labels, area.height() - ruler);
    layout.rowCount = rows;
    layout.thinLanes = thinLanes;
    const int lanes = static_cast<int>(thinLanes.size());
    layout.anatomy = rowAnatomy(rowPitch(layout.rows.height(), rows, lanes, zoom, leastPitch), lanes);
    layout.scroll = std::clamp(scroll, 0.0, std::max(0.0, layout.contentHeight() - layout.rows.height()));
    return layout;
}

}  // namespace trainyard
