#include "core/schedule/schedules/simulated_figures.h"

#include <algorithm>
#include <cmath>

#include "core/schedule/simulate.h"

namespace trainyard {

double simulatedIdle(const ActionLists& lists, int chunks, double f, double backwardInput, double backwardWeight) {
    const double largest = std::max({f, backwardInput, backwardWeight});
    if (!(largest > 0)) return 0;
    constexpr double kLargestTicks = 1e9;
    const double scale = kLargestTicks / largest;
    const std::size_t stages = static_cast<std::size_t>(lists.stages);
    const auto ticks = [&](double share) {
        return std::vector<Ticks>(stages, static_cast<Ticks>(std::llround(share / chunks * scale)));
    };
    StageTimes times;
    times.forward = ticks(f);
    times.backwardInput = ticks(backwardInput);
    times.backwardWeight = ticks(backwardWeight);
    const Result<Timeline> timeline = simulate(lists, times);
    if (!timeline) return 0;
    return static_cast<double>(timeline->makespan - *std::max_element(timeline->busy.begin(), timeline->busy.end())) / scale;
}

double listedPeak(const ActionLists& lists, int chunks, int rank) {
    int held = 0;
    int peak = 0;
    for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)];
         i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
        const Action& a = lists.actions[i];
        if (a.kind == ActionKind::recompute || (a.kind == ActionKind::forward && (a.flags & kRecomputed) == 0))
            peak = std::max(peak, ++held);
        if (a.kind == ActionKind::backward || a.kind == ActionKind::backwardInput) --held;
    }
    return static_cast<double>(peak) / chunks;
}

}  // namespace trainyard
