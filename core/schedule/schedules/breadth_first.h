#pragma once

#include "core/schedule/registry.h"

/// Closed forms of breadth-first orders: all micro-batches pass one chunk before the next (arXiv 2106.02679, 2211.05953).
namespace trainyard {

/// Fill and drain of one chunk, and what fewer micro-batches than ranks leave open between chunks.
inline double breadthFirstIdle(const ScheduleRequest& r, double f, double i, double w) {
    const int missing = r.microBatches < r.ranks ? (r.chunks - 1) * (r.ranks - r.microBatches) : 0;
    return (r.ranks - 1 + missing) * (f + i + w) / r.chunks;
}

/// Every micro-batch is in flight at the turn.
inline double breadthFirstPeak(const ScheduleRequest& r, int) { return static_cast<double>(r.microBatches); }

}  // namespace trainyard
