#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/comm/collectives.h"
#include "core/engine/layer_cost.h"
#include "core/engine/plan_groups.h"
#include "core/model/operator_ledger.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Everything that the price of a layer depends on, as values: two ranks, stages or plans with equal keys have equal costs.
struct PricingKey {
    std::shared_ptr<const ModelSpec> model;
    Sharding sharding;
    std::int64_t sequenceLength = 0;
    Precision precision = Precision::bf16;
    AttentionKernel attention = AttentionKernel::flash2;
    bool fusedNorm = true;
    std::int64_t lossChunks = 1;
    std::uint8_t inPlace = 0;
    bool fusedAccumulation = true;
    double gradientAccumulateBytes = 8;
    OverlapPlan overlap;
    std::uint16_t recomputeModules = 0;
    const AcceleratorSpec* accelerator = nullptr;  ///< borrowed from the cluster, which the owner keeps alive
    double slowdown = 1;
    GroupShape tensor, context, expert, expertTensor;
    bool operator==(const PricingKey&) const = default;
};

[[nodiscard]] PricingKey pricingKey(const Scenario& scenario, const ResolvedPlan& plan, const Sharding& sharding, const PricedDevice& device,
                                    const StageGroups& groups);

/// Prices layer kinds, embedding and head for one key, each once.
class RankPricer {
  public:
    RankPricer(const PricingKey& key, const Workload& workload, const PricedDevice& device, const StageGroups& groups,
               const CommunicationConstants& constants);
    RankPricer(const RankPricer&) = delete;
    RankPricer& operator=(const RankPricer&) = delete;

    [[nodiscard]] const PricingKey& key() const { return key_; }
    [[nodiscard]] const LayerCost& layer(const LayerKind& kind);
    [[nodiscard]] const LayerCost& embedding();
    [[nodiscard]] const LayerCost& head();

  private:
    struct KindCost {
        LayerKind kind;
        std::unique_ptr<const LayerCost> cost;
    };
    PricingKey key_;
    Workload workload_;
    PricedDevice device_;
    StageGroups groups_;
    CommunicationConstants constants_;
    PricingContext context_;
    std::vector<KindCost> kinds_;
    std::optional<LayerCost> embedding_;
    std::optional<LayerCost> head_;
};

}  // namespace trainyard
