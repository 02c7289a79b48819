#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

enum class Severity : std::uint8_t { error, warning, note };

/// One finding about a scenario, in the user's words, with the place and the way out.
struct Diagnostic {
    Severity severity = Severity::note;
    std::string code;                        ///< stable, e.g. `tp-divides-heads`
    std::string message;                     ///< what, where, what is allowed
    std::string pointer;                     ///< JSON pointer into the scenario, e.g. `/plan/tensor_parallel`
    std::vector<std::int64_t> legalValues;   ///< values that would be accepted, ascending; may be empty
    std::string source;                      ///< where the rule comes from; may be empty
    std::vector<std::string> legalNames;     ///< the same where the place holds a name (`1f1b`) or `true` and `false`

    bool operator==(const Diagnostic&) const = default;
};

}  // namespace trainyard
