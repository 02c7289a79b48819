// Exhaustive search. Budgets: 200,000 plans a second and core; 16,384 accelerators with one model in under 1 s on two cores.

#include <benchmark/benchmark.h>

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

}  // namespace
