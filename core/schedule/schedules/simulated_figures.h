#pragma once

#include "core/schedule/registry.h"

namespace trainyard {

// For the few requests for which a schedule's closed form does not hold (small numbers of micro-batches): the same figures
// from the lists themselves.

/// Idle time of the busiest rank, equal stages, free transfers; times per micro-batch on one rank's whole share of `chunks`.
[[nodiscard]] double simulatedIdle(const ActionLists& lists, int chunks, double f, double backwardInput, double backwardWeight);

/// Most activations that a rank holds until their input gradient, in micro-batches on its whole share of `chunks`.
[[nodiscard]] double listedPeak(const ActionLists& lists, int chunks, int rank);

}  // namespace trainyard
