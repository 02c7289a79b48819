#pragma once

#include <memory>
#include <string_view>

#include "core/base/error.h"
#include "core/io/presets/preset_library.h"
#include "core/model/model_spec.h"

namespace trainyard {

/// The model preset of this id; its `preset` is the id. The file holds an `architecture` with the
/// contract's keys, or else a `hf_config`. Unknown: an error that names the nearest ids.
[[nodiscard]] Result<std::shared_ptr<const ModelSpec>> modelPreset(const PresetLibrary& presets, std::string_view id);

}  // namespace trainyard
