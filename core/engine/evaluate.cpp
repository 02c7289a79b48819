#include "core/engine/evaluate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/cluster/topology.h"
#include "core/engine/communication_items.h"
#include "core/engine/engine_cache.h"
#include "core/engine/evaluate_replicas.h"
#include "core/engine/evaluator.h"
#include "core/engine/memory_of_plan.h"
#include "core/engine/power.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/engine/timeline_lanes.h"
#include "core/engine/traffic_map.h"
#include "core/engine/traffic_options.h"
#include "core/engine/validity.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

void fillTime(Evaluation& e, const StepTime& step) {
    TimeSummary& t = e.time;
    const auto& level = step.level;
    t.stepS = level[0].stepS;
    t.exposedTensorS = level[0].stepS - level[1].stepS;
    t.exposedContextS = level[1].stepS - level[2].stepS;
    t.exposedExpertS = level[2].stepS - level[3].stepS;
    t.exposedPipelineS = level[3].stepS - level[4].stepS;
    t.exposedDataS = level[4].stepS - level[5].stepS;
    t.optimizerS = step.optimizerS;
    t.offloadS = step.offloadS;
    t.computeS = step.computeS;
    t.bubbleS = std::max(0.0, level[5].stepS - t.computeS - t.optimizerS - t.offloadS);
    t.bubbleFraction = level[0].spanS > 0 ? std::clamp(1 - level[0].stageBusyS / level[0].spanS, 0.0, 1.0) : 0;
}

/// Dense peak of all devices together.
double peakOf(const Topology& topology, Precision precision) {
    double peak = 0;
    for (const auto& node : topology.cluster().nodes)
        for (const auto& group : node.accelerators) peak += static_cast<double>(node.count * group.count) * effectivePeak(*group.accelerator, precision);
    return peak;
}

/// Summed over the devices of one replica's tensor and context ranks, replicas and micro-batches.
StepFlops flopsOf(const Evaluation& e, const Scenario& scenario, const StageCosts& costs) {
    double model = 0;
    double hardware = 0;
    for (const auto& stage : costs.stages) {
        const double saved = scenario.workload.causalFlopsHalved ? stage.causalFlopsSaved : 0;
        model += stage.modelFlops - saved;
        hardware += stage.hardwareFlops - saved;
    }
    const double copies = static_cast<double>(e.devices) / static_cast<double>(costs.ranks.size()) * static_cast<double>(e.plan.microBatches);
    return {model * copies, hardware * copies};
}

void fillThroughput(Evaluation& e, const Scenario& scenario, const StepFlops& flops, const Topology& topology) {
    const double devices = static_cast<double>(e.devices);
    const double tokens = static_cast<double>(scenario.workload.globalBatchSize) * static_cast<double>(scenario.workload.sequenceLength);
    const double peak = peakOf(topology, scenario.workload.precision);
    auto& t = e.throughput;
    t.tokensPerS = tokens / e.time.stepS;
    t.tokensPerSPerDevice = t.tokensPerS / devices;
    t.modelTflopsPerDevice = flops.model / devices / e.time.stepS / 1e12;
    t.hardwareTflopsPerDevice = flops.hardware / devices / e.time.stepS / 1e12;
    t.mfu = flops.model / (peak * e.time.stepS);
    t.hfu = flops.hardware / (peak * e.time.stepS);
    t.causalFlopsHalved = scenario.workload.causalFlopsHalved;
}

void fillEnergyAndCost(Evaluation& e, const Scenario& scenario, const Topology& topology) {
    const double busy = std::min(1.0, (e.time.computeS + e.time.optimizerS) / e.time.stepS);
    const double traffic = std::min(1 - busy, (e.time.exposedTensorS + e.time.exposedContextS + e.time.exposedExpertS + e.time.exposedDataS) / e.time.stepS);
    const double share = power::kIdleShare + (power::kBusyShare - power::kIdleShare) * busy + (power::kTrafficShare - power::kIdleShare) * traffic;
    double watts = 0;
    double perHour = 0;
    bool priced = true;
    for (const auto& node : topology.cluster().nodes)
        for (const auto& group : node.accelerators) {
            const double count = static_cast<double>(node.count * group.count);
            watts += count * group.accelerator->tdpW * share;
            if (group.accelerator->pricePerHour) perHour += count * *group.accelerator->pricePerHour;
            else priced = false;
        }
    const double devices = static_cast<double>(e.devices);
    e.powerWPerDevice = watts / devices;
    e.joulesPerToken = watts / e.throughput.tokensPerS;
    if (priced) {
        e.costPerHour = perHour;
        e.costPerBillionTokens = perHour * 1e9 / e.throughput.tokensPerS / 3600;
    }
    if (scenario.workload.tokensTotal) {
        Evaluation::Training training;
        training.tokens = *scenario.workload.tokensTotal;
        const double perStep = static_cast<double>(scenario.workload.globalBatchSize) * static_cast<double>(scenario.workload.sequenceLength);
        training.steps = std::ceil(training.tokens / perStep);
        training.seconds = training.steps * e.time.stepS;
        training.energyJ = watts * training.seconds;
        if (e.costPerHour) training.cost = *e.costPerHour * training.seconds / 3600;
        e.training = training;
    }
}

}  // namespace

namespace {

/// Copies of saved activations to host memory and back that outlast the passes they run beside: seconds per step.
double activationOffloadS(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const std::vector<MemoryBreakdown>& memory) {
    const double fraction = scenario.plan.activationOffloadFraction;
    if (fraction <= 0) return 0;
    double worst = 0;
    for (std::size_t r = 0; r < memory.size(); ++r) {
        const double link = std::max(1e9, costs.devices[r].accelerator->hostLinkBytesPerS * achievableShare(LinkKind::pcieHost, 0));
        const double copyS = memory[r].keptPerMicroBatch * fraction / link;
        const double perMicroBatch = std::max(0.0, copyS - costs.ranks[r].firstForwardS) + std::max(0.0, copyS - costs.ranks[r].lastBackwardS);
        worst = std::max(worst, perMicroBatch * static_cast<double>(plan.microBatches));
    }
    return worst;
}

std::shared_ptr<const RankLayout> layoutOf(const Scenario& scenario, const ResolvedPlan& plan) {
    return std::make_shared<const RankLayout>(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan.dataParallel, scenario.plan.pipelineParallel,
                                              scenario.plan);
}

}  // namespace

Evaluator::Evaluator() : cache_(std::make_unique<EngineCache>()) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

Evaluation Evaluator::evaluate(const Scenario& scenario, Depth depth, std::stop_token stop) {
    Evaluation e;
    e.diagnostics = validate(scenario);
    e.feasible = !hasErrors(e.diagnostics);
    e.devices = scenario.cluster->devices();
    if (!e.feasible) return e;
    e.parameters = cache_->parameters(scenario);
    e.plan = resolve(scenario);

    const auto topology = cache_->topology(scenario);
    if (!scenario.plan.replicas.empty()) {
        const PricedReplicas priced = priceForEvaluation(e, scenario, topology, depth == Depth::simulated);
        const PricedReplica& slowest = priced.replicas[priced.slowest];
        fillTime(e, priced.together);
        e.timeline = withTrafficLanes(priced.together.timeline, slowest.costs, slowest.step);
        fillThroughput(e, scenario, flopsOf(priced, scenario.workload.causalFlopsHalved), *topology);
        fillEnergyAndCost(e, scenario, *topology);
        e.communication = communicationItems(slowest.scenario, slowest.plan, slowest.costs, e.time);
        fillValidity(e, scenario, priced.together);
        e.computed = true;
        return e;
    }
    e.layout = layoutOf(scenario, e.plan);
    const StageCosts costs = stageCosts(scenario, e.plan, *topology, *e.layout, *cache_);
    if (stop.stop_requested()) return e;
    StepTime step = stepTime(scenario, e.plan, costs, depth != Depth::closedForm, kFreeLevels, &cache_->inFlight());
    if (stop.stop_requested()) return e;

    const auto breakdowns = memoryBreakdowns(scenario, e.plan, costs, step, cache_->memory(scenario, shardingOf(scenario)));
    e.memory = memoryOfBreakdowns(breakdowns, *topology, *e.layout);
    step.addOffload(activationOffloadS(scenario, e.plan, costs, breakdowns));
    fillTime(e, step);
    if (depth == Depth::simulated) e.timeline = withTrafficLanes(step.timeline, costs, step);
    fillThroughput(e, scenario, flopsOf(e, scenario, costs), *topology);
    fillEnergyAndCost(e, scenario, *topology);
    e.communication = communicationItems(scenario, e.plan, costs, e.time);
    if (depth == Depth::simulated) fillTrafficMap(e, scenario, *topology, costs);
    fillValidity(e, scenario, step);
    for (std::string& note : trafficOptionNotes(scenario, e.plan, costs)) e.validityNotes.push_back(std::move(note));
    e.computed = true;
    return e;
}

PlanEstimate Evaluator::estimate(const Scenario& scenario, Validity validity) {
    PlanEstimate out;
    if (validity == Validity::unknown && hasErrors(validate(scenario))) return out;
    out.feasible = true;
    if (!scenario.plan.replicas.empty()) {
        const Evaluation e = evaluate(scenario, Depth::closedForm);
        for (const StageMemory& stage : e.memory.stages) out.peakShare = std::max(out.peakShare, stage.totalBytes / stage.capacityBytes);
        out.peakBytes = e.memory.peakBytes;
        out.verdict = e.memory.verdict;
        out.stepS = e.time.stepS;
        out.bubbleFraction = e.time.bubbleFraction;
        out.tokensPerS = e.throughput.tokensPerS;
        out.mfu = e.throughput.mfu;
        return out;
    }
    const ResolvedPlan plan = resolve(scenario);
    const auto topology = cache_->topology(scenario);
    const RankLayout layout(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan.dataParallel, scenario.plan.pipelineParallel, scenario.plan);
    const StageCosts costs = stageCosts(scenario, plan, *topology, layout, *cache_);
    StepTime step = stepTime(scenario, plan, costs, false, 1, &cache_->inFlight());
    const auto breakdowns = memoryBreakdowns(scenario, plan, costs, step, cache_->memory(scenario, shardingOf(scenario)));
    step.addOffload(activationOffloadS(scenario, plan, costs, breakdowns));

    for (std::size_t r = 0; r < breakdowns.size(); ++r) {
        const std::int32_t device = smallestDevice(*topology, layout, static_cast<int>(r));
        const StageMemory memory = stageMemory(breakdowns[r], static_cast<int>(r), device, topology->accelerator(device));
        out.peakBytes = std::max(out.peakBytes, memory.totalBytes);
        out.peakShare = std::max(out.peakShare, memory.capacityBytes > 0 ? memory.totalBytes / memory.capacityBytes : 0);
    }
    out.verdict = out.peakShare > 1 ? MemoryVerdict::out_of_memory : out.peakShare > kSafeMemoryShare ? MemoryVerdict::tight : MemoryVerdict::fits;
    out.stepS = step.level[0].stepS;
    out.bubbleFraction = step.level[0].spanS > 0 ? std::clamp(1 - step.level[0].stageBusyS / step.level[0].spanS, 0.0, 1.0) : 0;
    out.tokensPerS = static_cast<double>(scenario.workload.globalBatchSize) * static_cast<double>(scenario.workload.sequenceLength) / out.stepS;
    double flops = 0;
    for (const auto& stage : costs.stages) flops += stage.modelFlops - (scenario.workload.causalFlopsHalved ? stage.causalFlopsSaved : 0);
    const double copies = static_cast<double>(plan.devices) / static_cast<double>(costs.ranks.size()) * static_cast<double>(plan.microBatches);
    out.mfu = flops * copies / (peakOf(*topology, scenario.workload.precision) * out.stepS);
    return out;
}

Evaluation evaluate(const Scenario& scenario, Depth depth, std::stop_token stop) { return Evaluator().evaluate(scenario, depth, stop); }

}  // namespace trainyard
