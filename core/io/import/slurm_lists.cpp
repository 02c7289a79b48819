#include "core/io/import/slurm_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace trainyard {
namespace {

constexpr std::int64_t kMostHosts = 1'000'000;
constexpr std::size_t kMostLines = 2'000'000;

/// `0-5`, `01-16` or `7`: first, last and the width of the first.
struct Range {
    std::int64_t first = 0, last = 0;
    std::size_t width = 1;
};
std::optional<Range> rangeOf(std::string_view text) {
    const auto dash = text.find('-');
    const std::string_view low = text.substr(0, dash), high = dash == std::string_view::npos ? low : text.substr(dash + 1);
    Range range;
    range.width = low.size();
    const auto read = [](std::string_view digits, std::int64_t& value) {
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return !digits.empty() && digits.size() < 16 && parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() &&
               value >= 0;
    };
    if (!read(low, range.first) || !read(high, range.last) || range.last < range.first) return std::nullopt;
    return range;
}

/// One name with its brackets as alternating texts and range lists; nothing if brackets do not match.
std::optional<std::vector<std::pair<std::string_view, std::vector<Range>>>> partsOf(std::string_view name) {
    std::vector<std::pair<std::string_view, std::vector<Range>>> parts;
    while (!name.empty()) {
        const auto open = name.find('[');
        if (open == std::string_view::npos) {
            parts.push_back({name, {}});
            break;
        }
        const auto close = name.find(']', open);
        if (close == std::string_view::npos) return std::nullopt;
        std::vector<Range> ranges;
        for (const auto& item : splitOutsideBrackets(name.substr(open + 1, close - open - 1), ',')) {
            const auto range = rangeOf(item);
            if (!range) return std::nullopt;
            ranges.push_back(*range);
        }
        if (ranges.empty()) return std::nullopt;
        parts.push_back({name.substr(0, open), std::move(ranges)});
        name.remove_prefix(close + 1);
    }
    return parts;
}

}  // namespace

std::vector<TextLine> linesOf(std::string_view text) {
    std::vector<TextLine> lines;
    int number = 1;
    for (std::size_t begin = 0; begin < text.size() && lines.size() < kMostLines; ++number) {
        const auto end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        line = line.substr(0, line.find('#'));
        while (!line.empty() && (line.back() == '\r' || line.back() == '\\' || line.back() == ' ')) line.remove_suffix(1);
        if (!line.empty()) lines.push_back({line, number});
    }
    return lines;
}

std::vector<std::string> wordsOfLine(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
        const auto begin = line.find_first_not_of(" \t|", at);
        if (begin == std::string_view::npos) break;
        const auto end = std::min(line.find_first_of(" \t|", begin), line.size());
        words.emplace_back(line.substr(begin, end - begin));
        at = end;
    }
    return words;
}

std::vector<std::string> splitOutsideBrackets(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (const char c : text) {
        if (c == '[' || c == '(') ++depth;
        if (c == ']' || c == ')') --depth;
        if (c == separator && depth == 0) {
            if (!part.empty()) parts.push_back(std::move(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!part.empty()) parts.push_back(std::move(part));
    return parts;
}

std::vector<std::string> expandHosts(std::string_view list, std::size_t most) {
    std::vector<std::string> names;
    for (const auto& item : splitOutsideBrackets(list, ',')) {
        const auto parts = partsOf(item);
        if (!parts) continue;
        std::vector<std::string> grown{""};
        for (const auto& [text, ranges] : *parts) {
            std::vector<std::string> next;
            for (const auto& prefix : grown) {
                if (ranges.empty()) next.push_back(prefix + std::string(text));
                for (const Range& range : ranges)
                    for (std::int64_t n = range.first; n <= range.last && next.size() + names.size() < most; ++n)
                        next.push_back(fmt::format("{}{}{:0{}}", prefix, text, n, range.width));
                if (next.size() + names.size() >= most) break;
            }
            grown = std::move(next);
        }
        for (auto& name : grown)
            if (names.size() < most) names.push_back(std::move(name));
    }
    return names;
}

std::int64_t hostCount(std::string_view list) {
    std::int64_t total = 0;
    for (const auto& item : splitOutsideBrackets(list, ',')) {
        const auto parts = partsOf(item);
        if (!parts) return -1;
        std::int64_t hosts = 1;
        for (const auto& [text, ranges] : *parts) {
            if (ranges.empty()) continue;
            std::int64_t count = 0;
            for (const Range& range : ranges) count += std::min(kMostHosts + 1, range.last - range.first + 1);
            if (count > kMostHosts || hosts > kMostHosts / count) return -1;
            hosts *= count;
        }
        total += hosts;
        if (total > kMostHosts) return -1;
    }
    return total;
}

}  // namespace trainyard
