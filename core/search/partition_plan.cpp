#include "core/search/partition_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "core/engine/evaluate.h"
#include "core/engine/replica_pricer.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAllOrders = 5;  ///< stages up to which every order is tried

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The plan with stage s on the devices that stage order[s] had.
Plan reordered(const Scenario& scenario, const std::vector<std::size_t>& order) {
    const ResolvedPlan resolved = resolve(scenario);
    const RankLayout layout(scenario.plan.tensorParallel, scenario.plan.contextParallel, resolved.dataParallel, scenario.plan.pipelineParallel,
                            scenario.plan);
    const std::int32_t perStage = layout.ranks() / layout.degree(Dimension::pipeline);
    Plan plan = scenario.plan;
    plan.layersPerStage.clear();
    plan.placementOrder.clear();
    plan.deviceOfRank.clear();
    for (const std::size_t from : order)
        for (std::int32_t i = 0; i < perStage; ++i) plan.deviceOfRank.push_back(layout.device(static_cast<std::int32_t>(from) * perStage + i));
    return plan;
}

/// A stage's devices as far as they matter for an order: kinds, speeds, memory, node blocks.
std::string signatureOf(const Topology& topology, const RankLayout& layout, std::size_t stage) {
    const std::int32_t perStage = layout.ranks() / layout.degree(Dimension::pipeline);
    std::string text;
    for (std::int32_t i = 0; i < perStage; ++i) {
        const std::int32_t device = layout.device(static_cast<std::int32_t>(stage) * perStage + i);
        const std::int32_t node = topology.nodeOf(device);
        text += fmt::format("{}/{},", topology.measured() ? node : topology.node(node).block, topology.accelerator(device).id);
    }
    return text;
}

class Best {
  public:
    explicit Best(PlanPartition& result) : result_(result) {}
    bool offer(const Scenario& scenario, const Plan& plan, const std::string& how) {
        Scenario candidate = scenario;
        candidate.plan = plan;
        const Evaluation e = evaluate(candidate, Depth::simulated);
        if (!e.computed) return false;
        double overflow = -1e30;
        for (const StageMemory& stage : e.memory.stages) overflow = std::max(overflow, stage.totalBytes - stage.capacityBytes);
        const bool fits = overflow <= 0;
        const bool better = !any_ || (fits != result_.found ? fits : fits ? e.time.stepS < result_.stepS * (1 - 1e-9) : overflow < result_.overflowBytes);
        if (!better) return false;
        any_ = true;
        result_.found = fits;
        result_.plan = plan;
        result_.stepS = e.time.stepS;
        result_.overflowBytes = std::max(0.0, overflow);
        result_.how = how;
        result_.layersPerStage = plan.replicas.empty() ? e.plan.layersOfStage : std::vector<std::int64_t>();
        result_.stageDevices.clear();
        if (plan.replicas.empty()) {
            for (std::int32_t rank = 0; rank < e.layout->degree(Dimension::pipeline); ++rank)
                result_.stageDevices.push_back(e.layout->device(e.layout->rank({.tensor = 0, .context = 0, .data = 0, .pipeline = rank})));
        } else {
            for (const ReplicaPlan& replica : plan.replicas)
                for (const ReplicaStage& stage : replica.stages) {
                    result_.layersPerStage.push_back(stage.layers);
                    result_.stageDevices.push_back(static_cast<int>(stage.devices.front()));
                }
        }
        return true;
    }

  private:
    PlanPartition& result_;
    bool any_ = false;
};

void tryOrders(const Scenario& scenario, const PartitionOptions& options, std::stop_token stop, const PartitionProgress& progress, Best& best,
               const PlanPartition& result) {
    const auto stages = static_cast<std::size_t>(scenario.plan.pipelineParallel);
    if (stages < 2) return;
    const Topology topology(scenario.cluster);
    const ResolvedPlan resolved = resolve(scenario);
    const RankLayout layout(scenario.plan.tensorParallel, scenario.plan.contextParallel, resolved.dataParallel, scenario.plan.pipelineParallel,
                            scenario.plan);
    std::vector<std::string> kinds;
    for (std::size_t s = 0; s < stages; ++s) kinds.push_back(signatureOf(topology, layout, s));
    const auto begin = Clock::now();
    std::map<std::vector<std::string>, double> tried;
    std::int64_t count = 0;
    const auto step = [&](const std::vector<std::size_t>& order) {
        std::vector<std::string> key;
        for (const std::size_t at : order) key.push_back(kinds[at]);
        const auto known = tried.find(key);
        if (known != tried.end()) return known->second;
        Scenario candidate = scenario;
        candidate.plan = reordered(scenario, order);
        const PartitionResult split = partitionLayers(candidate, {.mostSimulations = 2'000, .limitS = 1, .proveManyStages = false}, stop);
        candidate.plan.layersPerStage = split.layersPerStage;
        best.offer(scenario, candidate.plan, "stage order");
        if (progress) progress(result.found ? result.stepS : 0, ++count);
        const double value = split.fits ? split.stepS : 1e15 + split.overflowBytes;
        tried.emplace(std::move(key), value);
        return value;
    };
    std::vector<std::size_t> order(stages);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (stages <= kAllOrders) {
        do {
            if (stop.stop_requested() || secondsSince(begin) > options.limitS) return;
            step(order);
        } while (std::next_permutation(order.begin(), order.end()));
        return;
    }
    double now = step(order);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t a = 0; a < stages; ++a)
            for (std::size_t b = a + 1; b < stages; ++b) {
                if (kinds[order[a]] == kinds[order[b]]) continue;
                if (stop.stop_requested() || secondsSince(begin) > options.limitS) return;
                std::swap(order[a], order[b]);
                const double next = step(order);
                if (next < now * (1 - 1e-9)) {
                    now = next;
                    moved = true;
                } else {
                    std::swap(order[a], order[b]);
                }
            }
    }
}

}  // namespace

Result<PartitionFreedom> partitionFreedom(std::string_view words) {
    PartitionFreedom freedom;
    while (!words.empty()) {
        const auto end = words.find(',');
        const std::string_view word = words.substr(0, end);
        words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
        if (word == "order") freedom.order = true;
        else if (word == "tensor") freedom.tensor = true;
        else if (word == "replicas") freedom.replicas = true;
        else if (word == "shares") freedom.shares = true;
        else if (!word.empty())
            return failure(Error::Kind::commandLine, "unknown-name", "--allow",
                           fmt::format("'{}' is not known; any of order, tensor, replicas, shares, with commas between", word));
    }
    return freedom;
}

double computeBoundS(const Scenario& scenario) {
    const auto topology = std::make_shared<const Topology>(scenario.cluster);
    Scenario lone = scenario;
    lone.plan.zeroStage = 0;
    lone.plan.schedule = "1f1b";
    ReplicaPricer pricer(lone, topology);
    std::map<std::pair<const AcceleratorSpec*, double>, double> sequenceS;
    double sequencesPerS = 0;
    for (std::int32_t device = 0; device < topology->devices(); ++device) {
        double& known = sequenceS[{&topology->accelerator(device), topology->slowdown(device)}];
        if (known == 0) {
            known = 1e30;
            for (const std::int64_t microBatch : {1, 2, 4, 8, 16}) {
                const std::vector<ReplicaPlan> alone{{.stages = {{.devices = {device}, .layers = scenario.model->layers}},
                                                      .microBatchSize = microBatch, .microBatches = 1, .shard = 0}};
                const PricedReplicas priced = pricer.price(alone, false, 1);
                const StageCost& stage = priced.replicas[0].costs.stages[0];
                known = std::min(known, (stage.forward.computeS() + stage.backwardInput.computeS() + stage.backwardWeight.computeS() +
                                         stage.recompute.computeS()) / static_cast<double>(microBatch));
            }
        }
        sequencesPerS += 1 / known;
    }
    return static_cast<double>(scenario.workload.globalBatchSize) / sequencesPerS;
}

PlanPartition partitionPlan(const Scenario& scenario, const PartitionFreedom& freedom, const PartitionOptions& options, std::stop_token stop,
                            const PartitionProgress& progress) {
    PlanPartition result;
    Best best(result);
    const Evaluation now = evaluate(scenario, Depth::simulated);
    if (now.computed && now.memory.verdict != MemoryVerdict::out_of_memory) result.nowStepS = now.time.stepS;
    Scenario plain = scenario;
    plain.plan.replicas.clear();
    const bool equalShapes = !hasErrors(validate(plain));
    if (now.computed) best.offer(scenario, scenario.plan, "as it stands");
    if (equalShapes) {
        const PartitionResult split = partitionLayers(plain, options, stop, progress);
        result.evenSplitStepS = split.evenSplitStepS;
        result.optimal = split.optimal && !freedom.any();
        result.gap = split.gap;
        Plan plan = plain.plan;
        plan.layersPerStage = split.layersPerStage;
        best.offer(plain, plan, "layers per stage");
        if (freedom.order) tryOrders(plain, options, stop, progress, best, result);
    }
    std::int64_t count = 0;
    const auto offerAll = [&](const std::vector<Plan>& plans, const char* how) {
        for (const Plan& plan : plans) {
            if (stop.stop_requested()) return;
            best.offer(scenario, plan, how);
            if (progress) progress(result.found ? result.stepS : 0, ++count);
        }
    };
    if ((freedom.tensor || freedom.replicas) && !stop.stop_requested())
        offerAll(unevenReplicaPlans(plain, freedom.replicas, freedom.tensor, options.limitS, stop),
                 freedom.replicas ? "replicas of their own shapes" : "tensor degree per stage");
    if (freedom.shares && !stop.stop_requested()) offerAll(unevenSharePlans(plain, stop), "uneven shares");
    if (freedom.any() && result.found) {
        const double bound = computeBoundS(scenario);
        result.gap = std::max(0.0, result.stepS / bound - 1);
        result.optimal = false;
    }
    return result;
}

}  // namespace trainyard
