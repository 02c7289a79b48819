#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/cluster/cluster_spec.h"
#include "core/io/json/object_reader.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {

/// An accelerator as it stands in a scenario: a preset id, or an object with optional `base` and changed fields. Null after
/// an error. An object without `base` gets an empty id, so that an id always means a preset; its name is its `id` or `name`.
[[nodiscard]] std::shared_ptr<const AcceleratorSpec> readAccelerator(const nlohmann::json& value, const std::string& pointer,
                                                                     ReadState& state, const PresetLibrary& presets);
/// The fields of an accelerator object laid over `spec` (empty for one without base).
void readAcceleratorFields(ObjectReader& reader, AcceleratorSpec& spec);

/// A node block as it is drawn in a scenario. Meaningless after an error.
[[nodiscard]] NodeSpec readNode(const nlohmann::json& value, const std::string& pointer, ReadState& state,
                                const PresetLibrary& presets);

/// `presetsOrNull` lets an accelerator with a base be written as its changes alone.
[[nodiscard]] nlohmann::json acceleratorJson(const AcceleratorSpec& spec, const PresetLibrary* presetsOrNull);

/// The `cluster` object of a scenario: a preset with its count, or the drawn graph. Null after an error.
[[nodiscard]] std::shared_ptr<const ClusterSpec> readCluster(const nlohmann::json& value, const std::string& pointer,
                                                             ReadState& state, const PresetLibrary& presets);
[[nodiscard]] nlohmann::json clusterJson(const ClusterSpec& cluster, const PresetLibrary* presetsOrNull);

}  // namespace trainyard
