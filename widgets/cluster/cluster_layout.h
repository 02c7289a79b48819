#pragma once

#include <QPointF>
#include <QSizeF>
#include <vector>

#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// Top left corner of every block, in scene units.
struct BlockPositions {
    std::vector<QPointF> nodes;
    std::vector<QPointF> switches;
};

/// Where the blocks stand: as drawn where the file says so, else nodes in rows below their switches, switches in tiers by
/// their distance from the nodes, each centred over what hangs on it. Deterministic.
[[nodiscard]] BlockPositions layoutBlocks(const ClusterSpec& cluster, const std::vector<QSizeF>& nodeSizes);

/// The nearest point of the drawing grid.
[[nodiscard]] QPointF snapToGrid(QPointF point);

}  // namespace trainyard
