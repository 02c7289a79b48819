#pragma once

#include <memory>
#include <stop_token>
#include <string_view>

#include "core/engine/evaluate.h"
#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

class EngineCache;

/// The figures that rank plans against each other, without what only views need.
struct PlanEstimate {
    bool feasible = false;             ///< false: nothing below is filled; `validate` says why
    double stepS = 0;
    double tokensPerS = 0;
    double mfu = 0;
    double bubbleFraction = 0;
    double peakBytes = 0;              ///< fullest device
    double peakShare = 0;              ///< of its capacity, largest of all pipeline ranks
    MemoryVerdict verdict = MemoryVerdict::fits;
};

/// Evaluates one scenario after another and keeps what they share: the flattened cluster, groups, prices and memory of layers.
/// The figures are the same as those of the free function. One per thread.
class Evaluator {
  public:
    Evaluator();
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    [[nodiscard]] Evaluation evaluate(const Scenario& scenario, Depth depth, std::stop_token stop = {});
    /// Closed form. The scenario is taken to be valid if `known` says so (a search that made it legal), else checked first.
    enum class Validity : std::uint8_t { known, unknown };
    [[nodiscard]] PlanEstimate estimate(const Scenario& scenario, Validity validity);

  private:
    std::unique_ptr<EngineCache> cache_;
};

}  // namespace trainyard
