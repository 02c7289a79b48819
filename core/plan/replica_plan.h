#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

/// One pipeline stage of a replica: its devices are its tensor group.
struct ReplicaStage {
    std::vector<std::int64_t> devices;  ///< in file order of the cluster; their number is the stage's tensor degree
    std::int64_t layers = 0;
    bool operator==(const ReplicaStage&) const = default;
};

/// One copy of the model with a shape of its own (HexiScale / FlashFlex, arXiv 2409.01143) and its share of the batch. With
/// ZeRO 3 a replica is one device with its micro-batch, count and share of the states (Cephalo, arXiv 2411.01075).
struct ReplicaPlan {
    std::vector<ReplicaStage> stages;
    std::int64_t microBatchSize = 1;
    std::int64_t microBatches = 1;
    double shard = 0;  ///< share of the states that this replica keeps, 0 to 1; 0: as many as every other
    bool operator==(const ReplicaPlan&) const = default;

    [[nodiscard]] std::int64_t sequences() const { return microBatchSize * microBatches; }
};

}  // namespace trainyard
