#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/topology.h"
#include "core/engine/in_flight.h"
#include "core/engine/plan_groups.h"
#include "core/engine/rank_pricer.h"
#include "core/memory/memory_model.h"
#include "core/plan/rank_layout.h"
#include "core/schedule/simulate.h"

namespace trainyard {

/// What one evaluation can leave for the next: flattened cluster, groups, prices of layers, memory of layers. Every entry is
/// found by the values it depends on, so that an evaluation with a cache gives the same figures as one without. Bounded;
/// one per thread. Cluster and model are told apart by identity (they are immutable and kept alive here).
class EngineCache {
  public:
    [[nodiscard]] const std::shared_ptr<const Topology>& topology(const Scenario& scenario);
    [[nodiscard]] const std::shared_ptr<const std::vector<StageGroups>>& groups(const Topology& topology, const RankLayout& layout,
                                                                                const Scenario& scenario, const ResolvedPlan& plan);
    [[nodiscard]] PricedDevice device(const Topology& topology, std::int32_t device, const Scenario& scenario);
    /// Shared: a caller keeps the pricers of a plan alive while later ones push them out of the cache.
    [[nodiscard]] std::shared_ptr<RankPricer> pricer(const PricingKey& key, const Scenario& scenario, const PricedDevice& device, const StageGroups& groups,
                                     const CommunicationConstants& constants);
    [[nodiscard]] const ModelMemory& memory(const Scenario& scenario, const Sharding& sharding);
    [[nodiscard]] const std::vector<LayerRun>& layerRuns(const Scenario& scenario);
    [[nodiscard]] const ParameterCounts& parameters(const Scenario& scenario);
    [[nodiscard]] InFlightMemo& inFlight() { return inFlight_; }
    [[nodiscard]] SimulationWorkspace& workspace() { return workspace_; }

  private:
    struct GroupsEntry {
        std::int64_t tensor, context, data, pipeline, shard, expert, expertTensor;
        bool moe;
        std::vector<Dimension> order;
        std::shared_ptr<const std::vector<StageGroups>> groups;
    };
    struct MemoryEntry {
        std::shared_ptr<const ModelSpec> model;
        Workload workload;
        Sharding sharding;
        std::uint16_t modules;
        std::unique_ptr<const ModelMemory> memory;
    };
    struct DeviceEntry {
        const AcceleratorSpec* accelerator;
        double slowdown;
        Precision precision;
        PricedDevice device;
    };
    void forgetCluster();

    std::shared_ptr<const ClusterSpec> cluster_;
    std::map<std::string, double> calibration_;
    std::shared_ptr<const Topology> topology_;
    std::vector<GroupsEntry> groups_;
    std::shared_ptr<const std::vector<StageGroups>> uncachedGroups_;
    std::vector<DeviceEntry> devices_;
    std::vector<std::shared_ptr<RankPricer>> pricers_;
    std::vector<MemoryEntry> memories_;
    std::shared_ptr<const ModelSpec> model_;
    std::vector<LayerRun> layerRuns_;
    std::optional<ParameterCounts> parameters_;
    std::int64_t parametersSequenceLength_ = 0;
    InFlightMemo inFlight_;
    SimulationWorkspace workspace_;
};

}  // namespace trainyard
