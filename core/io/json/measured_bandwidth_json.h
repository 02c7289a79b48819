#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/cluster/cluster_spec.h"
#include "core/io/json/object_reader.h"

namespace trainyard {

/// `cluster.measured_bandwidth`: `{"bytes_per_s": [[..]], "source": ".."}`, one row per node in file order, 0 or the diagonal:
/// not measured.
[[nodiscard]] MeasuredBandwidth readMeasuredBandwidth(const nlohmann::json& value, const std::string& pointer, ReadState& state);
[[nodiscard]] nlohmann::json measuredBandwidthJson(const MeasuredBandwidth& measured);

}  // namespace trainyard
