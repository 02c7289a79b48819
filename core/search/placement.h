#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/plan/scenario.h"

namespace trainyard {

struct PlacementOptions {
    std::int64_t proposals = 100'000;
    std::uint64_t seed = 1;
    std::size_t top = 10;        ///< best placements that are simulated
    double firstTemperature = 0.05;  ///< of the closed-form cost of the naive order
    double lastTemperature = 1e-5;
};

/// Where every rank sits and what that costs.
struct Placement {
    std::vector<std::int64_t> deviceOfRank;
    double closedFormS = 0;  ///< what annealing minimises
    double stepS = 0;        ///< simulated; 0: out of memory or not legal
};

struct PlacementResult {
    Placement naive;              ///< the plan's own order
    std::vector<Placement> best;  ///< simulated, fastest first, at most `top`; never slower than naive
    std::int64_t proposals = 0;
    std::int64_t accepted = 0;
    double annealingSeconds = 0;
    double seconds = 0;
    bool complete = true;         ///< false: cancelled
};

/// Called at most ten times a second: share done, best closed-form cost so far.
using PlacementProgress = std::function<void(double share, double bestS)>;

/// Which rank sits on which device, by simulated annealing over the drawn or measured rates between devices (Pipette,
/// arXiv 2405.18093). Cost in closed form: the slowest stage's compute, the slowest tensor group's traffic, the hand-over of every
/// boundary over its slowest lane for every p micro-batches, and the slowest ring over holders of the same parameters, with the
/// volumes that the engine prices. A proposal exchanges two devices, or all devices of two nodes; only groups it touches are
/// priced again. The scenario must be legal and its replicas equal.
[[nodiscard]] PlacementResult placeRanks(const Scenario& scenario, const PlacementOptions& options = {}, const PlacementProgress& progress = {},
                                         std::stop_token stop = {});

/// Rates between devices, or between nodes where there are more than 64 devices, as the engine sees them: row-major, bytes/s.
struct LinkMatrix {
    std::vector<double> bytesPerS;
    int blocks = 0;
    bool areNodes = false;
};
[[nodiscard]] LinkMatrix linkMatrix(const Scenario& scenario);

}  // namespace trainyard
