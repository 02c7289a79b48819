#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/schedule/action.h"

namespace trainyard {

/// Short mark of an action kind in the schedule notation: F, I, W, B, R, then OPT, AG, RS, AR, EVICT, LOAD, ...
[[nodiscard]] std::string_view mark(ActionKind kind);

/// Kinds that concern one micro-batch on one stage; the others concern a stage or the whole rank.
[[nodiscard]] bool isPerMicroBatch(ActionKind kind);

/// `F3.2`: micro-batch 3 on stage 2; `F3:1.2` with slice 1 if there are slices; `AR.2`, `OPT` for what has no micro-batch.
[[nodiscard]] std::string actionText(const Action& action, bool showSlice);
/// The same, appended to `out` without an allocation of its own.
void appendActionText(fmt::memory_buffer& out, const Action& action, bool showSlice);

}  // namespace trainyard
