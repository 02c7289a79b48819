#include "core/io/shell/shell_script.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/io/shell/shell_arithmetic.h"
#include "core/io/shell/shell_lexer.h"

namespace trainyard {
namespace {

constexpr std::size_t kLongestWord = std::size_t{1} << 20;
constexpr std::size_t kMostWords = 200'000;
constexpr int kDeepestNesting = 24;

using Kind = ShellToken::Kind;

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNameCharacter(char c) { return isNameStart(c) || (c >= '0' && c <= '9'); }

std::string unknownMark(std::string_view name) {
    std::string mark(1, kUnknownBegin);
    mark += name;
    mark += kUnknownEnd;
    return mark;
}

/// What a condition comes to.
enum class Truth : unsigned char { no, yes, unknown };

class Interpreter {
  public:
    Interpreter(std::string where, const std::map<std::string, std::string>& given) : where_(std::move(where)), given_(given) {
        for (const auto& [name, value] : given_) variables_[name] = {value};
    }

    Result<void> run(std::string_view text, int depth) {
        if (depth > kDeepestNesting) return refuse("shell-too-deep", "is nested too deep to be worked out");
        auto lexed = tokenizeShell(text, where_);
        if (!lexed) return tl::unexpected<Error>(lexed.error());
        if (lexed->skippedHereDocument) note("here-documents are not looked into");
        for (const auto& [body, line] : lexed->directives) {
            script_.directives.emplace_back(body, line);
            takeDirective(body);
        }
        Frame frame{std::move(lexed->tokens), 0, depth};
        const auto done = list(frame, {});
        if (!done) return done;
        return {};
    }

    Result<ShellScript> finish() {
        for (const auto& [name, values] : variables_) {
            std::string joined;
            for (const auto& value : values) joined += (joined.empty() ? "" : " ") + value;
            if (joined.size() <= 4096) script_.variables[name] = joined;
        }
        for (auto& [name, entry] : unknown_) script_.unknown.push_back(entry);
        return std::move(script_);
    }

    /// Set to take the first branch of an `if` that cannot be decided.
    void takeUndecidedBranches() { takeUndecided_ = true; }

  private:
    struct Frame {
        std::vector<ShellToken> tokens;
        std::size_t at = 0;
        int depth = 0;

        [[nodiscard]] const ShellToken& token() const { return tokens[std::min(at, tokens.size() - 1)]; }
        [[nodiscard]] bool isWord(std::string_view text) const { return token().kind == Kind::word && token().text == text; }
        [[nodiscard]] bool isOp(std::string_view text) const { return token().kind == Kind::op && token().text == text; }
        [[nodiscard]] bool atEnd() const { return token().kind == Kind::end; }
    };

    tl::unexpected<Error> refuse(std::string code, std::string message) {
        return failure(Error::Kind::unreadable, std::move(code), fmt::format("{}:{}", where_, line_), std::move(message));
    }
    void note(std::string text) {
        if (std::find(script_.notes.begin(), script_.notes.end(), text) == script_.notes.end() && script_.notes.size() < 50)
            script_.notes.push_back(std::move(text));
    }

    // -- batch directives: what the scheduler puts into the environment ------------------------------------------------
    void takeDirective(const std::string& body) {
        std::vector<std::string> words;
        std::string word;
        for (const char c : body) {
            if (c == '#') break;
            if (c == ' ' || c == '\t' || c == '\r') {
                if (!word.empty()) words.push_back(std::move(word));
                word.clear();
            } else {
                word += c;
            }
        }
        if (!word.empty()) words.push_back(std::move(word));
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::string key = words[i], value;
            if (const auto equals = key.find('='); equals != std::string::npos) {
                value = key.substr(equals + 1);
                key.resize(equals);
            } else if (i + 1 < words.size() && !words[i + 1].starts_with("-")) {
                value = words[++i];
            }
            if (key == "--nodes" || key == "-N") {
                value = value.substr(0, value.find('-'));
                provide("SLURM_NNODES", value);
                provide("SLURM_JOB_NUM_NODES", value);
            } else if (key == "--ntasks-per-node") {
                provide("SLURM_NTASKS_PER_NODE", value);
                provide("SLURM_TASKS_PER_NODE", value);
            } else if (key == "--ntasks" || key == "-n") {
                provide("SLURM_NTASKS", value);
            } else if (key == "--gpus-per-node" || key == "--gres") {
                const auto colon = value.rfind(':');
                const std::string count = colon == std::string::npos ? value : value.substr(colon + 1);
                if (!count.empty() && count.find_first_not_of("0123456789") == std::string::npos) {
                    provide("SLURM_GPUS_ON_NODE", count);
                    provide("SLURM_GPUS_PER_NODE", count);
                }
            } else if (key == "--cpus-per-task" || key == "-c") {
                provide("SLURM_CPUS_PER_TASK", value);
            }
        }
    }
    void provide(const std::string& name, const std::string& value) {
        if (!given_.contains(name)) variables_[name] = {value};
    }

    // -- statements ----------------------------------------------------------------------------------------------------
    Result<void> list(Frame& frame, std::initializer_list<std::string_view> closers) {
        while (!frame.atEnd()) {
            const ShellToken& token = frame.token();
            line_ = token.line;
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

    Result<void> statement(Frame& frame) {
        if (++nesting_ > kDeepestNesting) return refuse("shell-too-deep", "blocks are nested too deep to be worked out");
        const struct Leave {
            int& nesting;
            ~Leave() { --nesting; }
        } leave{nesting_};
        const int line = frame.token().line;
        const auto unclosed = [&](const char* what, const char* end) {
            line_ = line;
            return refuse("shell-unclosed", fmt::format("\"{}\" opens here and has no \"{}\"", what, end));
        };
        if (frame.isWord("if")) return ifStatement(frame);
        if (frame.isWord("case")) return caseStatement(frame);
        if (frame.isWord("for") || frame.isWord("select")) return forStatement(frame);
        if (frame.isWord("while") || frame.isWord("until")) {
            note("loops with a condition are not run");
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

    static bool isFunctionDefinition(const Frame& frame) {
        return frame.token().kind == Kind::word && frame.at + 2 < frame.tokens.size() &&
               frame.tokens[frame.at + 1].kind == Kind::op && frame.tokens[frame.at + 1].text == "(" &&
               frame.tokens[frame.at + 2].kind == Kind::op && frame.tokens[frame.at + 2].text == ")";
    }

    Result<void> functionDefinition(Frame& frame) {
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
    static bool skipBlock(Frame& frame, std::initializer_list<std::string_view> openers, std::string_view closer) {
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
    void skipBranch(Frame& frame, std::initializer_list<std::string_view> closers, const std::string& because) {
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
                if (equals != std::string::npos && equals > 0 && std::all_of(name.begin(), name.end(), isNameCharacter))
                    hangsOn_[name] = because;
            }
            ++frame.at;
        }
    }

    Result<void> ifStatement(Frame& frame) {
        const int line = frame.token().line;
        bool decided = false;
        std::string because;
        const auto unclosed = [&] {
            line_ = line;
            return refuse("shell-unclosed", "\"if\" opens here and has no \"fi\"");
        };
        while (frame.isWord("if") || frame.isWord("elif")) {
            ++frame.at;
            std::string root;
            const Truth truth = condition(frame, root);
            while (!frame.atEnd() && !frame.isWord("then")) ++frame.at;
            if (frame.atEnd()) return unclosed();
            ++frame.at;
            const bool undecided = truth == Truth::unknown && !decided;
            if (undecided && because.empty()) because = root;
            const bool taken = !decided && (truth == Truth::yes || (undecided && takeUndecided_));
            if (taken) {
                if (undecided) note(fmt::format("the branch at line {} was taken although its condition is not known", line));
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

    Result<void> caseStatement(Frame& frame) {
        const int line = frame.token().line;
        const auto unclosed = [&] {
            line_ = line;
            return refuse("shell-unclosed", "\"case\" opens here and has no \"esac\"");
        };
        ++frame.at;
        const std::string subject = frame.atEnd() ? std::string() : single(frame.token().text);
        ++frame.at;
        while (frame.token().kind == Kind::newline) ++frame.at;
        if (!frame.isWord("in")) return unclosed();
        ++frame.at;
        bool decided = false;
        const bool known = !hasUnknown(subject);
        const std::string root = rootOf(subject);
        while (!frame.atEnd()) {
            while (frame.token().kind == Kind::newline || frame.isOp(";;") || frame.isOp("(")) ++frame.at;
            if (frame.isWord("esac") || frame.atEnd()) break;
            bool matches = false;
            while (!frame.atEnd() && !frame.isOp(")")) {
                if (frame.token().kind == Kind::word) {
                    const std::string pattern = single(frame.token().text);
                    matches = matches || (known && ::fnmatch(pattern.c_str(), subject.c_str(), 0) == 0);
                    if (!known && pattern != "*") compare(root, pattern);
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

    Result<void> forStatement(Frame& frame) {
        const int line = frame.token().line;
        ++frame.at;
        std::string name;
        std::vector<std::string> values;
        if (frame.token().kind == Kind::word) name = frame.token().text;
        ++frame.at;
        if (frame.isWord("in")) {
            ++frame.at;
            while (frame.token().kind == Kind::word) {
                for (auto& value : expand(frame.token().text)) values.push_back(std::move(value));
                ++frame.at;
            }
        }
        while (!frame.atEnd() && !frame.isWord("do")) ++frame.at;
        if (frame.atEnd()) {
            line_ = line;
            return refuse("shell-unclosed", "\"for\" opens here and has no \"do\"");
        }
        ++frame.at;
        if (!name.empty() && isNameStart(name[0])) {
            if (!values.empty()) assign(name, values.front());
            if (values.size() > 1) note(fmt::format("the loop over {} was run once, with {}", name, readable(values.front())));
        }
        auto done = list(frame, {"done"});
        if (!done) return done;
        if (!frame.isWord("done")) {
            line_ = line;
            return refuse("shell-unclosed", "\"for\" opens here and has no \"done\"");
        }
        ++frame.at;
        return {};
    }

    Result<void> simpleCommand(Frame& frame) {
        ShellCommand command;
        command.line = frame.token().line;
        bool onlyAssignments = true;
        std::vector<std::pair<std::string, std::string>> assignments;
        while (!frame.atEnd() && frame.token().kind != Kind::newline) {
            const ShellToken& token = frame.token();
            if (token.kind == Kind::op) {
                if (token.text == ">" || token.text == ">>" || token.text == "<" || token.text == "<<<" || token.text == ">&" ||
                    token.text == "<&" || token.text == "&>") {
                    frame.at += 2;  // the operator and its target
                    if (!command.words.empty() && (command.words.back() == "1" || command.words.back() == "2"))
                        command.words.pop_back();
                    continue;
                }
                if (token.text == "<<" || token.text == "<<-") {
                    ++frame.at;
                    continue;
                }
                break;
            }
            if (token.kind == Kind::array) {
                assignArray(token);
                ++frame.at;
                continue;
            }
            const auto equals = token.text.find('=');
            std::string name = equals == std::string::npos ? "" : token.text.substr(0, equals);
            const bool append = name.ends_with('+');
            if (append) name.pop_back();
            const bool isAssignment = !name.empty() && isNameStart(name[0]) &&
                                      std::all_of(name.begin(), name.end(), isNameCharacter) &&
                                      (onlyAssignments || (!command.words.empty() && declares(command.words[0])));
            if (isAssignment) {
                std::string value = single(std::string_view(token.text).substr(equals + 1));
                if (append) value = textOf(name) + value;
                if (value.size() > kLongestWord) return refuse("shell-too-large", fmt::format("{} grows without bound", name));
                if (onlyAssignments)
                    assignments.emplace_back(name, value);
                else
                    assign(name, value);
                ++frame.at;
                continue;
            }
            onlyAssignments = false;
            for (auto& word : expand(token.text)) {
                if (++words_ > kMostWords) return refuse("shell-too-large", "comes to more words than are worked out");
                command.words.push_back(std::move(word));
            }
            ++frame.at;
        }
        if (overflow_) return refuse("shell-too-large", "a variable grows without bound");
        if (command.words.empty()) {
            for (auto& [name, value] : assignments) assign(name, value);
            return {};
        }
        for (auto& [name, value] : assignments) command.environment[name] = value;
        return execute(std::move(command), frame.depth);
    }

    static bool declares(const std::string& word) {
        return word == "export" || word == "declare" || word == "local" || word == "readonly" || word == "typeset" ||
               word == "env" || word == "set";
    }

    Result<void> execute(ShellCommand command, int depth) {
        if (const auto function = functions_.find(command.words[0]); function != functions_.end() && depth < kDeepestNesting) {
            Frame frame{function->second, 0, depth + 1};
            for (std::size_t i = 1; i < command.words.size() && i < 10; ++i) variables_[std::to_string(i)] = {command.words[i]};
            return list(frame, {});
        }
        const std::string& first = command.words[0];
        if (first == "eval" || first == "exec" || first == "time" || first == "nohup") {
            if (first == "eval") {
                std::string text;
                for (std::size_t i = 1; i < command.words.size(); ++i) text += command.words[i] + " ";
                return run(text, depth + 1);
            }
            command.words.erase(command.words.begin());
            return command.words.empty() ? Result<void>{} : execute(std::move(command), depth);
        }
        if (first == "source" || first == ".") {
            note(fmt::format("the sourced file {} was not read", command.words.size() > 1 ? readable(command.words[1]) : ""));
            return {};
        }
        // a shell started with its program on the line, also behind srun, ssh or mpirun
        for (std::size_t i = 0; i + 2 < command.words.size(); ++i) {
            const std::string& word = command.words[i];
            const bool shell =
                word == "bash" || word == "sh" || word == "/bin/bash" || word == "/bin/sh" || word.ends_with("/bash");
            const std::string& flag = command.words[i + 1];
            if (!shell || flag.size() < 2 || flag[0] != '-' || flag.find('c') == std::string::npos || flag[1] == '-') continue;
            const std::string inner = command.words[i + 2];
            command.words.resize(i);
            if (!command.words.empty()) script_.commands.push_back(std::move(command));
            return run(inner, depth + 1);
        }
        if (script_.commands.size() < 10'000) script_.commands.push_back(std::move(command));
        return {};
    }

    // -- conditions ----------------------------------------------------------------------------------------------------
    /// Works out the commands up to `then`; `root` becomes the variable or text that an unknown one hangs on.
    Truth condition(Frame& frame, std::string& root) {
        Truth total = Truth::unknown;
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
                    const bool insideTest = tested && (frame.isOp("&&") || frame.isOp("||") || frame.isOp("<") ||
                                                       frame.isOp(">") || frame.isOp("(") || frame.isOp(")"));
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
                    words.push_back(single(raw));
                ++frame.at;
            }
            if (words.empty()) {
                ++frame.at;
                continue;
            }
            const Truth truth = joint == "|" ? Truth::unknown : test(words, root);
            if (first)
                total = truth;
            else if (joint == "&&")
                total = total == Truth::no || truth == Truth::no     ? Truth::no
                        : total == Truth::yes && truth == Truth::yes ? Truth::yes
                                                                     : Truth::unknown;
            else if (joint == "||")
                total = total == Truth::yes || truth == Truth::yes ? Truth::yes
                        : total == Truth::no && truth == Truth::no ? Truth::no
                                                                   : Truth::unknown;
            else
                total = truth;
            first = false;
        }
        return total;
    }

    Truth test(std::vector<std::string> words, std::string& root) {
        bool negated = false;
        while (!words.empty() && words[0] == "!") {
            negated = !negated;
            words.erase(words.begin());
        }
        if (words.empty()) return Truth::unknown;
        Truth truth = Truth::unknown;
        if (words[0].starts_with("((")) {
            std::string body = words[0].substr(2);
            if (body.ends_with("))")) body.resize(body.size() - 2);
            const auto value = arithmetic(body, root);
            truth = !value ? Truth::unknown : *value != 0 ? Truth::yes : Truth::no;
        } else if (words[0] == "[" || words[0] == "[[" || words[0] == "test") {
            words.erase(words.begin());
            while (!words.empty() && (words.back() == "]" || words.back() == "]]")) words.pop_back();
            truth = bracketTest(words, 0, root);
        } else if (words[0] == "true" || words[0] == ":") {
            truth = Truth::yes;
        } else if (words[0] == "false") {
            truth = Truth::no;
        } else if (root.empty()) {
            root = "$(" + readable(words[0]) + ")";
        }
        if (!negated || truth == Truth::unknown) return truth;
        return truth == Truth::yes ? Truth::no : Truth::yes;
    }

    /// The inside of `[ ]` or `[[ ]]`, with -a, -o, && and || from the left.
    Truth bracketTest(const std::vector<std::string>& words, std::size_t begin, std::string& root) {
        for (const auto& [joint, other, isAnd] : {std::tuple{"||", "-o", false}, std::tuple{"&&", "-a", true}}) {
            for (std::size_t i = begin + 1; i + 1 < words.size(); ++i) {
                if (words[i] != joint && words[i] != other) continue;
                if (++nesting_ > kDeepestNesting) {
                    --nesting_;
                    return Truth::unknown;
                }
                const std::vector<std::string> left(words.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    words.begin() + static_cast<std::ptrdiff_t>(i));
                const Truth a = bracketTest(left, 0, root);
                const Truth b = bracketTest(words, i + 1, root);
                --nesting_;
                const Truth decisive = isAnd ? Truth::no : Truth::yes;
                if (a == decisive || b == decisive) return decisive;
                return a == Truth::unknown || b == Truth::unknown ? Truth::unknown : isAnd ? Truth::yes : Truth::no;
            }
        }
        const std::size_t count = words.size() - std::min(begin, words.size());
        if (count == 0) return Truth::no;
        if (words[begin] == "!") {
            const Truth truth = bracketTest(words, begin + 1, root);
            return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
        }
        if (count == 1) return hasUnknown(words[begin]) ? Truth::no : words[begin].empty() ? Truth::no : Truth::yes;
        const std::string& a = words[begin];
        if (count == 2) {
            // a variable that nobody set counts as empty here: the usual way to give it a default
            const bool empty = words[begin + 1].empty() || hasUnknown(words[begin + 1]);
            if (a == "-z") return empty ? Truth::yes : Truth::no;
            if (a == "-n") return empty ? Truth::no : Truth::yes;
            if (a == "-v") return variables_.contains(words[begin + 1]) ? Truth::yes : Truth::no;
            if (root.empty()) root = fmt::format("[ {} {} ]", a, readable(words[begin + 1]));
            return Truth::unknown;
        }
        const std::string& op = words[begin + 1];
        const std::string& b = words[begin + 2];
        if (hasUnknown(a) || hasUnknown(b)) {
            const std::string name = rootOf(hasUnknown(a) ? a : b);
            compare(name, readable(hasUnknown(a) ? b : a));
            if (root.empty()) root = name;
            return Truth::unknown;
        }
        if (op == "=" || op == "==") return (::fnmatch(b.c_str(), a.c_str(), 0) == 0 || a == b) ? Truth::yes : Truth::no;
        if (op == "!=") return (::fnmatch(b.c_str(), a.c_str(), 0) == 0 || a == b) ? Truth::no : Truth::yes;
        for (const auto& [name, symbol] :
             {std::pair{"-eq", "=="}, {"-ne", "!="}, {"-lt", "<"}, {"-le", "<="}, {"-gt", ">"}, {"-ge", ">="}}) {
            if (op != name) continue;
            const auto value = arithmetic(fmt::format("({}){}({})", a, symbol, b), root);
            return !value ? Truth::unknown : *value != 0 ? Truth::yes : Truth::no;
        }
        if (root.empty()) root = fmt::format("[ {} {} {} ]", readable(a), op, readable(b));
        return Truth::unknown;
    }

    // -- variables -----------------------------------------------------------------------------------------------------
    void assign(const std::string& name, std::string value) {
        if (given_.contains(name)) return;
        variables_[name] = {std::move(value)};
        hangsOn_.erase(name);
    }
    void assignArray(const ShellToken& token) {
        std::string name = token.text.substr(0, token.text.size() - 1);
        const bool append = name.ends_with('+');
        if (append) name.pop_back();
        if (given_.contains(name)) return;
        std::vector<std::string> values;
        if (append)
            if (const auto at = variables_.find(name); at != variables_.end()) values = at->second;
        for (const auto& item : token.items)
            for (auto& word : expand(item)) {
                if (++words_ > kMostWords) {
                    overflow_ = true;
                    return;
                }
                values.push_back(std::move(word));
            }
        variables_[name] = std::move(values);
        hangsOn_.erase(name);
    }
    std::string textOf(const std::string& name) const {
        const auto at = variables_.find(name);
        return at == variables_.end() || at->second.empty() ? std::string() : at->second.front();
    }
    /// The variable that everything unknown about `name` comes from.
    std::string cause(const std::string& name) const {
        const auto at = hangsOn_.find(name);
        return at == hangsOn_.end() ? name : at->second;
    }
    static std::string rootOf(const std::string& text) {
        const auto begin = text.find(kUnknownBegin);
        const auto end = text.find(kUnknownEnd, begin == std::string::npos ? 0 : begin);
        return begin == std::string::npos || end == std::string::npos ? std::string() : text.substr(begin + 1, end - begin - 1);
    }
    void compare(const std::string& name, const std::string& value) {
        if (name.empty() || value.size() > 60) return;
        auto& entry = miss(name);
        if (entry.comparedWith.size() < 24) entry.comparedWith.insert(value);
    }
    UnknownVariable& miss(const std::string& name) {
        auto [at, fresh] = unknown_.try_emplace(name);
        if (fresh) {
            at->second.name = name;
            at->second.line = line_;
        }
        return at->second;
    }
    std::string unknown(const std::string& name) {
        const std::string root = cause(name);
        miss(root);
        return unknownMark(root);
    }

    std::optional<std::int64_t> arithmetic(std::string_view body, std::string& root) {
        std::string missing;
        const auto value = shellArithmetic(body, [&](std::string_view name) -> std::optional<std::string> {
            const auto at = variables_.find(std::string(name));
            if (at == variables_.end()) {
                if (missing.empty()) missing = cause(std::string(name));
                return std::nullopt;
            }
            const std::string text = at->second.empty() ? "" : at->second.front();
            if (hasUnknown(text)) {
                if (missing.empty()) missing = rootOf(text);
                return std::nullopt;
            }
            return text;
        });
        if (!value && !missing.empty()) {
            miss(missing);
            if (root.empty()) root = missing;
        }
        return value;
    }

    // -- expansion -----------------------------------------------------------------------------------------------------
    /// A word as one text: no splitting.
    std::string single(std::string_view raw) {
        std::string out;
        for (const auto& piece : pieces(raw)) {
            if (piece.breakBefore && !out.empty()) out += ' ';
            out += piece.text;
        }
        return out;
    }
    /// A word as the words it comes to: unquoted values are split at blanks, `"${A[@]}"` gives one word per element.
    std::vector<std::string> expand(std::string_view raw) {
        std::vector<std::string> words;
        std::string word;
        bool any = false;
        const auto finish = [&] {
            if (any) words.push_back(std::move(word));
            word.clear();
            any = false;
        };
        for (const auto& piece : pieces(raw)) {
            if (piece.breakBefore) finish();
            if (piece.quoted) {
                word += piece.text;
                any = true;
                continue;
            }
            for (const char c : piece.text) {
                if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                    finish();
                } else {
                    word += c;
                    any = true;
                }
            }
        }
        finish();
        return words;
    }

    struct Piece {
        std::string text;
        bool quoted = false;
        bool breakBefore = false;  ///< starts a new word: the next element of an array
    };

    std::vector<Piece> pieces(std::string_view raw) {
        std::vector<Piece> out;
        if (++nesting_ > 2 * kDeepestNesting) {
            --nesting_;
            return out;
        }
        collect(raw, false, out);
        --nesting_;
        std::size_t total = 0;
        for (const auto& piece : out) total += piece.text.size();
        if (total > kLongestWord) {
            overflow_ = true;
            out.clear();
        }
        return out;
    }

    void collect(std::string_view raw, bool quoted, std::vector<Piece>& out) {
        std::string plain;
        const auto flush = [&] {
            if (!plain.empty()) out.push_back({std::move(plain), true, false});
            plain.clear();
        };
        std::size_t i = 0;
        while (i < raw.size()) {
            const char c = raw[i];
            if (c == '\\' && i + 1 < raw.size()) {
                const char next = raw[i + 1];
                if (next != '\n') {
                    if (quoted && std::string_view("$`\"\\").find(next) == std::string_view::npos) plain += c;
                    plain += next;
                }
                i += 2;
            } else if (c == '\'' && !quoted) {
                const std::size_t end = endOfShellGroup(raw, i);
                if (end == std::string_view::npos) break;
                flush();
                out.push_back({std::string(raw.substr(i + 1, end - i - 2)), true, false});
                i = end;
            } else if (c == '"' && !quoted) {
                const std::size_t end = endOfShellGroup(raw, i);
                if (end == std::string_view::npos) break;
                flush();
                const std::size_t before = out.size();
                collect(raw.substr(i + 1, end - i - 2), true, out);
                if (out.size() == before) out.push_back({"", true, false});
                i = end;
            } else if (c == '`') {
                const std::size_t end = endOfShellGroup(raw, i);
                if (end == std::string_view::npos) break;
                flush();
                out.push_back({substitute(raw.substr(i + 1, end - i - 2)), quoted, false});
                i = end;
            } else if (c == '$' && i + 1 < raw.size()) {
                const std::size_t used = dollar(raw.substr(i), quoted, flush, out);
                if (used == 0) {
                    plain += c;
                    ++i;
                } else {
                    i += used;
                }
            } else {
                plain += c;
                ++i;
            }
        }
        flush();
    }

    /// A `$` form at the start of `raw`; the characters it takes, 0 if it is a plain dollar sign.
    template <class Flush>
    std::size_t dollar(std::string_view raw, bool quoted, Flush flush, std::vector<Piece>& out) {
        const char next = raw[1];
        if (next == '(' || next == '{') {
            const std::size_t end = endOfShellGroup(raw, 0);
            if (end == std::string_view::npos) return 0;
            flush();
            if (next == '{') {
                braces(raw.substr(2, end - 3), quoted, out);
            } else if (raw.substr(1, 2) == "((" && raw.substr(end - 2, 2) == "))") {
                std::string root;
                const std::string body = single(raw.substr(3, end - 5));
                const auto value = hasUnknown(body) ? std::nullopt : arithmetic(body, root);
                if (value)
                    out.push_back({fmt::format("{}", *value), quoted, false});
                else
                    out.push_back(
                        {unknown(root.empty() ? (hasUnknown(body) ? rootOf(body) : "arithmetic") : root), quoted, false});
            } else {
                out.push_back({substitute(raw.substr(2, end - 3)), quoted, false});
            }
            return end;
        }
        if (next == '@' || next == '*' || next == '#' || next == '?' || next == '$' || next == '!') {
            flush();
            if (next == '@' || next == '*') note("the script's own arguments ($@) are not known");
            return 2;
        }
        std::size_t end = 1;
        if (next >= '0' && next <= '9')
            end = 2;
        else
            while (end < raw.size() && isNameCharacter(raw[end])) ++end;
        if (end == 1) return 0;
        flush();
        value(std::string(raw.substr(1, end - 1)), quoted, out);
        return end;
    }

    void value(const std::string& name, bool quoted, std::vector<Piece>& out) {
        const auto at = variables_.find(name);
        if (at == variables_.end())
            out.push_back({unknown(name), quoted, false});
        else
            out.push_back({at->second.empty() ? std::string() : at->second.front(), quoted, false});
    }

    /// `${...}` without its braces.
    void braces(std::string_view body, bool quoted, std::vector<Piece>& out) {
        const bool length = body.starts_with('#') && body.size() > 1;
        if (length) body.remove_prefix(1);
        const bool indirect = body.starts_with('!');
        if (indirect) body.remove_prefix(1);
        std::size_t end = 0;
        while (end < body.size() && isNameCharacter(body[end])) ++end;
        std::string name(body.substr(0, end));
        std::string_view rest = body.substr(end);
        if (name.empty()) return;
        if (indirect) name = textOf(name);
        const auto at = variables_.find(name);
        const bool set = at != variables_.end();

        if (rest.starts_with('[')) {
            const auto close = rest.find(']');
            const std::string_view index = close == std::string_view::npos ? "" : rest.substr(1, close - 1);
            if (index == "@" || index == "*") {
                if (length) {
                    out.push_back({fmt::format("{}", set ? at->second.size() : 0), quoted, false});
                    return;
                }
                if (!set) {
                    out.push_back({unknown(name), quoted, false});
                    return;
                }
                for (std::size_t i = 0; i < at->second.size(); ++i) out.push_back({at->second[i], quoted, i > 0});
                return;
            }
            std::string root;
            const auto number = arithmetic(single(index), root);
            if (set && number && *number >= 0 && static_cast<std::size_t>(*number) < at->second.size())
                out.push_back({at->second[static_cast<std::size_t>(*number)], quoted, false});
            else
                out.push_back({unknown(name), quoted, false});
            return;
        }
        if (length) {
            out.push_back({set ? fmt::format("{}", textOf(name).size()) : unknown(name), quoted, false});
            return;
        }
        if (rest.empty()) {
            value(name, quoted, out);
            return;
        }
        const bool colon = rest.starts_with(':');
        const char op = rest.size() > (colon ? 1U : 0U) ? rest[colon ? 1 : 0] : '\0';
        const std::string_view word = rest.substr(std::min<std::size_t>(rest.size(), colon ? 2 : 1));
        const bool empty = !set || (colon && textOf(name).empty());
        if (op == '-' || op == '=') {
            if (!empty) {
                value(name, quoted, out);
                return;
            }
            const std::string text = single(word);
            if (op == '=') assign(name, text);
            out.push_back({text, quoted, false});
            return;
        }
        if (op == '+') {
            if (!empty) out.push_back({single(word), quoted, false});
            return;
        }
        if (op == '?') {
            value(name, quoted, out);
            return;
        }
        if (!set || hasUnknown(textOf(name))) {
            value(name, quoted, out);
            return;
        }
        out.push_back({changed(textOf(name), rest), quoted, false});
    }

    /// `%`, `%%`, `#`, `##`, `/`, `^`, `,` and `:offset:length` on a known text.
    std::string changed(std::string text, std::string_view rest) {
        if (text.size() > 4096) return text;
        if (rest.starts_with("^^")) {
            for (char& c : text)
                if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
            return text;
        }
        if (rest.starts_with(",,")) {
            for (char& c : text)
                if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
            return text;
        }
        if (rest.starts_with('%') || rest.starts_with('#')) {
            const bool suffix = rest[0] == '%';
            const bool longest = rest.size() > 1 && rest[1] == rest[0];
            const std::string pattern = single(rest.substr(longest ? 2 : 1));
            const std::size_t size = text.size();
            for (std::size_t step = 0; step <= size; ++step) {
                const std::size_t taken = longest ? size - step : step;
                const std::string part = suffix ? text.substr(size - taken) : text.substr(0, taken);
                if (::fnmatch(pattern.c_str(), part.c_str(), 0) == 0)
                    return suffix ? text.substr(0, size - taken) : text.substr(taken);
            }
            return text;
        }
        if (rest.starts_with('/')) {
            const bool all = rest.starts_with("//");
            rest.remove_prefix(all ? 2 : 1);
            const auto slash = rest.find('/');
            const std::string from = single(rest.substr(0, slash));
            const std::string to = slash == std::string_view::npos ? "" : single(rest.substr(slash + 1));
            if (from.empty()) return text;
            for (std::size_t at = text.find(from); at != std::string::npos && text.size() < kLongestWord;
                 at = text.find(from, at + to.size())) {
                text.replace(at, from.size(), to);
                if (!all) break;
            }
            return text;
        }
        if (rest.starts_with(':')) {
            std::string root;
            const auto second = rest.find(':', 1);
            const auto offset =
                arithmetic(single(rest.substr(1, second == std::string_view::npos ? rest.size() : second - 1)), root);
            std::int64_t count = -1;
            if (second != std::string_view::npos) count = arithmetic(single(rest.substr(second + 1)), root).value_or(-1);
            if (!offset || *offset < 0 || static_cast<std::size_t>(*offset) > text.size()) return text;
            return text.substr(static_cast<std::size_t>(*offset),
                               count >= 0 ? static_cast<std::size_t>(count) : std::string::npos);
        }
        return text;
    }

    /// `$(command)`: only what needs no machine: echo and expr.
    std::string substitute(std::string_view body) {
        const auto start = body.find_first_not_of(" \t\n");
        if (start == std::string_view::npos) return {};
        body.remove_prefix(start);
        if (body.find('|') == std::string_view::npos && (body.starts_with("echo ") || body.starts_with("expr "))) {
            std::string text = single(body.substr(5));
            while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
            if (body.starts_with("echo ")) return text;
            std::string root;
            if (const auto value = arithmetic(text, root)) return fmt::format("{}", *value);
        }
        const std::string_view shown = body.substr(0, std::min<std::size_t>(40, body.find_first_of("\n|")));
        return unknownMark("$(" + std::string(shown) + ")");
    }

    std::string where_;
    const std::map<std::string, std::string>& given_;
    std::map<std::string, std::vector<std::string>> variables_;
    std::map<std::string, std::string> hangsOn_;  ///< name -> root of what decides it
    std::map<std::string, UnknownVariable> unknown_;
    std::map<std::string, std::vector<ShellToken>> functions_;
    ShellScript script_;
    int line_ = 1;
    int nesting_ = 0;
    std::size_t words_ = 0;
    bool overflow_ = false;
    bool takeUndecided_ = false;
};

bool launches(const ShellScript& script) {
    for (const auto& command : script.commands)
        for (const auto& word : command.words)
            if (word.starts_with("--") || word.find(".py") != std::string::npos) return true;
    return false;
}

}  // namespace

bool hasUnknown(std::string_view word) { return word.find(kUnknownBegin) != std::string_view::npos; }

std::string readable(std::string_view word) {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == kUnknownBegin) {
            const auto end = word.find(kUnknownEnd, i);
            const std::string_view name = word.substr(i + 1, end == std::string_view::npos ? end : end - i - 1);
            out += name.starts_with('$') || name.starts_with('[') ? std::string(name) : fmt::format("${{{}}}", name);
            if (end == std::string_view::npos) break;
            i = end;
        } else {
            out += word[i];
        }
    }
    return out;
}

Result<ShellScript> readShellScript(std::string_view text, const std::string& where,
                                    const std::map<std::string, std::string>& variables) {
    constexpr std::size_t kMaxScriptBytes = std::size_t{4} << 20;
    if (text.size() > kMaxScriptBytes)
        return failure(Error::Kind::unreadable, "shell-too-large", where,
                       fmt::format("has {} bytes; a launch script of at most {} was expected", text.size(), kMaxScriptBytes));
    if (text.find('\0') != std::string_view::npos || text.find(kUnknownBegin) != std::string_view::npos)
        return failure(Error::Kind::unreadable, "shell-binary", where, "is not text; a launch script was expected");
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Interpreter first(where, variables);
    if (const auto done = first.run(text, 0); !done) return tl::unexpected<Error>(done.error());
    auto script = first.finish();
    if (!script || launches(*script)) return script;
    // nothing was started: the launch stands in a branch that hangs on something unknown
    Interpreter second(where, variables);
    second.takeUndecidedBranches();
    if (const auto done = second.run(text, 0); !done) return script;
    return second.finish();
}

}  // namespace trainyard
