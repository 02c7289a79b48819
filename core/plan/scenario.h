#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/cluster/cluster_spec.h"
#include "core/model/model_spec.h"
#include "core/plan/plan.h"
#include "core/plan/workload.h"

namespace trainyard {

/// One immutable scenario: what a file holds and what an undo step keeps. Parts are shared between versions, so a copy
/// costs a few pointers; an edit makes a new part.
struct Scenario {
    std::string name;
    std::string description;                     ///< free text, kept as it is
    std::shared_ptr<const ClusterSpec> cluster;  ///< never null
    std::shared_ptr<const ModelSpec> model;      ///< never null
    Workload workload;
    Plan plan;
    std::map<std::string, double> calibration;   ///< named efficiency constants fitted to the user's measurements
    /// JSON pointer -> JSON text of keys this version does not know; written back on save.
    std::map<std::string, std::string> unknownKeys;

    bool operator==(const Scenario& other) const {
        const auto same = [](const auto& a, const auto& b) { return a == b || (a && b && *a == *b); };
        return name == other.name && description == other.description && same(cluster, other.cluster) && same(model, other.model) && workload == other.workload &&
               plan == other.plan && calibration == other.calibration && unknownKeys == other.unknownKeys;
    }
};

using Snapshot = std::shared_ptr<const Scenario>;

}  // namespace trainyard
