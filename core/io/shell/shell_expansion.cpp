#include "core/io/shell/shell_expansion.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <optional>

#include "core/io/shell/shell_lexer.h"

namespace trainyard {

std::string ShellExpander::single(std::string_view raw) {
    std::string out;
    for (const auto& piece : pieces(raw)) {
        if (piece.breakBefore && !out.empty()) out += ' ';
        out += piece.text;
    }
    return out;
}

std::vector<std::string> ShellExpander::expand(std::string_view raw) {
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
        bool inMark = false;  // the name of an unknown value may hold blanks; it stays one
        for (const char c : piece.text) {
            if (c == kUnknownBegin) inMark = true;
            if (c == kUnknownEnd) inMark = false;
            if (!inMark && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
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

std::vector<ShellExpander::Piece> ShellExpander::pieces(std::string_view raw) {
    std::vector<Piece> out;
    if (++nesting_ > 2 * kDeepestShellNesting) {
        --nesting_;
        return out;
    }
    collect(raw, false, out);
    --nesting_;
    std::size_t total = 0;
    for (const auto& piece : out) total += piece.text.size();
    if (total > kLongestShellWord) {
        overflow_ = true;
        out.clear();
    }
    return out;
}

void ShellExpander::collect(std::string_view raw, bool quoted, std::vector<Piece>& out) {
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
            flush();
            const std::size_t used = dollar(raw.substr(i), quoted, out);
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
std::size_t ShellExpander::dollar(std::string_view raw, bool quoted, std::vector<Piece>& out) {
    const char next = raw[1];
    if (next == '(' || next == '{') {
        const std::size_t end = endOfShellGroup(raw, 0);
        if (end == std::string_view::npos) return 0;
        if (next == '{') {
            braces(raw.substr(2, end - 3), quoted, out);
        } else if (raw.substr(1, 2) == "((" && raw.substr(end - 2, 2) == "))") {
            std::string root;
            const std::string body = single(raw.substr(3, end - 5));
            const auto value = hasUnknown(body) ? std::nullopt : state_.arithmetic(body, root);
            if (value)
                out.push_back({fmt::format("{}", *value), quoted, false});
            else
                out.push_back({state_.unknown(root.empty() ? (hasUnknown(body) ? rootOfUnknown(body) : "arithmetic") : root),
                               quoted, false});
        } else {
            out.push_back({substitute(raw.substr(2, end - 3)), quoted, false});
        }
        return end;
    }
    if (next == '@' || next == '*' || next == '#' || next == '?' || next == '$' || next == '!') {
        if (next == '@' || next == '*') state_.note("the script's own arguments ($@) are not known");
        return 2;
    }
    std::size_t end = 1;
    if (next >= '0' && next <= '9')
        end = 2;
    else
        while (end < raw.size() && isShellNameCharacter(raw[end])) ++end;
    if (end == 1) return 0;
    value(std::string(raw.substr(1, end - 1)), quoted, out);
    return end;
}

void ShellExpander::value(const std::string& name, bool quoted, std::vector<Piece>& out) {
    out.push_back({state_.has(name) ? state_.textOf(name) : state_.unknown(name), quoted, false});
}

/// `${...}` without its braces.
void ShellExpander::braces(std::string_view body, bool quoted, std::vector<Piece>& out) {
    const bool length = body.starts_with('#') && body.size() > 1;
    if (length) body.remove_prefix(1);
    const bool indirect = body.starts_with('!');
    if (indirect) body.remove_prefix(1);
    std::size_t end = 0;
    while (end < body.size() && isShellNameCharacter(body[end])) ++end;
    std::string name(body.substr(0, end));
    std::string_view rest = body.substr(end);
    if (name.empty()) return;
    if (indirect) name = state_.textOf(name);
    const bool set = state_.has(name);

    if (rest.starts_with('[')) {
        const auto close = rest.find(']');
        element(name, close == std::string_view::npos ? "" : rest.substr(1, close - 1), length, quoted, out);
        return;
    }
    if (length) {
        out.push_back({set ? fmt::format("{}", state_.textOf(name).size()) : state_.unknown(name), quoted, false});
        return;
    }
    if (rest.empty()) {
        value(name, quoted, out);
        return;
    }
    const bool colon = rest.starts_with(':');
    const char op = rest.size() > (colon ? 1U : 0U) ? rest[colon ? 1 : 0] : '\0';
    const std::string_view word = rest.substr(std::min<std::size_t>(rest.size(), colon ? 2 : 1));
    const bool empty = !set || (colon && state_.textOf(name).empty());
    if (op == '-' || op == '=') {
        if (!empty) {
            value(name, quoted, out);
            return;
        }
        const std::string text = single(word);
        if (op == '=') state_.assign(name, text);
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
    if (!set || hasUnknown(state_.textOf(name))) {
        value(name, quoted, out);
        return;
    }
    out.push_back({changed(state_.textOf(name), rest), quoted, false});
}

/// `${NAME[index]}`, also with @, * and a length.
void ShellExpander::element(const std::string& name, std::string_view index, bool length, bool quoted, std::vector<Piece>& out) {
    const std::vector<std::string>* const values = state_.valuesOrNull(name);
    if (index == "@" || index == "*") {
        if (length)
            out.push_back({fmt::format("{}", values != nullptr ? values->size() : 0), quoted, false});
        else if (values == nullptr)
            out.push_back({state_.unknown(name), quoted, false});
        else
            for (std::size_t i = 0; i < values->size(); ++i) out.push_back({(*values)[i], quoted, i > 0});
        return;
    }
    std::string root;
    const auto number = state_.arithmetic(single(index), root);
    if (values != nullptr && number && *number >= 0 && static_cast<std::size_t>(*number) < values->size())
        out.push_back({(*values)[static_cast<std::size_t>(*number)], quoted, false});
    else
        out.push_back({state_.unknown(name), quoted, false});
}

/// `%`, `%%`, `#`, `##`, `/`, `^`, `,` and `:offset:length` on a known text.
std::string ShellExpander::changed(std::string text, std::string_view rest) {
    if (text.size() > 4096) return text;
    if (rest.starts_with("^^"))
        for (char& c : text)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (rest.starts_with(",,"))
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (rest.starts_with('%') || rest.starts_with('#')) return withoutPattern(text, rest);
    if (rest.starts_with('/')) return replaced(std::move(text), rest);
    if (rest.starts_with(':')) return cut(text, rest);
    return text;
}

std::string ShellExpander::withoutPattern(const std::string& text, std::string_view rest) {
    const bool suffix = rest[0] == '%';
    const bool longest = rest.size() > 1 && rest[1] == rest[0];
    const std::string pattern = single(rest.substr(longest ? 2 : 1));
    const std::size_t size = text.size();
    for (std::size_t step = 0; step <= size; ++step) {
        const std::size_t taken = longest ? size - step : step;
        const std::string part = suffix ? text.substr(size - taken) : text.substr(0, taken);
        if (::fnmatch(pattern.c_str(), part.c_str(), 0) == 0) return suffix ? text.substr(0, size - taken) : text.substr(taken);
    }
    return text;
}

std::string ShellExpander::replaced(std::string text, std::string_view rest) {
    const bool all = rest.starts_with("//");
    rest.remove_prefix(all ? 2 : 1);
    const auto slash = rest.find('/');
    const std::string from = single(rest.substr(0, slash));
    const std::string to = slash == std::string_view::npos ? "" : single(rest.substr(slash + 1));
    if (from.empty()) return text;
    for (std::size_t at = text.find(from); at != std::string::npos && text.size() < kLongestShellWord;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        if (!all) break;
    }
    return text;
}

std::string ShellExpander::cut(const std::string& text, std::string_view rest) {
    std::string root;
    const auto second = rest.find(':', 1);
    const auto offset =
        state_.arithmetic(single(rest.substr(1, second == std::string_view::npos ? rest.size() : second - 1)), root);
    std::int64_t count = -1;
    if (second != std::string_view::npos) count = state_.arithmetic(single(rest.substr(second + 1)), root).value_or(-1);
    if (!offset || *offset < 0 || static_cast<std::size_t>(*offset) > text.size()) return text;
    return text.substr(static_cast<std::size_t>(*offset), count >= 0 ? static_cast<std::size_t>(count) : std::string::npos);
}

/// `$(command)`: only what needs no machine: echo and expr.
std::string ShellExpander::substitute(std::string_view body) {
    const auto start = body.find_first_not_of(" \t\n");
    if (start == std::string_view::npos) return {};
    body.remove_prefix(start);
    if (body.find('|') == std::string_view::npos && (body.starts_with("echo ") || body.starts_with("expr "))) {
        std::string text = single(body.substr(5));
        while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
        if (body.starts_with("echo ")) return text;
        std::string root;
        if (const auto value = state_.arithmetic(text, root)) return fmt::format("{}", *value);
    }
    const std::string_view shown = body.substr(0, std::min<std::size_t>(40, body.find_first_of("\n|")));
    return unknownMark("$(" + std::string(shown) + ")");
}

}  // namespace trainyard
