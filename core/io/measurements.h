#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/calibrate/calibrate.h"
#include "core/io/presets/preset_library.h"
#include "core/io/json/scenario_json.h"

namespace trainyard {

/// More runs than this in one file are refused.
inline constexpr std::size_t kMaxMeasurements = 2000;

/// The user's own measurements for `calibrate`.
///
/// JSON: a list (or an object with the list under `measurements`) of objects with
///   `scenario`   a file (relative to this one), a whole scenario object, or an object without `format` that is laid over
///                the base scenario; left out: the base scenario itself
///   `set`        {JSON pointer: value} laid over that
///   `step_s` or `tokens_per_s`; `peak_bytes` (nvidia-smi), `peak_reserved_bytes` or `peak_allocated_bytes` (torch)
///   `name`, `weight` (1)
/// CSV: a heading line with the same names; a column whose name starts with `/` is a JSON pointer; empty cells are left out.
///
/// `base`: the scenario that is calibrated, and where it came from. Errors carry file and place (line, or JSON pointer).
/// `remarks` takes one sentence per key that nobody knows.
[[nodiscard]] Result<std::vector<Measurement>> readMeasurements(std::string_view text, const ScenarioOrigin& origin, const nlohmann::json& base,
                                                                const ScenarioOrigin& baseOrigin, const PresetLibrary& presets,
                                                                std::vector<std::string>& remarks);

/// The same with an open scenario as the base; its relative names start at `folder`.
[[nodiscard]] Result<std::vector<Measurement>> readMeasurementFile(const Scenario& base, const std::string& folder, const std::string& measurementsFile,
                                                                   const PresetLibrary& presets, std::vector<std::string>& remarks);
/// The same for files; `scenarioFile` is the base.
[[nodiscard]] Result<std::vector<Measurement>> readMeasurementFiles(const std::string& scenarioFile, const std::string& measurementsFile,
                                                                    const PresetLibrary& presets, std::vector<std::string>& remarks);

}  // namespace trainyard
