#include "widgets/cluster/node_geometry.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr double kPadding = 12;
constexpr std::int64_t kMostChipsOfEveryNode = 16;
constexpr double kHeader = 47;
constexpr double kBaseWidth = 240;

double onGrid(double value) { return std::ceil(value / kCanvasGrid) * kCanvasGrid; }

struct ChipGrid {
    int columns = 4;
    double width = kBaseWidth;
    double chipHeight = 24;
    double gap = 7;
    bool numbered = true;
};

ChipGrid gridFor(std::int64_t devices, std::int64_t largestGroup) {
    ChipGrid grid;
    if (devices <= 16) {
        if (largestGroup <= 2) grid.columns = 2;
        else if (largestGroup <= 8) grid.columns = 4;
        else {
            grid.columns = 8;
            grid.width = 320;
        }
        return grid;
    }
    // Cells twice as wide as the block is high; smaller the more there are.
    grid.numbered = false;
    const auto columns = std::ceil(std::sqrt(static_cast<double>(std::min<std::int64_t>(devices, NodeGeometry::kMostChips)) * 2.0));
    grid.columns = static_cast<int>(std::clamp(columns, 12.0, 96.0));
    const double cell = grid.columns <= 16 ? 14 : grid.columns <= 32 ? 8 : 5;
    grid.gap = grid.columns <= 32 ? 2 : 1;
    grid.chipHeight = cell;
    grid.width = std::max(kBaseWidth, onGrid(grid.columns * (cell + grid.gap) + 2 * kPadding));
    return grid;
}

struct MapFit {
    double width = kBaseWidth;
    double cell = 6;
    double gap = 3;
    int perRow = 1;
    std::int64_t step = 1;
    double height = 0;
};

MapFit fitMap(const NodeGeometry& g, double width) {
    MapFit fit;
    for (const double w : {width, 320.0, 408.0, 520.0, 640.0}) {
        if (w < width) continue;
        for (const double cell : {6.0, 5.0, 4.0, 3.0, 2.0}) {
            fit.width = w;
            fit.cell = cell;
            fit.gap = cell >= 5 ? 4 : cell >= 3 ? 2 : 1;
            const double tileWidth = g.tileColumns * cell;
            const double tileHeight = g.tileRows * cell;
            fit.perRow = std::max(1, static_cast<int>((w - 2 * kPadding + fit.gap) / (tileWidth + fit.gap)));
            const auto rows = (g.nodes + fit.perRow - 1) / fit.perRow;
            fit.height = static_cast<double>(rows) * (tileHeight + fit.gap) - fit.gap;
            if (fit.height <= (w > 400 ? w * 0.42 : w > 240 ? 96 : 64)) return fit;
        }
    }
    // Too many even for the largest block: show every so many-th node.
    const double tileHeight = g.tileRows * fit.cell;
    const auto rows = std::max<std::int64_t>(1, static_cast<std::int64_t>(fit.width * 0.42 / (tileHeight + fit.gap)));
    const auto shown = rows * fit.perRow;
    fit.step = (g.nodes + shown - 1) / shown;
    const auto tiles = (g.nodes + fit.step - 1) / fit.step;
    fit.height = static_cast<double>((tiles + fit.perRow - 1) / fit.perRow) * (tileHeight + fit.gap) - fit.gap;
    return fit;
}

}  // namespace

NodeGeometry geometryOf(const NodeSpec& node) {
    NodeGeometry g;
    g.devices = node.devicesPerNode();
    g.nodes = std::max<std::int64_t>(1, node.count);
    std::int64_t largest = 0;
    for (const auto& group : node.accelerators) largest = std::max(largest, group.count);
    g.everyNode = g.nodes > 1 && g.devices > 0 && g.devices <= kMostChipsOfEveryNode && g.nodes <= kMostChipsOfEveryNode &&
                  g.nodes * g.devices <= kMostChipsOfEveryNode;
    const auto grid = gridFor(g.devices, g.everyNode && g.devices == 1 ? std::min<std::int64_t>(g.nodes, 4) : largest);
    g.numbered = grid.numbered;
    double width = grid.width;

    g.hasMap = g.nodes > 1 && g.devices > 0 && !g.everyNode;
    MapFit map;
    if (g.hasMap) {
        g.tileColumns = static_cast<int>(std::min<std::int64_t>(g.numbered ? std::min(grid.columns, 8) : grid.columns, g.devices));
        if (g.devices == 2) g.tileColumns = 2;
        g.tileRows = static_cast<int>((g.devices + g.tileColumns - 1) / g.tileColumns);
        map = fitMap(g, width);
        width = map.width;
    }

    const double inner = width - 2 * kPadding;
    const double chipWidth = (inner - (grid.columns - 1) * grid.gap) / grid.columns;
    double y = kHeader;
    const auto perGroup = [&](std::int64_t count) {
        for (std::int64_t i = 0; i < count && g.chips.size() < NodeGeometry::kMostChips; ++i) {
            const auto column = static_cast<double>(i % grid.columns);
            const auto row = static_cast<double>(i / grid.columns);
            g.chips.emplace_back(kPadding + column * (chipWidth + grid.gap), y + row * (grid.chipHeight + grid.gap), chipWidth,
                                 grid.chipHeight);
        }
        if (!g.chips.empty()) y = g.chips.back().bottom() + grid.gap;
    };
    // Each kind of accelerator starts a row of its own, so that mixed hosts read at a glance.
    if (g.everyNode && g.devices == 1) perGroup(g.nodes);
    else
        for (std::int64_t i = 0; i < (g.everyNode ? g.nodes : 1); ++i)
            for (const auto& group : node.accelerators) perGroup(group.count);
    if (g.chips.empty()) y += grid.chipHeight;
    else y -= grid.gap;

    if (g.hasMap) {
        g.cell = map.cell;
        g.tileGap = map.gap;
        g.nodeStep = map.step;
        // Full rows rather than one long row and a rest.
        const auto rows = (g.tiles() + map.perRow - 1) / map.perRow;
        g.tilesPerRow = static_cast<int>(std::max<std::int64_t>(1, (g.tiles() + rows - 1) / rows));
        const auto used = std::min<std::int64_t>(g.tiles(), g.tilesPerRow);
        const double mapWidth = static_cast<double>(used) * (g.tileColumns * g.cell + g.tileGap) - g.tileGap;
        g.map = QRectF(kPadding, y + 10, mapWidth, map.height);
        y = g.map.bottom();
    }
    g.size = QSizeF(width, onGrid(y + kPadding));
    const double badgeWidth = g.nodes >= 10000 ? 56 : g.nodes >= 1000 ? 48 : g.nodes >= 100 ? 40 : 34;
    g.badge = QRectF(width - kPadding - badgeWidth + 2, 10, badgeWidth, 22);
    g.title = QRectF(kPadding, 8, width - 2 * kPadding - (g.nodes > 1 ? badgeWidth + 4 : 0), 20);
    return g;
}

QRectF NodeGeometry::tile(std::int64_t instance) const {
    if (!hasMap) return {};
    const auto index = instance / std::max<std::int64_t>(1, nodeStep);
    const double pitchX = tileColumns * cell + tileGap;
    const double pitchY = tileRows * cell + tileGap;
    return {map.left() + static_cast<double>(index % tilesPerRow) * pitchX,
            map.top() + static_cast<double>(index / tilesPerRow) * pitchY, tileColumns * cell, tileRows * cell};
}

std::optional<NodeGeometry::Hit> NodeGeometry::hit(QPointF point, std::int64_t front) const {
    for (std::size_t i = 0; i < chips.size(); ++i)
        if (chips[i].contains(point)) return chip(i, front);
    if (!hasMap || !map.adjusted(0, 0, tileGap, tileGap).contains(point)) return std::nullopt;
    const double pitchX = tileColumns * cell + tileGap;
    const double pitchY = tileRows * cell + tileGap;
    const QPointF inMap = point - map.topLeft();
    const auto column = std::min<std::int64_t>(static_cast<std::int64_t>(inMap.x() / pitchX), tilesPerRow - 1);
    const auto row = static_cast<std::int64_t>(inMap.y() / pitchY);
    const auto index = row * tilesPerRow + column;
    if (index >= tiles()) return std::nullopt;
    const QPointF inTile(inMap.x() - static_cast<double>(column) * pitchX, inMap.y() - static_cast<double>(row) * pitchY);
    const auto x = std::min<std::int64_t>(static_cast<std::int64_t>(inTile.x() / cell), tileColumns - 1);
    const auto y = std::min<std::int64_t>(static_cast<std::int64_t>(inTile.y() / cell), tileRows - 1);
    const auto device = y * tileColumns + x;
    if (device >= devices) return std::nullopt;
    return Hit{index * nodeStep, device, true};
}

QSizeF switchSize() { return {208, 46}; }

}  // namespace trainyard
