#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibrate/calibrate.h"

namespace trainyard {

/// `{"calibration", "constants": [{"name", "value", "start", "outcome", "uncertainty", "with"}], "measurements": [{"name",
/// "where", "step_s": {"measured", "before", "after"}, "peak_bytes": {...}}], "time": {...}, "memory": {...}, "iterations",
/// "converged"}`; errors are shares, signed where they belong to one run.
[[nodiscard]] nlohmann::json calibrationJson(const CalibrationReport& report);

}  // namespace trainyard
