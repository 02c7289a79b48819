#pragma once

#include <cstddef>
#include <vector>

#include "core/schedule/list_builder.h"

namespace trainyard {

/// The eight steps that DualPipe and DualPipeV share. On each rank two directions meet: direction 0 enters near the rank,
/// direction 1 far from it.
struct DualPipeRank {
    int depth = 0;         ///< distance of the rank from the end where direction 0 enters
    int half = 0;          ///< number of ranks between the two ends: p/2, or p for the V form
    int perDirection = 0;  ///< micro-batches per direction
    int stage[2] = {0, 0};
    int firstMicroBatch[2] = {0, 0};
};

/// Appends the rank's list. Weight gradients that were split off run first in, first out.
void emitDualPipeRank(ListBuilder& out, const DualPipeRank& rank);

}  // namespace trainyard
