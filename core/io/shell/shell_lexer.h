#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// A piece of a shell script. Words keep their quotes and `$` forms: they are expanded when the command runs.
struct ShellToken {
    enum class Kind : unsigned char { word, array, op, newline, end };
    Kind kind = Kind::end;
    std::string text;                ///< word: as written; array: `NAME=` or `NAME+=`; op: the operator
    std::vector<std::string> items;  ///< words of an array
    int line = 1;
};

/// Tokens of a script, the last one `end`. Comments are dropped, here-documents are skipped; `#SBATCH` and its like go to
/// `directives`. Error: a quote or parenthesis that does not close, with the line where it opens.
struct ShellTokens {
    std::vector<ShellToken> tokens;
    std::vector<std::pair<std::string, int>> directives;
    bool skippedHereDocument = false;
};
[[nodiscard]] Result<ShellTokens> tokenizeShell(std::string_view text, const std::string& where);

/// Offset just behind the quoted text, `$(...)`, `${...}` or backquotes that begin at `at`; npos if it does not close.
[[nodiscard]] std::size_t endOfShellGroup(std::string_view text, std::size_t at);

}  // namespace trainyard
