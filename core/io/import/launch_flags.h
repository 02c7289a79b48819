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

/// `--name value` arguments by name: dashes in front dropped, underscores read as dashes, the last of equal names wins.
/// Remembers what was asked for, so that the rest can be reported.
class FlagSet {
  public:
    /// Takes all `--flags` of these words with the values up to the next one.
    void addWords(const std::vector<std::string>& words);
    void set(std::string name, std::vector<std::string> values);

    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] bool empty() const { return flags_.empty(); }
    /// First value; nothing if absent, without a value, or None.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> values(std::string_view name) const;
    /// True if it stands without a value or with anything but false, 0, none.
    [[nodiscard]] bool on(std::string_view name) const;
    /// False if it stands with a false value.
    [[nodiscard]] bool off(std::string_view name) const;
    /// A whole number, also 1_000 and 8.0; nothing if absent or not one.
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;

    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& all() const { return flags_; }
    /// Names never asked for.
    [[nodiscard]] std::vector<std::string> unused() const;

  private:
    std::map<std::string, std::vector<std::string>> flags_;
    mutable std::set<std::string, std::less<>> asked_;
};

/// "1_000", "2048", "8.0"; nothing if it is no whole number that fits.
[[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view text);

/// What a script starts, taken together: the launcher's own arguments and those of the training program.
struct Launch {
    FlagSet flags;                                 ///< all `--` arguments of the commands that start the training
    std::map<std::string, std::string> overrides;  ///< `section.key=value` words
    std::vector<std::string> words;                ///< everything, for names of programs and models
    std::optional<std::int64_t> nodes;
    std::optional<std::int64_t> perNode;
    std::string accelerator;  ///< as the script writes it; may be empty
    std::string source;       ///< where the device count comes from
};

/// Looks through a script's commands, its scheduler directives and its variables. Commands that start nothing are left out.
[[nodiscard]] Launch findLaunch(const ShellScript& script);

}  // namespace trainyard
