#pragma once

#include <cstdint>
#include <vector>

#include "core/cluster/topology.h"
#include "core/plan/rank_layout.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Devices of more than one speed or memory size.
[[nodiscard]] bool unevenDevices(const ClusterSpec& cluster);

/// How many layers' worth of matrix products the slowest device of each pipeline rank does per second, in no unit: only ratios
/// mean something.
[[nodiscard]] std::vector<double> rankSpeeds(const Topology& topology, const RankLayout& layout, Precision precision);

/// Usable memory of the smallest device of each pipeline rank, bytes.
[[nodiscard]] std::vector<double> rankMemories(const Topology& topology, const RankLayout& layout);

/// Layers of each pipeline rank in proportion to `weights`, the head counted as the layers that it weighs as much as.
[[nodiscard]] std::vector<std::int64_t> proportionalLayers(const ModelSpec& model, const std::vector<double>& weights);

}  // namespace trainyard
