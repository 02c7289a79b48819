#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "core/cluster/topology.h"
#include "core/engine/engine_cache.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/memory/stage_memory.h"
#include "core/plan/replica_plan.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// One replica, priced as a pipeline of its own.
struct PricedReplica {
    Scenario scenario;               ///< its shape as an ordinary plan
    ResolvedPlan plan;
    StageCosts costs;
    StepTime step;
    std::vector<StageMemory> memory;  ///< per stage
    std::vector<int> tensor;          ///< devices of each stage
};

/// All replicas of a plan and the step that they make together.
struct PricedReplicas {
    std::vector<PricedReplica> replicas;
    StepTime together;        ///< levels: the slowest replica at each
    std::size_t slowest = 0;
    double fill = 0;          ///< largest share of a device's memory
    double overflowBytes = 0; ///< of the fullest device, negative if it fits
    [[nodiscard]] bool fits() const { return fill <= 1; }
};

/// Prices replicas of their own shapes with the engine's own figures: a stage is priced on nodes like its own, hand-overs and the
/// exchange of gradients on the ways that its devices have. Gradients of a layer are exchanged in as many slices as its widest
/// holder has devices; a holder with fewer sends several slices one after the other (HexiScale, arXiv 2409.01143). With ZeRO 3
/// every gather takes as long as that of the largest share (Cephalo, arXiv 2411.01075).
class ReplicaPricer {
  public:
    ReplicaPricer(const Scenario& scenario, std::shared_ptr<const Topology> topology);
    ~ReplicaPricer();

    [[nodiscard]] PricedReplicas price(const std::vector<ReplicaPlan>& replicas, bool simulate, int levels = kFreeLevels);
    [[nodiscard]] const Topology& topology() const { return *topology_; }

  private:
    struct StageClass;
    using ClassKey = std::tuple<std::int32_t, const AcceleratorSpec*, int, double, std::int64_t>;

    /// `nodes`: how many such nodes the priced plan has at least.
    [[nodiscard]] StageClass& classOf(const std::vector<std::int64_t>& devices, std::size_t nodes);
    [[nodiscard]] PricedReplica priceOne(const std::vector<ReplicaPlan>& replicas, std::size_t index);
    void exchangeGradients(std::vector<PricedReplica>& priced, const std::vector<ReplicaPlan>& replicas) const;
    void shardStates(std::vector<PricedReplica>& priced, const std::vector<ReplicaPlan>& replicas) const;
    void fillMemory(PricedReplica& priced, const ReplicaPlan& replica, std::size_t replicas);

    Scenario scenario_;
    std::shared_ptr<const Topology> topology_;
    std::map<ClassKey, std::unique_ptr<StageClass>> classes_;
};

}  // namespace trainyard
