#include "core/search/partition.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/cluster/topology.h"
#include "core/engine/memory_of_plan.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

using Split = std::vector<std::int64_t>;
using Clock = std::chrono::steady_clock;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One split, simulated.
struct Trial {
    double stepS = kInfinity;
    double fill = kInfinity;  ///< largest share of a device's capacity
    double overflowBytes = kInfinity;
    [[nodiscard]] bool fits() const { return fill <= 1; }
    [[nodiscard]] bool betterThan(const Trial& other) const {
        if (fits() != other.fits()) return fits();
        return fits() ? stepS < other.stepS : overflowBytes < other.overflowBytes;
    }
};

bool uniformLayers(const ModelSpec& model) {
    for (std::int64_t i = 1; i < model.layers; ++i)
        if (!(layerKind(model, i) == layerKind(model, 0))) return false;
    return true;
}

/// Prices and simulates splits of one scenario. With layers of one kind, stages are priced once per number of layers.
class SplitPricer {
  public:
    explicit SplitPricer(const Scenario& scenario)
        : scenario_(scenario),
          plan_(resolve(scenario)),
          topology_(scenario.cluster),
          layout_(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan_.dataParallel, scenario.plan.pipelineParallel,
                  scenario.plan),
          uniform_(uniformLayers(*scenario.model)) {
        stages_ = plan_.layersOfStage.size();
        if (!uniform_) return;
        table_.reserve(static_cast<std::size_t>(scenario.model->layers) + 1);
        for (std::int64_t layers = 0; layers <= scenario.model->layers; ++layers)
            table_.push_back(costsOf(Split(stages_, layers)));
    }

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] std::size_t stages() const { return stages_; }
    [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(scenario_.plan.pipelineParallel); }
    [[nodiscard]] bool uniform() const { return uniform_; }
    [[nodiscard]] const ResolvedPlan& plan() const { return plan_; }
    [[nodiscard]] const RankLayout& layout() const { return layout_; }

    [[nodiscard]] Trial simulate(const Split& split) const {
        const StageCosts costs = uniform_ ? assembled(split) : costsOf(split);
        const ResolvedPlan plan = withSplit(split);
        const StepTime step = stepTime(scenario_, plan, costs, true);
        const MemorySummary memory = memoryOfPlan(scenario_, plan, topology_, layout_, costs, step);
        Trial trial;
        trial.stepS = step.level[0].stepS;
        trial.fill = 0;
        trial.overflowBytes = -kInfinity;
        for (const StageMemory& stage : memory.stages) {
            trial.fill = std::max(trial.fill, stage.totalBytes / stage.capacityBytes);
            trial.overflowBytes = std::max(trial.overflowBytes, stage.totalBytes - stage.capacityBytes);
        }
        return trial;
    }

    /// Compute time of one stage for one micro-batch, all traffic free: what no schedule can avoid.
    [[nodiscard]] double workS(std::size_t stage, std::int64_t layers) const {
        const StageCost& cost = table_[static_cast<std::size_t>(layers)].stages[stage];
        return cost.forward.computeS() + cost.backwardInput.computeS() + cost.backwardWeight.computeS() +
               cost.recompute.computeS();
    }

  private:
    [[nodiscard]] ResolvedPlan withSplit(const Split& split) const {
        ResolvedPlan plan = plan_;
        plan.layersOfStage = split;
        return plan;
    }
    [[nodiscard]] StageCosts costsOf(const Split& split) const {
        Scenario scenario = scenario_;
        const std::int64_t sum = std::accumulate(split.begin(), split.end(), std::int64_t{0});
        if (sum != scenario_.model->layers) {
            auto model = std::make_shared<ModelSpec>(*scenario_.model);
            model->layers = sum;
            if (!model->layerKinds.empty())
                model->layerKinds.assign(static_cast<std::size_t>(sum), scenario_.model->layerKinds.front());
            scenario.model = model;
        }
        scenario.plan.layersPerStage = split;
        return stageCosts(scenario, withSplit(split), topology_, layout_);
    }
    [[nodiscard]] StageCosts assembled(const Split& split) const {
        StageCosts costs = table_.front();
        std::vector<std::int64_t> ofRank(ranks(), 0);
        for (std::size_t stage = 0; stage < stages_; ++stage) {
            costs.stages[stage] = table_[static_cast<std::size_t>(split[stage])].stages[stage];
            ofRank[static_cast<std::size_t>(costs.stages[stage].rank)] += split[stage];
        }
        if (stages_ == ranks())
            for (std::size_t rank = 0; rank < ranks(); ++rank)
                costs.ranks[rank] = table_[static_cast<std::size_t>(ofRank[rank])].ranks[rank];
        else
            costs = costsOf(split);
        return costs;
    }

    Scenario scenario_;
    ResolvedPlan plan_;
    Topology topology_;
    RankLayout layout_;
    bool uniform_;
    std::size_t stages_ = 0;
    std::vector<StageCosts> table_;  ///< by layers per stage
};

/// Smallest step that a split could have: every stage must work m micro-batches between the first one's way in and the last
/// one's way out.
class LowerBound {
  public:
    explicit LowerBound(const SplitPricer& pricer) : microBatches_(static_cast<double>(pricer.plan().microBatches)) {
        const std::int64_t layers = pricer.scenario().model->layers;
        work_.resize(pricer.stages());
        for (std::size_t stage = 0; stage < pricer.stages(); ++stage)
            for (std::int64_t l = 0; l <= layers; ++l) work_[stage].push_back(pricer.workS(stage, l));
    }

    /// Of a partial split: `work` of the stages before, and this one's.
    [[nodiscard]] double stage(std::size_t index, std::int64_t layers, double before) const {
        return before + microBatches_ * work_[index][static_cast<std::size_t>(layers)];
    }
    [[nodiscard]] double work(std::size_t index, std::int64_t layers) const {
        return work_[index][static_cast<std::size_t>(layers)];
    }

    /// Smallest time T such that the stages from `first` on can take `layers` layers with m x work <= T each.
    [[nodiscard]] double rest(std::size_t first, std::int64_t layers, double floorS) const {
        double low = floorS;
        double high = floorS;
        if (capacity(first, low) >= layers) return low;
        high = std::max(high, 1e-9);
        while (capacity(first, high) < layers) {
            low = high;
            high *= 2;
            if (high > 1e12) return high;
        }
        for (int i = 0; i < 40 && high - low > 1e-6 * high; ++i) {
            const double middle = (low + high) / 2;
            (capacity(first, middle) >= layers ? high : low) = middle;
        }
        return low;
    }

  private:
    [[nodiscard]] std::int64_t capacity(std::size_t first, double timeS) const {
        std::int64_t sum = 0;
        for (std::size_t stage = first; stage < work_.size(); ++stage) {
            const auto& row = work_[stage];
            const auto end = std::upper_bound(row.begin(), row.end(), timeS / microBatches_);
            if (end == row.begin()) return -1;  // even an empty stage takes longer
            sum += static_cast<std::int64_t>(end - row.begin()) - 1;
        }
        return sum;
    }

    double microBatches_;
    std::vector<std::vector<double>> work_;
};

/// Shares proportional to the speed of each stage, rounded so that they add up.
Split proportional(const SplitPricer& pricer) {
    const std::int64_t layers = pricer.scenario().model->layers;
    Split split(pricer.stages(), 0);
    for (std::int64_t placed = 0; placed < layers; ++placed) {
        std::size_t best = 0;
        double bestS = kInfinity;
        for (std::size_t stage = 0; stage < split.size(); ++stage) {
            const double after = pricer.workS(stage, std::min(layers, split[stage] + 1));
            if (after < bestS) {
                bestS = after;
                best = stage;
            }
        }
        ++split[best];
    }
    return split;
}

/// As `proportional`, but fills stages up to what their memory holds first: used where the balanced split does not fit.
Split shiftedUntilItFits(const SplitPricer& pricer, Split split, Trial& trial, std::int64_t& simulated) {
    for (int round = 0; round < 4 * static_cast<int>(pricer.scenario().model->layers) && !trial.fits(); ++round) {
        Split best = split;
        Trial bestTrial = trial;
        for (std::size_t from = 0; from < split.size(); ++from)
            for (std::size_t to = 0; to < split.size(); ++to) {
                if (from == to || split[from] == 0) continue;
                Split next = split;
                --next[from];
                ++next[to];
                const Trial candidate = pricer.simulate(next);
                ++simulated;
                if (candidate.betterThan(bestTrial)) {
                    best = next;
                    bestTrial = candidate;
                }
            }
        if (best == split) break;
        split = best;
        trial = bestTrial;
    }
    return split;
}

class Search {
  public:
    Search(const SplitPricer& pricer, const PartitionOptions& options, std::stop_token stop)
        : pricer_(pricer),
          options_(options),
          stop_(std::move(stop)),
          layers_(pricer.scenario().model->layers),
          begin_(Clock::now()) {}

    Split best;
    Trial bestTrial;
    std::int64_t simulated = 0;
    bool exhausted = true;  ///< every split was simulated or bounded away
    double smallestOpen = kInfinity;

    void consider(const Split& split) {
        if (!seen_.insert(split).second) return;
        const Trial trial = pricer_.simulate(split);
        ++simulated;
        if (best.empty() || trial.betterThan(bestTrial)) {
            best = split;
            bestTrial = trial;
        }
    }

    /// One layer at a time from any stage to any other while that helps; for many stages, from and to the slowest only.
    void descend() {
        const bool all = pricer_.stages() <= 8;
        for (bool moved = true; moved && !out();) {
            moved = false;
            const Split from = best;
            for (std::size_t a = 0; a < from.size() && !moved; ++a)
                for (std::size_t b = 0; b < from.size(); ++b) {
                    if (a == b || from[a] == 0 || out()) continue;
                    if (!all && a + 1 != b && b + 1 != a) continue;
                    Split next = from;
                    --next[a];
                    ++next[b];
                    const Split before = best;
                    consider(next);
                    if (best != before) {
                        moved = true;
                        break;
                    }
                }
        }
    }

    /// Depth first over all splits whose bound is below the best step.
    void prove() {
        const LowerBound bound(pricer_);
        Split split(pricer_.stages(), 0);
        branch(bound, split, 0, layers_, 0, 0);
    }

  private:
    [[nodiscard]] bool out() {
        if (simulated >= options_.mostSimulations || stop_.stop_requested()) return true;
        if ((simulated & 63) == 0 && std::chrono::duration<double>(Clock::now() - begin_).count() > options_.limitS)
            outOfTime_ = true;
        return outOfTime_;
    }
    [[nodiscard]] double target() const { return bestTrial.fits() ? bestTrial.stepS * (1 - 1e-9) : kInfinity; }

    // Stage s starts after its predecessors' forward and ends before their backward: together their work for one micro-batch.
    void branch(const LowerBound& bound, Split& split, std::size_t stage, std::int64_t left, double before, double worst) {
        if (out()) {
            exhausted = false;
            smallestOpen = std::min(smallestOpen, worst);
            return;
        }
        if (stage + 1 == split.size()) {
            split[stage] = left;
            const double whole = std::max(worst, bound.stage(stage, left, before));
            if (whole < target()) consider(split);
            return;
        }
        for (std::int64_t layers = 0; layers <= left; ++layers) {
            const double here = std::max(worst, bound.stage(stage, layers, before));
            if (here >= target()) break;  // more layers only take longer
            split[stage] = layers;
            const double after = before + bound.work(stage, layers);
            const double rest = std::max(here, bound.rest(stage + 1, left - layers, 0) + after);
            if (rest >= target()) continue;
            branch(bound, split, stage + 1, left - layers, after, rest);
        }
    }

    const SplitPricer& pricer_;
    PartitionOptions options_;
    std::stop_token stop_;
    std::int64_t layers_;
    Clock::time_point begin_;
    bool outOfTime_ = false;
    std::set<Split> seen_;
};

}  // namespace

PartitionResult partitionLayers(const Scenario& original, const PartitionOptions& options, std::stop_token stop) {
    PartitionResult result;
    Scenario scenario = original;
    scenario.plan.layersPerStage.clear();
    const SplitPricer pricer(scenario);
    const Split even = pricer.plan().layersOfStage;
    const bool linear = pricer.stages() == pricer.ranks();

    Search search(pricer, options, stop);
    search.consider(even);
    const Trial evenTrial = search.bestTrial;
    if (evenTrial.fits()) result.evenSplitStepS = evenTrial.stepS;
    if (pricer.uniform()) search.consider(proportional(pricer));
    if (!search.bestTrial.fits()) {
        search.best = shiftedUntilItFits(pricer, search.best, search.bestTrial, search.simulated);
    }
    search.descend();
    // The bound holds where a stage is a rank and its layers are alike.
    const bool provable = pricer.uniform() && linear;
    if (provable) search.prove();

    result.layersPerStage = search.best;
    result.fits = search.bestTrial.fits();
    result.stepS = search.bestTrial.stepS;
    result.overflowBytes = result.fits ? 0 : search.bestTrial.overflowBytes;
    result.optimal = provable && search.exhausted;
    result.simulated = search.simulated;
    if (!result.optimal && result.fits) {
        const double open = provable && std::isfinite(search.smallestOpen) && search.smallestOpen > 0 ? search.smallestOpen : 0;
        result.gap = open > 0 ? std::max(0.0, result.stepS / open - 1) : 1;
    }
    for (std::size_t rank = 0; rank < pricer.ranks(); ++rank) {
        RankCoordinates at;
        at.pipeline = static_cast<std::int32_t>(rank);
        result.stageDevices.push_back(pricer.layout().device(pricer.layout().rank(at)));
    }
    return result;
}

}  // namespace trainyard
