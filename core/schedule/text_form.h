#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"

namespace trainyard {

/// One cell: `F3.2`, with a slice `F3:1.2`, what has no micro-batch `AR.2` or `OPT`, or a pair `{F7.0|B3.7}`. Appends one
/// action, or two, to `out`. Error: what was found and what is expected; `where` is left empty.
[[nodiscard]] Result<void> parseCell(std::string_view cell, std::vector<Action>& out);

/// Lists in the notation: one line per rank, cells separated by spaces or commas; `#` begins a comment, `rank 3:` may stand
/// first, `-` is an idle slot and is dropped, `@start` behind a cell is ignored. Counts and placement come from the cells.
/// Errors name `where:line:column`. What the lists mean is not checked; see validateLists().
[[nodiscard]] Result<ActionLists> parseScheduleText(std::string_view text, std::string_view where);

/// The order only, one line per rank; parseScheduleText() reads it back.
[[nodiscard]] fmt::memory_buffer orderText(const ActionLists& lists);

}  // namespace trainyard
