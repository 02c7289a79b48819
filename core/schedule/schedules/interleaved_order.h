#pragma once

#include <cstdint>
#include <vector>

#include "core/schedule/registry.h"

namespace trainyard {

/// One entry of the table that interleaved schedules walk through.
struct ChunkUnit {
    std::int32_t microBatch;
    std::int32_t chunk;
};

/// For each group of `group` micro-batches, for each chunk, each micro-batch of the group. A last group smaller than the
/// others is allowed. (Megatron-LM, arXiv 2104.04473.)
[[nodiscard]] std::vector<ChunkUnit> groupedTable(int microBatches, int chunks, int group);

/// Forward, one forward and one backward in turn, backward, over the table: `warmup(rank)` forwards first.
[[nodiscard]] ActionLists emitInterleaved(const ScheduleRequest& request, int group, int extraWarmup, bool pairs);

}  // namespace trainyard
