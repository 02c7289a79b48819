#include "core/schedule/metrics.h"

#include <algorithm>

namespace trainyard {

Ticks maximumSpan(const Timeline& timeline) {
    Ticks longest = 0;
    for (int rank = 0; rank < timeline.ranks; ++rank) {
        const std::uint32_t begin = timeline.begin(rank, Lane::compute);
        const std::uint32_t finish = timeline.finish(rank, Lane::compute);
        if (begin < finish) longest = std::max(longest, timeline.end[finish - 1] - timeline.start[begin]);
    }
    return longest;
}

Bubbles bubblesOf(const Timeline& timeline) {
    Bubbles bubbles;
    double work = 0;
    for (const Ticks busy : timeline.busy) work += static_cast<double>(busy);
    const double ranks = timeline.ranks;
    const double makespan = static_cast<double>(timeline.makespan);
    if (makespan <= 0 || work <= 0 || ranks <= 0) return bubbles;
    bubbles.idleShare = 1 - work / (ranks * makespan);
    bubbles.overhead = ranks * makespan / work - 1;
    bubbles.span = 1 - work / ranks / static_cast<double>(maximumSpan(timeline));
    return bubbles;
}

}  // namespace trainyard
