#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/plan/framework_rules.h"

namespace trainyard {

class PresetLibrary;

/// Reads one rule file (`presets/rules/ID.json`, described by `presets/schema/rules.schema.json`). A file that `extends` another
/// has its rules as well. Errors name the place.
[[nodiscard]] Result<FrameworkRules> readFrameworkRules(std::string_view text, const std::string& where,
                                                        const PresetLibrary& presets);

/// The rules of one framework; an unknown id is a `commandLine` error naming the known ones.
[[nodiscard]] Result<FrameworkRules> frameworkRules(const PresetLibrary& presets, std::string_view id);

}  // namespace trainyard
