#include "core/io/json/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace trainyard {
namespace {

using nlohmann::json;

std::string place(const std::string& where, std::string_view text, std::size_t offset) {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '\n') {
            ++line;
            column = 1;
        } else if ((byte & 0xC0U) != 0x80U) {
            ++column;
        }
    }
    return fmt::format("{}:{}:{}", where, line, column);
}

tl::unexpected<Error> unreadable(std::string where, std::string message) {
    return failure(Error::Kind::unreadable, "json-unreadable", std::move(where), std::move(message));
}

/// Offset of the first byte that is not UTF-8, or npos.
std::size_t firstBadUtf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        std::size_t length = 1;
        std::uint32_t code = lead;
        if (lead < 0x80) {
            ++i;
            continue;
        }
        if ((lead & 0xE0U) == 0xC0U) {
            length = 2;
            code = lead & 0x1FU;
        } else if ((lead & 0xF0U) == 0xE0U) {
            length = 3;
            code = lead & 0x0FU;
        } else if ((lead & 0xF8U) == 0xF0U) {
            length = 4;
            code = lead & 0x07U;
        } else {
            return i;
        }
        if (i + length > text.size()) return i;
        for (std::size_t k = 1; k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            if ((next & 0xC0U) != 0x80U) return i;
            code = (code << 6U) | (next & 0x3FU);
        }
        constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
        if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return i;
        i += length;
    }
    return std::string_view::npos;
}

/// Offset of the bracket that nests too deep, or npos. Strings are skipped.
std::size_t firstTooDeep(std::string_view text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth) return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string_view::npos;
}

bool isWordCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); }

/// Rewrites words that JSON does not know and drops commas before a closing bracket. Line breaks stay where they are.
std::string mendText(std::string_view text, std::vector<std::string>* mended) {
    std::string out;
    out.reserve(text.size() + 16);
    std::set<std::string> seen;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2U : 1U;
            end = std::min(end + 1, text.size());
            out.append(text.substr(i, end - i));
            i = end;
        } else if (c == ',') {
            std::size_t next = i + 1;
            while (next < text.size() && (text[next] == ' ' || text[next] == '\t' || text[next] == '\n' || text[next] == '\r'))
                ++next;
            if (next < text.size() && (text[next] == ']' || text[next] == '}'))
                seen.insert("a comma before a closing bracket");
            else
                out += c;
            ++i;
        } else if (isWordCharacter(c) && !(c >= '0' && c <= '9')) {
            std::size_t end = i;
            while (end < text.size() && isWordCharacter(text[end])) ++end;
            const std::string_view word = text.substr(i, end - i);
            const bool signedWord = !out.empty() && (out.back() == '-' || out.back() == '+');
            if (word == "NaN" || word == "nan" || word == "Infinity" || word == "inf" || word == "Inf") {
                if (signedWord) out.pop_back();
                out += "null";
                seen.insert(std::string(word));
            } else if (word == "None") {
                out += "null";
                seen.insert("None");
            } else if (word == "True" || word == "False") {
                out += word == "True" ? "true" : "false";
                seen.insert(std::string(word));
            } else {
                out.append(word);
            }
            i = end;
        } else if (c >= '0' && c <= '9') {  // a number with its exponent stays one piece
            std::size_t end = i;
            while (end < text.size() &&
                   (isWordCharacter(text[end]) || text[end] == '.' ||
                    ((text[end] == '-' || text[end] == '+') && (text[end - 1] == 'e' || text[end - 1] == 'E'))))
                ++end;
            out.append(text.substr(i, end - i));
            i = end;
        } else {
            out += c;
            ++i;
        }
    }
    if (mended != nullptr)
        for (const auto& word : seen) mended->push_back(word);
    return out;
}

/// Builds the document without recursion, keeps the current pointer, and stops at the first fault.
class DomBuilder final : public nlohmann::json_sax<json> {
  public:
    explicit DomBuilder(bool refuseDuplicates) : refuseDuplicates_(refuseDuplicates) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*elements*/) override { return open(json::object()); }
    bool start_array(std::size_t /*elements*/) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (refuseDuplicates_ && stack_.back()->contains(name)) {
            duplicate = pointer() + "/" + pointerStep(name);
            return false;
        }
        keys_.back() = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
        errorOffset = position == 0 ? 0 : position - 1;
        lastToken = token;
        message = error.what();
        return false;
    }

    json root;
    std::string duplicate;
    std::string message;
    std::string lastToken;
    std::size_t errorOffset = 0;

  private:
    json* place(json value) {
        if (stack_.empty()) {
            root = std::move(value);
            return &root;
        }
        json& parent = *stack_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        json& slot = parent[keys_.back()];
        slot = std::move(value);
        return &slot;
    }
    template <class T>
    bool add(T&& value) {
        place(json(std::forward<T>(value)));
        return true;
    }
    bool open(json value) {
        if (stack_.size() >=
            static_cast<std::size_t>(kMaxJsonDepth)) {  // reached where a comment hid brackets from the first look
            message = fmt::format("is nested more than {} levels deep", kMaxJsonDepth);
            return false;
        }
        stack_.push_back(place(std::move(value)));
        keys_.emplace_back();
        return true;
    }
    bool close() {
        stack_.pop_back();
        keys_.pop_back();
        return true;
    }
    [[nodiscard]] std::string pointer() const {
        std::string text;
        for (std::size_t i = 0; i + 1 < stack_.size(); ++i)
            text += "/" + (stack_[i]->is_array() ? std::to_string(stack_[i]->size() - 1) : pointerStep(keys_[i]));
        return text;
    }

    bool refuseDuplicates_;
    std::vector<json*> stack_;
    std::vector<std::string> keys_;
};

/// The library's sentence without its own numbering and position.
std::string plainMessage(std::string_view message) {
    for (const std::string_view mark : {"syntax error while parsing ", "syntax error "}) {
        if (const auto at = message.find(mark); at != std::string_view::npos) {
            message.remove_prefix(at + mark.size());
            break;
        }
    }
    std::string text;
    if (const auto dash = message.find(" - "); dash != std::string_view::npos && dash < 24) {
        message.remove_prefix(dash + 3);
        text = "is not JSON: ";
    }
    if (message.starts_with('[')) {
        if (const auto end = message.find("] "); end != std::string_view::npos) message.remove_prefix(end + 2);
    }
    return text.append(message);
}

std::string numberText(double value) {
    if (!std::isfinite(value)) return "null";
    if (value == std::trunc(value) && std::fabs(value) < 1e15) return fmt::format("{}", static_cast<long long>(value));
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    if (const auto plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
    return text;
}

std::string scalarText(const json& value) {
    if (value.is_number_float()) return numberText(value.get<double>());
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void appendCompact(const json& value, std::string& out, std::string_view comma, std::string_view colon) {
    if (value.is_array()) {
        out += '[';
        bool first = true;
        for (const auto& item : value) {
            if (!first) out += comma;
            first = false;
            appendCompact(item, out, comma, colon);
        }
        out += ']';
    } else if (value.is_object()) {
        out += '{';
        bool first = true;
        for (const auto& [key, item] : value.items()) {
            if (!first) out += comma;
            first = false;
            out += json(key).dump(-1, ' ', false, json::error_handler_t::replace);
            out += colon;
            appendCompact(item, out, comma, colon);
        }
        out += '}';
    } else {
        out += scalarText(value);
    }
}

void appendPretty(const json& value, std::string& out, std::size_t indent) {
    constexpr std::size_t kLineLength = 120;
    if (!value.is_structured() || value.empty()) {
        appendCompact(value, out, ", ", ": ");
        return;
    }
    if (value.size() <= 64 && (indent > 0 || value.is_array())) {
        std::string line;
        appendCompact(value, line, ", ", ": ");
        const bool nested =
            std::any_of(value.begin(), value.end(), [](const json& item) { return item.is_object() && !item.empty(); });
        if (!nested && indent + line.size() <= kLineLength) {
            out += line;
            return;
        }
    }
    const bool list = value.is_array();
    out += list ? "[\n" : "{\n";
    std::size_t left = value.size();
    for (const auto& [key, item] : value.items()) {
        out.append(indent + 2, ' ');
        if (!list) {
            out += json(key).dump(-1, ' ', false, json::error_handler_t::replace);
            out += ": ";
        }
        appendPretty(item, out, indent + 2);
        if (--left > 0) out += ',';
        out += '\n';
    }
    out.append(indent, ' ');
    out += list ? ']' : '}';
}

}  // namespace

Result<json> parseJson(std::string_view text, const std::string& where, JsonDialect dialect, std::vector<std::string>* mended) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
        if (mended != nullptr) mended->push_back("a byte order mark");
    }
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return unreadable(where + ":1:1", "is UTF-16 text; save it as UTF-8");
    if (const auto bad = firstBadUtf8(text); bad != std::string_view::npos)
        return unreadable(place(where, text, bad), fmt::format("byte 0x{:02X} is not UTF-8; save the file as UTF-8",
                                                               static_cast<unsigned>(static_cast<unsigned char>(text[bad]))));
    if (const auto deep = firstTooDeep(text); deep != std::string_view::npos)
        return unreadable(place(where, text, deep), fmt::format("is nested more than {} levels deep", kMaxJsonDepth));
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return unreadable(where + ":1:1", "is empty; JSON was expected");

    std::string mendedText;
    const bool tolerant = dialect == JsonDialect::tolerant;
    if (tolerant) {
        mendedText = mendText(text, mended);
        text = mendedText;
    }
    DomBuilder builder(!tolerant);
    bool parsed = false;
    try {
        parsed = json::sax_parse(text.begin(), text.end(), &builder, json::input_format_t::json, true, tolerant);
    } catch (const std::exception& error) {
        return unreadable(where, plainMessage(error.what()));
    }
    if (parsed) return std::move(builder.root);
    if (!builder.duplicate.empty())
        return unreadable(where + "#" + builder.duplicate, "this key stands twice in the same object; keep one of them");
    std::string message = plainMessage(builder.message);
    for (const std::string_view word : {"NaN", "Infinity", "nan", "inf"})
        for (std::size_t back = 0; back <= 1 && back <= builder.errorOffset; ++back)
            if (text.substr(std::min(builder.errorOffset - back, text.size())).starts_with(word))
                message = fmt::format("{} is not a JSON number; write a finite number", word);
    return unreadable(place(where, text, builder.errorOffset), std::move(message));
}

std::string compactJson(const json& value) {
    std::string out;
    appendCompact(value, out, ",", ":");
    return out;
}

std::string prettyJson(const json& value) {
    std::string out;
    appendPretty(value, out, 0);
    out += '\n';
    return out;
}

std::string describeJson(const json& value) {
    constexpr std::size_t kLongest = 40;
    if (value.is_null()) return "null";
    if (value.is_array()) return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
    if (value.is_object()) return "an object";
    std::string text = scalarText(value);
    if (text.size() > kLongest) {
        std::size_t cut = kLongest;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
        text = text.substr(0, cut) + "...";
    }
    if (value.is_string()) return "the text " + text;
    return text;
}

std::string pointerStep(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
    return out;
}

}  // namespace trainyard
