#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// The three figures that are all called bubble (catalogue section 1).
struct Bubbles {
    double idleShare = 0;  ///< idle rank-time over ranks x makespan
    double overhead = 0;   ///< makespan over the mean work of a rank, minus 1
    double span = 0;  ///< 1 - work of a rank over the longest time from a rank's first start to its last end (zero-bubble papers)
};

/// Longest time from the first start to the last end of one rank's compute lane.
[[nodiscard]] Ticks maximumSpan(const Timeline& timeline);
/// All zero for an empty timeline.
[[nodiscard]] Bubbles bubblesOf(const Timeline& timeline);

/// Why the ranks were idle, as sums over the ranks of one run; the parts add up to ranks x makespan minus work.
struct IdleSplit {
    Ticks fill = 0;           ///< before a rank's first action
    Ticks drain = 0;          ///< after a rank's last action
    Ticks dependency = 0;     ///< between, also if all transfers were free
    Ticks communication = 0;  ///< what free transfers would take away
    [[nodiscard]] Ticks total() const { return fill + drain + dependency + communication; }
};
/// Runs the lists with and without transfer times. `perRank` if given receives one split per rank.
[[nodiscard]] Result<IdleSplit> idleByCause(const ActionLists& lists, const StageTimes& times,
                                            std::vector<IdleSplit>* perRank = nullptr);

/// Spans from the first to the last that ends, each waited for by the next: the chain that sets the makespan.
[[nodiscard]] std::vector<std::uint32_t> criticalPath(const Timeline& timeline);

/// What one activation (micro-batch, chunk, slice) of a stage holds.
struct ActivationBytes {
    double kept = 1;          ///< from F (or R) on
    double freedByInput = 1;  ///< share of `kept` that I frees; the rest leaves with W
    double checkpoint = 0;    ///< from F until its backward where the stage recomputes
};
struct MemoryStep {
    Ticks at;
    double bytes;  ///< held from then on
};
/// What a rank holds over time. `bytesOfStage` is indexed by global stage; one entry serves all.
[[nodiscard]] std::vector<MemoryStep> memoryCurve(const Timeline& timeline, int rank,
                                                  std::span<const ActivationBytes> bytesOfStage);

/// Ticks per micro-batch in the steady state: the slope between two late micro-batches where the pipe's first stage ends its
/// backward; 0 if there are fewer than 4 micro-batches.
[[nodiscard]] double steadyPeriod(const Timeline& timeline, int microBatches);

/// Share of the makespan during which each directed link (from rank, to rank) carries transfers.
struct LinkUse {
    int from = 0;
    int to = 0;
    std::int64_t transfers = 0;
    double utilisation = 0;
};
[[nodiscard]] std::vector<LinkUse> linkUse(const ActionLists& lists, const StageTimes& times, Ticks makespan);

}  // namespace trainyard
