// Schedules: order and times. Budgets: one million actions simulated in 50 ms; 64 stages x 1,024 micro-batches, order and
// times, in 0.1 s for any schedule.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"

namespace {

using namespace trainyard;

/// Equal stages: F = I = W, free transfers.
StageTimes equalStages(int stages) {
    const std::vector<Ticks> unit(static_cast<std::size_t>(stages), 100);
    return {.forward = unit, .backwardInput = unit, .backwardWeight = unit};
}

std::int64_t actionsOf(const Timeline& timeline) { return static_cast<std::int64_t>(timeline.spans()); }

void orderAndTimes(benchmark::State& state, const char* schedule) {
    ScheduleRequest request{.ranks = 64, .microBatches = 1024, .chunks = 1};
    const ScheduleDefinition* definition = findScheduleOrNull(schedule);
    if (definition == nullptr) return state.SkipWithError("unknown schedule");
    if (definition->needsChunks) request.chunks = 2;
    if (definition->takesSlices) {
        // As many actions in slices; slimpipe takes multiples of the ranks.
        request.slices = request.ranks;
        request.microBatches /= request.slices;
    }
    request.chunks = effectiveChunks(*definition, request);
    const StageTimes times = equalStages(request.ranks * request.chunks);
    std::int64_t actions = 0;
    for (auto _ : state) {
        const auto lists = buildSchedule(schedule, request);
        if (!lists) return state.SkipWithError(lists.error().message.c_str());
        const auto timeline = simulate(*lists, times);
        if (!timeline) return state.SkipWithError(timeline.error().message.c_str());
        actions += actionsOf(*timeline);
    }
    state.SetItemsProcessed(actions);
}

void simulateOnly(benchmark::State& state) {
    const ScheduleRequest request{.ranks = 64, .microBatches = static_cast<int>(state.range(0))};
    const auto lists = buildSchedule("1f1b", request);
    const StageTimes times = equalStages(request.ranks);
    SimulationWorkspace workspace;
    Timeline timeline;
    for (auto _ : state) benchmark::DoNotOptimize(simulateInto(*lists, times, workspace, timeline));
    state.SetItemsProcessed(state.iterations() * actionsOf(timeline));
}
BENCHMARK(simulateOnly)->Arg(1024)->Arg(8192)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    for (const ScheduleDefinition* definition : allSchedules())
        benchmark::RegisterBenchmark(("orderAndTimes/" + std::string(definition->id)).c_str(), [id = std::string(definition->id)](
                                                                                                   benchmark::State& state) {
            orderAndTimes(state, id.c_str());
        })->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
