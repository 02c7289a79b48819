#pragma once

#include <string>

#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// Two drawings in one.
struct MergedCluster {
    ClusterSpec cluster;
    std::string bridge;  ///< what was assumed to join the two, in words; empty if nothing had to be
};

/// Draws `other` beside `into`: ids that both use get a number, what had positions keeps its shape below the rest. So that the
/// two reach each other, their first switches (or first nodes, where one has none) are joined by a cable like the widest that
/// either has. Measured rates no longer fit and are left out.
[[nodiscard]] MergedCluster mergedClusters(ClusterSpec into, const ClusterSpec& other);

}  // namespace trainyard
