#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// What "best" means. All are minimised, except tokens.
enum class Objective : std::uint8_t { time, memory, cost, energy, tokens };
[[nodiscard]] std::string_view name(Objective objective);
[[nodiscard]] std::optional<Objective> objectiveFromName(std::string_view name);

struct SearchOptions {
    Objective objective = Objective::time;
    std::size_t top = 10;  ///< plans returned (the Pareto front comes on top of that)
    double limitS = 0;     ///< stop after so many seconds with what was found; 0: no limit
    int threads = 0;       ///< 0: all cores but one
};

/// One plan found.
struct FoundPlan {
    Plan plan;
    double stepS = 0;
    double peakBytes = 0;
    MemoryVerdict verdict = MemoryVerdict::fits;
    double mfu = 0;
    double joulesPerToken = 0;
    std::optional<double> costPerBillionTokens;
    bool pareto = false;     ///< no other plan is both faster and smaller
    bool simulated = false;  ///< step time is the simulated one; else closed form
    std::string reason;      ///< why it lost against the first, in one phrase; empty for the first
};

struct SearchResult {
    std::vector<FoundPlan> plans;                  ///< best first
    std::vector<FoundPlan> front;                  ///< Pareto front over time and memory, fastest first
    std::int64_t candidates = 0;                   ///< plans in the space
    std::int64_t evaluated = 0;                    ///< priced
    std::map<std::string, std::int64_t> rejected;  ///< diagnostic code -> count
    double seconds = 0;
    bool complete = true;  ///< false: stopped by the limit or cancelled
};

/// Called at most ten times a second from one thread at a time: share done, best step so far.
using SearchProgress = std::function<void(double share, double bestStepS)>;

/// All legal plans for this cluster and model (degrees, micro-batch, schedule and chunks, ZeRO stage, recomputation,
/// sequence parallelism), priced in closed form in parallel; the best are simulated before they are ranked.
[[nodiscard]] SearchResult searchPlans(const Scenario& scenario, const SearchOptions& options,
                                       const SearchProgress& progress = {}, std::stop_token stop = {});

}  // namespace trainyard
