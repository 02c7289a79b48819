#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// A pasted table of rates between `nodes` nodes: rows of numbers between commas, semicolons, tabs or blanks, with or without a
/// first row and a first column of names. Numbers are GB/s unless `gigabits` says Gb/s. `-`, `X`, `nan` and nothing mean
/// not measured. The error names line and column.
[[nodiscard]] Result<MeasuredBandwidth> parseBandwidthTable(std::string_view text, std::int64_t nodes, bool gigabits = false);

}  // namespace trainyard
