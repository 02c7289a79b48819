#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/cluster/accelerator_spec.h"
#include "core/cluster/cluster_spec.h"
#include "core/model/model_spec.h"

namespace trainyard {

/// The user's own parts, as preset files in `folder` (one of PresetLibrary::userFolders()). Each writes
/// `folder/KIND/ID.json` in one step, the id made from the name, and returns the path. A part of the same id is replaced.
[[nodiscard]] Result<std::string> keepModel(const ModelSpec& model, const std::string& folder);
[[nodiscard]] Result<std::string> keepAccelerator(const AcceleratorSpec& accelerator, const std::string& folder);
/// Also keeps accelerators of its own. `network` is the id of the network its NICs speak; empty for a node without NICs.
[[nodiscard]] Result<std::string> keepNode(const NodeSpec& node, const std::string& network, const std::string& folder);

/// "My 8-GPU box (2024)" -> "my-8-gpu-box-2024"; "part" if nothing is left.
[[nodiscard]] std::string presetIdFromName(std::string_view name);

}  // namespace trainyard
