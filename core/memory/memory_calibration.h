#pragma once

#include <map>
#include <string>

#include "core/memory/memory_model.h"

namespace trainyard {

/// Lays the user's calibration (keys `memory.*`, factors) over one stage's memory: `memory.activations` on what is kept from
/// forward to backward, `memory.allocator` on blocks held besides live tensors, `memory.framework` on device context and
/// communication library. The sums follow. Without such a key nothing changes.
void calibrateMemory(MemoryBreakdown& breakdown, const std::map<std::string, double>& calibration);

}  // namespace trainyard
