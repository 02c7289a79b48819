#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace trainyard {

/// A table of text: a heading and rows as wide as it.
struct CsvTable {
    struct Row {
        int line = 0;  ///< in the file, from 1
        std::vector<std::string> cells;
    };
    std::vector<std::string> heading;
    std::vector<Row> rows;
};

/// Reads comma, semicolon or tab separated text (whichever the heading holds most of) with a heading line. Quoted cells may
/// hold separators, line breaks and doubled quotes; cells are trimmed; empty lines and lines that start with # are skipped.
/// A row wider than the heading, an open quote or an empty text is an `unreadable` error with its line.
[[nodiscard]] Result<CsvTable> readCsvTable(std::string_view text, const std::string& where);

}  // namespace trainyard
