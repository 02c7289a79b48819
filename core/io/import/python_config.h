#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// A configuration that a Python function builds, as values. A call `Name(a=1)` is an object with its keyword arguments, the
/// name under `__call__` and the positional arguments under `__arguments__`; names that stand for nothing known are text.
struct PythonConfig {
    std::string name;       ///< of the function, or of the variable outside of functions
    nlohmann::json value;   ///< what it returns, with later assignments to its fields
    bool returned = false;  ///< it stood in a `return`
};

/// Reads the literals out of Python text: `name = value`, `name.field.field = value`, `return value`, with numbers, text, lists,
/// tuples, dictionaries, whole-number arithmetic, calls with keyword arguments, and calls of functions defined further up in the
/// same text. Nothing is executed: other statements are passed over, loops and conditions included. Error: text that is no
/// Python (brackets or quotes that do not close), with its line, or that is too large.
[[nodiscard]] Result<std::vector<PythonConfig>> readPythonConfigs(std::string_view text, const std::string& where);

}  // namespace trainyard
