#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/cluster/topology.h"
#include "core/engine/engine_cache.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/memory/memory_model.h"
#include "core/plan/rank_layout.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"

namespace trainyard {

using LayerSplit = std::vector<std::int64_t>;  ///< layers of each global stage, model order

/// One split, simulated.
struct SplitTrial {
    double stepS = std::numeric_limits<double>::infinity();
    double fill = std::numeric_limits<double>::infinity();  ///< largest share of a device's capacity
    double overflowBytes = std::numeric_limits<double>::infinity();
    [[nodiscard]] bool fits() const { return fill <= 1; }
    [[nodiscard]] bool betterThan(const SplitTrial& other) const {
        if (fits() != other.fits()) return fits();
        return fits() ? stepS < other.stepS : overflowBytes < other.overflowBytes;
    }
};

/// Prices and simulates layer splits of one scenario with the figures that `evaluate` gives for them. Where all layers are of
/// one kind, a stage is priced once per number of layers, and how many layers its memory holds is known before any simulation.
class SplitPricer {
  public:
    /// The scenario's own split is left aside.
    explicit SplitPricer(const Scenario& scenario);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] const ResolvedPlan& plan() const { return plan_; }
    [[nodiscard]] const RankLayout& layout() const { return *layout_; }
    [[nodiscard]] std::int64_t layers() const { return scenario_.model->layers; }
    [[nodiscard]] std::size_t stages() const { return plan_.layersOfStage.size(); }
    [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(scenario_.plan.pipelineParallel); }
    [[nodiscard]] bool uniform() const { return uniform_; }                    ///< all layers alike
    [[nodiscard]] bool linear() const { return stages() == ranks(); }          ///< one stage per pipeline rank
    /// Memory of a rank depends on its own layers alone, and micro-batches pass every stage once in order: bounds hold.
    [[nodiscard]] bool separable() const { return uniform_ && linear() && oneWay_; }

    [[nodiscard]] SplitTrial simulate(const LayerSplit& split);
    /// Time for which one micro-batch keeps a stage busy. Needs uniform layers.
    [[nodiscard]] double workS(std::size_t stage, std::int64_t layers);
    /// Part of a step in which the stages after this one have nothing: the first micro-batch on its way in and the last one on
    /// its way out, messages included. Needs uniform layers.
    [[nodiscard]] double passageS(std::size_t stage, std::int64_t layers);
    /// Largest number of layers that fits into the memory of a stage; -1: not even none. Needs `separable`.
    [[nodiscard]] std::int64_t mostLayers(std::size_t stage);
    /// Actions that one simulation runs: what it costs.
    [[nodiscard]] double actionsPerTrial() const;

  private:
    struct Row {
        StageCosts costs;
        std::vector<StageOccupation> occupation;
    };
    [[nodiscard]] StageCosts costsOf(const LayerSplit& split);
    [[nodiscard]] const Row& row(std::int64_t layers);
    [[nodiscard]] StageCosts assembled(const LayerSplit& split);
    [[nodiscard]] const StepTime& inFlight();
    [[nodiscard]] double fillOf(std::size_t stage, std::int64_t layers);

    Scenario scenario_;
    Scenario tall_;  ///< the same with as many layers as every stage could hold, so that any row can be priced
    ResolvedPlan plan_;
    EngineCache cache_;
    std::shared_ptr<const Topology> topology_;
    std::unique_ptr<const RankLayout> layout_;
    ModelMemory memory_;
    StatePlan state_;
    bool uniform_ = false;
    bool oneWay_ = false;
    bool splitBackward_ = false;
    std::vector<std::unique_ptr<const Row>> table_;  ///< by layers per stage, priced when first asked for
    std::unique_ptr<const StepTime> inFlight_;
    std::vector<std::int64_t> mostLayers_;
    std::vector<std::int32_t> smallestDevice_;
};

}  // namespace trainyard
