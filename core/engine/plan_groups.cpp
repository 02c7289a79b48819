#include "core/engine/plan_groups.h"

#include <algorithm>
#include <cstdint>

namespace trainyard {
namespace {

/// Groups inside one pipeline rank: `size` members, `stride` apart among its tensor x context x data ranks.
struct Stride {
    std::int64_t size = 1;
    std::int64_t stride = 1;
};

class GroupFinder {
  public:
    GroupFinder(const Topology& topology, const RankLayout& layout) : topology_(topology), layout_(layout) {
        perStage_ = static_cast<std::int64_t>(layout.degree(Dimension::tensor)) * layout.degree(Dimension::context) * layout.degree(Dimension::data);
        const bool oneBlock = topology.oneKindOfNode();
        nodeSize_ = oneBlock ? topology.node(0).deviceCount : 0;
    }

    /// The slowest of the groups of this stride in a pipeline rank.
    [[nodiscard]] GroupShape slowest(std::int64_t stage, const Stride& group, bool standardOrder) {
        if (group.size < 2) return {};
        const std::int64_t span = group.size * group.stride;
        if (regular(stage, span, group.stride, standardOrder)) return shapeAt(stage, 0, group);
        GroupShape shape;
        bool first = true;
        for (std::int64_t base = 0; base < perStage_; base += span)
            for (std::int64_t offset = 0; offset < group.stride && base + offset + (group.size - 1) * group.stride < perStage_; ++offset) {
                const GroupShape one = shapeAt(stage, base + offset, group);
                shape = first ? one : slower(shape, one);
                first = false;
            }
        return shape;
    }

    [[nodiscard]] std::int64_t perStage() const { return perStage_; }
    [[nodiscard]] std::int32_t deviceAt(std::int64_t stage, std::int64_t index) const {
        return layout_.device(static_cast<std::int32_t>(stage * perStage_ + index));
    }

  private:
    /// On equal nodes with ranks laid out in order all groups look alike if they never straddle a node border unevenly.
    [[nodiscard]] bool regular(std::int64_t stage, std::int64_t span, std::int64_t stride, bool standardOrder) const {
        if (nodeSize_ == 0 || !standardOrder) return false;
        if (perStage_ * stage % std::max<std::int64_t>(1, std::min<std::int64_t>(span, nodeSize_)) != 0 && nodeSize_ % span != 0) return false;
        return nodeSize_ % span == 0 || (span % nodeSize_ == 0 && (nodeSize_ % stride == 0 || stride % nodeSize_ == 0));
    }

    [[nodiscard]] GroupShape shapeAt(std::int64_t stage, std::int64_t first, const Stride& group) {
        members_.clear();
        for (std::int64_t i = 0; i < group.size; ++i) members_.push_back(deviceAt(stage, first + i * group.stride));
        std::sort(members_.begin(), members_.end());
        return groupShape(topology_, members_);
    }

    const Topology& topology_;
    const RankLayout& layout_;
    std::int64_t perStage_ = 1;
    std::int64_t nodeSize_ = 0;
    std::vector<std::int32_t> members_;
};

bool isStandardOrder(const Plan& plan) {
    if (!plan.deviceOfRank.empty()) return false;
    static constexpr Dimension kOrder[] = {Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline};
    std::size_t at = 0;
    for (const auto dimension : plan.placementOrder) {
        if (dimension == Dimension::expert) continue;
        if (at >= 4 || dimension != kOrder[at]) return false;
        ++at;
    }
    return true;
}

}  // namespace

std::vector<StageGroups> planGroups(const Topology& topology, const RankLayout& layout, const Scenario& scenario, const ResolvedPlan& plan) {
    const auto& degrees = scenario.plan;
    GroupFinder finder(topology, layout);
    const bool standard = isStandardOrder(degrees);
    const std::int64_t tensor = layout.degree(Dimension::tensor);
    const std::int64_t context = layout.degree(Dimension::context);
    const std::int64_t holders = context * layout.degree(Dimension::data);
    const std::int64_t stages = layout.degree(Dimension::pipeline);
    const std::int64_t shard = std::clamp<std::int64_t>(plan.shardGroup, 1, holders);
    const std::int64_t expertTensor = std::min(std::max<std::int64_t>(1, degrees.expertTensorParallel), finder.perStage());
    const std::int64_t expert = std::clamp<std::int64_t>(degrees.expertParallel, 1, finder.perStage() / expertTensor);
    const bool uniformNodes = topology.oneKindOfNode();

    std::vector<StageGroups> all(static_cast<std::size_t>(stages));
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        auto& g = all[static_cast<std::size_t>(stage)];
        const bool likeFirst = stage > 0 && uniformNodes && standard && finder.perStage() % topology.node(0).deviceCount == 0;
        if (likeFirst) {
            g = all[0];
        } else {
            g.tensor = finder.slowest(stage, {tensor, 1}, standard);
            g.context = finder.slowest(stage, {context, tensor}, standard);
            g.data = finder.slowest(stage, {holders, tensor}, standard);
            g.shard = shard == holders ? g.data : finder.slowest(stage, {shard, tensor}, standard);
            if (shard < holders) g.replicas = finder.slowest(stage, {holders / shard, tensor * shard}, standard);
            if (scenario.model->moe) {
                g.expertTensor = finder.slowest(stage, {expertTensor, 1}, standard);
                g.expert = finder.slowest(stage, {expert, expertTensor}, standard);
                g.expertData = finder.slowest(stage, {finder.perStage() / (expert * expertTensor), expert * expertTensor}, standard);
            }
        }
        if (stages < 2) continue;
        const std::int64_t after = (stage + 1) % stages;
        // Replicas of an ordered layout on equal nodes hand over alike; else look at all of them.
        const std::int64_t step = uniformNodes && standard ? std::max<std::int64_t>(1, finder.perStage() / 4) : 1;
        bool first = true;
        for (std::int64_t i = 0; i < finder.perStage(); i += step) {
            std::int32_t pair[2] = {finder.deviceAt(stage, i), finder.deviceAt(after, i)};
            if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
            const GroupShape one = groupShape(topology, pair);
            g.next = first ? one : slower(g.next, one);
            first = false;
        }
    }
    return all;
}

}  // namespace trainyard
