#pragma once

#include "core/base/error.h"
#include "core/schedule/action.h"

namespace trainyard {

/// Fills counts and placement of lists that came from outside, from where compute actions stand: `stages`, `microBatches`,
/// `slices`, `rankOfStage`, `pipeOfMicroBatch` and the pipe of every action. Micro-batches whose stages lie on the same ranks
/// share a pipe. Error: one stage of one micro-batch on two ranks; more than 255 different pipes.
[[nodiscard]] Result<void> inferPlacement(ActionLists& lists);

}  // namespace trainyard
