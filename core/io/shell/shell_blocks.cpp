#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "core/io/shell/shell_interpreter.h"

// Lists, branches, loops and functions of a script.

namespace trainyard {
namespace {

using Kind = ShellToken::Kind;

}  // namespace

Result<void> ShellInterpreter::list(Frame& frame, std::initializer_list<std::string_view> closers) {
    while (!frame.atEnd()) {
        const ShellToken& token = frame.token();
        state_.setLine(token.line);
        if (token.kind == Kind::newline ||
            (token.kind == Kind::op && token.text != "(" && token.text != ")" && token.text != ";;")) {
            ++frame.at;
            continue;
        }
        if (token.kind == Kind::op && (token.text == ")" || token.text == ";;")) return {};
        if (token.kind == Kind::word && std::find(closers.begin(), closers.end(), token.text) != closers.end()) return {};
        auto done = statement(frame);
        if (!done) return done;
    }
    return {};
}

Result<void> ShellInterpreter::statement(Frame& frame) {
    if (++nesting_ > kDeepestShellNesting) return refuse("shell-too-deep", "blocks are nested too deep to be worked out");
    const struct Leave {
        int& nesting;
        ~Leave() { --nesting; }
    } leave{nesting_};
    const int line = frame.token().line;
    const auto unclosed = [&](const char* what, const char* end) {
        state_.setLine(line);
        return refuse("shell-unclosed", fmt::format("\"{}\" opens here and has no \"{}\"", what, end));
    };
    if (frame.isWord("if")) return ifStatement(frame);
    if (frame.isWord("case")) return caseStatement(frame);
    if (frame.isWord("for") || frame.isWord("select")) return forStatement(frame);
    if (frame.isWord("while") || frame.isWord("until")) {
        state_.note("loops with a condition are not run");
        if (!skipBlock(frame, {"while", "until", "for", "select"}, "done")) return unclosed("while", "done");
        return {};
    }
    if (frame.isWord("function") || isFunctionDefinition(frame)) return functionDefinition(frame);
    if (frame.isWord("{")) {
        ++frame.at;
        auto done = list(frame, {"}"});
        if (!done) return done;
        if (!frame.isWord("}")) return unclosed("{", "}");
        ++frame.at;
        return {};
    }
    if (frame.isOp("(")) {
        ++frame.at;
        auto done = list(frame, {});
        if (!done) return done;
        if (!frame.isOp(")")) return unclosed("(", ")");
        ++frame.at;
        return {};
    }
    return simpleCommand(frame);
}

bool ShellInterpreter::isFunctionDefinition(const Frame& frame) {
    return frame.token().kind == Kind::word && frame.at + 2 < frame.tokens.size() &&
           frame.tokens[frame.at + 1].kind == Kind::op && frame.tokens[frame.at + 1].text == "(" &&
           frame.tokens[frame.at + 2].kind == Kind::op && frame.tokens[frame.at + 2].text == ")";
}

Result<void> ShellInterpreter::functionDefinition(Frame& frame) {
    if (frame.isWord("function")) ++frame.at;
    const std::string name = frame.token().text;
    ++frame.at;
    if (frame.isOp("(")) frame.at += 2;
    while (frame.token().kind == Kind::newline) ++frame.at;
    if (!frame.isWord("{")) return {};
    const std::size_t first = ++frame.at;
    int level = 1;
    while (!frame.atEnd()) {
        if (frame.isWord("{")) ++level;
        if (frame.isWord("}") && --level == 0) break;
        ++frame.at;
    }
    if (frame.atEnd()) return refuse("shell-unclosed", fmt::format("the function {} has no closing brace", name));
    std::vector<ShellToken> body(frame.tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                 frame.tokens.begin() + static_cast<std::ptrdiff_t>(frame.at));
    ShellToken end;
    end.kind = Kind::end;
    body.push_back(end);
    functions_[name] = std::move(body);
    ++frame.at;
    return {};
}

/// Moves behind the end of a block that starts here.
bool ShellInterpreter::skipBlock(Frame& frame, std::initializer_list<std::string_view> openers, std::string_view closer) {
    int level = 0;
    while (!frame.atEnd()) {
        if (frame.token().kind == Kind::word) {
            if (std::find(openers.begin(), openers.end(), frame.token().text) != openers.end()) ++level;
            if (frame.token().text == closer && --level == 0) {
                ++frame.at;
                return true;
            }
        }
        ++frame.at;
    }
    return false;
}

/// Moves over statements up to one of the closers of this block, without running them; names that they would set are
/// noted as hanging on `because`.
void ShellInterpreter::skipBranch(Frame& frame, std::initializer_list<std::string_view> closers, const std::string& because) {
    int ifs = 0, cases = 0;
    while (!frame.atEnd()) {
        const ShellToken& token = frame.token();
        if (token.kind == Kind::word) {
            if (ifs == 0 && cases == 0 && std::find(closers.begin(), closers.end(), token.text) != closers.end()) return;
            if (token.text == "if") ++ifs;
            if (token.text == "fi") --ifs;
            if (token.text == "case") ++cases;
            if (token.text == "esac") --cases;
        } else if (token.kind == Kind::op && token.text == ";;" && cases == 0) {
            return;
        }
        if ((token.kind == Kind::word || token.kind == Kind::array) && !because.empty()) {
            const auto equals = token.text.find('=');
            std::string name = token.text.substr(0, equals);
            if (name.ends_with('+')) name.pop_back();
            if (equals != std::string::npos && equals > 0 && std::all_of(name.begin(), name.end(), isShellNameCharacter))
                state_.hang(name, because);
        }
        ++frame.at;
    }
}

Result<void> ShellInterpreter::ifStatement(Frame& frame) {
    const int line = frame.token().line;
    bool decided = false;
    std::string because;
    const auto unclosed = [&] {
        state_.setLine(line);
        return refuse("shell-unclosed", "\"if\" opens here and has no \"fi\"");
    };
    while (frame.isWord("if") || frame.isWord("elif")) {
        ++frame.at;
        std::string root;
        const ShellTruth truth = condition(frame, root);
        while (!frame.atEnd() && !frame.isWord("then")) ++frame.at;
        if (frame.atEnd()) return unclosed();
        ++frame.at;
        const bool undecided = truth == ShellTruth::unknown && !decided;
        if (undecided && because.empty()) because = root;
        const bool taken = !decided && (truth == ShellTruth::yes || (undecided && takeUndecided_));
        if (taken) {
            if (undecided) state_.note(fmt::format("the branch at line {} was taken although its condition is not known", line));
            decided = true;
            auto done = list(frame, {"elif", "else", "fi"});
            if (!done) return done;
        } else {
            skipBranch(frame, {"elif", "else", "fi"}, undecided ? because : "");
        }
    }
    if (frame.isWord("else")) {
        ++frame.at;
        if (!decided && because.empty()) {
            auto done = list(frame, {"fi"});
            if (!done) return done;
        } else {
            skipBranch(frame, {"fi"}, decided ? "" : because);
        }
    }
    if (!frame.isWord("fi")) return unclosed();
    ++frame.at;
    return {};
}

Result<void> ShellInterpreter::caseStatement(Frame& frame) {
    const int line = frame.token().line;
    const auto unclosed = [&] {
        state_.setLine(line);
        return refuse("shell-unclosed", "\"case\" opens here and has no \"esac\"");
    };
    ++frame.at;
    const std::string subject = frame.atEnd() ? std::string() : expander_.single(frame.token().text);
    ++frame.at;
    while (frame.token().kind == Kind::newline) ++frame.at;
    if (!frame.isWord("in")) return unclosed();
    ++frame.at;
    bool decided = false;
    const bool known = !hasUnknown(subject);
    const std::string root = rootOfUnknown(subject);
    while (!frame.atEnd()) {
        while (frame.token().kind == Kind::newline || frame.isOp(";;") || frame.isOp("(")) ++frame.at;
        if (frame.isWord("esac") || frame.atEnd()) break;
        bool matches = false;
        while (!frame.atEnd() && !frame.isOp(")")) {
            if (frame.token().kind == Kind::word) {
                const std::string pattern = expander_.single(frame.token().text);
                matches = matches || (known && ::fnmatch(pattern.c_str(), subject.c_str(), 0) == 0);
                if (!known && pattern != "*") state_.compare(root, pattern);
            }
            ++frame.at;
        }
        ++frame.at;
        const bool taken = !decided && (matches || (!known && takeUndecided_));
        if (taken) {
            decided = true;
            auto done = list(frame, {"esac"});
            if (!done) return done;
        } else {
            skipBranch(frame, {"esac"}, known ? "" : root);
        }
    }
    if (!frame.isWord("esac")) return unclosed();
    ++frame.at;
    return {};
}

Result<void> ShellInterpreter::forStatement(Frame& frame) {
    const int line = frame.token().line;
    ++frame.at;
    std::string name;
    std::vector<std::string> values;
    if (frame.token().kind == Kind::word) name = frame.token().text;
    ++frame.at;
    if (frame.isWord("in")) {
        ++frame.at;
        while (frame.token().kind == Kind::word) {
            for (auto& value : expander_.expand(frame.token().text)) values.push_back(std::move(value));
            ++frame.at;
        }
    }
    while (!frame.atEnd() && !frame.isWord("do")) ++frame.at;
    if (frame.atEnd()) {
        state_.setLine(line);
        return refuse("shell-unclosed", "\"for\" opens here and has no \"do\"");
    }
    ++frame.at;
    if (!name.empty() && isShellNameStart(name[0])) {
        if (!values.empty()) state_.assign(name, values.front());
        if (values.size() > 1) state_.note(fmt::format("the loop over {} was run once, with {}", name, readable(values.front())));
    }
    auto done = list(frame, {"done"});
    if (!done) return done;
    if (!frame.isWord("done")) {
        state_.setLine(line);
        return refuse("shell-unclosed", "\"for\" opens here and has no \"done\"");
    }
    ++frame.at;
    return {};
}

/// Works out the commands up to `then`; `root` becomes the variable or text that an unknown one hangs on.
ShellTruth ShellInterpreter::condition(Frame& frame, std::string& root) {
    ShellTruth total = ShellTruth::unknown;
    bool first = true;
    std::string joint;
    while (!frame.atEnd() && !frame.isWord("then")) {
        if (frame.token().kind == Kind::newline || frame.isOp(";")) {
            ++frame.at;
            continue;
        }
        if (frame.isOp("&&") || frame.isOp("||") || frame.isOp("|") || frame.isOp("&")) {
            joint = frame.token().text;
            ++frame.at;
            continue;
        }
        std::vector<std::string> words;
        bool tested = false;
        while (!frame.atEnd() && frame.token().kind != Kind::newline && !frame.isWord("then")) {
            if (frame.token().kind == Kind::op) {
                const bool insideTest = tested && (frame.isOp("&&") || frame.isOp("||") || frame.isOp("<") || frame.isOp(">") ||
                                                   frame.isOp("(") || frame.isOp(")"));
                if (!insideTest) break;
                words.push_back(frame.token().text);
                ++frame.at;
                continue;
            }
            const std::string& raw = frame.token().text;
            if (raw == "[[") tested = true;
            if (raw == "]]") tested = false;
            if (raw.starts_with("((") && words.empty())
                words.push_back(raw);
            else
                words.push_back(expander_.single(raw));
            ++frame.at;
        }
        if (words.empty()) {
            ++frame.at;
            continue;
        }
        const ShellTruth truth = joint == "|" ? ShellTruth::unknown : conditions_.test(words, root);
        if (first)
            total = truth;
        else if (joint == "&&")
            total = total == ShellTruth::no || truth == ShellTruth::no     ? ShellTruth::no
                    : total == ShellTruth::yes && truth == ShellTruth::yes ? ShellTruth::yes
                                                                           : ShellTruth::unknown;
        else if (joint == "||")
            total = total == ShellTruth::yes || truth == ShellTruth::yes ? ShellTruth::yes
                    : total == ShellTruth::no && truth == ShellTruth::no ? ShellTruth::no
                                                                         : ShellTruth::unknown;
        else
            total = truth;
        first = false;
    }
    return total;
}

}  // namespace trainyard
