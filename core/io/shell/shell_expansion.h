#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/shell/shell_state.h"

namespace trainyard {

/// Expands the words of a script: quotes, `$NAME`, `${NAME...}` in its forms, `$((...))`, and of command substitutions those that
/// need no machine (`echo`, `expr`). What is not known becomes a mark (kUnknownBegin).
class ShellExpander {
  public:
    /// The state outlives this.
    explicit ShellExpander(ShellState& state) : state_(state) {}

    /// A word as one text: no splitting.
    [[nodiscard]] std::string single(std::string_view raw);
    /// A word as the words it comes to: unquoted values are split at blanks, `"${A[@]}"` gives one word per element.
    [[nodiscard]] std::vector<std::string> expand(std::string_view raw);
    /// True once a word grew without bound; it came to nothing then.
    [[nodiscard]] bool overflowed() const { return overflow_; }

  private:
    struct Piece {
        std::string text;
        bool quoted = false;
        bool breakBefore = false;  ///< starts a new word: the next element of an array
    };

    std::vector<Piece> pieces(std::string_view raw);
    void collect(std::string_view raw, bool quoted, std::vector<Piece>& out);
    std::size_t dollar(std::string_view raw, bool quoted, std::vector<Piece>& out);
    void value(const std::string& name, bool quoted, std::vector<Piece>& out);
    void braces(std::string_view body, bool quoted, std::vector<Piece>& out);
    void element(const std::string& name, std::string_view index, bool length, bool quoted, std::vector<Piece>& out);
    std::string changed(std::string text, std::string_view rest);
    std::string withoutPattern(const std::string& text, std::string_view rest);
    std::string replaced(std::string text, std::string_view rest);
    std::string cut(const std::string& text, std::string_view rest);
    std::string substitute(std::string_view body);

    ShellState& state_;
    int nesting_ = 0;
    bool overflow_ = false;
};

}  // namespace trainyard
