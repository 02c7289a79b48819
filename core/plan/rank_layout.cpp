#include "core/plan/rank_layout.h"

#include <algorithm>

namespace trainyard {
namespace {

constexpr std::size_t index(Dimension dimension) { return static_cast<std::size_t>(dimension); }
constexpr Dimension kDefaultOrder[] = {Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline};

}  // namespace

RankLayout::RankLayout(std::int64_t tensor, std::int64_t context, std::int64_t data, std::int64_t pipeline, const Plan& plan)
    : tensor_(static_cast<std::int32_t>(tensor)),
      context_(static_cast<std::int32_t>(context)),
      data_(static_cast<std::int32_t>(data)),
      pipeline_(static_cast<std::int32_t>(pipeline)),
      ranks_(static_cast<std::int32_t>(tensor * context * data * pipeline)) {
    std::int32_t stride = 1;
    const auto place = [&](Dimension dimension) {
        if (stride_[index(dimension)] != 0) return;
        stride_[index(dimension)] = stride;
        stride *= degree(dimension);
    };
    for (const Dimension dimension : plan.placementOrder)
        if (dimension != Dimension::expert) place(dimension);
    for (const Dimension dimension : kDefaultOrder) place(dimension);

    if (static_cast<std::int64_t>(plan.deviceOfRank.size()) == ranks_) {
        explicitDevice_.reserve(plan.deviceOfRank.size());
        explicitRank_.assign(plan.deviceOfRank.size(), 0);
        for (std::size_t rank = 0; rank < plan.deviceOfRank.size(); ++rank) {
            const std::int64_t device = std::clamp<std::int64_t>(plan.deviceOfRank[rank], 0, ranks_ - 1);
            explicitDevice_.push_back(static_cast<std::int32_t>(device));
            explicitRank_[static_cast<std::size_t>(device)] = static_cast<std::int32_t>(rank);
        }
    }
}

RankLayout RankLayout::ofReplicas(const Plan& plan, std::int64_t devices) {
    RankLayout layout;
    layout.ranks_ = static_cast<std::int32_t>(devices);
    layout.data_ = static_cast<std::int32_t>(plan.replicas.size());
    layout.explicitRank_.assign(static_cast<std::size_t>(devices), -1);
    std::int32_t stage = 0;
    for (std::size_t replica = 0; replica < plan.replicas.size(); ++replica)
        for (const ReplicaStage& one : plan.replicas[replica].stages) {
            for (std::size_t i = 0; i < one.devices.size(); ++i) {
                const std::int64_t device = one.devices[i];
                if (device < 0 || device >= devices || layout.explicitRank_[static_cast<std::size_t>(device)] >= 0) continue;
                layout.explicitRank_[static_cast<std::size_t>(device)] = static_cast<std::int32_t>(layout.explicitDevice_.size());
                layout.explicitDevice_.push_back(static_cast<std::int32_t>(device));
                layout.coordinates_.push_back({.tensor = static_cast<std::int32_t>(i),
                                               .context = 0,
                                               .data = static_cast<std::int32_t>(replica),
                                               .pipeline = stage});
            }
            layout.tensor_ = std::max(layout.tensor_, static_cast<std::int32_t>(one.devices.size()));
            ++stage;
        }
    layout.pipeline_ = std::max(1, stage);
    for (std::int32_t device = 0; device < layout.ranks_; ++device)
        if (layout.explicitRank_[static_cast<std::size_t>(device)] < 0) {
            layout.explicitDevice_.push_back(device);
            layout.coordinates_.push_back({.tensor = 0, .context = 0, .data = 0, .pipeline = layout.pipeline_});
        }
    return layout;
}

std::int32_t RankLayout::degree(Dimension dimension) const {
    switch (dimension) {
        case Dimension::tensor: return tensor_;
        case Dimension::context: return context_;
        case Dimension::data: return data_;
        case Dimension::pipeline: return pipeline_;
        case Dimension::expert: return 1;
    }
    return 1;
}

RankCoordinates RankLayout::coordinates(std::int32_t rank) const {
    if (!coordinates_.empty()) return coordinates_[static_cast<std::size_t>(rank)];
    RankCoordinates at;
    at.tensor = rank % tensor_;
    rank /= tensor_;
    at.context = rank % context_;
    rank /= context_;
    at.data = rank % data_;
    at.pipeline = rank / data_;
    return at;
}

std::int32_t RankLayout::rank(const RankCoordinates& at) const {
    if (!coordinates_.empty()) {
        const auto found = std::find(coordinates_.begin(), coordinates_.end(), at);
        return found == coordinates_.end() ? 0 : static_cast<std::int32_t>(found - coordinates_.begin());
    }
    return ((at.pipeline * data_ + at.data) * context_ + at.context) * tensor_ + at.tensor;
}

std::int32_t RankLayout::device(std::int32_t rank) const {
    if (!explicitDevice_.empty()) return explicitDevice_[static_cast<std::size_t>(rank)];
    const RankCoordinates at = coordinates(rank);
    return at.tensor * stride_[index(Dimension::tensor)] + at.context * stride_[index(Dimension::context)] +
           at.data * stride_[index(Dimension::data)] + at.pipeline * stride_[index(Dimension::pipeline)];
}

std::int32_t RankLayout::rankOnDevice(std::int32_t device) const {
    if (!explicitRank_.empty()) return explicitRank_[static_cast<std::size_t>(device)];
    const auto coordinate = [&](Dimension dimension) { return device / stride_[index(dimension)] % degree(dimension); };
    return rank({.tensor = coordinate(Dimension::tensor),
                 .context = coordinate(Dimension::context),
                 .data = coordinate(Dimension::data),
                 .pipeline = coordinate(Dimension::pipeline)});
}

std::vector<std::int32_t> RankLayout::group(Dimension dimension, std::int32_t member) const {
    RankCoordinates at = coordinates(member);
    std::vector<std::int32_t> ranks;
    if (!coordinates_.empty()) {
        for (std::int32_t rank = 0; rank < ranks_; ++rank) {
            const RankCoordinates& other = coordinates_[static_cast<std::size_t>(rank)];
            const bool sameReplica = other.data == at.data && other.pipeline < pipeline_;
            const bool together = dimension == Dimension::tensor     ? other.pipeline == at.pipeline
                                  : dimension == Dimension::pipeline ? sameReplica && other.tensor == at.tensor
                                                                     : rank == member;
            if (together) ranks.push_back(rank);
        }
        return ranks;
    }
    ranks.reserve(static_cast<std::size_t>(degree(dimension)));
    for (std::int32_t i = 0; i < degree(dimension); ++i) {
        switch (dimension) {
            case Dimension::tensor: at.tensor = i; break;
            case Dimension::context: at.context = i; break;
            case Dimension::data: at.data = i; break;
            case Dimension::pipeline: at.pipeline = i; break;
            case Dimension::expert: break;
        }
        ranks.push_back(rank(at));
    }
    return ranks;
}

std::vector<std::int32_t> RankLayout::groupDevices(Dimension dimension, std::int32_t member) const {
    std::vector<std::int32_t> devices = group(dimension, member);
    for (std::int32_t& entry : devices) entry = device(entry);
    return devices;
}

}  // namespace trainyard
