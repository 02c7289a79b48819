#include "widgets/cluster/cluster_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "widgets/cluster/block_text.h"
#include "widgets/cluster/cluster_layout.h"
#include "widgets/cluster/link_item.h"
#include "widgets/cluster/node_geometry.h"
#include "widgets/cluster/node_item.h"
#include "widgets/cluster/switch_item.h"

namespace trainyard {
namespace {

/// More labels than this are noise; then only the hovered and picked links say their figures.
constexpr std::size_t kMostLabels = 24;

/// Cables go around blocks only while those are few enough to be looked at one by one.
constexpr std::size_t kMostNodesToAvoid = 300;

/// If node blocks lie between an upper anchor and a lower one, the place where a cable can turn into the gap left of the
/// lower block's column.
std::optional<QPointF> channelBetween(QPointF upper, QPointF lower, const std::vector<QRectF>& rects, std::size_t nodes) {
    double firstTop = lower.y();
    std::optional<double> left;
    bool blocked = false;
    for (std::size_t i = 0; i < nodes; ++i) {
        const QRectF& rect = rects[i];
        if (rect.left() <= lower.x() && lower.x() <= rect.right() && std::abs(rect.top() - lower.y()) < 1) left = rect.left();
        if (rect.top() < upper.y() + 4 || rect.bottom() > lower.y() - 4) continue;
        if (rect.left() - 8 > lower.x() || rect.right() + 8 < lower.x()) continue;
        blocked = true;
        firstTop = std::min(firstTop, rect.top());
    }
    if (!blocked || !left) return std::nullopt;
    return QPointF(*left - 16, firstTop - 6);
}

/// Makes `items` as many as asked, all in `scene`.
template <class Item>
void resizeItems(std::vector<Item*>& items, std::size_t count, QGraphicsScene& scene, const CanvasLook& look) {
    while (items.size() > count) {
        delete items.back();
        items.pop_back();
    }
    items.reserve(count);
    while (items.size() < count) {
        items.push_back(new Item(look));
        scene.addItem(items.back());
    }
}

}  // namespace

ClusterScene::ClusterScene(QObject* parent) : QGraphicsScene(parent) { look_.theme = &Theme::current(); }

ClusterScene::~ClusterScene() = default;

void ClusterScene::showScenario(const Snapshot& snapshot) {
    const bool sameCluster = snapshot_ && snapshot_->cluster == snapshot->cluster;
    if (!sameCluster) setHovered({}, std::nullopt);
    snapshot_ = snapshot;
    if (!sameCluster) rebuildItems();
    repaintColours();
}

void ClusterScene::showEvaluation(std::shared_ptr<const Evaluation> evaluation) {
    evaluation_ = std::move(evaluation);
    repaintColours();
}

void ClusterScene::setColourBy(ColourBy by) {
    by_ = by;
    repaintColours();
}

void ClusterScene::refreshTheme() {
    look_.theme = &Theme::current();
    repaintColours();
}

void ClusterScene::rebuildItems() {
    const ClusterSpec& spec = cluster();
    resizeItems(nodes_, spec.nodes.size(), *this, look_);
    resizeItems(switches_, spec.switches.size(), *this, look_);
    resizeItems(links_, spec.links.size(), *this, look_);
    byId_.clear();
    std::int64_t firstDevice = 0;
    std::vector<QSizeF> sizes;
    sizes.reserve(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i]->show(spec.nodes[i], static_cast<int>(i), firstDevice);
        firstDevice += spec.nodes[i].count * spec.nodes[i].devicesPerNode();
        sizes.push_back(nodes_[i]->geometry().size);
        byId_.emplace(spec.nodes[i].id, BlockRef{BlockRef::Kind::node, static_cast<int>(i)});
    }
    for (std::size_t i = 0; i < switches_.size(); ++i)
        byId_.emplace(spec.switches[i].id, BlockRef{BlockRef::Kind::networkSwitch, static_cast<int>(i)});
    std::map<std::string_view, std::pair<std::int64_t, const LinkSpec*>> ports;  // of each switch: cables, widest link
    for (const auto& link : spec.links) {
        const auto countEnd = [&](const std::string& end, const std::string& other) {
            const auto ref = find(end);
            if (ref.kind != BlockRef::Kind::networkSwitch) return;
            const auto far = find(other);
            const auto nodes = far.kind == BlockRef::Kind::node ? spec.nodes[static_cast<std::size_t>(far.index)].count : 1;
            auto& entry = ports[end];
            entry.first += link.count * nodes;
            if (entry.second == nullptr || link.bandwidthBytesPerS > entry.second->bandwidthBytesPerS) entry.second = &link;
        };
        countEnd(link.from, link.to);
        countEnd(link.to, link.from);
    }
    for (std::size_t i = 0; i < switches_.size(); ++i) {
        QString text;
        if (const auto it = ports.find(spec.switches[i].id); it != ports.end())
            text = QStringLiteral("%1 × %2").arg(QString::fromStdString(grouped(it->second.first)), rateText(it->second.second->kind, it->second.second->bandwidthBytesPerS));
        switches_[i]->show(spec.switches[i], static_cast<int>(i), text);
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
        links_[i]->show(spec.links[i], static_cast<int>(i));
        links_[i]->setLabelShown(links_.size() <= kMostLabels);
    }

    const auto positions = layoutBlocks(spec, sizes);
    home_.assign(positions.nodes.begin(), positions.nodes.end());
    home_.insert(home_.end(), positions.switches.begin(), positions.switches.end());
    clearDrag();
}

void ClusterScene::clearDrag() { setDrag({}, {}); }

void ClusterScene::setDrag(const std::vector<std::string>& ids, QPointF offset) {
    const std::set<std::string> moved(ids.begin(), ids.end());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        nodes_[i]->setPos(moved.contains(nodes_[i]->node().id) ? home_[i] + offset : home_[i]);
    for (std::size_t i = 0; i < switches_.size(); ++i) {
        const auto& at = home_[nodes_.size() + i];
        switches_[i]->setPos(moved.contains(switches_[i]->networkSwitch().id) ? at + offset : at);
    }
    routeLinks();
    const QRectF content = contentRect();
    // Room to scroll past the edge, so that a block can be dragged into the open.
    setSceneRect(content.adjusted(-1600, -1200, 1600, 1200));
}

void ClusterScene::routeLinks() {
    enum class Side : std::uint8_t { top, bottom, left, right };
    struct End {
        std::size_t link;
        bool isFrom;
        double towards;  ///< where the other end lies along this side
    };
    const auto& links = cluster().links;
    std::map<std::pair<int, Side>, std::vector<End>> ends;
    struct Anchor {
        QPointF point, direction;
    };
    std::vector<std::pair<Anchor, Anchor>> anchors(links.size());
    const auto keyOf = [&](BlockRef ref) {
        return ref.kind == BlockRef::Kind::node ? ref.index : static_cast<int>(nodes_.size()) + ref.index;
    };
    std::vector<QRectF> rects(nodes_.size() + switches_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) rects[i] = rectOf({BlockRef::Kind::node, static_cast<int>(i)});
    for (std::size_t i = 0; i < switches_.size(); ++i)
        rects[nodes_.size() + i] = rectOf({BlockRef::Kind::networkSwitch, static_cast<int>(i)});

    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto from = find(links[i].from);
        const auto to = find(links[i].to);
        if (!from || !to) continue;
        const int a = keyOf(from);
        const int b = keyOf(to);
        const QRectF& ra = rects[static_cast<std::size_t>(a)];
        const QRectF& rb = rects[static_cast<std::size_t>(b)];
        if (a == b) {
            ends[{a, Side::right}].push_back({i, true, ra.center().y()});
            ends[{a, Side::right}].push_back({i, false, ra.center().y() + 1});
            continue;
        }
        const double gapY = std::max(rb.top() - ra.bottom(), ra.top() - rb.bottom());
        const double gapX = std::max(rb.left() - ra.right(), ra.left() - rb.right());
        const bool vertical = gapY >= 32 || (gapY >= 12 && gapY >= gapX * 0.25);
        if (vertical) {
            const bool down = rb.center().y() > ra.center().y();
            ends[{a, down ? Side::bottom : Side::top}].push_back({i, true, rb.center().x()});
            ends[{b, down ? Side::top : Side::bottom}].push_back({i, false, ra.center().x()});
        } else {
            const bool right = rb.center().x() > ra.center().x();
            ends[{a, right ? Side::right : Side::left}].push_back({i, true, rb.center().y()});
            ends[{b, right ? Side::left : Side::right}].push_back({i, false, ra.center().y()});
        }
    }
    for (auto& [key, list] : ends) {
        const auto& [block, side] = key;
        const QRectF& rect = rects[static_cast<std::size_t>(block)];
        const bool horizontal = side == Side::top || side == Side::bottom;
        std::ranges::stable_sort(list, {}, &End::towards);
        const double length = horizontal ? rect.width() : rect.height();
        const auto count = static_cast<double>(list.size());
        const double pitch = count > 1 ? std::min(horizontal ? 22.0 : 10.0, std::max(0.0, length - 48) / (count - 1)) : 0;
        for (std::size_t k = 0; k < list.size(); ++k) {
            const double along = (static_cast<double>(k) - (count - 1) / 2) * pitch;
            Anchor anchor;
            switch (side) {
                case Side::top: anchor = {{rect.center().x() + along, rect.top()}, {0, -1}}; break;
                case Side::bottom: anchor = {{rect.center().x() + along, rect.bottom()}, {0, 1}}; break;
                case Side::left: anchor = {{rect.left(), rect.center().y() + along}, {-1, 0}}; break;
                case Side::right: anchor = {{rect.right(), rect.center().y() + along}, {1, 0}}; break;
            }
            auto& pair = anchors[list[k].link];
            (list[k].isFrom ? pair.first : pair.second) = anchor;
        }
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
        // Drawn from the upper end, so that a way around blocks is found from where the columns begin.
        auto upper = anchors[i].first;
        auto lower = anchors[i].second;
        if (upper.point.y() > lower.point.y()) std::swap(upper, lower);
        const auto channel = nodes_.size() <= kMostNodesToAvoid && upper.direction.y() != 0
                                 ? channelBetween(upper.point, lower.point, rects, nodes_.size())
                                 : std::nullopt;
        if (channel) links_[i]->routeThrough(upper.point, upper.direction, *channel, lower.point, lower.direction);
        else links_[i]->route(upper.point, upper.direction, lower.point, lower.direction);
    }
}

void ClusterScene::repaintColours() {
    if (!snapshot_) return;
    ++look_.generation;
    look_.paint = paintDevices(*snapshot_, evaluation_.get(), by_, *look_.theme);
    std::vector<LinkItem::Load> loads(links_.size());
    if (evaluation_ && evaluation_->computed) {
        double most = 0;
        for (const auto& load : evaluation_->links)
            if (load.link >= 0) most = std::max(most, load.bytesPerStep);
        for (const auto& load : evaluation_->links) {
            if (load.link < 0 || static_cast<std::size_t>(load.link) >= loads.size()) continue;
            loads[static_cast<std::size_t>(load.link)] = {true, most > 0 ? load.bytesPerStep / most : 0.0, load.utilisation};
        }
    }
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i]->setLoad(loads[i]);
    update();
}

BlockRef ClusterScene::blockAt(QPointF point) const {
    for (QGraphicsItem* item : items(point, Qt::IntersectsItemBoundingRect, Qt::DescendingOrder)) {
        if (const auto* node = qgraphicsitem_cast<NodeItem*>(item)) {
            if (node->blockRect().contains(node->mapFromScene(point))) return {BlockRef::Kind::node, node->index()};
        } else if (const auto* pill = qgraphicsitem_cast<SwitchItem*>(item)) {
            if (pill->blockRect().contains(pill->mapFromScene(point))) return {BlockRef::Kind::networkSwitch, pill->index()};
        }
    }
    return {};
}

std::optional<std::size_t> ClusterScene::linkAt(QPointF point, double tolerance) const {
    std::optional<std::size_t> best;
    double nearest = tolerance;
    const QRectF around(point - QPointF(tolerance, tolerance), QSizeF(2 * tolerance, 2 * tolerance));
    for (QGraphicsItem* item : items(around, Qt::IntersectsItemBoundingRect)) {
        const auto* link = qgraphicsitem_cast<LinkItem*>(item);
        if (link == nullptr) continue;
        const double distance = link->distanceTo(point);
        if (distance > nearest) continue;
        nearest = distance;
        best = static_cast<std::size_t>(link->index());
    }
    return best;
}

std::optional<std::int32_t> ClusterScene::deviceAt(QPointF point) const {
    const auto block = blockAt(point);
    if (block.kind != BlockRef::Kind::node) return std::nullopt;
    const auto* node = nodeItem(block.index);
    const auto hit = node->geometry().hit(node->mapFromScene(point), node->front());
    if (!hit) return std::nullopt;
    return static_cast<std::int32_t>(node->deviceNumber(*hit));
}

bool ClusterScene::isOnBadge(QPointF point) const {
    const auto block = blockAt(point);
    if (block.kind != BlockRef::Kind::node) return false;
    const auto* node = nodeItem(block.index);
    return node->geometry().badge.contains(node->mapFromScene(point));
}

std::vector<QPointF> ClusterScene::portsOf(BlockRef block) const {
    if (!block) return {};
    const QRectF rect = rectOf(block);
    return {{rect.center().x(), rect.top()}, {rect.center().x(), rect.bottom()}, {rect.left(), rect.center().y()}, {rect.right(), rect.center().y()}};
}

BlockRef ClusterScene::portAt(QPointF point, double tolerance) const {
    if (!hoveredBlock_) return {};
    for (const auto& port : portsOf(hoveredBlock_))
        if (std::hypot(port.x() - point.x(), port.y() - point.y()) <= tolerance) return hoveredBlock_;
    return {};
}

QRectF ClusterScene::rectOf(BlockRef block) const {
    if (block.kind == BlockRef::Kind::node) {
        const auto* node = nodes_[static_cast<std::size_t>(block.index)];
        return node->blockRect().translated(node->pos());
    }
    if (block.kind == BlockRef::Kind::networkSwitch) {
        const auto* pill = switches_[static_cast<std::size_t>(block.index)];
        return pill->blockRect().translated(pill->pos());
    }
    return {};
}

QRectF ClusterScene::rectOfDevice(std::int32_t device) const {
    for (const auto* node : nodes_) {
        const auto& geometry = node->geometry();
        const auto local = device - node->firstDevice();
        if (local < 0 || local >= geometry.nodes * geometry.devices) continue;
        const auto instance = local / geometry.devices;
        const auto inNode = static_cast<std::size_t>(local % geometry.devices);
        if (geometry.everyNode) return geometry.chips[static_cast<std::size_t>(local)].translated(node->pos());
        if (instance == node->front() && inNode < geometry.chips.size()) return geometry.chips[inNode].translated(node->pos());
        return geometry.tile(instance).translated(node->pos());
    }
    return {};
}

std::string ClusterScene::idOf(BlockRef block) const {
    const auto index = static_cast<std::size_t>(block.index);
    if (block.kind == BlockRef::Kind::node && index < cluster().nodes.size()) return cluster().nodes[index].id;
    if (block.kind == BlockRef::Kind::networkSwitch && index < cluster().switches.size()) return cluster().switches[index].id;
    return {};
}

BlockRef ClusterScene::find(std::string_view id) const {
    const auto it = byId_.find(std::string(id));
    return it == byId_.end() ? BlockRef{} : it->second;
}

QPointF ClusterScene::linkMiddle(std::size_t link) const { return link < links_.size() ? links_[link]->middle() : QPointF(); }

std::vector<BlockRef> ClusterScene::blocksIn(const QRectF& area) const {
    std::vector<BlockRef> found;
    for (const auto& block : allBlocks())
        if (area.intersects(rectOf(block))) found.push_back(block);
    return found;
}

std::vector<BlockRef> ClusterScene::allBlocks() const {
    std::vector<BlockRef> all;
    all.reserve(nodes_.size() + switches_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) all.push_back({BlockRef::Kind::node, static_cast<int>(i)});
    for (std::size_t i = 0; i < switches_.size(); ++i) all.push_back({BlockRef::Kind::networkSwitch, static_cast<int>(i)});
    return all;
}

QRectF ClusterScene::contentRect() const {
    QRectF content;
    for (const auto& block : allBlocks()) content |= rectOf(block);
    return content;
}

void ClusterScene::setPicked(const std::vector<std::string>& blocks, const std::vector<std::size_t>& links) {
    const std::set<std::string> picked(blocks.begin(), blocks.end());
    for (auto* node : nodes_) node->setPicked(picked.contains(node->node().id));
    for (auto* pill : switches_) pill->setPicked(picked.contains(pill->networkSwitch().id));
    const std::set<std::size_t> pickedLinks(links.begin(), links.end());
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i]->setPicked(pickedLinks.contains(i));
}

void ClusterScene::setHovered(BlockRef block, std::optional<std::size_t> link) {
    if (block != hoveredBlock_) {
        const auto mark = [&](BlockRef ref, bool on) {
            if (ref.kind == BlockRef::Kind::node) nodes_[static_cast<std::size_t>(ref.index)]->setHovered(on);
            if (ref.kind == BlockRef::Kind::networkSwitch) switches_[static_cast<std::size_t>(ref.index)]->setHovered(on);
        };
        mark(hoveredBlock_, false);
        hoveredBlock_ = block;
        mark(block, true);
        update();  // ports
    }
    if (link != hoveredLink_) {
        if (hoveredLink_ && *hoveredLink_ < links_.size()) links_[*hoveredLink_]->setHovered(false);
        hoveredLink_ = link;
        if (link) links_[*link]->setHovered(true);
    }
}

void ClusterScene::setLit(std::vector<bool> lit, std::int32_t hoveredDevice) {
    if (lit == look_.lit && hoveredDevice == look_.hoveredDevice) return;
    look_.lit = std::move(lit);
    look_.hoveredDevice = hoveredDevice;
    ++look_.generation;
    update();
}

}  // namespace trainyard
