#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"

#include "core/plan/scenario.h"
#include "core/search/partition.h"

namespace trainyard {

/// What may change beside the layers per stage.
struct PartitionFreedom {
    bool order = false;     ///< which devices hold which stage
    bool tensor = false;    ///< tensor degree of every stage
    bool replicas = false;  ///< stages, split and share of the batch of every replica
    bool shares = false;    ///< with ZeRO 3: micro-batch, count and share of the states of every device
    [[nodiscard]] bool any() const { return order || tensor || replicas || shares; }
};
/// From `order,tensor,replicas,shares`; the error names the word that is none of them.
[[nodiscard]] Result<PartitionFreedom> partitionFreedom(std::string_view words);

/// A whole plan and how good it is known to be.
struct PlanPartition {
    bool found = false;         ///< some plan fits
    Plan plan;
    double stepS = 0;           ///< simulated
    double evenSplitStepS = 0;  ///< as in PartitionResult
    double nowStepS = 0;        ///< of the plan as it stands; 0: does not run
    double overflowBytes = 0;
    bool optimal = false;
    double gap = 0;             ///< stepS over a bound that no plan of this freedom can beat, minus 1
    std::string how;            ///< which freedom it uses, in words
    std::vector<std::int64_t> layersPerStage;  ///< of all replicas, one after the other
    std::vector<int> stageDevices;             ///< first device of each of these stages
};

/// The fastest plan found with this freedom, never slower than the layer split alone. Stage orders are tried exhaustively up to
/// five stages, else by exchanging two at a time; replicas as HexiScale builds them (arXiv 2409.01143): tensor groups of equal
/// devices of one node, dealt out by speed, chained along strong links, layers and batch in proportion, then improved one move
/// at a time; shares as Cephalo (arXiv 2411.01075).
[[nodiscard]] PlanPartition partitionPlan(const Scenario& scenario, const PartitionFreedom& freedom, const PartitionOptions& options = {},
                                          std::stop_token stop = {}, const PartitionProgress& progress = {});

// The parts, each a list of plans worth simulating, best first.
[[nodiscard]] std::vector<Plan> unevenReplicaPlans(const Scenario& scenario, bool ownReplicaCount, bool ownTensor, double limitS, std::stop_token stop);
[[nodiscard]] std::vector<Plan> unevenSharePlans(const Scenario& scenario, std::stop_token stop);

/// Smallest step that the devices could make together, if each worked at its own speed all the time and nothing had to be sent.
[[nodiscard]] double computeBoundS(const Scenario& scenario);

}  // namespace trainyard
