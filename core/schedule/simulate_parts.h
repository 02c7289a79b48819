#pragma once

// What the two forms of the simulator share; not for other code.

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard::simulation {

inline constexpr std::int32_t kNobody = -1;
inline constexpr std::size_t kComputeKinds = 5;  // F, I, W, B, R stand first in ActionKind

/// One direction of a stage boundary.
struct Link {
    Ticks occupied = 0;  ///< transfer time that holds the link
    Ticks latency = 0;
    std::int32_t link = kNobody;  ///< index of the directed rank pair; kNobody: same rank, or links are not serialized
};

struct Links {
    std::vector<Link> forward;  ///< [pipe][stage]
    std::vector<Link> backward;
    std::vector<Ticks> free;  ///< per directed rank pair: when the next transfer can start
    std::vector<std::int32_t> indexOfPair;

    void fill(const ActionLists& lists, const StageTimes& times);
    /// When a result that is ready at `end` arrives at the other side.
    [[nodiscard]] Ticks arrival(const Link& link, Ticks end) {
        if (link.link == kNobody) return end + link.occupied + link.latency;
        Ticks& next = free[static_cast<std::size_t>(link.link)];
        next = (next > end ? next : end) + link.occupied;
        return next + link.latency;
    }
};

/// A number in [-1, 1) that depends on the action and the seed only, so that it is the same in every run and engine.
[[nodiscard]] inline double jitterOf(const Action& a, std::uint32_t seed) {
    std::uint64_t x = (std::uint64_t{a.microBatch} << 32) ^ (std::uint64_t{a.stage} << 16) ^ a.slice ^
                      (static_cast<std::uint64_t>(a.kind) << 60) ^ (std::uint64_t{seed} * 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;  // splitmix64
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return static_cast<double>(x >> 11) / static_cast<double>(std::uint64_t{1} << 52) - 1.0;
}

/// Durations of the compute kinds, [pipe][kind][stage][slice]; one block for all pipes unless they differ.
struct ComputeDurations {
    std::vector<Ticks> ticks;
    std::size_t pipeStride = 0;
    std::size_t kindStride = 0;
    std::size_t slices = 1;
    double jitter = 0;
    std::uint32_t jitterSeed = 0;

    void fill(const ActionLists& lists, const StageTimes& times);
    [[nodiscard]] Ticks of(const Action& a) const {
        const Ticks exact =
            ticks[a.pipe * pipeStride + static_cast<std::size_t>(a.kind) * kindStride + a.stage * slices + a.slice];
        return jitter == 0 ? exact : exact + static_cast<Ticks>(static_cast<double>(exact) * jitter * jitterOf(a, jitterSeed));
    }
};

/// Duration of an action that is not a compute kind.
[[nodiscard]] Ticks otherDuration(const Action& action, const StageTimes& times);

/// Empty vectors read as zero.
[[nodiscard]] inline Ticks valueAt(const std::vector<Ticks>& values, std::size_t index) {
    return index < values.size() ? values[index] : 0;
}

/// The form for lists with other lanes or actions than compute.
struct LaneMemory {
    struct Edge {
        std::uint32_t to;
        std::uint8_t from;  ///< which of the producer's times counts
    };
    std::vector<std::uint32_t> spanOf;
    std::vector<std::uint32_t> edgeBegin;
    std::vector<Edge> edges;
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> ready;
    std::vector<Ticks> start, end, result, arrival;
    std::vector<std::int32_t> binding;
    ComputeDurations duration;
    Links links;
};
[[nodiscard]] Result<void> simulateLanes(const ActionLists& lists, const StageTimes& times, LaneMemory& memory, Timeline& out);

}  // namespace trainyard::simulation
