#include "core/search/partition.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "core/search/split_bound.h"
#include "core/search/split_pricer.h"
#include "core/search/uneven_split.h"

namespace trainyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kProvableStages = 8;      ///< above, a proof takes longer than anybody waits; the gap is stated instead
constexpr double kDescentActions = 400'000;     ///< simulated while improving a split of many stages

/// As many layers as possible moved off the fullest device, until all fit: used where the balanced split does not.
LayerSplit shiftedUntilItFits(SplitPricer& pricer, LayerSplit split, SplitTrial& trial, std::int64_t& simulated) {
    for (std::int64_t round = 0; round < 4 * pricer.layers() && !trial.fits(); ++round) {
        LayerSplit best = split;
        SplitTrial bestTrial = trial;
        for (std::size_t from = 0; from < split.size(); ++from)
            for (std::size_t to = 0; to < split.size(); ++to) {
                if (from == to || split[from] == 0) continue;
                LayerSplit next = split;
                --next[from];
                ++next[to];
                const SplitTrial candidate = pricer.simulate(next);
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
    Search(SplitPricer& pricer, const PartitionOptions& options, const PartitionProgress& progress, std::stop_token stop)
        : pricer_(pricer), options_(options), progress_(progress), stop_(std::move(stop)), begin_(Clock::now()) {}

    LayerSplit best;
    SplitTrial bestTrial;
    std::int64_t simulated = 0;
    bool exhausted = true;  ///< every split was simulated or bounded away
    double smallestOpen = kInfinity;

    void consider(const LayerSplit& split) {
        if (!seen_.insert(split).second) return;
        const SplitTrial trial = pricer_.simulate(split);
        ++simulated;
        if (best.empty() || trial.betterThan(bestTrial)) {
            best = split;
            bestTrial = trial;
        }
        if (progress_ && (simulated & 15) == 0) progress_(bestTrial.fits() ? bestTrial.stepS : 0, simulated);
    }

    /// One layer at a time from any stage to any other while that helps.
    void descend() {
        for (bool moved = true; moved && !out();) {
            moved = false;
            const LayerSplit from = best;
            for (std::size_t a = 0; a < from.size() && !moved; ++a)
                for (std::size_t b = 0; b < from.size(); ++b) {
                    if (a == b || from[a] == 0) continue;
                    if (out()) return;
                    if (move(from, a, b)) {
                        moved = true;
                        break;
                    }
                }
        }
    }

    /// The same for many stages: only off the stages that work longest, onto those that would still be done first.
    void descendFromTheSlowest() {
        constexpr std::size_t kFrom = 3;
        constexpr std::size_t kTo = 4;
        const double cost = pricer_.actionsPerTrial();
        double spent = 0;
        for (bool moved = true; moved;) {
            moved = false;
            const LayerSplit from = best;
            std::vector<std::size_t> order(from.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            std::vector<std::size_t> givers = order;
            const auto load = [&](std::size_t s, std::int64_t more) { return pricer_.workS(s, std::min(pricer_.layers(), from[s] + more)); };
            std::sort(givers.begin(), givers.end(), [&](std::size_t a, std::size_t b) { return load(a, 0) > load(b, 0); });
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return load(a, 1) < load(b, 1); });
            for (std::size_t i = 0; i < std::min(kFrom, givers.size()) && !moved; ++i)
                for (std::size_t j = 0; j < std::min(kTo, order.size()) && !moved; ++j) {
                    const std::size_t a = givers[i];
                    const std::size_t b = order[j];
                    if (a == b || from[a] == 0) continue;
                    if (pricer_.separable() && from[b] >= pricer_.mostLayers(b)) continue;
                    spent += cost;
                    if (spent > kDescentActions || stop_.stop_requested()) return;
                    moved = move(from, a, b);
                }
        }
    }

    /// Depth first over all splits whose bound is below the best step.
    void prove(SplitBound& bound) {
        LayerSplit split(pricer_.stages(), 0);
        branch(bound, split, 0, pricer_.layers(), 0, 0);
    }

  private:
    bool move(const LayerSplit& from, std::size_t a, std::size_t b) {
        LayerSplit next = from;
        --next[a];
        ++next[b];
        const LayerSplit before = best;
        consider(next);
        return best != before;
    }
    [[nodiscard]] bool out() {
        if (simulated >= options_.mostSimulations || stop_.stop_requested()) return true;
        if ((++asked_ & 63) == 0 && std::chrono::duration<double>(Clock::now() - begin_).count() > options_.limitS) outOfTime_ = true;
        return outOfTime_;
    }
    [[nodiscard]] double target() const { return bestTrial.fits() ? bestTrial.stepS * (1 - 1e-9) : kInfinity; }

    // Stage s starts after its predecessors' forward and ends before their backward.
    void branch(SplitBound& bound, LayerSplit& split, std::size_t stage, std::int64_t left, double before, double worst) {
        if (out()) {
            exhausted = false;
            smallestOpen = std::min(smallestOpen, worst);
            return;
        }
        if (stage + 1 == split.size()) {
            if (left > bound.mostLayers(stage)) return;
            split[stage] = left;
            if (std::max(worst, bound.stageS(stage, left, before)) < target()) consider(split);
            return;
        }
        for (std::int64_t layers = 0; layers <= std::min(left, bound.mostLayers(stage)); ++layers) {
            const double here = std::max(worst, bound.stageS(stage, layers, before));
            if (here >= target()) break;  // more layers only take longer
            split[stage] = layers;
            const double after = before + bound.passageS(stage, layers);
            const double rest = std::max(here, bound.restS(stage + 1, left - layers) + after);
            if (rest >= target()) continue;
            branch(bound, split, stage + 1, left - layers, after, rest);
        }
    }

    SplitPricer& pricer_;
    PartitionOptions options_;
    const PartitionProgress& progress_;
    std::stop_token stop_;
    Clock::time_point begin_;
    std::uint64_t asked_ = 0;
    bool outOfTime_ = false;
    std::set<LayerSplit> seen_;
};

/// Layers of each pipeline rank spread over its chunks as `resolve` spreads them.
LayerSplit overStages(const SplitPricer& pricer, const std::vector<std::int64_t>& perRank) {
    Scenario scenario = pricer.scenario();
    scenario.plan.layersPerStage = perRank;
    return resolve(scenario).layersOfStage;
}

}  // namespace

PartitionResult partitionLayers(const Scenario& original, const PartitionOptions& options, std::stop_token stop,
                                const PartitionProgress& progress) {
    PartitionResult result;
    SplitPricer pricer(original);
    const bool provable = pricer.separable();
    const bool small = pricer.stages() <= kProvableStages;

    Search search(pricer, options, progress, stop);
    search.consider(pricer.plan().layersOfStage);
    const SplitTrial even = search.bestTrial;
    if (even.fits()) result.evenSplitStepS = even.stepS;
    if (!original.plan.layersPerStage.empty()) search.consider(resolve(original).layersOfStage);
    std::unique_ptr<SplitBound> bound;
    double floorS = 0;
    if (provable) {
        bound = std::make_unique<SplitBound>(pricer);
        const auto [least, split] = bound->best();
        floorS = least;
        if (!split.empty()) search.consider(split);
    } else {
        const Topology topology(original.cluster);
        search.consider(overStages(pricer, proportionalLayers(*original.model, rankSpeeds(topology, pricer.layout(), original.workload.precision))));
    }
    const bool nothingFits = provable && floorS == kInfinity;
    if (!search.bestTrial.fits() && (small || nothingFits))
        search.best = shiftedUntilItFits(pricer, search.best, search.bestTrial, search.simulated);
    if (small || !pricer.uniform()) search.descend();
    else search.descendFromTheSlowest();
    if (provable && !nothingFits && (small || options.proveManyStages)) search.prove(*bound);
    else if (!nothingFits) search.exhausted = false;

    result.layersPerStage = search.best;
    result.fits = search.bestTrial.fits();
    result.stepS = search.bestTrial.stepS;
    result.overflowBytes = result.fits ? 0 : search.bestTrial.overflowBytes;
    result.optimal = provable && search.exhausted;
    result.simulated = search.simulated;
    if (!result.optimal && result.fits) {
        const double open = provable ? std::max(floorS, std::isfinite(search.smallestOpen) ? search.smallestOpen : 0) : 0;
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
