#pragma once

#include <string>
#include <vector>

#include "core/io/shell/shell_state.h"

namespace trainyard {

/// What a condition comes to.
enum class ShellTruth : unsigned char { no, yes, unknown };

/// Decides `test`, `[ ]`, `[[ ]]` and `(( ))` from their expanded words.
class ShellCondition {
  public:
    /// The state outlives this.
    explicit ShellCondition(ShellState& state) : state_(state) {}

    /// `root` becomes the variable or text that an undecided one hangs on, if it is empty.
    [[nodiscard]] ShellTruth test(std::vector<std::string> words, std::string& root);

  private:
    ShellTruth bracketTest(const std::vector<std::string>& words, std::size_t begin, std::string& root);
    ShellTruth unaryTest(const std::string& op, const std::string& operand, std::string& root);
    ShellTruth binaryTest(const std::string& a, const std::string& op, const std::string& b, std::string& root);

    ShellState& state_;
    int nesting_ = 0;
};

}  // namespace trainyard
