#include "core/search/search_plans.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/names.h"
#include "core/engine/evaluate.h"
#include "core/engine/evaluator.h"
#include "core/plan/validate.h"
#include "core/plan/resolve.h"
#include "core/search/partition.h"
#include "core/search/search_space.h"
#include "core/search/split_pricer.h"
#include "core/search/uneven_split.h"

namespace trainyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr NameTable<Objective, 5> kObjectives{{{Objective::time, "time"},
                                               {Objective::memory, "memory"},
                                               {Objective::cost, "cost"},
                                               {Objective::energy, "energy"},
                                               {Objective::tokens, "tokens"}}};

/// Smaller is better. Cost falls back on time where no price is known (they rank alike on one cluster).
double score(const FoundPlan& plan, Objective objective) {
    switch (objective) {
        case Objective::time:
        case Objective::tokens: return plan.stepS;
        case Objective::memory: return plan.peakBytes;
        case Objective::cost: return plan.costPerBillionTokens.value_or(plan.stepS);
        case Objective::energy: return plan.joulesPerToken;
    }
    return plan.stepS;
}

struct Priced {
    FoundPlan found;
    TimeSummary time;
};

Priced priced(const Plan& plan, const Evaluation& evaluation, bool simulated) {
    return {.found = {.plan = plan,
                      .stepS = evaluation.time.stepS,
                      .peakBytes = evaluation.memory.peakBytes,
                      .verdict = evaluation.memory.verdict,
                      .mfu = evaluation.throughput.mfu,
                      .joulesPerToken = evaluation.joulesPerToken,
                      .costPerBillionTokens = evaluation.costPerBillionTokens,
                      .pareto = false,
                      .simulated = simulated,
                      .reason = {}},
            .time = evaluation.time};
}

Priced estimated(const Plan& plan, const PlanEstimate& estimate) {
    Priced priced;
    priced.found.plan = plan;
    priced.found.stepS = estimate.stepS;
    priced.found.peakBytes = estimate.peakBytes;
    priced.found.verdict = estimate.verdict;
    priced.found.mfu = estimate.mfu;
    return priced;
}

/// What makes `other` slower than `best` most.
std::string whySlower(const TimeSummary& best, const TimeSummary& other) {
    const std::pair<const char*, double> parts[] = {{"compute", other.computeS - best.computeS},
                                                    {"bubble", other.bubbleS - best.bubbleS},
                                                    {"tensor traffic", other.exposedTensorS - best.exposedTensorS},
                                                    {"pipeline traffic", other.exposedPipelineS - best.exposedPipelineS},
                                                    {"context traffic", other.exposedContextS - best.exposedContextS},
                                                    {"expert traffic", other.exposedExpertS - best.exposedExpertS},
                                                    {"data traffic", other.exposedDataS - best.exposedDataS},
                                                    {"optimizer", other.optimizerS - best.optimizerS}};
    const auto worst =
        std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (worst->second <= 0) return "equal within the model";
    return fmt::format("{} +{:.3g} s", worst->first, worst->second);
}

/// Per thread: the best candidates and the Pareto front so far.
struct Shelf {
    std::vector<Priced> best;
    std::vector<Priced> front;
    std::map<std::string, std::int64_t> rejected;
    std::int64_t evaluated = 0;
};

void keepBest(std::vector<Priced>& best, Priced candidate, Objective objective, std::size_t keep) {
    const double own = score(candidate.found, objective);
    if (best.size() >= keep && own >= score(best.back().found, objective)) return;
    const auto at = std::upper_bound(best.begin(), best.end(), own,
                                     [&](double value, const Priced& other) { return value < score(other.found, objective); });
    best.insert(at, std::move(candidate));
    if (best.size() > keep) best.pop_back();
}

bool dominates(const FoundPlan& a, const FoundPlan& b) {
    return a.stepS <= b.stepS && a.peakBytes <= b.peakBytes && (a.stepS < b.stepS || a.peakBytes < b.peakBytes);
}

void keepFront(std::vector<Priced>& front, const Priced& candidate) {
    for (const Priced& other : front)
        if (dominates(other.found, candidate.found) ||
            (other.found.stepS == candidate.found.stepS && other.found.peakBytes == candidate.found.peakBytes))
            return;
    std::erase_if(front, [&](const Priced& other) { return dominates(candidate.found, other.found); });
    front.push_back(candidate);
}

/// On unequal devices an even split lets the fast ones wait: the splits worth pricing instead, by speed and by memory.
std::vector<LayerSplit> splitsToTry(const Scenario& scenario, const Topology& topology) {
    const ResolvedPlan plan = resolve(scenario);
    const RankLayout layout(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan.dataParallel,
                            scenario.plan.pipelineParallel, scenario.plan);
    std::vector<LayerSplit> splits;
    splits.push_back(proportionalLayers(*scenario.model, rankSpeeds(topology, layout, scenario.workload.precision)));
    splits.push_back(proportionalLayers(*scenario.model, rankMemories(topology, layout)));
    return splits;
}

/// Splits that the partitioner simulates for one of the plans that are to be shown.
constexpr PartitionOptions kSplitOfOnePlan{.mostSimulations = 400, .limitS = 1, .proveManyStages = false};

}  // namespace

std::string_view name(Objective objective) { return kObjectives.name(objective); }
std::optional<Objective> objectiveFromName(std::string_view text) { return kObjectives.value(text); }

SearchResult searchPlans(const Scenario& scenario, const SearchOptions& options, const SearchProgress& progress,
                         std::stop_token stop) {
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    SearchResult result;
    SearchSpace space = searchSpace(scenario);
    result.rejected = std::move(space.rejected);
    result.candidates = static_cast<std::int64_t>(space.plans.size());

    const std::size_t keep = std::max<std::size_t>(options.top * 3, 24);
    std::atomic<bool> halted = false;
    std::atomic<std::int64_t> done = 0;
    std::atomic<double> bestSoFar = 0;
    std::mutex reporting;
    double reportedAt = -1;
    tbb::enumerable_thread_specific<Shelf> shelves;

    const bool uneven = unevenDevices(*scenario.cluster);
    const std::shared_ptr<const Topology> topology = uneven ? std::make_shared<const Topology>(scenario.cluster) : nullptr;
    // Energy needs more than an estimate has: it is priced in full.
    const bool whole = options.objective == Objective::energy;
    const auto look = [&](Evaluator& evaluator, const Scenario& candidate) -> std::optional<Priced> {
        if (whole) {
            const Evaluation evaluation = evaluator.evaluate(candidate, Depth::closedForm, stop);
            if (!evaluation.computed) return std::nullopt;
            return priced(candidate.plan, evaluation, false);
        }
        const PlanEstimate estimate = evaluator.estimate(candidate, Evaluator::Validity::unknown);
        if (!estimate.feasible) return std::nullopt;
        return estimated(candidate.plan, estimate);
    };
    const auto better = [](const Priced& a, const Priced& b) {
        const bool fits = a.found.verdict != MemoryVerdict::out_of_memory;
        return fits != (b.found.verdict != MemoryVerdict::out_of_memory) ? fits : a.found.stepS < b.found.stepS;
    };

    struct Worker {
        Evaluator evaluator;  // what candidates share is priced once per thread
        Scenario candidate;
    };
    tbb::enumerable_thread_specific<Worker> workers([&] { return Worker{Evaluator(), scenario}; });
    const auto priceOne = [&](const Plan& plan, Worker& worker, Shelf& shelf) {
        Scenario& candidate = worker.candidate;
        candidate.plan = plan;
        std::optional<Priced> found = look(worker.evaluator, candidate);
        if (found && uneven && plan.pipelineParallel > 1)
            for (LayerSplit& split : splitsToTry(candidate, *topology)) {
                candidate.plan.layersPerStage = std::move(split);
                if (std::optional<Priced> other = look(worker.evaluator, candidate); other && better(*other, *found)) found = std::move(other);
            }
        if (!found) {
            for (const Diagnostic& diagnostic : validate(candidate))
                if (diagnostic.severity == Severity::error) {
                    ++shelf.rejected[diagnostic.code];
                    break;
                }
            return;
        }
        ++shelf.evaluated;
        if (found->found.verdict == MemoryVerdict::out_of_memory) {
            ++shelf.rejected["out-of-memory"];
            return;
        }
        const double before = bestSoFar.load();
        if (before == 0 || found->found.stepS < before) bestSoFar = found->found.stepS;
        keepFront(shelf.front, *found);
        keepBest(shelf.best, *std::move(found), options.objective, keep);
    };

    const int threads =
        options.threads > 0 ? options.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    tbb::task_arena arena(threads);
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, space.plans.size(), 64), [&](const tbb::blocked_range<std::size_t>& range) {
                Shelf& shelf = shelves.local();
                Worker& worker = workers.local();
                for (std::size_t i = range.begin(); i != range.end(); ++i) {
                    if (halted.load(std::memory_order_relaxed)) return;
                    priceOne(space.plans[i], worker, shelf);
                }
                const std::int64_t now = done += static_cast<std::int64_t>(range.size());
                const double seconds = elapsed();
                if (stop.stop_requested() || (options.limitS > 0 && seconds > options.limitS)) halted = true;
                if (progress) {
                    const std::lock_guard lock(reporting);
                    if (seconds - reportedAt > 0.1) {
                        reportedAt = seconds;
                        progress(static_cast<double>(now) / static_cast<double>(space.plans.size()), bestSoFar.load());
                    }
                }
            });
    });
    result.complete = !halted;

    std::vector<Priced> best;
    std::vector<Priced> front;
    for (Shelf& shelf : shelves) {
        result.evaluated += shelf.evaluated;
        for (const auto& [code, count] : shelf.rejected) result.rejected[code] += count;
        for (Priced& found : shelf.best) keepBest(best, std::move(found), options.objective, keep);
        for (const Priced& found : shelf.front) keepFront(front, found);
    }

    // The plan as it stands competes too: a search never ends with something worse than what is there.
    if (const Evaluation now = evaluate(scenario, Depth::closedForm, stop);
        now.computed && now.memory.verdict != MemoryVerdict::out_of_memory &&
        std::none_of(best.begin(), best.end(), [&](const Priced& other) { return other.found.plan == scenario.plan; }))
        best.push_back(priced(scenario.plan, now, false));

    Evaluator evaluator;
    for (Priced& found : front) {
        if (found.found.joulesPerToken > 0) continue;
        Scenario candidate = scenario;
        candidate.plan = found.found.plan;
        if (const Evaluation evaluation = evaluator.evaluate(candidate, Depth::closedForm, stop); evaluation.computed)
            found = priced(found.found.plan, evaluation, false);
    }

    // The closed form picks; the simulation has the last word about the order.
    std::vector<Priced> confirmed;
    for (Priced& found : best) {
        if (stop.stop_requested() || (options.limitS > 0 && elapsed() > options.limitS * 1.5 + 0.5)) {
            confirmed.push_back(std::move(found));
            continue;
        }
        Scenario candidate = scenario;
        candidate.plan = found.found.plan;
        const Evaluation evaluation = evaluator.evaluate(candidate, Depth::simulatedFigures, stop);
        if (evaluation.computed && evaluation.memory.verdict != MemoryVerdict::out_of_memory)
            confirmed.push_back(priced(found.found.plan, evaluation, true));
    }
    best = std::move(confirmed);
    const auto rank = [&] {
        std::stable_sort(best.begin(), best.end(), [&](const Priced& a, const Priced& b) {
            return score(a.found, options.objective) < score(b.found, options.objective);
        });
    };
    rank();
    if (uneven && options.objective != Objective::memory) {
        // The layer split of what will be shown is made as good as it gets.
        for (std::size_t i = 0; i < std::min(best.size(), options.top + 2); ++i) {
            if (stop.stop_requested() || (options.limitS > 0 && elapsed() > options.limitS * 1.5 + 0.5)) break;
            if (best[i].found.plan.pipelineParallel < 2) continue;
            Scenario candidate = scenario;
            candidate.plan = best[i].found.plan;
            const PartitionResult split = partitionLayers(candidate, kSplitOfOnePlan, stop);
            if (!split.fits || split.stepS >= best[i].found.stepS) continue;
            candidate.plan.layersPerStage = split.layersPerStage;
            const Evaluation evaluation = evaluator.evaluate(candidate, Depth::simulatedFigures, stop);
            if (evaluation.computed && evaluation.memory.verdict != MemoryVerdict::out_of_memory &&
                evaluation.time.stepS < best[i].found.stepS)
                best[i] = priced(candidate.plan, evaluation, true);
        }
        rank();
        for (std::size_t i = 1; i < best.size();) {
            if (best[i].found.plan == best[i - 1].found.plan) best.erase(best.begin() + static_cast<std::ptrdiff_t>(i));
            else ++i;
        }
    }
    if (best.size() > options.top) best.resize(options.top);

    for (std::size_t i = 0; i < best.size(); ++i) {
        FoundPlan& found = best[i].found;
        if (i > 0)
            found.reason = options.objective == Objective::memory
                               ? fmt::format("peak +{:.3g} GiB", (found.peakBytes - best[0].found.peakBytes) / 1073741824.0)
                               : whySlower(best[0].time, best[i].time);
        found.pareto = std::none_of(best.begin(), best.end(), [&](const Priced& other) { return dominates(other.found, found); });
        result.plans.push_back(found);
    }
    std::sort(front.begin(), front.end(), [](const Priced& a, const Priced& b) { return a.found.stepS < b.found.stepS; });
    for (Priced& found : front) {
        found.found.pareto = true;
        result.front.push_back(std::move(found.found));
    }
    result.seconds = elapsed();
    if (progress) progress(1.0, bestSoFar.load());
    return result;
}

}  // namespace trainyard
