#include "core/io/csv_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

char separatorOf(std::string_view heading) {
    char best = ',';
    for (const char candidate : {';', '\t'})
        if (std::count(heading.begin(), heading.end(), candidate) > std::count(heading.begin(), heading.end(), best)) best = candidate;
    return best;
}

}  // namespace

Result<CsvTable> readCsvTable(std::string_view text, const std::string& where) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    CsvTable table;
    char separator = 0;
    int line = 1;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t lineEnd = std::min(text.find('\n', at), text.size());
        const std::string_view rest = text.substr(at, lineEnd - at);
        const std::string whole = trimmed(rest);
        if (whole.empty() || whole.front() == '#') {
            at = lineEnd + 1;
            ++line;
            continue;
        }
        if (separator == 0) separator = separatorOf(rest);
        CsvTable::Row row{line, {}};
        std::string cell;
        bool quoted = false, wasQuoted = false;
        for (;; ++at) {
            const bool ended = at >= text.size();
            if (ended && quoted) return failure(Error::Kind::unreadable, "open-quote", fmt::format("{}:{}", where, row.line), "a quote is opened and not closed");
            const char c = ended ? '\n' : text[at];
            if (quoted) {
                if (c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
                    cell += '"';
                    ++at;
                } else if (c == '"') {
                    quoted = false;
                } else {
                    line += c == '\n';
                    cell += c;
                }
            } else if (c == separator || c == '\n') {
                row.cells.push_back(wasQuoted ? cell : trimmed(cell));
                cell.clear();
                wasQuoted = false;
                if (c == '\n') break;
            } else if (c == '"' && trimmed(cell).empty()) {
                cell.clear();
                quoted = wasQuoted = true;
            } else {
                cell += c;
            }
        }
        ++at;
        ++line;
        if (table.heading.empty()) {
            table.heading = std::move(row.cells);
        } else if (row.cells.size() > table.heading.size()) {
            return failure(Error::Kind::unreadable, "too-many-cells", fmt::format("{}:{}", where, row.line),
                           fmt::format("has {} cells under a heading of {}; quote cells that hold \"{}\"", row.cells.size(), table.heading.size(), separator));
        } else {
            table.rows.push_back(std::move(row));
        }
    }
    if (table.heading.empty())
        return failure(Error::Kind::unreadable, "empty-table", where, "is empty; expected a heading line such as /plan/tensor_parallel,step_s");
    return table;
}

}  // namespace trainyard
