#pragma once

#include <string_view>

namespace trainyard {

/// The schedule of ours that torch.distributed.pipelining has under this name (any case); empty if there is none.
[[nodiscard]] std::string_view scheduleFromTorchName(std::string_view torchName);
/// Torch's class name of a schedule, without the `Schedule` in front; empty if torch has none.
[[nodiscard]] std::string_view torchNameOfSchedule(std::string_view schedule);
/// True for the torch schedules that give each rank several stages.
[[nodiscard]] bool torchScheduleHasVirtualStages(std::string_view schedule);

}  // namespace trainyard
