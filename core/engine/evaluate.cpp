#include "core/engine/evaluate.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/cluster/topology.h"
#include "core/engine/communication_items.h"
#include "core/engine/memory_of_plan.h"
#include "core/engine/power.h"
#include "core/engine/stage_costs.h"
#include "core/engine/step_time.h"
#include "core/engine/traffic_map.h"
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

void fillThroughput(Evaluation& e, const Scenario& scenario, const StageCosts& costs, const Topology& topology) {
    const double devices = static_cast<double>(e.devices);
    const double tokens = static_cast<double>(scenario.workload.globalBatchSize) * static_cast<double>(scenario.workload.sequenceLength);
    double model = 0;
    double hardware = 0;
    for (const auto& stage : costs.stages) {
        const double saved = scenario.workload.causalFlopsHalved ? stage.causalFlopsSaved : 0;
        model += stage.modelFlops - saved;
        hardware += stage.hardwareFlops - saved;
    }
    // Summed over the devices of one replica's tensor and context ranks, replicas and micro-batches.
    const double copies = devices / static_cast<double>(costs.ranks.size()) * static_cast<double>(e.plan.microBatches);
    double peak = 0;
    for (std::int32_t d = 0; d < topology.devices();) {
        const auto& node = topology.node(topology.nodeOf(d));
        peak += effectivePeak(topology.accelerator(d), scenario.workload.precision);
        ++d;
        if (topology.cluster().nodes.size() == 1 && topology.cluster().nodes[0].accelerators.size() == 1) {
            peak *= static_cast<double>(topology.devices());
            break;
        }
        (void)node;
    }
    auto& t = e.throughput;
    t.tokensPerS = tokens / e.time.stepS;
    t.tokensPerSPerDevice = t.tokensPerS / devices;
    t.modelTflopsPerDevice = model * copies / devices / e.time.stepS / 1e12;
    t.hardwareTflopsPerDevice = hardware * copies / devices / e.time.stepS / 1e12;
    t.mfu = model * copies / (peak * e.time.stepS);
    t.hfu = hardware * copies / (peak * e.time.stepS);
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

Evaluation evaluate(const Scenario& scenario, Depth depth, std::stop_token stop) {
    Evaluation e;
    e.diagnostics = validate(scenario);
    e.feasible = !hasErrors(e.diagnostics);
    e.devices = scenario.cluster->devices();
    if (!e.feasible) return e;
    e.parameters = countParameters(*scenario.model, scenario.workload.sequenceLength);
    e.plan = resolve(scenario);

    const Topology topology(scenario.cluster);
    e.layout = std::make_shared<RankLayout>(scenario.plan.tensorParallel, scenario.plan.contextParallel, e.plan.dataParallel,
                                            scenario.plan.pipelineParallel, scenario.plan);
    const StageCosts costs = stageCosts(scenario, e.plan, topology, *e.layout);
    if (stop.stop_requested()) return e;
    const StepTime step = stepTime(scenario, e.plan, costs, depth == Depth::simulated);
    if (stop.stop_requested()) return e;

    fillTime(e, step);
    e.timeline = step.timeline;
    e.memory = memoryOfPlan(scenario, e.plan, topology, *e.layout, costs, step);
    fillThroughput(e, scenario, costs, topology);
    fillEnergyAndCost(e, scenario, topology);
    e.communication = communicationItems(scenario, e.plan, costs, e.time);
    if (depth == Depth::simulated) fillTrafficMap(e, scenario, topology, costs);
    fillValidity(e, scenario, step);
    e.computed = true;
    return e;
}

}  // namespace trainyard
