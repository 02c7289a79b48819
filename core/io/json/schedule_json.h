#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/unit_times.h"

namespace trainyard {

struct ScheduleDocument {
    std::string name;
    ActionLists lists;
};

/// A schedule in the native form, which `schedule --format json` writes: `ranks` (one list of cells per rank) and optionally
/// `m`, `stages`, `slices`, `stage_to_rank`, `mb_pipe`; what is left out comes from the cells. With `notation`
/// `torch_compute_comms` the cells are those of a torch CSV. Errors name `where#/pointer`. What the lists mean is not checked;
/// see validateLists().
[[nodiscard]] Result<ScheduleDocument> parseScheduleJson(std::string_view text, const std::string& where);

/// Times for the simulator: `forward`, `backward_input`, `backward_weight`, `backward`, `recompute`, `comm`, `comm_forward`,
/// `comm_backward`, `send_forward`, `send_backward`, `all_gather`, `reduce_scatter`, `all_reduce`, `optimizer`, `evict`, `load`,
/// `offload`, `reload`, `context_exchange` (a number, or one per stage), `slice_weight` (list), `serialize_links`,
/// `fused_pair_factor`.
[[nodiscard]] Result<UnitTimes> parseTimesJson(std::string_view text, const std::string& where);

/// The text of a schedule in any form that can be read: JSON, torch CSV or the notation, told apart by content.
[[nodiscard]] Result<ScheduleDocument> parseAnySchedule(std::string_view text, const std::string& where);

}  // namespace trainyard
