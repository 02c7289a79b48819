#include "core/engine/memory_of_plan.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/memory/memory_calibration.h"
#include "core/memory/memory_model.h"

namespace trainyard {
std::int32_t smallestDevice(const Topology& topology, const RankLayout& layout, int rank) {
    const std::int32_t perRank = layout.ranks() / layout.degree(Dimension::pipeline);
    std::int32_t smallest = layout.device(rank * perRank);
    if (topology.cluster().nodes.size() == 1 && topology.cluster().nodes[0].accelerators.size() == 1) return smallest;
    for (std::int32_t i = 1; i < perRank; ++i) {
        const std::int32_t device = layout.device(rank * perRank + i);
        if (usableBytes(topology.accelerator(device)) < usableBytes(topology.accelerator(smallest))) smallest = device;
    }
    return smallest;
}

std::vector<MemoryBreakdown> memoryBreakdowns(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const StepTime& step) {
    return memoryBreakdowns(scenario, plan, costs, step,
                            modelMemory(*scenario.model, scenario.workload, shardingOf(scenario), scenario.plan.recompute.modules));
}

std::vector<MemoryBreakdown> memoryBreakdowns(const Scenario& scenario, const ResolvedPlan& plan, const StageCosts& costs, const StepTime& step,
                                              const ModelMemory& model) {
    const StatePlan state = statePlan(scenario.workload, scenario.plan, plan);
    std::vector<MemoryBreakdown> breakdowns;
    const auto ranks = costs.ranks.size();
    breakdowns.reserve(ranks);
    // Chunks of each rank, one rank after the other.
    std::vector<std::size_t> begin(ranks + 1, 0);
    for (const auto& stage : costs.stages) ++begin[static_cast<std::size_t>(stage.rank) + 1];
    for (std::size_t r = 0; r < ranks; ++r) begin[r + 1] += begin[r];
    std::vector<std::pair<std::int64_t, std::int64_t>> all(costs.stages.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    std::int64_t layer = 0;
    for (const auto& stage : costs.stages) {
        all[next[static_cast<std::size_t>(stage.rank)]++] = {layer, stage.layers};
        layer += stage.layers;
    }
    for (std::size_t r = 0; r < ranks; ++r) {
        StageContents contents;
        contents.pipelineRank = static_cast<int>(r);
        contents.embedding = !costs.stages.empty() && static_cast<std::size_t>(costs.stages.front().rank) == r;
        contents.head = !costs.stages.empty() && static_cast<std::size_t>(costs.stages.back().rank) == r;
        const std::span chunks(all.data() + begin[r], begin[r + 1] - begin[r]);
        contents.layers = chunks;
        InFlight inFlight;
        const double perRank = static_cast<double>(std::max<std::size_t>(1, chunks.size()));
        inFlight.untilInput = step.inFlight.untilInput[r] * perRank;
        inFlight.untilWeight = std::max(step.inFlight.untilWeight[r], step.inFlight.untilInput[r]) * perRank;
        inFlight.atHead = step.inFlight.atHead;
        inFlight.splitBackward = step.splitBackward;
        breakdowns.push_back(memoryBreakdown(model, contents, inFlight, state, scenario.workload, scenario.plan, plan));
        calibrateMemory(breakdowns.back(), scenario.calibration);
    }
    return breakdowns;
}

MemorySummary memoryOfBreakdowns(const std::vector<MemoryBreakdown>& breakdowns, const Topology& topology, const RankLayout& layout) {
    std::vector<StageMemory> stages;
    stages.reserve(breakdowns.size());
    for (std::size_t r = 0; r < breakdowns.size(); ++r) {
        const std::int32_t device = smallestDevice(topology, layout, static_cast<int>(r));
        stages.push_back(stageMemory(breakdowns[r], static_cast<int>(r), device, topology.accelerator(device)));
    }
    return memorySummary(std::move(stages));
}

MemorySummary memoryOfPlan(const Scenario& scenario, const ResolvedPlan& plan, const Topology& topology, const RankLayout& layout,
                           const StageCosts& costs, const StepTime& step) {
    return memoryOfBreakdowns(memoryBreakdowns(scenario, plan, costs, step), topology, layout);
}

}  // namespace trainyard
