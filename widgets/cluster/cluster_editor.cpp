#include "widgets/cluster/cluster_editor.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QRectF>
#include <algorithm>
#include <limits>

#include "core/io/import/bandwidth_table.h"
#include "widgets/cluster/block_text.h"
#include "widgets/cluster/cluster_layout.h"
#include "widgets/cluster/node_geometry.h"
#include "widgets/document/plan_document.h"
#include "widgets/document/selection.h"

namespace trainyard {
namespace {

/// Blocks on the clipboard; text for other programs.
class ClusterMime : public QMimeData {
  public:
    explicit ClusterMime(ClusterSpec part) : fragment(std::move(part)) {
        QStringList lines;
        for (const auto& node : fragment.nodes)
            lines << QStringLiteral("%1 × %2: %3").arg(node.count).arg(titleOf(node), deviceLine(node));
        for (const auto& item : fragment.switches) lines << titleOf(item);
        for (const auto& link : fragment.links)
            lines << QStringLiteral("%1 – %2: %3").arg(QString::fromStdString(link.from), QString::fromStdString(link.to), cablesText(link));
        setText(lines.join(QLatin1Char('\n')));
    }
    const ClusterSpec fragment;
};

const ClusterSpec* clipboardOrNull() {
    const auto* mime = dynamic_cast<const ClusterMime*>(QGuiApplication::clipboard()->mimeData());
    return mime != nullptr ? &mime->fragment : nullptr;
}

CanvasPosition toPosition(QPointF point) { return {point.x(), point.y()}; }

bool isDataCentre(const NodeSpec& node) {
    return std::ranges::any_of(node.accelerators, [](const auto& group) {
        return group.accelerator && group.accelerator->scaleUpType.find("PCIe") == std::string::npos && group.accelerator->scaleUpBytesPerS > 0;
    });
}

}  // namespace

ClusterEditor::ClusterEditor(PlanDocument* document, Selection* selection, QObject* parent)
    : QObject(parent), document_(document), selection_(selection), parts_(presetLibrary()) {
    connect(document_, &PlanDocument::snapshotChanged, this, &ClusterEditor::prunePicked);
    connect(selection_, &Selection::selectionChanged, this, &ClusterEditor::followSelection);
}

const ClusterSpec& ClusterEditor::cluster() const { return *document_->snapshot()->cluster; }

void ClusterEditor::apply(ClusterSpec next, const QString& text) {
    document_->edit(cluster_edit::withCluster(document_->snapshot(), std::move(next)), text);
}

ClusterSpec ClusterEditor::pinned() const {
    if (!positions_) return cluster();
    return cluster_edit::place(cluster(), positions_());
}

bool ClusterEditor::isPicked(const std::string& id) const { return std::ranges::find(blocks_, id) != blocks_.end(); }

void ClusterEditor::pick(std::vector<std::string> blocks, std::vector<std::size_t> links) {
    if (blocks == blocks_ && links == links_) return;
    blocks_ = std::move(blocks);
    links_ = std::move(links);
    publishSelection();
    emit pickedChanged();
}

void ClusterEditor::togglePicked(const std::string& id) {
    auto blocks = blocks_;
    if (const auto it = std::ranges::find(blocks, id); it != blocks.end()) blocks.erase(it);
    else blocks.push_back(id);
    pick(std::move(blocks), links_);
}

void ClusterEditor::pickAll() {
    std::vector<std::string> all;
    for (const auto& node : cluster().nodes) all.push_back(node.id);
    for (const auto& item : cluster().switches) all.push_back(item.id);
    pick(std::move(all));
}

void ClusterEditor::prunePicked() {
    auto blocks = blocks_;
    std::erase_if(blocks, [&](const auto& id) {
        return cluster_edit::findNodeOrNull(cluster(), id) == nullptr && cluster_edit::findSwitchOrNull(cluster(), id) == nullptr;
    });
    auto links = links_;
    std::erase_if(links, [&](auto link) { return link >= cluster().links.size(); });
    pick(std::move(blocks), std::move(links));
}

void ClusterEditor::publishSelection() {
    SelectionState state;
    if (blocks_.size() == 1 && links_.empty()) {
        const auto& nodes = cluster().nodes;
        const auto it = std::ranges::find(nodes, blocks_.front(), &NodeSpec::id);
        if (it != nodes.end()) state.nodeBlock = static_cast<int>(it - nodes.begin());
    } else if (links_.size() == 1 && blocks_.empty()) {
        state.link = static_cast<int>(links_.front());
    }
    // A stage picked elsewhere stays unless something here takes its place.
    if (state == SelectionState{} && !selection_->selected().nodeBlock && !selection_->selected().link) return;
    publishing_ = true;
    selection_->select(state);
    publishing_ = false;
}

void ClusterEditor::followSelection() {
    if (publishing_) return;
    const auto& state = selection_->selected();
    if (state.nodeBlock && static_cast<std::size_t>(*state.nodeBlock) < cluster().nodes.size() && *state.nodeBlock >= 0) {
        publishing_ = true;
        pick({cluster().nodes[static_cast<std::size_t>(*state.nodeBlock)].id});
        publishing_ = false;
    } else if (state.link && static_cast<std::size_t>(*state.link) < cluster().links.size() && *state.link >= 0) {
        publishing_ = true;
        pick({}, {static_cast<std::size_t>(*state.link)});
        publishing_ = false;
    }
}

void ClusterEditor::addPart(const Part& part, QPointF topLeft, const std::string& ontoNode) {
    const auto at = toPosition(snapToGrid(topLeft));
    switch (part.kind) {
        case Part::Kind::cable: chooseCable(part); return;
        case Part::Kind::accelerator: {
            if (const auto* node = ontoNode.empty() ? nullptr : cluster_edit::findNodeOrNull(cluster(), ontoNode)) {
                apply(cluster_edit::addAccelerator(cluster(), ontoNode, part.accelerator, 1),
                      tr("Add %1 to %2").arg(part.title, titleOf(*node)));
                pick({ontoNode});
                return;
            }
            NodeSpec host = cluster_edit::hostOf(part.accelerator, 1);
            host.position = at;
            auto result = cluster_edit::addNode(pinned(), std::move(host));
            apply(std::move(result.cluster), tr("Add %1").arg(part.title));
            pick(result.ids);
            return;
        }
        case Part::Kind::pattern: {
            auto result = cluster_edit::insert(pinned(), patternOf(part), at);
            apply(std::move(result.cluster), tr("Draw %1").arg(part.title));
            pick(result.ids);
            return;
        }
        case Part::Kind::node: {
            template_ = part.node;
            NodeSpec node = part.node;
            node.position = at;
            auto result = cluster_edit::addNode(pinned(), std::move(node));
            apply(std::move(result.cluster), tr("Add %1").arg(part.title));
            pick(result.ids);
            return;
        }
        case Part::Kind::networkSwitch: {
            SwitchSpec item;
            item.id = "switch";
            const auto number = cluster().switches.size() + 1;
            item.name = tr("Switch %1").arg(number).toStdString();
            item.position = at;
            auto result = cluster_edit::addSwitch(pinned(), std::move(item));
            apply(std::move(result.cluster), tr("Add a switch"));
            pick(result.ids);
            return;
        }
    }
}

ClusterSpec ClusterEditor::patternOf(const Part& part) const {
    PatternRequest request;
    request.pattern = part.pattern;
    for (const auto& info : allPatterns())
        if (info.pattern == part.pattern) {
            request.groups = info.groups;
            request.nodesPerGroup = info.nodesPerGroup;
        }
    const NodeSpec* picked = blocks_.size() == 1 ? cluster_edit::findNodeOrNull(cluster(), blocks_.front()) : nullptr;
    if (picked != nullptr) request.node = *picked;
    else if (!template_.accelerators.empty()) request.node = template_;
    else if (const Part* usual = parts_.findOrNull(Part::Kind::node, QStringLiteral("dgx-h100"))) request.node = usual->node;
    request.cable = cableFor(request.node);
    if (const Part* wan = parts_.findOrNull(Part::Kind::cable, QStringLiteral("wan-metro"))) request.wide = wan->cable;

    ClusterSpec drawn = drawPattern(request);
    std::vector<QSizeF> sizes;
    for (const auto& node : drawn.nodes) sizes.push_back(geometryOf(node).size);
    const auto positions = layoutBlocks(drawn, sizes);
    double left = std::numeric_limits<double>::max();
    double top = left;
    for (const auto& list : {positions.nodes, positions.switches})
        for (const auto& point : list) {
            left = std::min(left, point.x());
            top = std::min(top, point.y());
        }
    for (std::size_t i = 0; i < drawn.nodes.size(); ++i) drawn.nodes[i].position = toPosition(positions.nodes[i] - QPointF(left, top));
    for (std::size_t i = 0; i < drawn.switches.size(); ++i) drawn.switches[i].position = toPosition(positions.switches[i] - QPointF(left, top));
    return drawn;
}

void ClusterEditor::chooseCable(const Part& cable) { cableId_ = cable.id; }

LinkSpec ClusterEditor::cableFor(const NodeSpec& node) const {
    LinkSpec make;
    const Part* usual = node.preset.empty() ? nullptr : parts_.findOrNull(Part::Kind::node, QString::fromStdString(node.preset));
    const Part* fallback = parts_.findOrNull(Part::Kind::cable, isDataCentre(node) ? QStringLiteral("infiniband-ndr") : QStringLiteral("ethernet-10g"));
    if (usual != nullptr) make = usual->cable;
    else if (fallback != nullptr) make = fallback->cable;
    if (node.nics.bandwidthBytesPerS > 0) make.bandwidthBytesPerS = node.nics.bandwidthBytesPerS;
    if (node.nics.latencyS > 0) make.latencyS = node.nics.latencyS;
    make.count = std::max<std::int64_t>(1, node.nics.count);
    if (const Part* chosen = cableId_.isEmpty() ? nullptr : parts_.findOrNull(Part::Kind::cable, cableId_)) {
        const auto count = chosen->perNode ? 1 : make.count;
        make = chosen->cable;
        make.count = count;
    }
    return make;
}

LinkSpec ClusterEditor::cableFor(const std::string& from, const std::string& to) const {
    const auto* node = cluster_edit::findNodeOrNull(cluster(), from);
    if (node == nullptr) node = cluster_edit::findNodeOrNull(cluster(), to);
    if (node != nullptr && (node->nics.count > 0 || !node->preset.empty() || !cableId_.isEmpty())) return cableFor(*node);
    if (const Part* chosen = cableId_.isEmpty() ? nullptr : parts_.findOrNull(Part::Kind::cable, cableId_)) return chosen->cable;
    // Nothing says what it should be: as the cables that are there already, else as is usual for such devices.
    for (const auto& link : cluster().links) {
        if (link.from != from && link.to != from && link.from != to && link.to != to) continue;
        LinkSpec make = link;
        make.broken = false;
        make.count = 1;
        return make;
    }
    if (node != nullptr) return cableFor(*node);
    const Part* fallback = parts_.findOrNull(Part::Kind::cable, QStringLiteral("infiniband-ndr"));
    return fallback != nullptr ? fallback->cable : LinkSpec{};
}

QSizeF ClusterEditor::sizeOfPattern(const Part& part) const {
    const auto drawn = patternOf(part);
    QRectF area;
    for (const auto& node : drawn.nodes) area |= QRectF(QPointF(node.position->x, node.position->y), geometryOf(node).size);
    for (const auto& item : drawn.switches) area |= QRectF(QPointF(item.position->x, item.position->y), switchSize());
    return area.size();
}

void ClusterEditor::connectBlocks(const std::string& from, const std::string& to) {
    apply(cluster_edit::connect(pinned(), from, to, cableFor(from, to)), tr("Connect"));
}

void ClusterEditor::connectPicked() {
    if (blocks_.size() < 2) return;
    ClusterSpec next = pinned();
    // A switch is the hub if there is one.
    auto hub = std::ranges::find_if(blocks_, [&](const auto& id) { return cluster_edit::findSwitchOrNull(next, id) != nullptr; });
    if (hub == blocks_.end()) hub = blocks_.begin();
    for (const auto& id : blocks_)
        if (id != *hub) next = cluster_edit::connect(std::move(next), id, *hub, cableFor(id, *hub));
    apply(std::move(next), tr("Connect"));
}

void ClusterEditor::moveBlocks(const std::vector<std::string>& ids, QPointF offset) {
    if (offset.isNull() || !positions_) return;
    auto positions = positions_();
    for (auto& placed : positions)
        if (std::ranges::find(ids, placed.id) != ids.end())
            placed.position = {placed.position.x + offset.x(), placed.position.y + offset.y()};
    apply(cluster_edit::place(cluster(), positions), tr("Move"));
}

void ClusterEditor::setCount(const std::string& node, std::int64_t count) {
    apply(cluster_edit::setCount(cluster(), node, count), tr("Multiply to ×%1").arg(count));
}

void ClusterEditor::setNode(const std::string& id, NodeSpec value, const QString& text) {
    apply(cluster_edit::setNode(cluster(), id, std::move(value)), text);
}

void ClusterEditor::setSwitch(const std::string& id, SwitchSpec value, const QString& text) {
    apply(cluster_edit::setSwitch(cluster(), id, std::move(value)), text);
}

void ClusterEditor::setLink(std::size_t link, LinkSpec value, const QString& text) {
    apply(cluster_edit::setLink(cluster(), link, std::move(value)), text);
}

void ClusterEditor::setAcceleratorCount(const std::string& node, std::size_t group, std::int64_t count) {
    apply(cluster_edit::setAcceleratorCount(cluster(), node, group, count), tr("Change the number of devices"));
}

void ClusterEditor::replaceAccelerator(const std::string& node, std::size_t group, std::shared_ptr<const AcceleratorSpec> accelerator) {
    apply(cluster_edit::replaceAccelerator(cluster(), node, group, std::move(accelerator)), tr("Replace the accelerator"));
}

void ClusterEditor::rename(const std::string& id, const QString& name) {
    apply(cluster_edit::rename(cluster(), id, name.trimmed().toStdString()), tr("Rename"));
}

void ClusterEditor::removePicked() {
    if (!hasPicked()) return;
    const auto blocks = blocks_;
    const auto links = links_;
    pick({});
    apply(cluster_edit::remove(pinned(), blocks, links), tr("Delete"));
}

void ClusterEditor::duplicatePicked() {
    if (blocks_.empty()) return;
    auto result = cluster_edit::duplicate(pinned(), blocks_, {32, 32}, cluster_edit::OutsideLinks::keep);
    apply(std::move(result.cluster), tr("Duplicate"));
    pick(result.ids);
}

void ClusterEditor::copyPicked() {
    if (blocks_.empty()) return;
    QGuiApplication::clipboard()->setMimeData(new ClusterMime(cluster_edit::extract(pinned(), blocks_)));
}

void ClusterEditor::cutPicked() {
    if (blocks_.empty()) return;
    copyPicked();
    removePicked();
}

bool ClusterEditor::canPaste() const { return clipboardOrNull() != nullptr; }

void ClusterEditor::paste() {
    const auto* fragment = clipboardOrNull();
    if (fragment == nullptr) return;
    auto result = cluster_edit::insert(pinned(), *fragment, {32, 32});
    apply(std::move(result.cluster), tr("Paste"));
    pick(result.ids);
}

void ClusterEditor::pasteAt(QPointF topLeft) {
    const auto* fragment = clipboardOrNull();
    if (fragment == nullptr) return;
    double left = std::numeric_limits<double>::max();
    double top = left;
    const auto corner = [&](const auto& block) {
        if (!block.position) return;
        left = std::min(left, block.position->x);
        top = std::min(top, block.position->y);
    };
    std::ranges::for_each(fragment->nodes, corner);
    std::ranges::for_each(fragment->switches, corner);
    if (left == std::numeric_limits<double>::max()) left = top = 0;
    const auto at = snapToGrid(topLeft - QPointF(left, top));
    auto result = cluster_edit::insert(pinned(), *fragment, toPosition(at));
    apply(std::move(result.cluster), tr("Paste"));
    pick(result.ids);
}

void ClusterEditor::alignPicked(Edge edge) {
    if (blocks_.size() < 2 || !positions_) return;
    auto positions = positions_();
    std::vector<cluster_edit::Placed*> picked;
    for (auto& placed : positions)
        if (isPicked(placed.id)) picked.push_back(&placed);
    double left = std::numeric_limits<double>::max();
    double top = left;
    for (const auto* placed : picked) {
        left = std::min(left, placed->position.x);
        top = std::min(top, placed->position.y);
    }
    std::ranges::sort(picked, {}, [](const auto* placed) { return placed->position.x; });
    double x = left;
    for (auto* placed : picked) {
        if (edge == Edge::left) placed->position.x = left;
        else placed->position.y = top;
        if (edge == Edge::row) {
            placed->position.x = x;
            const auto* node = cluster_edit::findNodeOrNull(cluster(), placed->id);
            x += (node != nullptr ? geometryOf(*node).size.width() : switchSize().width()) + 32;
        }
    }
    apply(cluster_edit::place(cluster(), positions), tr("Align"));
}

void ClusterEditor::setPickedSite(const QString& site) {
    apply(cluster_edit::setSite(cluster(), blocks_, site.trimmed().toStdString()), tr("Set the site"));
}

void ClusterEditor::arrange() { apply(cluster_edit::forgetPositions(cluster()), tr("Arrange")); }

void ClusterEditor::setPickedLinksBroken(bool broken) {
    ClusterSpec next = cluster();
    for (const auto link : links_) next = cluster_edit::markBroken(std::move(next), link, broken);
    applyWhatIf(std::move(next), broken ? tr("Unplug") : tr("Plug in again"));
}

void ClusterEditor::slowPicked(double factor) {
    cluster_edit::Inserted result{pinned(), {}};
    std::vector<std::string> slowed;
    for (const auto& id : blocks_) {
        const auto* node = cluster_edit::findNodeOrNull(result.cluster, id);
        if (node == nullptr) continue;
        if (factor == 1.0) {
            NodeSpec healthy = *node;
            healthy.slowdown = 1.0;
            result = {cluster_edit::setNode(std::move(result.cluster), id, std::move(healthy)), {id}};
        } else {
            result = cluster_edit::slowOneNode(std::move(result.cluster), id, factor);
        }
        slowed.insert(slowed.end(), result.ids.begin(), result.ids.end());
    }
    if (slowed.empty()) return;
    applyWhatIf(std::move(result.cluster), factor > 1 ? tr("Slow a node down") : tr("Full speed again"));
    pick(std::move(slowed));
}

void ClusterEditor::swapGeneration(const std::string& fromId, std::shared_ptr<const AcceleratorSpec> accelerator) {
    if (!accelerator) return;
    const auto name = QString::fromStdString(accelerator->name);
    applyWhatIf(cluster_edit::swapGeneration(cluster(), fromId, std::move(accelerator)), tr("Swap for %1").arg(name));
}

std::vector<std::string> ClusterEditor::pickedSwitches() const {
    std::vector<std::string> switches;
    for (const auto& id : blocks_)
        if (cluster_edit::findSwitchOrNull(cluster(), id) != nullptr) switches.push_back(id);
    return switches;
}

void ClusterEditor::oversubscribePicked(double ratio) {
    applyWhatIf(cluster_edit::oversubscribe(cluster(), pickedSwitches(), ratio), tr("Oversubscribe %1:1").arg(ratio));
}

void ClusterEditor::setNeighbourJob(double share) {
    applyWhatIf(cluster_edit::withNeighbourJob(cluster(), pickedSwitches(), share), share > 0 ? tr("Add a neighbour job") : tr("Neighbour job ends"));
}

QString ClusterEditor::setMeasuredBandwidth(const QString& table, bool gigabits) {
    ClusterSpec next = cluster();
    if (table.trimmed().isEmpty()) {
        next.measured = {};
    } else {
        auto measured = parseBandwidthTable(table.toStdString(), next.nodeInstances(), gigabits);
        if (!measured) return QStringLiteral("%1: %2").arg(QString::fromStdString(measured.error().where), QString::fromStdString(measured.error().message));
        measured->source = "pasted";
        next.measured = std::move(*measured);
    }
    applyWhatIf(std::move(next), tr("Measured bandwidth"));
    return {};
}

void ClusterEditor::applyWhatIf(ClusterSpec next, const QString& text) {
    if (next == cluster()) return;
    if (!document_->baselineSnapshot()) document_->pinBaseline();
    apply(std::move(next), text);
}

void ClusterEditor::beginGesture(const QString& text) { document_->beginGesture(text); }
void ClusterEditor::endGesture() { document_->endGesture(); }
void ClusterEditor::cancelGesture() { document_->cancelGesture(); }

}  // namespace trainyard
