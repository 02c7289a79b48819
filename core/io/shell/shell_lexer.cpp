#include "core/io/shell/shell_lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr int kDeepest = 64;

std::size_t endOfGroup(std::string_view text, std::size_t at, int depth);

/// Behind the closing bracket of a group whose content starts at `at`.
std::size_t endOfBracket(std::string_view text, std::size_t at, char open, char close, int depth) {
    if (depth > kDeepest) return kNone;
    int level = 1;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '\\') {
            at += 2;
        } else if (c == '\'' || c == '"' || c == '`' ||
                   (c == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{'))) {
            at = endOfGroup(text, at, depth + 1);
            if (at == kNone) return kNone;
        } else {
            if (c == open) ++level;
            if (c == close && --level == 0) return at + 1;
            ++at;
        }
    }
    return kNone;
}

std::size_t endOfGroup(std::string_view text, std::size_t at, int depth) {
    if (depth > kDeepest) return kNone;
    const char c = text[at];
    if (c == '\'') {
        const auto end = text.find('\'', at + 1);
        return end == kNone ? kNone : end + 1;
    }
    if (c == '`') {
        for (std::size_t i = at + 1; i < text.size(); ++i) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == '`')
                return i + 1;
        }
        return kNone;
    }
    if (c == '"') {
        std::size_t i = at + 1;
        while (i < text.size()) {
            if (text[i] == '\\') {
                i += 2;
            } else if (text[i] == '"') {
                return i + 1;
            } else if (text[i] == '`' || (text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '(' || text[i + 1] == '{'))) {
                i = endOfGroup(text, i, depth + 1);
                if (i == kNone) return kNone;
            } else {
                ++i;
            }
        }
        return kNone;
    }
    if (c == '$' && at + 1 < text.size()) {
        if (text[at + 1] == '(') return endOfBracket(text, at + 2, '(', ')', depth);
        if (text[at + 1] == '{') return endOfBracket(text, at + 2, '{', '}', depth);
    }
    return at + 1;
}

class Lexer {
  public:
    Lexer(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    Result<ShellTokens> run() {
        while (at_ < text_.size()) {
            skipBlanks();
            if (at_ >= text_.size()) break;
            const char c = text_[at_];
            if (c == '\n') {
                push(ShellToken::Kind::newline, "\n");
                advance(1);
                skipHereDocuments();
            } else if (c == '#') {
                comment();
            } else if (isOperator(c) && !startsTest()) {
                readOperator();
            } else if (!readWord()) {
                return failure(Error::Kind::unreadable, "shell-unclosed", fmt::format("{}:{}", where_, line_), fault_);
            }
        }
        push(ShellToken::Kind::end, "");
        return std::move(out_);
    }

  private:
    static bool isOperator(char c) { return std::string_view(";&|()<>").find(c) != kNone; }
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    void advance(std::size_t count) {
        for (std::size_t i = 0; i < count && at_ < text_.size(); ++i, ++at_)
            if (text_[at_] == '\n') ++line_;
    }
    void skipBlanks() {
        while (at_ < text_.size()) {
            if (isBlank(text_[at_])) {
                ++at_;
            } else if (text_[at_] == '\\' && at_ + 1 < text_.size() &&
                       (text_[at_ + 1] == '\n' || text_.substr(at_ + 1, 2) == "\r\n")) {
                advance(text_[at_ + 1] == '\n' ? 2 : 3);
            } else {
                break;
            }
        }
    }
    void push(ShellToken::Kind kind, std::string text) {
        ShellToken token;
        token.kind = kind;
        token.text = std::move(text);
        token.line = line_;
        out_.tokens.push_back(std::move(token));
    }
    void comment() {
        const auto end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view body = text_.substr(at_, end - at_);
        for (const std::string_view mark : {"#SBATCH", "#PBS", "#BSUB"})
            if (body.starts_with(mark)) out_.directives.emplace_back(std::string(body.substr(mark.size())), line_);
        at_ = end;
    }
    bool startsTest() const { return text_.substr(at_, 2) == "((" && (out_.tokens.empty() || atCommandStart()); }
    bool atCommandStart() const {
        const ShellToken& last = out_.tokens.back();
        if (last.kind == ShellToken::Kind::newline || last.kind == ShellToken::Kind::op) return true;
        return last.text == "if" || last.text == "while" || last.text == "elif" || last.text == "for" || last.text == "then" ||
               last.text == "do" || last.text == "!";
    }
    void readOperator() {
        for (const std::string_view op : {";;", "&&", "||", "<<<", "<<-", "<<", ">>", ">&", "<&", "&>"}) {
            if (text_.substr(at_).starts_with(op)) {
                push(ShellToken::Kind::op, std::string(op));
                advance(op.size());
                if (op == "<<" || op == "<<-") hereDocument();
                return;
            }
        }
        push(ShellToken::Kind::op, std::string(1, text_[at_]));
        advance(1);
    }
    void hereDocument() {
        skipBlanks();
        std::string delimiter;
        while (at_ < text_.size() && !isBlank(text_[at_]) && text_[at_] != '\n' && !isOperator(text_[at_])) {
            if (text_[at_] != '\'' && text_[at_] != '"' && text_[at_] != '\\') delimiter += text_[at_];
            ++at_;
        }
        if (!delimiter.empty()) hereDocuments_.push_back(std::move(delimiter));
    }
    void skipHereDocuments() {
        for (const auto& delimiter : hereDocuments_) {
            out_.skippedHereDocument = true;
            while (at_ < text_.size()) {
                const auto end = std::min(text_.find('\n', at_), text_.size());
                std::string_view line = text_.substr(at_, end - at_);
                advance(end - at_ + 1);
                while (!line.empty() && (line.front() == '\t' || line.front() == ' ')) line.remove_prefix(1);
                while (!line.empty() && isBlank(line.back())) line.remove_suffix(1);
                if (line == delimiter) break;
            }
        }
        hereDocuments_.clear();
    }
    /// The raw text of one word; empty and false on an open quote.
    bool rawWord(std::string& word) {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (isBlank(c) || c == '\n' || isOperator(c)) return true;
            if (c == '\\') {
                if (text_.substr(at_, 2) == "\\\n") {
                    advance(2);
                    continue;
                }
                word += text_.substr(at_, 2);
                advance(2);
                continue;
            }
            const std::size_t end = endOfGroup(text_, at_, 0);
            if (end == kNone || end > text_.size()) {
                fault_ = fmt::format("{} opens here and does not close", c == '$'   ? "a substitution"
                                                                         : c == '`' ? "a backquote"
                                                                                    : "a quote");
                return false;
            }
            word += text_.substr(at_, end - at_);
            advance(end - at_);
            // an array literal follows its name at once
            if (word.back() == '=' && at_ < text_.size() && text_[at_] == '(') return true;
        }
        return true;
    }
    bool readWord() {
        const int line = line_;
        if (startsTest()) {  // (( arithmetic ))
            const std::size_t end = endOfBracket(text_, at_ + 1, '(', ')', 0);
            if (end == kNone) {
                fault_ = "a parenthesis opens here and does not close";
                return false;
            }
            push(ShellToken::Kind::word, std::string(text_.substr(at_, end - at_)));
            advance(end - at_);
            return true;
        }
        std::string word;
        if (!rawWord(word)) return false;
        ShellToken token;
        token.line = line;
        token.text = std::move(word);
        token.kind = ShellToken::Kind::word;
        if (!token.text.empty() && token.text.back() == '=' && at_ < text_.size() && text_[at_] == '(') {
            token.kind = ShellToken::Kind::array;
            advance(1);
            for (;;) {
                while (at_ < text_.size() && (isBlank(text_[at_]) || text_[at_] == '\n' || text_[at_] == '\\')) advance(1);
                if (at_ >= text_.size()) {
                    line_ = line;
                    fault_ = "a list opens here and does not close";
                    return false;
                }
                if (text_[at_] == ')') break;
                if (text_[at_] == '#') {
                    at_ = std::min(text_.find('\n', at_), text_.size());
                    continue;
                }
                std::string item;
                const std::size_t before = at_;
                if (!rawWord(item)) return false;
                if (at_ == before) {  // a stray operator inside the list
                    advance(1);
                    continue;
                }
                token.items.push_back(std::move(item));
            }
            advance(1);
        }
        out_.tokens.push_back(std::move(token));
        return true;
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
    int line_ = 1;
    ShellTokens out_;
    std::vector<std::string> hereDocuments_;
    std::string fault_;
};

}  // namespace

std::size_t endOfShellGroup(std::string_view text, std::size_t at) { return endOfGroup(text, at, 0); }

Result<ShellTokens> tokenizeShell(std::string_view text, const std::string& where) { return Lexer(text, where).run(); }

}  // namespace trainyard
