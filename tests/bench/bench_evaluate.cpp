// Evaluations of one plan. Budgets: closed form 20 microseconds cold and 2 warm; simulated, 16 stages x 64 micro-batches x
// 2 chunks, 1 ms.

#include <benchmark/benchmark.h>

#include "core/engine/evaluate.h"
#include "core/engine/evaluator.h"
#include "core/plan/slider_stops.h"
#include "core/plan/validate.h"
#include "tests/support/scenarios.h"

namespace {

using namespace trainyard;

void closedForm(benchmark::State& state) {
    Scenario scenario = test::scenario(state.range(0));
    scenario.workload.globalBatchSize = 16 * state.range(0);
    for (auto _ : state) benchmark::DoNotOptimize(evaluate(scenario, Depth::closedForm));
    if (!evaluate(scenario, Depth::closedForm).computed) state.SkipWithError("the plan is not feasible");
}
BENCHMARK(closedForm)->ArgName("nodes")->Arg(16)->Arg(2048)->Unit(benchmark::kMicrosecond);

void closedFormWarm(benchmark::State& state) {
    Scenario scenario = test::scenario(state.range(0));
    scenario.workload.globalBatchSize = 16 * state.range(0);
    Evaluator evaluator;
    for (auto _ : state) benchmark::DoNotOptimize(evaluator.evaluate(scenario, Depth::closedForm));
}
BENCHMARK(closedFormWarm)->ArgName("nodes")->Arg(16)->Arg(2048)->Unit(benchmark::kMicrosecond);

void estimateWarm(benchmark::State& state) {
    Scenario scenario = test::scenario(state.range(0));
    scenario.workload.globalBatchSize = 16 * state.range(0);
    Evaluator evaluator;
    for (auto _ : state) benchmark::DoNotOptimize(evaluator.estimate(scenario, Evaluator::Validity::known));
}
BENCHMARK(estimateWarm)->ArgName("nodes")->Arg(16)->Arg(2048)->Unit(benchmark::kMicrosecond);

void simulated(benchmark::State& state) {
    Scenario scenario = test::scenario(16);
    scenario.plan.tensorParallel = 8;
    scenario.plan.pipelineParallel = state.range(0);
    scenario.plan.virtualStages = state.range(2);
    scenario.plan.schedule = state.range(2) > 1 ? "interleaved-1f1b" : "1f1b";
    ModelSpec model = *scenario.model;
    model.layers = 96;  // divisible by every number of stages here
    scenario.model = std::make_shared<const ModelSpec>(model);
    scenario.workload.globalBatchSize = state.range(1) * 128 / 8 / state.range(0);
    for (auto _ : state) benchmark::DoNotOptimize(evaluate(scenario, Depth::simulated));
    const Evaluation last = evaluate(scenario, Depth::simulated);
    if (!last.computed) state.SkipWithError("the plan is not feasible");
}
BENCHMARK(simulated)
    ->ArgNames({"stages", "microbatches", "chunks"})
    ->Args({4, 16, 1})
    ->Args({16, 64, 2})
    ->Unit(benchmark::kMicrosecond);

void legalValuesOfEverySlider(benchmark::State& state) {
    const Scenario scenario = test::scenario(16);
    for (auto _ : state)
        for (const char* pointer :
             {"/plan/tensor_parallel", "/plan/pipeline_parallel", "/plan/data_parallel", "/plan/context_parallel",
              "/plan/expert_parallel", "/plan/virtual_stages", "/plan/micro_batch_size"})
            benchmark::DoNotOptimize(sliderStops(scenario, pointer));
}
BENCHMARK(legalValuesOfEverySlider)->Unit(benchmark::kMicrosecond);

void allDiagnostics(benchmark::State& state) {
    const Scenario scenario = test::scenario(16);
    for (auto _ : state) benchmark::DoNotOptimize(validate(scenario));
}
BENCHMARK(allDiagnostics)->Unit(benchmark::kMicrosecond);

}  // namespace
