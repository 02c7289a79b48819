#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/collectives.h"
#include "core/compute/kernel_time.h"
#include "core/engine/plan_groups.h"
#include "core/model/operator_ledger.h"

namespace trainyard {

/// Time of one pass over one layer (or a stage) for one micro-batch, in named parts that add up to totalS().
struct PassCost {
    double gemmS = 0;
    double attentionS = 0;
    double memoryBoundS = 0;
    double launchS = 0;       ///< waiting for the host to issue kernels
    double slowdownS = 0;     ///< compute stretched by collectives that run beside it
    double tensorS = 0;       ///< exposed: not hidden under the pass's own compute
    double contextS = 0;
    double expertS = 0;
    double flops = 0;         ///< executed, causal half once

    [[nodiscard]] double computeS() const { return gemmS + attentionS + memoryBoundS + launchS + slowdownS; }
    [[nodiscard]] double totalS() const { return computeS() + tensorS + contextS + expertS; }
    PassCost& operator+=(const PassCost& other);
    [[nodiscard]] PassCost scaled(double factor) const;
};

/// Traffic of one kind that one layer (or stage) causes per micro-batch, forward, backward and recomputation together.
struct TrafficCost {
    double calls = 0;
    double bytes = 0;     ///< sent by one device
    double timeS = 0;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::none;
    LinkKind link = LinkKind::other;
    int groupSize = 1;
    void add(const CollectiveTime& time, int size, double count = 1);
    void add(const TrafficCost& other, double factor);
};

inline constexpr int kTrafficGroups = 3;       ///< tensor, context, expert
inline constexpr int kTrafficCollectives = 5;  ///< all-reduce, all-gather, reduce-scatter, all-to-all, send-receive (ring)

/// Cost of one layer of one kind on one device for one micro-batch.
struct LayerCost {
    PassCost forward;
    PassCost backwardInput;
    PassCost backwardWeight;
    PassCost recompute;          ///< as the plan says for a layer that is recomputed
    PassCost fullRecompute;      ///< of the whole layer
    double modelFlopsForward = 0;      ///< full attention counted
    double attentionFlopsForward = 0;  ///< part of it that a causal mask would halve
    double parameters = 0;       ///< held by the device, dense
    double expertParameters = 0;
    TrafficCost traffic[kTrafficGroups][kTrafficCollectives];
    TrafficCost recomputeTraffic[kTrafficGroups][kTrafficCollectives];
    TrafficCost fullRecomputeTraffic[kTrafficGroups][kTrafficCollectives];
};

/// Everything that prices a layer, beside the layer itself.
struct PricingContext {
    const PricedDevice* device = nullptr;
    const StageGroups* groups = nullptr;
    const CommunicationConstants* constants = nullptr;
    Precision precision = Precision::bf16;
    AttentionKernel attention = AttentionKernel::flash2;
    OverlapPlan overlap;
    std::uint16_t recomputeModules = 0;  ///< bits of RecomputeModule that `selective` runs again
    double gradientAccumulateBytes = 8;  ///< read and written per weight-gradient element (fp32 main gradients: 8)
    bool fusedAccumulation = true;       ///< the product adds to the kept gradient itself (fp32 main gradients of Megatron-LM)
    bool fusedNorm = true;
    SoftwareStack stack = SoftwareStack::fused;
    bool gated = false;
    double tokenCopies = 0;              ///< experts per token: copies to one node cross the network once
};

[[nodiscard]] LayerCost layerCost(std::span<const Operator> operators, const PricingContext& context);

}  // namespace trainyard
