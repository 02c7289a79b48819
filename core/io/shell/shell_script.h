#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// One command as it would have been started.
struct ShellCommand {
    std::vector<std::string> words;
    std::map<std::string, std::string> environment;  ///< assignments before the command
    int line = 1;                                    ///< of its first word
};

/// A value that hangs on a variable nobody set.
struct UnknownVariable {
    std::string name;
    int line = 1;
    std::set<std::string> comparedWith;  ///< values that branches test it against
};

/// What is left of a shell script after its variables, arrays, arithmetic and decidable branches were worked out.
struct ShellScript {
    std::vector<ShellCommand> commands;
    std::map<std::string, std::string> variables;         ///< final values; arrays joined by spaces
    std::vector<std::pair<std::string, int>> directives;  ///< text after `#SBATCH` (or `#PBS`, `#BSUB`) and its line
    std::vector<UnknownVariable> unknown;                 ///< used but never set
    std::vector<std::string> notes;                       ///< constructs that were simplified
};

/// Marks, inside words, the place of a value that is not known; the name stands between the marks.
inline constexpr char kUnknownBegin = '\x01';
inline constexpr char kUnknownEnd = '\x02';
[[nodiscard]] bool hasUnknown(std::string_view word);
/// `${NAME}` in place of the marks, for messages.
[[nodiscard]] std::string readable(std::string_view word);

/// Works out a script without running anything: assignments, `+=`, arrays, `${X:-default}`, `$((arithmetic))`, `if`, `case`,
/// functions, `bash -c`, `eval`. Command substitution and what hangs on the machine stay unknown. `variables` are given by the
/// user and win over the script's own. Error: quotes, parentheses or blocks that do not close, with the line; or a text too
/// large.
[[nodiscard]] Result<ShellScript> readShellScript(std::string_view text, const std::string& where,
                                                  const std::map<std::string, std::string>& variables);

}  // namespace trainyard
