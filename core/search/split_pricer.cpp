#include "core/search/split_pricer.h"

#include <algorithm>
#include <string_view>

#include "core/engine/memory_of_plan.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

constexpr std::int64_t kNotAsked = -2;

/// Schedules in which every micro-batch goes down the ranks and back once, and backward never runs beside forward.
constexpr std::string_view kOneWay[] = {"1f1b", "gpipe", "eager-1f1b", "zb-h1", "zb-h2"};

bool layersAlike(const ModelSpec& model) { return layerRuns(model).size() <= 1; }

Scenario withoutSplit(const Scenario& scenario) {
    Scenario plain = scenario;
    plain.plan.layersPerStage.clear();
    return plain;
}

/// The cost of a layer does not depend on how many there are, so one tall model serves every number of layers per stage.
Scenario tallScenario(const Scenario& scenario, std::int64_t stages) {
    Scenario tall = scenario;
    auto model = std::make_shared<ModelSpec>(*scenario.model);
    model->layers = scenario.model->layers * stages;
    if (!model->layerKinds.empty())
        model->layerKinds.assign(static_cast<std::size_t>(model->layers), scenario.model->layerKinds.front());
    if (model->moe && model->moe->denseLayers > 0) model->moe->denseLayers = model->layers;
    if (tall.plan.recompute.layers) *tall.plan.recompute.layers *= stages;
    tall.model = model;
    return tall;
}

}  // namespace

SplitPricer::SplitPricer(const Scenario& scenario)
    : scenario_(withoutSplit(scenario)),
      plan_(resolve(scenario_)),
      topology_(cache_.topology(scenario_)),
      layout_(std::make_unique<const RankLayout>(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan_.dataParallel,
                                                 scenario.plan.pipelineParallel, scenario.plan)),
      memory_(modelMemory(*scenario.model, scenario.workload, shardingOf(scenario_), scenario.plan.recompute.modules)),
      state_(statePlan(scenario.workload, scenario.plan, plan_)),
      uniform_(layersAlike(*scenario.model)) {
    if (const ScheduleDefinition* schedule = findScheduleOrNull(scenario.plan.schedule)) {
        oneWay_ = ranks() == 1 || std::find(std::begin(kOneWay), std::end(kOneWay), schedule->id) != std::end(kOneWay);
        splitBackward_ = schedule->splitsBackward;
    }
    if (uniform_) tall_ = tallScenario(scenario_, static_cast<std::int64_t>(stages()));
    table_.resize(static_cast<std::size_t>(layers()) + 1);
    mostLayers_.assign(stages(), kNotAsked);
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        smallestDevice_.push_back(smallestDevice(*topology_, *layout_, static_cast<int>(rank)));
}

SplitTrial SplitPricer::simulate(const LayerSplit& split) {
    const StageCosts costs = uniform_ && linear() ? assembled(split) : costsOf(split);
    ResolvedPlan plan = plan_;
    plan.layersOfStage = split;
    const StepTime step = stepTime(scenario_, plan, costs, true, 1);
    const auto breakdowns = memoryBreakdowns(scenario_, plan, costs, step, memory_);
    SplitTrial trial;
    trial.stepS = step.level[0].stepS;
    trial.fill = 0;
    trial.overflowBytes = -std::numeric_limits<double>::infinity();
    for (std::size_t rank = 0; rank < breakdowns.size(); ++rank) {
        const std::int32_t device = smallestDevice_[rank];
        const StageMemory memory = stageMemory(breakdowns[rank], static_cast<int>(rank), device, topology_->accelerator(device));
        trial.fill = std::max(trial.fill, memory.totalBytes / memory.capacityBytes);
        trial.overflowBytes = std::max(trial.overflowBytes, memory.totalBytes - memory.capacityBytes);
    }
    return trial;
}

double SplitPricer::workS(std::size_t stage, std::int64_t layers) {
    const StageOccupation& one = row(layers).occupation[stage];
    return one.forwardS + one.backwardS + one.weightS;
}

double SplitPricer::passageS(std::size_t stage, std::int64_t layers) {
    const StageOccupation& one = row(layers).occupation[stage];
    // Weight gradients of a split backward can wait, so that only the way in is sure to be lost.
    return splitBackward_ ? one.forwardS + one.sendS : one.forwardS + one.backwardS + one.weightS + 2 * one.sendS;
}

double SplitPricer::fillOf(std::size_t stage, std::int64_t layers) {
    const StepTime& step = inFlight();
    const std::size_t rank = stage;
    const std::pair<std::int64_t, std::int64_t> chunk{0, layers};
    StageContents contents;
    contents.pipelineRank = static_cast<int>(rank);
    contents.layers = {&chunk, 1};
    contents.embedding = stage == 0;
    contents.head = stage + 1 == stages();
    InFlight live;
    live.untilInput = step.inFlight.untilInput[rank];
    live.untilWeight = std::max(step.inFlight.untilWeight[rank], step.inFlight.untilInput[rank]);
    live.atHead = step.inFlight.atHead;
    live.splitBackward = step.splitBackward;
    const auto breakdown = memoryBreakdown(memory_, contents, live, state_, scenario_.workload, scenario_.plan, plan_);
    const std::int32_t device = smallestDevice_[rank];
    const StageMemory memory = stageMemory(breakdown, static_cast<int>(rank), device, topology_->accelerator(device));
    return memory.totalBytes / memory.capacityBytes;
}

std::int64_t SplitPricer::mostLayers(std::size_t stage) {
    std::int64_t& known = mostLayers_[stage];
    if (known != kNotAsked) return known;
    std::int64_t low = -1;
    std::int64_t high = layers() + 1;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fillOf(stage, middle) <= 1 ? low : high) = middle;
    }
    return known = low;
}

double SplitPricer::actionsPerTrial() const {
    return 2.0 * static_cast<double>(stages()) * static_cast<double>(plan_.microBatches);
}

const StepTime& SplitPricer::inFlight() {
    if (!inFlight_) inFlight_ = std::make_unique<const StepTime>(stepTime(scenario_, plan_, costsOf(plan_.layersOfStage), true, 1));
    return *inFlight_;
}

const SplitPricer::Row& SplitPricer::row(std::int64_t layers) {
    auto& known = table_[static_cast<std::size_t>(layers)];
    if (!known) {
        StageCosts costs = costsOf(LayerSplit(stages(), layers));
        auto occupation = stageOccupations(costs);
        known = std::make_unique<const Row>(Row{std::move(costs), std::move(occupation)});
    }
    return *known;
}

StageCosts SplitPricer::costsOf(const LayerSplit& split) {
    ResolvedPlan plan = plan_;
    plan.layersOfStage = split;
    return stageCosts(uniform_ ? tall_ : scenario_, plan, *topology_, *layout_, cache_);
}

StageCosts SplitPricer::assembled(const LayerSplit& split) {
    StageCosts costs = row(split.front()).costs;
    for (std::size_t stage = 0; stage < stages(); ++stage) {
        const StageCosts& priced = row(split[stage]).costs;
        costs.stages[stage] = priced.stages[stage];
        costs.ranks[stage] = priced.ranks[stage];
    }
    return costs;
}

}  // namespace trainyard
