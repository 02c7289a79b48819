#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"

namespace trainyard {

/// A value that the input did not state.
struct Assumption {
    std::string field;   ///< JSON pointer into the scenario, e.g. `/model/kv_heads`
    std::string value;   ///< as JSON text
    std::string reason;  ///< one sentence
    bool operator==(const Assumption&) const = default;
};

/// What an importer made of its input, shown to the user beside the result.
struct ImportReport {
    std::vector<std::string> understood;  ///< e.g. `--num-layers 80 -> /model/layers`
    std::vector<Assumption> assumed;
    std::vector<std::string> ignored;     ///< what has no effect on the plan, or no place in it
    std::vector<Diagnostic> diagnostics;  ///< findings about the input itself
    bool operator==(const ImportReport&) const = default;
};

}  // namespace trainyard
