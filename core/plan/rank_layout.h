#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/plan/plan.h"

namespace trainyard {

/// Position of a rank in the plan. Expert coordinates follow from tensor x context x data.
struct RankCoordinates {
    std::int32_t tensor = 0;
    std::int32_t context = 0;
    std::int32_t data = 0;
    std::int32_t pipeline = 0;
    bool operator==(const RankCoordinates&) const = default;
};

/// Ranks and where they sit. A rank is tensor-fastest: ((pipeline x data + d) x context + c) x tensor + t, as in
/// Megatron-LM's default order; the placement order of the plan decides the device of each rank.
class RankLayout {
  public:
    /// All degrees positive; devices = their product.
    RankLayout(std::int64_t tensor, std::int64_t context, std::int64_t data, std::int64_t pipeline, const Plan& plan);

    /// Replicas of their own shapes over `devices` devices: the pipeline coordinate counts the stages of all replicas through,
    /// the data coordinate the replicas. Devices that no replica uses have no rank.
    [[nodiscard]] static RankLayout ofReplicas(const Plan& plan, std::int64_t devices);

    [[nodiscard]] std::int32_t ranks() const { return ranks_; }
    [[nodiscard]] RankCoordinates coordinates(std::int32_t rank) const;
    [[nodiscard]] std::int32_t rank(const RankCoordinates& at) const;
    [[nodiscard]] std::int32_t device(std::int32_t rank) const;
    /// -1: the plan does not use it.
    [[nodiscard]] std::int32_t rankOnDevice(std::int32_t device) const;
    [[nodiscard]] std::int32_t degree(Dimension dimension) const;

    /// Ranks that differ from `rank` in this dimension only, itself included, ascending.
    [[nodiscard]] std::vector<std::int32_t> group(Dimension dimension, std::int32_t rank) const;
    /// Devices of that group, in group order.
    [[nodiscard]] std::vector<std::int32_t> groupDevices(Dimension dimension, std::int32_t rank) const;

  private:
    RankLayout() = default;
    std::int32_t tensor_ = 1, context_ = 1, data_ = 1, pipeline_ = 1, ranks_ = 1;
    std::array<std::int32_t, 4> stride_{};       ///< device stride of tensor, context, data, pipeline
    std::vector<std::int32_t> explicitDevice_;   ///< by rank, if the plan lists devices
    std::vector<std::int32_t> explicitRank_;
    std::vector<RankCoordinates> coordinates_;   ///< by rank, if replicas have shapes of their own
};

}  // namespace trainyard
