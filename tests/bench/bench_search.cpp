// Exhaustive search. Budgets: 200,000 plans a second and core; 16,384 accelerators with one model in under 1 s on two cores;
// 128 layers over 64 unequal devices in under 50 ms.

#include <benchmark/benchmark.h>

#include <random>

#include "core/search/partition.h"
#include "core/search/search_plans.h"
#include "tests/support/scenarios.h"

namespace {

using namespace trainyard;

void search(benchmark::State& state) {
    Scenario scenario = test::scenario(state.range(0));
    scenario.workload.globalBatchSize = 16 * state.range(0);
    std::int64_t candidates = 0, plans = 0;
    for (auto _ : state) {
        const SearchResult result = searchPlans(scenario, {.top = 10, .threads = static_cast<int>(state.range(1))});
        candidates += result.candidates;
        plans += static_cast<std::int64_t>(result.plans.size());
    }
    if (plans == 0) state.SkipWithError("no plan was found");
    state.SetItemsProcessed(candidates);
}
BENCHMARK(search)->ArgNames({"nodes", "threads"})->Args({16, 1})->Args({2048, 2})->UseRealTime()->Unit(benchmark::kMillisecond);

/// Every device of another speed, a third of them short of memory.
Scenario unequalDevices(int stages, std::int64_t layers) {
    Scenario scenario = test::scenario(1);
    std::mt19937 random(3);
    ClusterSpec cluster;
    cluster.switches.push_back({.id = "switch"});
    for (int i = 0; i < stages; ++i) {
        auto accelerator = std::make_shared<AcceleratorSpec>(*test::accelerator("card", i % 3 == 0 ? 16 : 80));
        const double speed = 0.1 + 0.9 * static_cast<double>(random() % 1000) / 1000;
        for (double& peak : accelerator->peakFlopsPerS) peak *= speed;
        NodeSpec node;
        node.id = "n" + std::to_string(i);
        node.accelerators = {{accelerator, 1}};
        cluster.nodes.push_back(node);
        LinkSpec link;
        link.from = node.id;
        link.to = "switch";
        link.bandwidthBytesPerS = 12.5e9;
        cluster.links.push_back(link);
    }
    scenario.cluster = std::make_shared<ClusterSpec>(cluster);
    auto model = std::make_shared<ModelSpec>(*scenario.model);
    model->layers = layers;
    model->hiddenSize = 4096;
    model->attentionHeads = model->kvHeads = 32;
    model->ffnHiddenSize = 16384;
    model->gatedMlp = false;
    model->vocabSize = 32000;
    scenario.model = model;
    scenario.workload.sequenceLength = 2048;
    scenario.workload.globalBatchSize = 2 * stages;
    scenario.plan = {};
    scenario.plan.pipelineParallel = stages;
    scenario.plan.recompute.mode = RecomputeMode::full;
    return scenario;
}

void partition(benchmark::State& state) {
    const Scenario scenario = unequalDevices(static_cast<int>(state.range(0)), state.range(1));
    double gap = 0;
    for (auto _ : state) {
        const PartitionResult result = partitionLayers(scenario);
        if (!result.fits) state.SkipWithError("no split fits");
        gap = result.gap;
    }
    state.counters["gap"] = gap;
}
BENCHMARK(partition)->ArgNames({"stages", "layers"})->Args({6, 24})->Args({64, 128})->Unit(benchmark::kMillisecond);

}  // namespace
