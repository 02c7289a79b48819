#include "core/io/import/python_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/io/import/scalar_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxTokens = 200'000;
constexpr std::size_t kMaxConfigs = 256;
constexpr std::size_t kMaxCopiedBytes = std::size_t{8} << 20;
constexpr int kDeepest = 48;

struct Token {
    enum class Kind : unsigned char { name, number, text, op, newline, end };
    Kind kind = Kind::end;
    std::string text;
    int line = 1;
    int indent = 0;  ///< of the line, at its first token
};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & '\x80') != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
  public:
    Lexer(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

    Result<std::vector<Token>> run() {
        int indent = 0;
        bool lineStart = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                if (depth_ == 0 && !lineStart) push(Token::Kind::newline, "", indent);
                ++at_;
                ++line_;
                if (depth_ == 0) {
                    lineStart = true;
                    indent = 0;
                }
                continue;
            }
            if (c == ' ' || c == '\t' || c == '\r') {
                if (lineStart) indent += c == '\t' ? 8 : 1;
                ++at_;
                continue;
            }
            if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '\n' || text_[at_ + 1] == '\r')) {
                at_ += text_[at_ + 1] == '\r' && at_ + 2 < text_.size() ? std::size_t{3} : std::size_t{2};
                ++line_;
                continue;
            }
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
                continue;
            }
            lineStart = false;
            if (tokens_.size() >= kMaxTokens) return refuse(line_, "is longer than a configuration can be");
            if (const auto done = token(c, indent); !done) return tl::unexpected<Error>(done.error());
        }
        if (depth_ > 0) return refuse(opened_.back(), "a bracket opens here and does not close; expected a Python configuration");
        push(Token::Kind::newline, "", indent);
        push(Token::Kind::end, "", 0);
        return std::move(tokens_);
    }

  private:
    tl::unexpected<Error> refuse(int line, std::string message) {
        return failure(Error::Kind::unreadable, "python-unreadable", fmt::format("{}:{}", where_, line), std::move(message));
    }
    void push(Token::Kind kind, std::string text, int indent) { tokens_.push_back({kind, std::move(text), line_, indent}); }

    Result<void> token(char c, int indent) {
        const std::size_t start = at_;
        if (isLetter(c)) {
            while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]))) ++at_;
            const std::string_view word = text_.substr(start, at_ - start);
            const bool prefix = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && word.size() <= 2 &&
                                word.find_first_not_of("rRbBuUfF") == std::string_view::npos;
            if (!prefix) {
                push(Token::Kind::name, std::string(word), indent);
                return {};
            }
            return quoted(indent);
        }
        if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) {
            while (at_ < text_.size() &&
                   (isDigit(text_[at_]) || isLetter(text_[at_]) || text_[at_] == '.' ||
                    ((text_[at_] == '-' || text_[at_] == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))))
                ++at_;
            push(Token::Kind::number, std::string(text_.substr(start, at_ - start)), indent);
            return {};
        }
        if (c == '"' || c == '\'') return quoted(indent);
        if (c == '(' || c == '[' || c == '{') {
            ++depth_;
            opened_.push_back(line_);
        }
        if (c == ')' || c == ']' || c == '}') {
            if (--depth_ < 0) return refuse(line_, "a bracket closes here that nothing opened; expected a Python configuration");
            opened_.pop_back();
        }
        for (const std::string_view two : {"**", "//", "->", ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "|="})
            if (text_.substr(at_, 2) == two) {
                push(Token::Kind::op, std::string(two), indent);
                at_ += 2;
                return {};
            }
        push(Token::Kind::op, std::string(1, c), indent);
        ++at_;
        return {};
    }

    Result<void> quoted(int indent) {
        const int opened = line_;
        const char quote = text_[at_];
        const bool triple = text_.substr(at_, 3) == std::string(3, quote);
        at_ += triple ? 3 : 1;
        std::string out;
        while (at_ < text_.size()) {
            if (triple ? text_.substr(at_, 3) == std::string(3, quote) : text_[at_] == quote) {
                at_ += triple ? 3 : 1;
                tokens_.push_back({Token::Kind::text, std::move(out), opened, indent});
                return {};
            }
            if (text_[at_] == '\n') {
                if (!triple) break;
                ++line_;
            }
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                ++at_;
                if (text_[at_] == '\n') ++line_;
                out += text_[at_] == 'n' ? '\n' : text_[at_] == 't' ? '\t' : text_[at_];
            } else {
                out += text_[at_];
            }
            ++at_;
        }
        return refuse(opened, "a text opens here and does not close; expected a Python configuration");
    }

    std::string_view text_;
    std::string where_;
    std::size_t at_ = 0;
    int line_ = 1;
    int depth_ = 0;
    std::vector<int> opened_;
    std::vector<Token> tokens_;
};

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    std::vector<PythonConfig> run() {
        while (token().kind != Token::Kind::end) statement();
        leave();
        for (auto& [name, value] : globals_)
            if (value.is_object() && configs_.size() < kMaxConfigs) configs_.push_back({name, std::move(value), false});
        return std::move(configs_);
    }

  private:
    [[nodiscard]] const Token& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    [[nodiscard]] bool isOp(std::string_view text, std::size_t ahead = 0) const {
        return token(ahead).kind == Token::Kind::op && token(ahead).text == text;
    }
    void skipLine() {
        while (token().kind != Token::Kind::newline && token().kind != Token::Kind::end) ++at_;
        if (token().kind == Token::Kind::newline) ++at_;
    }
    /// Copies of copies must not grow without bound: false once they have.
    bool mayCopy(const json& value) {
        if (!value.is_structured()) return true;
        if (copied_ < kMaxCopiedBytes) copied_ += value.dump(-1, ' ', false, json::error_handler_t::replace).size();
        return copied_ < kMaxCopiedBytes;
    }
    std::map<std::string, json>& scope() { return inFunction_ ? locals_ : globals_; }

    void leave() {
        if (inFunction_ && returned_.is_object() && configs_.size() < kMaxConfigs) {
            if (mayCopy(returned_)) {
                results_[function_] = returned_;
                configs_.push_back({function_, returned_, true});
            }
        }
        inFunction_ = false;
        returned_ = nullptr;
        locals_.clear();
    }

    void statement() {
        if (token().kind == Token::Kind::newline) {
            ++at_;
            return;
        }
        const Token first = token();
        if (inFunction_ && first.indent <= functionIndent_) leave();
        if (first.kind == Token::Kind::name && (first.text == "def" || first.text == "async")) {
            if (first.text == "async") ++at_;
            if (!inFunction_) {
                function_ = token(1).text;
                functionIndent_ = first.indent;
                inFunction_ = true;
            } else {
                skipBlock(first.indent);  // a function within a function makes no configuration
                return;
            }
            skipLine();
            return;
        }
        if (first.kind == Token::Kind::name && first.text == "return") {
            ++at_;
            json value = expression(0);
            if (!returned_.is_object() && inFunction_) returned_ = std::move(value);
            skipLine();
            return;
        }
        if (first.kind == Token::Kind::name) {
            std::vector<std::string> path{first.text};
            std::size_t ahead = 1;
            while (isOp(".", ahead) && token(ahead + 1).kind == Token::Kind::name) {
                path.push_back(token(ahead + 1).text);
                ahead += 2;
            }
            if (isOp(":", ahead) && path.size() == 1)  // an annotation
                while (!isOp("=", ahead) && token(ahead).kind != Token::Kind::newline && token(ahead).kind != Token::Kind::end)
                    ++ahead;
            if (isOp("=", ahead) && path.size() <= 16) {
                at_ += ahead + 1;
                assign(path, expression(0));
            }
        }
        skipLine();
    }

    void skipBlock(int indent) {
        skipLine();
        while (token().kind != Token::Kind::end && (token().kind == Token::Kind::newline || token().indent > indent)) skipLine();
    }

    void assign(const std::vector<std::string>& path, json value) {
        json* at = &scope()[path.front()];
        for (std::size_t i = 1; i < path.size(); ++i) {
            if (!at->is_object()) *at = json::object();
            at = &(*at)[path[i]];
        }
        *at = std::move(value);
    }

    // -- expressions ---------------------------------------------------------------------------------------------------
    static std::optional<std::int64_t> whole(const json& value) {
        return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
    }

    json expression(int depth) {
        json left = term(depth);
        while (isOp("+") || isOp("-")) {
            const bool plus = isOp("+");
            ++at_;
            const json right = term(depth);
            const auto a = whole(left), b = whole(right);
            std::int64_t sum = 0;
            if (a && b && !(plus ? __builtin_add_overflow(*a, *b, &sum) : __builtin_sub_overflow(*a, *b, &sum)))
                left = sum;
            else if (plus && left.is_string() && right.is_string() && left.get_ref<const std::string&>().size() < 4096)
                left = left.get<std::string>() + right.get<std::string>();
            else
                left = nullptr;
        }
        return left;
    }

    json term(int depth) {
        json left = factor(depth);
        while (isOp("*") || isOp("//") || isOp("/") || isOp("**") || isOp("%")) {
            const std::string op = token().text;
            ++at_;
            const json right = factor(depth);
            const auto a = whole(left), b = whole(right);
            std::int64_t product = 0;
            left = nullptr;
            if (!a || !b) continue;
            if (op == "*" && !__builtin_mul_overflow(*a, *b, &product)) left = product;
            if ((op == "//" || (op == "/" && *b > 0 && *a % *b == 0)) && *b > 0 && *a >= 0) left = *a / *b;
            if (op == "%" && *b > 0 && *a >= 0) left = *a % *b;
            if (op == "**" && *b >= 0 && *b < 63) {
                product = 1;
                bool fits = true;
                for (std::int64_t i = 0; i < *b && fits; ++i) fits = !__builtin_mul_overflow(product, *a, &product);
                if (fits) left = product;
            }
        }
        return left;
    }

    json factor(int depth) {
        if (depth > kDeepest) {
            skipLine();
            return nullptr;
        }
        if (isOp("-") || isOp("+")) {
            const bool negative = isOp("-");
            ++at_;
            json value = factor(depth + 1);
            if (negative && value.is_number_integer()) return -value.get<std::int64_t>();
            if (negative && value.is_number()) return -value.get<double>();
            return value;
        }
        const Token first = token();
        if (first.kind == Token::Kind::number) {
            ++at_;
            return scalarFromText(first.text);
        }
        if (first.kind == Token::Kind::text) {
            std::string text;
            while (token().kind == Token::Kind::text) text += tokens_[at_++].text;  // adjacent texts join
            return text;
        }
        if (isOp("(") || isOp("[")) {
            const bool tuple = isOp("(");
            ++at_;
            json items = json::array();
            bool comma = false;
            while (token().kind != Token::Kind::end && !isOp(")") && !isOp("]")) {
                items.push_back(expression(depth + 1));
                skipTo({",", ")", "]"});
                if (!isOp(",")) break;
                comma = true;
                ++at_;
            }
            ++at_;
            if (tuple && !comma && items.size() == 1) return items.front();
            return items;
        }
        if (isOp("{")) {
            ++at_;
            json out = json::object();
            while (token().kind != Token::Kind::end && !isOp("}")) {
                const json key = expression(depth + 1);
                json value;
                if (isOp(":")) {
                    ++at_;
                    value = expression(depth + 1);
                }
                if (key.is_string()) out[key.get<std::string>()] = std::move(value);
                skipTo({",", "}"});
                if (!isOp(",")) break;
                ++at_;
            }
            ++at_;
            return out;
        }
        if (first.kind == Token::Kind::name) return named(depth);
        if (first.kind != Token::Kind::newline && first.kind != Token::Kind::end && !isOp(")") && !isOp("]") && !isOp("}") &&
            !isOp(","))
            ++at_;
        return nullptr;
    }

    /// Passes over what this reader does not work out, up to one of the marks at this level.
    void skipTo(std::initializer_list<std::string_view> marks) {
        int level = 0;
        while (token().kind != Token::Kind::end) {
            if (level == 0 && token().kind == Token::Kind::op &&
                std::find(marks.begin(), marks.end(), token().text) != marks.end())
                return;
            if (isOp("(") || isOp("[") || isOp("{")) ++level;
            if (isOp(")") || isOp("]") || isOp("}")) {
                if (level == 0) return;
                --level;
            }
            ++at_;
        }
    }

    json named(int depth) {
        std::string name = token().text;
        const std::string first = name;
        std::vector<std::string> path;
        ++at_;
        while (isOp(".") && token(1).kind == Token::Kind::name) {
            path.push_back(token(1).text);
            name += "." + path.back();
            at_ += 2;
        }
        if (isOp("(")) return call(name, depth);
        if (path.empty()) {
            if (name == "True") return true;
            if (name == "False") return false;
            if (name == "None") return nullptr;
        }
        const json* at = nullptr;
        if (const auto found = locals_.find(first); inFunction_ && found != locals_.end())
            at = &found->second;
        else if (const auto global = globals_.find(first); global != globals_.end())
            at = &global->second;
        for (const auto& step : path) {
            if (at == nullptr || !at->is_object() || !at->contains(step)) {
                at = nullptr;
                break;
            }
            at = &(*at)[step];
        }
        if (at == nullptr) return name;
        return mayCopy(*at) ? *at : json();
    }

    json call(const std::string& name, int depth) {
        ++at_;
        json out = json::object();
        json positional = json::array();
        while (token().kind != Token::Kind::end && !isOp(")")) {
            if (token().kind == Token::Kind::name && isOp("=", 1)) {
                const std::string key = token().text;
                at_ += 2;
                out[key] = expression(depth + 1);
            } else {
                positional.push_back(expression(depth + 1));
            }
            skipTo({",", ")"});
            if (!isOp(",")) break;
            ++at_;
        }
        ++at_;
        if (const auto known = results_.find(name); known != results_.end() && out.empty() && positional.empty()) {
            if (mayCopy(known->second)) return known->second;
        }
        out["__call__"] = name;
        if (!positional.empty()) out["__arguments__"] = std::move(positional);
        return out;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool inFunction_ = false;
    int functionIndent_ = 0;
    std::string function_;
    json returned_;
    std::map<std::string, json> locals_;
    std::map<std::string, json> globals_;
    std::map<std::string, json> results_;
    std::vector<PythonConfig> configs_;
    std::size_t copied_ = 0;
};

}  // namespace

Result<std::vector<PythonConfig>> readPythonConfigs(std::string_view text, const std::string& where) {
    if (text.size() > kMaxBytes)
        return failure(Error::Kind::unreadable, "python-unreadable", where,
                       fmt::format("has {} bytes; a configuration of at most {} was expected", text.size(), kMaxBytes));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    auto tokens = Lexer(text, where).run();
    if (!tokens) return tl::unexpected<Error>(tokens.error());
    return Parser(std::move(*tokens)).run();
}

}  // namespace trainyard
