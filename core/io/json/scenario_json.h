#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/scenario.h"

namespace trainyard {

inline constexpr std::string_view kScenarioFormat = "trainyard.scenario";
inline constexpr std::int64_t kScenarioVersion = 1;

/// Where a scenario comes from: the name used in messages, and the folder that relative file names start at.
struct ScenarioOrigin {
    std::string where;
    std::string folder;
};

/// The document in the text of a scenario file or of a link to one (core/io/scenario_link.h), brought up to the current version.
[[nodiscard]] Result<nlohmann::json> scenarioDocument(std::string_view text, const std::string& where);

/// Reads the text of a scenario file (contract "Scenario file"). Not JSON: an `unreadable` error with line and column.
/// JSON with wrong types, unknown names or an unknown version: an `invalid` error with the JSON pointer. Keys nobody knows
/// are kept in `Scenario::unknownKeys`; whether the numbers make sense together is for `validate` to say. A link to a scenario is read as the file in it.
[[nodiscard]] Result<Scenario> readScenario(std::string_view text, const ScenarioOrigin& origin, const PresetLibrary& presets);
[[nodiscard]] Result<Scenario> readScenarioJson(const nlohmann::json& document, const ScenarioOrigin& origin,
                                                const PresetLibrary& presets);
[[nodiscard]] Result<Scenario> readScenarioFile(const std::string& path, const PresetLibrary& presets);

/// The text of the file: sorted keys, short numbers, one fact per line; a preset stays a preset, unknown keys return to
/// their place. `readScenario` of it gives an equal scenario.
[[nodiscard]] std::string writeScenario(const Scenario& scenario, const PresetLibrary* presetsOrNull = nullptr);
[[nodiscard]] nlohmann::json scenarioJson(const Scenario& scenario, const PresetLibrary* presetsOrNull = nullptr);

/// Lays `pointer = value` over the document; the value is JSON, or text where it is not. Missing objects on the way are
/// made; a pointer through a number or past the end of a list is a `commandLine` error.
[[nodiscard]] Result<void> setValue(nlohmann::json& document, std::string_view pointer, std::string_view value);

}  // namespace trainyard
