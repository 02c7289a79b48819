#include "core/io/import/bandwidth_table.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {
namespace {

constexpr std::size_t kMostNodes = 2'048;        ///< a larger table is no longer pasted by anyone
constexpr std::size_t kLongestText = 64u << 20;  ///< bytes
constexpr double kMostBytesPerS = 1e15;

bool isMark(std::string_view cell) { return cell.empty() || cell == "-" || cell == "X" || cell == "x" || cell == "nan" || cell == "NaN" || cell == "N/A"; }

std::optional<double> numberOf(std::string_view cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// Cells of one line. Commas, semicolons and tabs separate also where nothing stands between them; blanks do not.
std::vector<std::string_view> cellsOf(std::string_view line) {
    const bool marked = line.find_first_of(",;\t") != std::string_view::npos;
    const std::string_view separators = marked ? ",;\t" : " ";
    std::vector<std::string_view> cells;
    const auto add = [&](std::string_view cell) {
        const auto first = cell.find_first_not_of(" \r\"");
        if (first == std::string_view::npos) {
            if (marked) cells.emplace_back();
            return;
        }
        cells.push_back(cell.substr(first, cell.find_last_not_of(" \r\"") - first + 1));
    };
    for (std::size_t begin = 0;;) {
        const auto end = line.find_first_of(separators, begin);
        add(line.substr(begin, end == std::string_view::npos ? end : end - begin));
        if (end == std::string_view::npos) break;
        begin = end + 1;
    }
    return cells;
}

Error tableError(std::size_t line, std::size_t column, std::string message) {
    return Error{.kind = Error::Kind::unreadable, .code = "bandwidth-table", .where = fmt::format("line {}, column {}", line, column), .message = std::move(message)};
}

}  // namespace

Result<MeasuredBandwidth> parseBandwidthTable(std::string_view text, std::int64_t nodes, bool gigabits) {
    if (text.size() > kLongestText || nodes < 1 || static_cast<std::size_t>(nodes) > kMostNodes)
        return tl::unexpected(tableError(1, 1, fmt::format("a table of 2 to {} nodes is read; this is larger", kMostNodes)));
    const double unit = gigabits ? 1e9 / 8 : 1e9;
    const auto wanted = static_cast<std::size_t>(nodes);
    MeasuredBandwidth measured;
    std::size_t rows = 0;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        ++number;
        std::vector<std::string_view> cells = cellsOf(line);
        if (cells.empty() || (cells.size() == 1 && cells[0].empty()) || cells[0].starts_with('#')) continue;
        const auto isName = [](std::string_view cell) { return !isMark(cell) && !numberOf(cell); };
        if (rows == 0 && measured.bytesPerS.empty() && isName(cells.back())) continue;  // a row of names
        if (cells.size() == wanted + 1) cells.erase(cells.begin());                     // a column of names
        if (cells.size() != wanted)
            return tl::unexpected(tableError(number, 1,
                                             fmt::format("{} values stand here; one for each of the {} nodes of the drawing was expected",
                                                         cells.size(), wanted)));
        if (rows == wanted) return tl::unexpected(tableError(number, 1, fmt::format("more than {} rows, one per node", wanted)));
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const auto value = isMark(cells[column]) ? std::optional<double>(0) : numberOf(cells[column]);
            if (!value || *value < 0 || *value * unit > kMostBytesPerS)
                return tl::unexpected(tableError(number, column + 1,
                                                 fmt::format("'{}' is no rate; a number of {} was expected", std::string(cells[column].substr(0, 40)),
                                                             gigabits ? "Gb/s" : "GB/s")));
            measured.bytesPerS.push_back(column == rows ? 0 : *value * unit);
        }
        ++rows;
    }
    if (rows != wanted) return tl::unexpected(tableError(number, 1, fmt::format("{} rows; the drawing has {} nodes", rows, wanted)));
    return measured;
}

}  // namespace trainyard
