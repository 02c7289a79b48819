#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/explain/explanation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// One input moved one way and what the figure became.
struct SensitivityCase {
    std::string change;  ///< "+10 %", "8 to 16", "none to selective"
    double value = 0;    ///< of the figure, SI unit
    double relative = 0; ///< (value - now) / |now|; the difference itself where the figure is 0
    Scenario scenario;   ///< with the change made
};

/// How a figure answers to one input alone.
struct Sensitivity {
    std::string id;    ///< stable: a JSON pointer, or `hardware.peak_flops_per_s`, `calibration.compute.gemm_rate`
    std::string name;  ///< in words
    std::string unit;  ///< of the figure
    std::optional<SensitivityCase> less;
    std::optional<SensitivityCase> more;
    [[nodiscard]] double largest() const;  ///< larger of both relative changes, as a size
};

/// One at a time, every input of the scenario (hardware, links, workload, plan) and every constant of the engine that a
/// calibration may set: continuous ones by 10 % either way, whole numbers and choices by one legal step. Sorted by size, the
/// largest first; inputs that do not move the figure are left out. About a hundred evaluations.
/// @return an error if the scenario is not feasible or has no such figure
[[nodiscard]] Result<std::vector<Sensitivity>> sensitivities(const Scenario& scenario, std::string_view pointer,
                                                             std::stop_token stop = {});

/// A figure of a tree that is different in another tree of the same figure.
struct ExplanationChange {
    std::string path;  ///< symbols from the root: `MFU > F > f_0`
    std::string name;
    std::string unit;
    double before = 0;
    double after = 0;
    int depth = 0;
    bool isLeaf = false;
};

/// What moved from one tree to another, in the order of the tree; terms are matched by symbol. Terms that only one of them
/// has count as 0 in the other.
[[nodiscard]] std::vector<ExplanationChange> explanationChanges(const Explanation& before, const Explanation& after);

/// "t_step: 4.82 s -> 4.55 s (-5.6 %)", one line per change, indented by depth.
[[nodiscard]] std::string changesText(const std::vector<ExplanationChange>& changes, int depth = 32);

}  // namespace trainyard
