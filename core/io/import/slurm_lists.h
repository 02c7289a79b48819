#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct TextLine {
    std::string_view text;  ///< without comment and line ends
    int number = 1;
};
/// The lines of a text; what follows a `#` is dropped.
[[nodiscard]] std::vector<TextLine> linesOf(std::string_view text);
[[nodiscard]] std::vector<std::string> wordsOfLine(std::string_view line);
/// Parts between separators that stand outside of brackets: `a[1,2],b` gives two.
[[nodiscard]] std::vector<std::string> splitOutsideBrackets(std::string_view text, char separator);

/// The names of a Slurm host list such as `rack[0-1]n[01-16],login`, at most `most`.
[[nodiscard]] std::vector<std::string> expandHosts(std::string_view list, std::size_t most);
/// How many hosts a list names, without making the names; -1 if it is no host list or names more than a million.
[[nodiscard]] std::int64_t hostCount(std::string_view list);

}  // namespace trainyard
