#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Nodes and processes of a launch. Nodes of different sizes cannot be launched by one line.
struct LaunchShape {
    std::int64_t nodes = 1;
    std::int64_t perNode = 1;
    bool uniform = true;
};
[[nodiscard]] LaunchShape launchShape(const ClusterSpec& cluster);

/// Layers per stage in Megatron-LM's layout string, `Ett|tt|ttL`; nothing if the even split needs none.
[[nodiscard]] std::optional<std::string> megatronLayout(const ModelSpec& model, const ResolvedPlan& plan);

/// A text that a POSIX shell takes as one word.
[[nodiscard]] std::string shellWord(const std::string& text);

}  // namespace trainyard
