#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/shell/shell_condition.h"
#include "core/io/shell/shell_expansion.h"
#include "core/io/shell/shell_lexer.h"
#include "core/io/shell/shell_script.h"
#include "core/io/shell/shell_state.h"

namespace trainyard {

/// Works out a script statement by statement. Nothing is started: commands are collected. Loops are run once, branches as far as
/// their conditions can be decided.
class ShellInterpreter {
  public:
    /// `given` (the user's answers) outlives this.
    ShellInterpreter(std::string where, const std::map<std::string, std::string>& given);

    /// Takes the first branch of an `if` or `case` that cannot be decided.
    void takeUndecidedBranches() { takeUndecided_ = true; }
    [[nodiscard]] Result<void> run(std::string_view text, int depth);
    [[nodiscard]] ShellScript finish();

  private:
    /// A list of tokens on the way through it.
    struct Frame {
        std::vector<ShellToken> tokens;
        std::size_t at = 0;
        int depth = 0;

        [[nodiscard]] const ShellToken& token() const { return tokens[at < tokens.size() ? at : tokens.size() - 1]; }
        [[nodiscard]] bool isWord(std::string_view text) const {
            return token().kind == ShellToken::Kind::word && token().text == text;
        }
        [[nodiscard]] bool isOp(std::string_view text) const {
            return token().kind == ShellToken::Kind::op && token().text == text;
        }
        [[nodiscard]] bool atEnd() const { return token().kind == ShellToken::Kind::end; }
    };

    tl::unexpected<Error> refuse(std::string code, std::string message);

    // blocks: shell_blocks.cpp
    Result<void> list(Frame& frame, std::initializer_list<std::string_view> closers);
    Result<void> statement(Frame& frame);
    static bool isFunctionDefinition(const Frame& frame);
    Result<void> functionDefinition(Frame& frame);
    static bool skipBlock(Frame& frame, std::initializer_list<std::string_view> openers, std::string_view closer);
    void skipBranch(Frame& frame, std::initializer_list<std::string_view> closers, const std::string& because);
    Result<void> ifStatement(Frame& frame);
    Result<void> caseStatement(Frame& frame);
    Result<void> forStatement(Frame& frame);
    ShellTruth condition(Frame& frame, std::string& root);

    // commands: shell_commands.cpp
    Result<void> simpleCommand(Frame& frame);
    Result<void> execute(ShellCommand command, int depth);
    void assignArray(const ShellToken& token);
    void takeDirective(const std::string& body);

    std::string where_;
    ShellState state_;
    ShellExpander expander_{state_};
    ShellCondition conditions_{state_};
    std::map<std::string, std::vector<ShellToken>> functions_;
    ShellScript script_;
    int nesting_ = 0;
    std::size_t words_ = 0;
    bool overflow_ = false;
    bool takeUndecided_ = false;
};

}  // namespace trainyard
