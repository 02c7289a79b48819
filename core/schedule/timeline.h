#pragma once

#include <cstdint>
#include <vector>

#include "core/schedule/action.h"

namespace trainyard {

/// Simulated time in integer ticks; what a tick is, the caller decides (the engine: 1 ps; the playground: 1 unit / 1000).
using Ticks = std::int64_t;

/// Durations for the simulator. Vectors are indexed by global stage; an empty vector means 0.
struct StageTimes {
    std::vector<Ticks> forward;
    std::vector<Ticks> backwardInput;
    std::vector<Ticks> backwardWeight;
    std::vector<Ticks> backward;        ///< empty: backwardInput + backwardWeight
    std::vector<Ticks> recompute;       ///< empty: forward
    std::vector<Ticks> sendForward;     ///< transfer of stage s's output to stage s+1: occupies the link
    std::vector<Ticks> sendBackward;    ///< transfer of stage s's input gradient to stage s-1
    std::vector<Ticks> latencyForward;  ///< added to the arrival without occupying the link
    std::vector<Ticks> latencyBackward;
    std::vector<Ticks> allGather;  ///< what passes add, per stage; empty: 0
    std::vector<Ticks> reduceScatter;
    std::vector<Ticks> allReduce;
    std::vector<Ticks> optimizer;
    std::vector<Ticks> evict;  ///< to the partner rank, and back
    std::vector<Ticks> load;
    std::vector<Ticks> offload;  ///< to host memory, and back
    std::vector<Ticks> reload;
    std::vector<Ticks> contextExchange;  ///< gathers and exchanges on the context lane
    std::vector<double> pipeFactor;      ///< factor on compute times per pipe, e.g. replicas with fewer, longer stages; empty: 1
    std::vector<double> sliceWeight;     ///< factor on compute times per sequence slice; empty: every slice costs the stage time
    /// Every compute action takes up to this share longer or shorter, by a hash of what it is and the seed; 0: exact times.
    double jitter = 0;
    std::uint32_t jitterSeed = 0;
    bool serializeLinks = false;  ///< one transfer at a time per directed rank pair
    /// Forward and backward marked as a pair run as one block of (forward + backward) x this, and both results appear at
    /// its end; 0: run one after the other as if not marked.
    double fusedPairFactor = 0;
};

/// What the simulator found, as columns. Spans of one rank and lane are contiguous, sorted by start, do not overlap.
/// Span i of the compute lane of rank r is the i-th compute action of r's list.
struct Timeline {
    int ranks = 0;
    Ticks makespan = 0;
    double secondsPerTick = 1e-12;
    std::vector<Ticks> start;
    std::vector<Ticks> end;
    std::vector<Action> action;            ///< what the span is
    std::vector<std::uint32_t> laneBegin;  ///< size ranks * kLaneCount + 1, index rank * kLaneCount + lane
    std::vector<std::int32_t> binding;     ///< span that this one waited for last (same rank or another), -1: none

    std::vector<Ticks> busy;            ///< compute time per rank
    std::vector<double> peakInFlightB;  ///< per rank, in micro-batches x chunks, released by I or B
    std::vector<double> peakInFlightW;  ///< released by W or B

    [[nodiscard]] std::size_t spans() const { return start.size(); }
    [[nodiscard]] std::uint32_t begin(int rank, Lane lane) const {
        return laneBegin[static_cast<std::size_t>(rank * kLaneCount) + static_cast<std::size_t>(lane)];
    }
    [[nodiscard]] std::uint32_t finish(int rank, Lane lane) const {
        return laneBegin[static_cast<std::size_t>(rank * kLaneCount) + static_cast<std::size_t>(lane) + 1];
    }
};

}  // namespace trainyard
