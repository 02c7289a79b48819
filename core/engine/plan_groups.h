#pragma once

#include <vector>

#include "core/cluster/topology.h"
#include "core/comm/group_shape.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// The groups that the devices of one pipeline rank work in; where replicas differ, the slowest of them.
struct StageGroups {
    GroupShape tensor;
    GroupShape context;
    GroupShape expert;
    GroupShape expertTensor;
    GroupShape shard;        ///< over which ZeRO shards (default data x context)
    GroupShape replicas;     ///< of a shard, if it is smaller than data x context
    GroupShape data;         ///< data x context: all holders of the same dense parameters
    GroupShape expertData;   ///< all holders of the same experts
    GroupShape next;         ///< this pipeline rank and the next (the last: the first), one device each
    bool operator==(const StageGroups&) const = default;
};

/// One entry per pipeline rank. Expert groups follow Megatron-LM: among the tensor x context x data devices of a pipeline
/// rank, expert-tensor fastest, then expert, the rest holds copies.
[[nodiscard]] std::vector<StageGroups> planGroups(const Topology& topology, const RankLayout& layout, const Scenario& scenario,
                                                  const ResolvedPlan& plan);

}  // namespace trainyard
