#include "core/io/shell/shell_arithmetic.h"

#include <charconv>
#include <limits>

namespace trainyard {
namespace {

using Value = std::optional<std::int64_t>;

class Evaluator {
  public:
    Evaluator(std::string_view text, const std::function<std::optional<std::string>(std::string_view)>& lookUp, int depth)
        : text_(text), lookUp_(lookUp), depth_(depth) {}

    Value run() {
        const Value value = ternary();
        blanks();
        return at_ == text_.size() ? value : std::nullopt;
    }

  private:
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
    }
    bool take(std::string_view op) {
        blanks();
        if (!text_.substr(at_).starts_with(op)) return false;
        at_ += op.size();
        return true;
    }
    bool ahead(std::string_view op) {
        blanks();
        return text_.substr(at_).starts_with(op);
    }

    Value ternary() {
        if (++depth_ > 64) return std::nullopt;
        Value condition = logical();
        if (take("?")) {
            const Value yes = ternary();
            if (!take(":")) return std::nullopt;
            const Value no = ternary();
            condition = condition ? (*condition != 0 ? yes : no) : std::nullopt;
        }
        --depth_;
        return condition;
    }
    Value logical() {
        Value left = comparison();
        for (;;) {
            if (take("&&")) {
                const Value right = comparison();
                left = left && right ? Value(*left != 0 && *right != 0 ? 1 : 0) : std::nullopt;
            } else if (take("||")) {
                const Value right = comparison();
                left = left && right ? Value(*left != 0 || *right != 0 ? 1 : 0) : std::nullopt;
            } else {
                return left;
            }
        }
    }
    Value comparison() {
        Value left = sum();
        for (;;) {
            int kind = 0;
            if (take("=="))
                kind = 1;
            else if (take("!="))
                kind = 2;
            else if (take("<="))
                kind = 3;
            else if (take(">="))
                kind = 4;
            else if (!ahead("<<") && take("<"))
                kind = 5;
            else if (!ahead(">>") && take(">"))
                kind = 6;
            else
                return left;
            const Value right = sum();
            if (!left || !right) {
                left = std::nullopt;
                continue;
            }
            const std::int64_t a = *left, b = *right;
            const bool holds = kind == 1   ? a == b
                               : kind == 2 ? a != b
                               : kind == 3 ? a <= b
                               : kind == 4 ? a >= b
                               : kind == 5 ? a < b
                                           : a > b;
            left = holds ? 1 : 0;
        }
    }
    Value sum() {
        Value left = product();
        for (;;) {
            const bool plus = take("+");
            if (!plus && !take("-")) return left;
            const Value right = product();
            std::int64_t result = 0;
            const bool bad =
                !left || !right ||
                (plus ? __builtin_add_overflow(*left, *right, &result) : __builtin_sub_overflow(*left, *right, &result));
            left = bad ? std::nullopt : Value(result);
        }
    }
    Value product() {
        Value left = power();
        for (;;) {
            char op = 0;
            if (!ahead("**") && take("*"))
                op = '*';
            else if (take("/"))
                op = '/';
            else if (take("%"))
                op = '%';
            else
                return left;
            const Value right = power();
            std::int64_t result = 0;
            if (!left || !right) {
                left = std::nullopt;
            } else if (op == '*') {
                left = __builtin_mul_overflow(*left, *right, &result) ? std::nullopt : Value(result);
            } else if (*right == 0 || (*right == -1 && *left == std::numeric_limits<std::int64_t>::min())) {
                left = std::nullopt;
            } else {
                left = op == '/' ? *left / *right : *left % *right;
            }
        }
    }
    Value power() {
        const Value base = unary();
        if (!take("**")) return base;
        if (++depth_ > 64) return std::nullopt;
        const Value exponent = power();
        --depth_;
        if (!base || !exponent || *exponent < 0 || *exponent > 63) return std::nullopt;
        std::int64_t result = 1;
        for (std::int64_t i = 0; i < *exponent; ++i)
            if (__builtin_mul_overflow(result, *base, &result)) return std::nullopt;
        return result;
    }
    Value unary() {
        if (++depth_ > 64) return std::nullopt;
        Value value;
        if (take("-")) {
            value = unary();
            if (value) value = *value == std::numeric_limits<std::int64_t>::min() ? std::nullopt : Value(-*value);
        } else if (take("+")) {
            value = unary();
        } else if (!ahead("!=") && take("!")) {
            value = unary();
            if (value) value = *value == 0 ? 1 : 0;
        } else {
            value = primary();
        }
        --depth_;
        return value;
    }
    Value primary() {
        if (take("(")) {
            const Value value = ternary();
            return take(")") ? value : std::nullopt;
        }
        blanks();
        const std::size_t start = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
        if (at_ > start) {
            std::int64_t value = 0;
            const auto parsed = std::from_chars(text_.data() + start, text_.data() + at_, value);
            return parsed.ec == std::errc() ? Value(value) : std::nullopt;
        }
        const bool braced = take("${");
        if (!braced) take("$");
        const std::size_t nameStart = at_;
        while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z') ||
                                      text_[at_] == '_' || (text_[at_] >= '0' && text_[at_] <= '9')))
            ++at_;
        const std::string_view name = text_.substr(nameStart, at_ - nameStart);
        if (name.empty() || (braced && !take("}"))) return std::nullopt;
        const auto text = lookUp_(name);
        if (!text || depth_ > 16) return std::nullopt;
        if (text->empty()) return 0;
        return Evaluator(*text, lookUp_, depth_ + 16).run();
    }

    std::string_view text_;
    const std::function<std::optional<std::string>(std::string_view)>& lookUp_;
    int depth_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::int64_t> shellArithmetic(std::string_view expression,
                                            const std::function<std::optional<std::string>(std::string_view)>& lookUp) {
    if (expression.size() > 4096) return std::nullopt;
    return Evaluator(expression, lookUp, 0).run();
}

}  // namespace trainyard
