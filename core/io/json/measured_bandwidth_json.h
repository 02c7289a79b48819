#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/base/error.h"
#include "core/cluster/cluster_spec.h"
#include "core/io/json/object_reader.h"

namespace trainyard {

/// `cluster.measured_bandwidth`: `{"bytes_per_s": [[..]], "source": ".."}`, one row per node in file order, 0 or the diagonal:
/// not measured.
[[nodiscard]] MeasuredBandwidth readMeasuredBandwidth(const nlohmann::json& value, const std::string& pointer, ReadState& state);
[[nodiscard]] nlohmann::json measuredBandwidthJson(const MeasuredBandwidth& measured);

/// A pasted table of rates between `nodes` nodes: rows of numbers between commas, semicolons, tabs or blanks, with or without a
/// first row and a first column of names. Numbers are GB/s unless `gigabits` says Gb/s. `-`, `X`, `nan` and nothing mean
/// not measured. The error names line and column.
[[nodiscard]] Result<MeasuredBandwidth> parseBandwidthTable(std::string_view text, std::int64_t nodes, bool gigabits = false);

}  // namespace trainyard
