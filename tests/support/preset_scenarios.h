#pragma once

#include <string>

#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/scenario.h"

namespace trainyard::test {

/// A scenario that ships; an empty one, with the message in its name, if it cannot be read.
inline Scenario presetScenario(const std::string& id) {
    const PresetLibrary library;
    const auto text = library.text(PresetKind::scenarios, id);
    if (!text) return {};
    auto scenario = readScenario(*text, {id, ""}, library);
    if (scenario) return *scenario;
    Scenario broken;
    broken.name = scenario.error().message;
    return broken;
}

}  // namespace trainyard::test
