#pragma once

#include <vector>

#include "core/plan/framework_rules.h"
#include "core/plan/plan_choices.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// A plan without errors and how it differs from the one asked about.
struct NearbyPlan {
    Scenario scenario;
    std::vector<PlanChange> changes;
};

/// Valid plans next to one with errors, nearest first: few changes before many, small steps of a degree before large ones,
/// the plan before the workload; the product of the degrees stays the number of devices. Empty if the scenario has no error,
/// or if no plan within `kNearbyChanges` changes is valid.
/// @param rulesOrNull  the plan must also suit this framework
[[nodiscard]] std::vector<NearbyPlan> nearestPlans(const Scenario& scenario, const FrameworkRules* rulesOrNull,
                                                   std::size_t count = 3);

inline constexpr int kNearbyChanges = 4;

}  // namespace trainyard
