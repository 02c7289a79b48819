#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/cluster/cluster_spec.h"

namespace trainyard {

inline constexpr double kCanvasGrid = 8;

/// Where everything of one node block is drawn, in block coordinates (top left is 0, 0). Up to 16 devices are chips with a
/// number, more are cells; a block of several nodes shows one node's devices and below them a map of all nodes.
struct NodeGeometry {
    QSizeF size;
    QRectF title;
    QRectF badge;
    std::int64_t devices = 0;   ///< per node
    std::int64_t nodes = 1;     ///< the block's count
    bool numbered = true;       ///< chips with a number, else plain cells
    bool everyNode = false;     ///< so few devices in all that the chips are those of every node, and there is no map
    std::vector<QRectF> chips;  ///< of one node (or of every node), at most kMostChips

    bool hasMap = false;
    QRectF map;
    double cell = 0;            ///< edge of one device in the map
    double tileGap = 0;         ///< between two nodes in the map
    int tileColumns = 1;        ///< devices side by side within a node
    int tileRows = 1;
    int tilesPerRow = 1;
    std::int64_t nodeStep = 1;  ///< every so many-th node has a tile (1 unless the block is enormous)

    static constexpr std::size_t kMostChips = 4096;

    struct Hit {
        std::int64_t instance = 0;
        std::int64_t device = 0;  ///< within the node
        bool inMap = false;
    };
    /// Node and device within it of a chip; `front` is the node whose chips are shown.
    [[nodiscard]] Hit chip(std::size_t index, std::int64_t front) const {
        const auto i = static_cast<std::int64_t>(index);
        return everyNode ? Hit{i / devices, i % devices, false} : Hit{front, i, false};
    }
    /// The device under a point; `front` is the node whose chips are shown.
    [[nodiscard]] std::optional<Hit> hit(QPointF point, std::int64_t front) const;
    [[nodiscard]] QRectF tile(std::int64_t instance) const;
    [[nodiscard]] std::int64_t tiles() const { return nodeStep > 0 ? (nodes + nodeStep - 1) / nodeStep : 0; }
};

[[nodiscard]] NodeGeometry geometryOf(const NodeSpec& node);

/// Size of a switch pill.
[[nodiscard]] QSizeF switchSize();

}  // namespace trainyard
