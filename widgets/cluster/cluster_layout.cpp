#include "widgets/cluster/cluster_layout.h"

#include <QRectF>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

#include "widgets/cluster/node_geometry.h"

namespace trainyard {
namespace {

constexpr double kNodeGapX = 32;
constexpr double kNodeGapY = 48;
constexpr double kSiteGap = 120;
constexpr double kSwitchGap = 56;
constexpr double kTierGap = 72;
constexpr int kMostInOneRow = 5;

/// Switches and nodes as one graph: node blocks first, then switches.
struct Graph {
    std::size_t nodes = 0;
    std::vector<std::vector<std::size_t>> neighbours;
    std::vector<int> tier;  ///< 0: node, 1: switch next to a node, ...
};

Graph graphOf(const ClusterSpec& cluster) {
    Graph graph;
    graph.nodes = cluster.nodes.size();
    const auto vertices = graph.nodes + cluster.switches.size();
    graph.neighbours.resize(vertices);
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < graph.nodes; ++i) index.emplace(cluster.nodes[i].id, i);
    for (std::size_t i = 0; i < cluster.switches.size(); ++i) index.emplace(cluster.switches[i].id, graph.nodes + i);
    for (const auto& link : cluster.links) {
        const auto from = index.find(link.from);
        const auto to = index.find(link.to);
        if (from == index.end() || to == index.end() || from->second == to->second) continue;
        graph.neighbours[from->second].push_back(to->second);
        graph.neighbours[to->second].push_back(from->second);
    }
    graph.tier.assign(vertices, -1);
    std::vector<std::size_t> ring(graph.nodes);
    std::iota(ring.begin(), ring.end(), std::size_t{0});
    for (const auto v : ring) graph.tier[v] = 0;
    for (int tier = 1; !ring.empty(); ++tier) {
        std::vector<std::size_t> next;
        for (const auto v : ring)
            for (const auto n : graph.neighbours[v])
                if (graph.tier[n] < 0) {
                    graph.tier[n] = tier;
                    next.push_back(n);
                }
        ring = std::move(next);
    }
    for (auto& tier : graph.tier) tier = tier < 0 ? 1 : tier;
    return graph;
}

/// Nodes that hang on one leaf switch (or belong to one site) form a group; groups stand side by side.
std::vector<std::vector<std::size_t>> groupsOf(const ClusterSpec& cluster, const Graph& graph) {
    const auto count = graph.nodes;
    std::map<std::string_view, std::map<std::size_t, std::vector<std::size_t>>> bySite;
    std::vector<std::string_view> sites;
    for (std::size_t i = 0; i < count; ++i) {
        if (!bySite.contains(cluster.nodes[i].site)) sites.push_back(cluster.nodes[i].site);
        auto leaf = graph.neighbours.size();
        for (const auto n : graph.neighbours[i])
            if (n >= count) leaf = std::min(leaf, n);
        bySite[cluster.nodes[i].site][leaf].push_back(i);
    }
    std::vector<std::vector<std::size_t>> groups;
    for (const auto site : sites) {
        auto& leaves = bySite[site];
        const bool split = count > kMostInOneRow && leaves.size() > 1 && leaves.size() * 2 <= count;
        if (split) {
            for (auto& [leaf, nodes] : leaves) groups.push_back(std::move(nodes));
            continue;
        }
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < count; ++i)
            if (cluster.nodes[i].site == site) all.push_back(i);
        groups.push_back(std::move(all));
    }
    return groups;
}

/// Nodes in rows, group beside group; returns the width they fill.
double placeNodes(const ClusterSpec& cluster, const Graph& graph, const std::vector<QSizeF>& sizes, std::vector<QPointF>& positions) {
    const auto count = cluster.nodes.size();
    positions.assign(count, {});
    if (count == 0) return 0;
    double meanWidth = 0;
    double meanHeight = 0;
    for (const auto& size : sizes) {
        meanWidth += size.width() + kNodeGapX;
        meanHeight += size.height() + kNodeGapY;
    }
    meanWidth /= static_cast<double>(count);
    meanHeight /= static_cast<double>(count);
    // About twice as wide as high, all groups together.
    const double wanted = std::sqrt(static_cast<double>(count) * 2.2 * meanHeight / meanWidth);

    const auto groups = groupsOf(cluster, graph);
    double left = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& group = groups[g];
        auto columns = group.size();
        if (count > kMostInOneRow) {
            const double share = std::max(1.0, wanted * static_cast<double>(group.size()) / static_cast<double>(count));
            const auto rows = std::max(1.0, std::round(static_cast<double>(group.size()) / share));
            columns = static_cast<std::size_t>(std::ceil(static_cast<double>(group.size()) / rows));
        }
        double y = 0;
        double widest = 0;
        std::vector<std::pair<std::size_t, double>> rowWidths;
        for (std::size_t begin = 0; begin < group.size(); begin += columns) {
            const auto end = std::min(group.size(), begin + columns);
            double x = 0;
            double height = 0;
            for (auto k = begin; k < end; ++k) {
                positions[group[k]] = {left + x, y};
                x += sizes[group[k]].width() + kNodeGapX;
                height = std::max(height, sizes[group[k]].height());
            }
            rowWidths.emplace_back(begin, x - kNodeGapX);
            widest = std::max(widest, x - kNodeGapX);
            y += height + kNodeGapY;
        }
        // Rows of a single group are centred while they are few; a grid keeps its columns.
        if (groups.size() == 1 && rowWidths.size() <= 3)
            for (const auto& [begin, width] : rowWidths)
                for (auto k = begin; k < std::min(group.size(), begin + columns); ++k) positions[group[k]].rx() += (widest - width) / 2;
        const bool border = g + 1 < groups.size() && cluster.nodes[group.front()].site != cluster.nodes[groups[g + 1].front()].site;
        left += widest + kNodeGapX + (border ? kSiteGap : groups.size() > 1 ? kNodeGapX / 2 : 0);
    }
    return left - kNodeGapX - (groups.size() > 1 ? kNodeGapX / 2 : 0);
}

/// Centres over their wishes, at least `pitch` apart, as near to the wishes as a left-to-right push allows.
void spread(std::vector<std::pair<double, std::size_t>>& wishes, double pitch) {
    std::ranges::stable_sort(wishes, {}, &std::pair<double, std::size_t>::first);
    // Neighbours that are too near form a cluster around their common mean.
    struct Cluster {
        double mean;
        std::size_t count;
    };
    std::vector<Cluster> clusters;
    for (const auto& wish : wishes) {
        clusters.push_back({wish.first, 1});
        while (clusters.size() > 1) {
            auto& left = clusters[clusters.size() - 2];
            const auto& right = clusters.back();
            const double needed = pitch * static_cast<double>(left.count + right.count) / 2;
            if (right.mean - left.mean >= needed) break;
            const auto total = left.count + right.count;
            left.mean = (left.mean * static_cast<double>(left.count) + right.mean * static_cast<double>(right.count)) /
                        static_cast<double>(total);
            left.count = total;
            clusters.pop_back();
        }
    }
    std::size_t k = 0;
    for (const auto& cluster : clusters)
        for (std::size_t i = 0; i < cluster.count; ++i, ++k)
            wishes[k].first = cluster.mean + (static_cast<double>(i) - static_cast<double>(cluster.count - 1) / 2) * pitch;
}

}  // namespace

QPointF snapToGrid(QPointF point) {
    return {std::round(point.x() / kCanvasGrid) * kCanvasGrid, std::round(point.y() / kCanvasGrid) * kCanvasGrid};
}

BlockPositions layoutBlocks(const ClusterSpec& cluster, const std::vector<QSizeF>& nodeSizes) {
    BlockPositions result;
    const auto graph = graphOf(cluster);
    const double nodesWidth = placeNodes(cluster, graph, nodeSizes, result.nodes);
    result.switches.assign(cluster.switches.size(), {});

    const QSizeF pill = switchSize();
    const double pitch = pill.width() + kSwitchGap;
    int tiers = 0;
    for (std::size_t s = 0; s < cluster.switches.size(); ++s) tiers = std::max(tiers, graph.tier[graph.nodes + s]);
    std::vector<double> centre(graph.neighbours.size(), nodesWidth / 2);
    for (std::size_t i = 0; i < graph.nodes; ++i) centre[i] = result.nodes[i].x() + nodeSizes[i].width() / 2;
    for (int tier = 1; tier <= tiers; ++tier) {
        std::vector<std::pair<double, std::size_t>> wishes;
        for (std::size_t s = 0; s < cluster.switches.size(); ++s) {
            const auto v = graph.nodes + s;
            if (graph.tier[v] != tier) continue;
            double sum = 0;
            int below = 0;
            for (const auto n : graph.neighbours[v]) {
                if (graph.tier[n] >= tier) continue;
                sum += centre[n];
                ++below;
            }
            wishes.emplace_back(below > 0 ? sum / below : nodesWidth / 2, s);
        }
        // Switches that are joined with each other leave room for the figures of that cable.
        const bool joined = std::ranges::any_of(wishes, [&](const auto& wish) {
            return std::ranges::any_of(graph.neighbours[graph.nodes + wish.second],
                                       [&](std::size_t n) { return n >= graph.nodes && graph.tier[n] == tier; });
        });
        spread(wishes, joined ? pitch + kSwitchGap * 1.6 : pitch);
        for (const auto& [x, s] : wishes) {
            centre[graph.nodes + s] = x;
            result.switches[s] = {x - pill.width() / 2, -kTierGap - pill.height() - (tier - 1) * (pill.height() + kTierGap)};
        }
    }

    // What was placed by hand stays; the rest goes below it as one piece.
    QRectF drawn;
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i)
        if (const auto& at = cluster.nodes[i].position) drawn |= QRectF(QPointF(at->x, at->y), nodeSizes[i]);
    for (const auto& item : cluster.switches)
        if (item.position) drawn |= QRectF(QPointF(item.position->x, item.position->y), pill);
    QRectF automatic;
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i)
        if (!cluster.nodes[i].position) automatic |= QRectF(result.nodes[i], nodeSizes[i]);
    for (std::size_t i = 0; i < cluster.switches.size(); ++i)
        if (!cluster.switches[i].position) automatic |= QRectF(result.switches[i], pill);
    const QPointF shift = drawn.isNull() ? QPointF() : QPointF(drawn.left() - automatic.left(), drawn.bottom() + kTierGap - automatic.top());
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
        const auto& at = cluster.nodes[i].position;
        result.nodes[i] = at ? QPointF(at->x, at->y) : snapToGrid(result.nodes[i] + shift);
    }
    for (std::size_t i = 0; i < cluster.switches.size(); ++i) {
        const auto& at = cluster.switches[i].position;
        result.switches[i] = at ? QPointF(at->x, at->y) : snapToGrid(result.switches[i] + shift);
    }
    return result;
}

}  // namespace trainyard
