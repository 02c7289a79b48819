#include "core/plan/cluster_edit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/plan/limits.h"

namespace trainyard::cluster_edit {
namespace {

template <class Block>
Block* find(std::vector<Block>& blocks, std::string_view id) {
    const auto it = std::ranges::find(blocks, id, &Block::id);
    return it == blocks.end() ? nullptr : &*it;
}

bool contains(std::span<const std::string> ids, std::string_view id) { return std::ranges::find(ids, id) != ids.end(); }

std::int64_t clampCount(std::int64_t count) { return std::clamp<std::int64_t>(count, 1, limits::kDevices); }

bool sameMake(const LinkSpec& a, const LinkSpec& b) {
    return a.kind == b.kind && a.bandwidthBytesPerS == b.bandwidthBytesPerS && a.latencyS == b.latencyS && a.broken == b.broken;
}

bool joins(const LinkSpec& link, std::string_view a, std::string_view b) {
    return (link.from == a && link.to == b) || (link.from == b && link.to == a);
}

/// `rack-3` -> `rack`: copies of a copy count on instead of growing tails.
std::string_view stemOf(std::string_view id) {
    const auto dash = id.rfind('-');
    if (dash == std::string_view::npos || dash == 0 || dash + 1 == id.size() || id.size() - dash > 6) return id;
    const auto tail = id.substr(dash + 1);
    const bool number = std::ranges::all_of(tail, [](char c) { return c >= '0' && c <= '9'; });
    return number && tail.size() < 3 ? id.substr(0, dash) : id;
}

/// The ids in use, so that many blocks added at once cost one walk over the cluster.
class IdPool {
  public:
    explicit IdPool(const ClusterSpec& cluster) {
        for (const auto& node : cluster.nodes) used_.insert(node.id);
        for (const auto& item : cluster.switches) used_.insert(item.id);
    }

    std::string take(std::string_view stem) {
        std::string base(stem.empty() ? std::string_view("block") : stem);
        if (used_.insert(base).second) return base;
        base = std::string(stemOf(base));
        for (int& i = next_.try_emplace(base, 2).first->second;; ++i) {
            auto candidate = base + "-" + std::to_string(i);
            if (used_.insert(candidate).second) return candidate;
        }
    }

  private:
    std::set<std::string, std::less<>> used_;
    std::map<std::string, int, std::less<>> next_;
};

void move(std::optional<CanvasPosition>& position, CanvasPosition offset) {
    if (position) position = CanvasPosition{position->x + offset.x, position->y + offset.y};
}

/// Keys of the old file that this version does not know, under the index their block has now.
std::map<std::string, std::string> followBlocks(const std::map<std::string, std::string>& keys, const ClusterSpec& before,
                                                const ClusterSpec& after) {
    std::map<std::string, std::string> result;
    for (const auto& [pointer, text] : keys) {
        const auto remapped = [&](std::string_view prefix, const auto& from, const auto& to) -> std::optional<std::string> {
            if (pointer.rfind(prefix, 0) != 0) return pointer;
            const auto slash = pointer.find('/', prefix.size());
            const auto digits = pointer.substr(prefix.size(), slash == std::string::npos ? slash : slash - prefix.size());
            if (digits.empty() || digits.size() > 9 || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
                return pointer;
            const auto index = static_cast<std::size_t>(std::stoul(digits));
            if (index >= from.size()) return std::nullopt;
            const auto it = std::ranges::find_if(to, [&](const auto& block) { return block.id == from[index].id; });
            if (it == to.end()) return std::nullopt;
            return std::string(prefix) + std::to_string(it - to.begin()) +
                   (slash == std::string::npos ? std::string() : pointer.substr(slash));
        };
        auto key = remapped("/cluster/nodes/", before.nodes, after.nodes);
        if (key && *key == pointer) key = remapped("/cluster/switches/", before.switches, after.switches);
        if (key && key->rfind("/cluster/links/", 0) == 0 && before.links != after.links) key.reset();
        if (key) result.emplace(*key, text);
    }
    return result;
}

}  // namespace

Snapshot withCluster(const Snapshot& scenario, ClusterSpec cluster) {
    const ClusterSpec& before = *scenario->cluster;
    if (cluster == before) return scenario;
    cluster.preset.reset();
    auto next = std::make_shared<Scenario>(*scenario);
    const auto devicesBefore = before.devices();
    const auto devices = cluster.devices();
    if (devices != devicesBefore) {
        Plan& plan = next->plan;
        plan.deviceOfRank.clear();
        plan.replicas.clear();
        const auto others = plan.tensorParallel * plan.pipelineParallel * plan.contextParallel;
        if (plan.dataParallel && others > 0 && *plan.dataParallel * others == devicesBefore) plan.dataParallel.reset();
    }
    if (!next->unknownKeys.empty()) next->unknownKeys = followBlocks(scenario->unknownKeys, before, cluster);
    next->cluster = std::make_shared<const ClusterSpec>(std::move(cluster));
    return next;
}

std::string freshId(const ClusterSpec& cluster, std::string_view stem) { return IdPool(cluster).take(stem); }

NodeSpec hostOf(std::shared_ptr<const AcceleratorSpec> accelerator, std::int64_t count) {
    NodeSpec node;
    node.id = "host";
    node.name = "Host";
    if (!accelerator) return node;
    node.accelerators.push_back({std::move(accelerator), clampCount(count)});
    return node;
}

Inserted addNode(ClusterSpec cluster, NodeSpec node) {
    node.id = freshId(cluster, node.id);
    node.count = clampCount(node.count);
    auto id = node.id;
    cluster.nodes.push_back(std::move(node));
    return {std::move(cluster), {std::move(id)}};
}

Inserted addSwitch(ClusterSpec cluster, SwitchSpec newSwitch) {
    newSwitch.id = freshId(cluster, newSwitch.id);
    auto id = newSwitch.id;
    cluster.switches.push_back(std::move(newSwitch));
    return {std::move(cluster), {std::move(id)}};
}

ClusterSpec addAccelerator(ClusterSpec cluster, std::string_view node, std::shared_ptr<const AcceleratorSpec> accelerator,
                           std::int64_t count) {
    auto* block = find(cluster.nodes, node);
    if (block == nullptr || !accelerator || count < 1) return cluster;
    block->intra.matrixBytesPerS.clear();  // measured for the old set of devices
    const auto same = std::ranges::find_if(block->accelerators, [&](const auto& group) {
        return group.accelerator && *group.accelerator == *accelerator;
    });
    if (same != block->accelerators.end()) {
        same->count = clampCount(same->count + count);
    } else if (block->accelerators.empty()) {
        const auto host = hostOf(accelerator, count);
        block->accelerators = host.accelerators;
    } else {
        block->accelerators.push_back({std::move(accelerator), clampCount(count)});
    }
    return cluster;
}

ClusterSpec setAcceleratorCount(ClusterSpec cluster, std::string_view node, std::size_t group, std::int64_t count) {
    auto* block = find(cluster.nodes, node);
    if (block == nullptr || group >= block->accelerators.size() || block->accelerators[group].count == count) return cluster;
    if (count < 1) {
        if (block->accelerators.size() == 1) return cluster;
        block->accelerators.erase(block->accelerators.begin() + static_cast<std::ptrdiff_t>(group));
    } else {
        block->accelerators[group].count = clampCount(count);
    }
    block->intra.matrixBytesPerS.clear();
    return cluster;
}

ClusterSpec replaceAccelerator(ClusterSpec cluster, std::string_view node, std::size_t group,
                               std::shared_ptr<const AcceleratorSpec> accelerator) {
    auto* block = find(cluster.nodes, node);
    if (block == nullptr || group >= block->accelerators.size() || !accelerator) return cluster;
    block->accelerators[group].accelerator = std::move(accelerator);
    return cluster;
}

ClusterSpec swapGeneration(ClusterSpec cluster, std::string_view fromId, std::shared_ptr<const AcceleratorSpec> accelerator) {
    if (!accelerator) return cluster;
    for (auto& node : cluster.nodes) {
        bool wholeNode = !node.accelerators.empty();
        bool touched = false;
        for (auto& group : node.accelerators) {
            if (group.accelerator && group.accelerator->id == fromId) {
                group.accelerator = accelerator;
                touched = true;
            } else {
                wholeNode = false;
            }
        }
        // The board's own links come with the accelerator; a mixed host keeps what it has.
        if (touched && wholeNode && node.intra.matrixBytesPerS.empty()) {
            const auto reduction = node.intra.inNetworkReduction;
            node.intra = IntraNodeLinks{};
            node.intra.inNetworkReduction = reduction && accelerator->scaleUpType.starts_with("NVLink");
        }
        if (touched) node.preset.clear();
    }
    return cluster;
}

ClusterSpec connect(ClusterSpec cluster, std::string_view from, std::string_view to, LinkSpec make) {
    const auto exists = [&](std::string_view id) {
        return findNodeOrNull(cluster, id) != nullptr || findSwitchOrNull(cluster, id) != nullptr;
    };
    if (from == to || !exists(from) || !exists(to)) return cluster;
    make.count = clampCount(make.count);
    for (auto& link : cluster.links) {
        if (joins(link, from, to) && sameMake(link, make)) {
            link.count = clampCount(link.count + make.count);
            return cluster;
        }
    }
    make.from = std::string(from);
    make.to = std::string(to);
    cluster.links.push_back(std::move(make));
    return cluster;
}

ClusterSpec setLink(ClusterSpec cluster, std::size_t link, LinkSpec value) {
    if (link >= cluster.links.size()) return cluster;
    value.count = clampCount(value.count);
    cluster.links[link] = std::move(value);
    return cluster;
}

ClusterSpec markBroken(ClusterSpec cluster, std::size_t link, bool broken) {
    if (link < cluster.links.size()) cluster.links[link].broken = broken;
    return cluster;
}

ClusterSpec removeLinks(ClusterSpec cluster, std::span<const std::size_t> links) { return remove(std::move(cluster), {}, links); }

ClusterSpec setNode(ClusterSpec cluster, std::string_view id, NodeSpec value) {
    auto* block = find(cluster.nodes, id);
    if (block == nullptr) return cluster;
    if (value.id != id) {
        value.id = freshId(cluster, value.id);
        for (auto& link : cluster.links) {
            if (link.from == id) link.from = value.id;
            if (link.to == id) link.to = value.id;
        }
    }
    value.count = clampCount(value.count);
    *block = std::move(value);
    return cluster;
}

ClusterSpec setSwitch(ClusterSpec cluster, std::string_view id, SwitchSpec value) {
    auto* block = find(cluster.switches, id);
    if (block == nullptr) return cluster;
    if (value.id != id) {
        value.id = freshId(cluster, value.id);
        for (auto& link : cluster.links) {
            if (link.from == id) link.from = value.id;
            if (link.to == id) link.to = value.id;
        }
    }
    *block = std::move(value);
    return cluster;
}

ClusterSpec setCount(ClusterSpec cluster, std::string_view node, std::int64_t count) {
    if (auto* block = find(cluster.nodes, node)) block->count = clampCount(count);
    return cluster;
}

ClusterSpec rename(ClusterSpec cluster, std::string_view id, std::string name) {
    if (auto* block = find(cluster.nodes, id)) block->name = std::move(name);
    else if (auto* item = find(cluster.switches, id)) item->name = std::move(name);
    return cluster;
}

ClusterSpec setSite(ClusterSpec cluster, std::span<const std::string> ids, std::string_view site) {
    for (auto& node : cluster.nodes)
        if (contains(ids, node.id)) node.site = std::string(site);
    return cluster;
}

Inserted slowOneNode(ClusterSpec cluster, std::string_view node, double factor) {
    const auto* block = findNodeOrNull(cluster, node);
    if (block == nullptr || !std::isfinite(factor) || factor <= 0) return {std::move(cluster), {}};
    Inserted result{std::move(cluster), {std::string(node)}};
    if (block->count > 1) result = splitOff(std::move(result.cluster), result.ids.front(), 1);
    if (auto* slow = find(result.cluster.nodes, result.ids.front())) slow->slowdown = factor;
    return result;
}

Inserted splitOff(ClusterSpec cluster, std::string_view node, std::int64_t count) {
    const auto it = std::ranges::find(cluster.nodes, node, &NodeSpec::id);
    if (it == cluster.nodes.end() || count < 1 || count >= it->count) return {std::move(cluster), {}};
    NodeSpec part = *it;
    const std::string original = it->id;
    part.id = freshId(cluster, original);
    part.count = count;
    move(part.position, {24, 24});
    it->count -= count;
    const auto id = part.id;
    cluster.nodes.insert(it + 1, std::move(part));
    const auto linkCount = cluster.links.size();
    for (std::size_t i = 0; i < linkCount; ++i) {
        LinkSpec link = cluster.links[i];
        if (link.from == original) link.from = id;
        else if (link.to == original) link.to = id;
        else continue;
        cluster.links.push_back(std::move(link));
    }
    return {std::move(cluster), {id}};
}

ClusterSpec oversubscribe(ClusterSpec cluster, std::span<const std::string> switches, double ratio) {
    if (!std::isfinite(ratio) || ratio <= 0) return cluster;
    for (auto& item : cluster.switches)
        if (contains(switches, item.id)) item.oversubscription = ratio;
    return cluster;
}

ClusterSpec withNeighbourJob(ClusterSpec cluster, std::span<const std::string> switches, double share) {
    if (!std::isfinite(share) || share < 0) return cluster;
    for (auto& item : cluster.switches)
        if (contains(switches, item.id)) item.backgroundShare = std::min(share, 0.95);
    return cluster;
}

ClusterSpec place(ClusterSpec cluster, std::span<const Placed> positions) {
    for (const auto& [id, position] : positions) {
        if (auto* block = find(cluster.nodes, id)) block->position = position;
        else if (auto* item = find(cluster.switches, id)) item->position = position;
    }
    return cluster;
}

ClusterSpec forgetPositions(ClusterSpec cluster) {
    for (auto& node : cluster.nodes) node.position.reset();
    for (auto& item : cluster.switches) item.position.reset();
    return cluster;
}

ClusterSpec remove(ClusterSpec cluster, std::span<const std::string> ids, std::span<const std::size_t> links) {
    const std::set<std::string, std::less<>> gone(ids.begin(), ids.end());
    std::vector<LinkSpec> kept;
    kept.reserve(cluster.links.size());
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        const bool cut = std::ranges::find(links, i) != links.end() || gone.contains(cluster.links[i].from) ||
                         gone.contains(cluster.links[i].to);
        if (!cut) kept.push_back(std::move(cluster.links[i]));
    }
    cluster.links = std::move(kept);
    std::erase_if(cluster.nodes, [&](const auto& node) { return gone.contains(node.id); });
    std::erase_if(cluster.switches, [&](const auto& item) { return gone.contains(item.id); });
    return cluster;
}

Inserted duplicate(ClusterSpec cluster, std::span<const std::string> ids, CanvasPosition offset, OutsideLinks outside) {
    std::vector<LinkSpec> crossing;
    if (outside == OutsideLinks::keep) {
        for (const auto& link : cluster.links)
            if (contains(ids, link.from) != contains(ids, link.to)) crossing.push_back(link);
    }
    const auto fragment = extract(cluster, ids);
    auto result = insert(std::move(cluster), fragment, offset);
    std::map<std::string, std::string, std::less<>> newId;
    std::size_t next = 0;
    for (const auto& node : fragment.nodes) newId[node.id] = result.ids[next++];
    for (const auto& item : fragment.switches) newId[item.id] = result.ids[next++];
    for (auto& link : crossing) {
        if (const auto it = newId.find(link.from); it != newId.end()) link.from = it->second;
        if (const auto it = newId.find(link.to); it != newId.end()) link.to = it->second;
        result.cluster.links.push_back(std::move(link));
    }
    return result;
}

ClusterSpec extract(const ClusterSpec& cluster, std::span<const std::string> ids) {
    ClusterSpec part;
    part.name = cluster.name;
    for (const auto& node : cluster.nodes)
        if (contains(ids, node.id)) part.nodes.push_back(node);
    for (const auto& item : cluster.switches)
        if (contains(ids, item.id)) part.switches.push_back(item);
    for (const auto& link : cluster.links)
        if (contains(ids, link.from) && contains(ids, link.to)) part.links.push_back(link);
    return part;
}

Inserted insert(ClusterSpec cluster, const ClusterSpec& fragment, CanvasPosition offset) {
    Inserted result{std::move(cluster), {}};
    IdPool ids(result.cluster);
    std::map<std::string, std::string, std::less<>> newId;
    const auto add = [&](auto block, auto& blocks) {
        const auto old = block.id;
        block.id = ids.take(old);
        move(block.position, offset);
        newId[old] = block.id;
        result.ids.push_back(block.id);
        blocks.push_back(std::move(block));
    };
    for (const auto& node : fragment.nodes) add(node, result.cluster.nodes);
    for (const auto& item : fragment.switches) add(item, result.cluster.switches);
    for (auto link : fragment.links) {
        link.from = newId[link.from];
        link.to = newId[link.to];
        result.cluster.links.push_back(std::move(link));
    }
    return result;
}

const NodeSpec* findNodeOrNull(const ClusterSpec& cluster, std::string_view id) {
    const auto it = std::ranges::find(cluster.nodes, id, &NodeSpec::id);
    return it == cluster.nodes.end() ? nullptr : &*it;
}

const SwitchSpec* findSwitchOrNull(const ClusterSpec& cluster, std::string_view id) {
    const auto it = std::ranges::find(cluster.switches, id, &SwitchSpec::id);
    return it == cluster.switches.end() ? nullptr : &*it;
}

}  // namespace trainyard::cluster_edit
