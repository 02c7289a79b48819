#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/shell/shell_script.h"

namespace trainyard {

/// Longest text that a word or a variable may come to.
inline constexpr std::size_t kLongestShellWord = std::size_t{1} << 20;
/// Deepest nesting of blocks, expansions and started shells.
inline constexpr int kDeepestShellNesting = 24;

[[nodiscard]] inline bool isShellNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
[[nodiscard]] inline bool isShellNameCharacter(char c) { return isShellNameStart(c) || (c >= '0' && c <= '9'); }

/// The variables of a script while it is worked out, what is not known about them, and remarks for the report.
class ShellState {
  public:
    /// `given`: the user's answers, which win over the script's own; outlives this.
    explicit ShellState(const std::map<std::string, std::string>& given);

    [[nodiscard]] bool has(const std::string& name) const { return variables_.contains(name); }
    /// Elements of an array, or the one value; null if nothing set it.
    [[nodiscard]] const std::vector<std::string>* valuesOrNull(const std::string& name) const;
    /// The first element; empty if nothing set it.
    [[nodiscard]] std::string textOf(const std::string& name) const;
    void assign(const std::string& name, std::string value);
    void assignList(const std::string& name, std::vector<std::string> values);
    /// A value from outside of the script (the scheduler, a function's arguments).
    void provide(const std::string& name, const std::string& value);

    /// Records that something asked for a variable nobody set; the mark that stands in its place in words.
    [[nodiscard]] std::string unknown(const std::string& name);
    /// The same without a mark; the entry may be added to.
    UnknownVariable& miss(const std::string& name);
    /// A branch tests the unknown variable against this value.
    void compare(const std::string& name, const std::string& value);
    /// Assignments in a branch that was not taken: `name` hangs on what decides the branch.
    void hang(const std::string& name, const std::string& because) { hangsOn_[name] = because; }
    /// The variable that everything unknown about `name` comes from.
    [[nodiscard]] std::string cause(const std::string& name) const;

    /// `$((body))`; nothing if it hangs on something unknown, whose name then goes into `root` if that is empty.
    [[nodiscard]] std::optional<std::int64_t> arithmetic(std::string_view body, std::string& root);

    void note(std::string text);
    void setLine(int line) { line_ = line; }
    [[nodiscard]] int line() const { return line_; }

    /// Final values, unknown variables and notes.
    void finish(ShellScript& script);

  private:
    const std::map<std::string, std::string>& given_;
    std::map<std::string, std::vector<std::string>> variables_;
    std::map<std::string, std::string> hangsOn_;  ///< name -> root of what decides it
    std::map<std::string, UnknownVariable> unknown_;
    std::vector<std::string> notes_;
    int line_ = 1;
};

/// The text between the marks of an unknown value, with its marks.
[[nodiscard]] std::string unknownMark(std::string_view name);
/// The name between the first marks of a word; empty if it has none.
[[nodiscard]] std::string rootOfUnknown(const std::string& text);

}  // namespace trainyard
