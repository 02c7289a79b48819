#pragma once

#include <cstddef>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"

namespace trainyard {

/// What is wrong with lists, each finding naming the action: outside the counts, on a rank where its stage does not live, twice,
/// missing (exactly one F, and one B or one I and one W, per micro-batch, slice and stage; as many recomputes as announced),
/// before its own forward or input gradient, or blocked for ever. Empty if they can run. No more than `most` findings.
[[nodiscard]] std::vector<Error> validateLists(const ActionLists& lists, std::size_t most = 20);

}  // namespace trainyard
