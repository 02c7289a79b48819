#pragma once

#include <memory>
#include <vector>

#include "core/cluster/topology.h"
#include "core/engine/layer_cost.h"
#include "core/engine/plan_groups.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

class EngineCache;

/// Traffic of one stage per micro-batch, recomputation included, by group and collective.
struct StageTraffic {
    TrafficCost at[kTrafficGroups][kTrafficCollectives];
};

/// What one global stage (chunk) costs per micro-batch, and what it holds.
struct StageCost {
    int rank = 0;                 ///< pipeline rank that runs it
    std::int64_t layers = 0;
    PassCost forward;
    PassCost backwardInput;
    PassCost backwardWeight;
    PassCost recompute;
    double modelFlops = 0;        ///< forward and backward, one micro-batch, one device, full attention
    double causalFlopsSaved = 0;  ///< part of modelFlops that a causal mask halves away
    double hardwareFlops = 0;     ///< with recomputation, same convention as modelFlops
    double denseParameters = 0;   ///< held by one device before ZeRO sharding
    double expertParameters = 0;
    std::shared_ptr<StageTraffic> traffic;  ///< equal stages share one; never null in StageCosts
    double sendS = 0;             ///< activations to the next stage (and gradients back), one message
    double sendBytes = 0;
    double handoverS = 0;         ///< host synchronisation around the hand-overs of one pass
    double gatherForwardS = 0;    ///< ZeRO-3: parameters gathered for one forward pass
    double gatherBackwardS = 0;
    double gatherBytes = 0;       ///< sent by one device, one pass
    double scatterS = 0;          ///< ZeRO-3: gradients reduced and scattered after one backward pass
    double scatterBytes = 0;
    double forwardDataS = 0;      ///< part of the gathers that sticks out of the forward pass
    double backwardDataS = 0;
};

/// What one pipeline rank does once per step.
struct RankCost {
    double optimizerS = 0;
    double reduceS = 0;           ///< gradients over the holders of the same parameters, all of it
    double reduceBytes = 0;       ///< sent by one device
    CollectiveKind reduceKind = CollectiveKind::none;
    double gatherS = 0;           ///< updated parameters back to all holders
    double gatherBytes = 0;
    double offloadS = 0;          ///< optimizer step of what is kept in host memory
    double tiedS = 0;             ///< sum of the tied embedding's gradients between first and last rank
    double tiedBytes = 0;
    double lastBackwardS = 0;     ///< backward of one micro-batch on this rank: what the reduction can hide under
    double firstForwardS = 0;     ///< forward of one micro-batch: what the parameter gather can hide under
    std::int64_t layers = 0;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::none;
    LinkKind link = LinkKind::other;
};

struct StageCosts {
    std::vector<StageCost> stages;   ///< per global stage, model order
    std::vector<RankCost> ranks;     ///< per pipeline rank
    std::vector<StageGroups> groups; ///< per pipeline rank
    std::vector<PricedDevice> devices;  ///< slowest device of each pipeline rank
    double synchronizationS = 0;     ///< gradient norm and other small exchanges that end a step
    double jitterShare = 0;          ///< share by which the slowest of many devices is later than the mean
    bool dataOverlap = true;
};

/// Pipeline rank of each global stage for the plan's schedule (looped, or V-shaped where the schedule is).
[[nodiscard]] std::vector<int> rankOfStages(const Scenario& scenario, const ResolvedPlan& plan);

[[nodiscard]] StageCosts stageCosts(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout);
/// The same, taking from and leaving in a cache what other evaluations can use.
[[nodiscard]] StageCosts stageCosts(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout, EngineCache& cache);

}  // namespace trainyard
