#include "core/io/import/scalar_text.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace trainyard {

nlohmann::json scalarFromText(std::string_view text) {
    for (const std::string_view none : {"", "~", "null", "Null", "NULL", "None"})
        if (text == none) return nullptr;
    for (const std::string_view yes : {"true", "True", "TRUE"})
        if (text == yes) return true;
    for (const std::string_view no : {"false", "False", "FALSE"})
        if (text == no) return false;
    if (text.size() > 64) return std::string(text);
    const char first = text.front();
    const bool numeric = (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    if (!numeric) return std::string(text);
    std::string digits;
    for (std::size_t i = first == '+' ? 1 : 0; i < text.size(); ++i) {
        const bool between =
            i > 0 && i + 1 < text.size() && text[i - 1] >= '0' && text[i - 1] <= '9' && text[i + 1] >= '0' && text[i + 1] <= '9';
        if (text[i] != '_' || !between) digits += text[i];
    }
    std::int64_t whole = 0;
    const char* const end = digits.data() + digits.size();
    if (const auto parsed = std::from_chars(digits.data(), end, whole); parsed.ec == std::errc() && parsed.ptr == end)
        return whole;
    double real = 0;
    if (const auto parsed = std::from_chars(digits.data(), end, real);
        parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(real))
        return real == std::floor(real) && std::fabs(real) < 9e15 ? nlohmann::json(static_cast<std::int64_t>(real))
                                                                  : nlohmann::json(real);
    return std::string(text);
}

}  // namespace trainyard
