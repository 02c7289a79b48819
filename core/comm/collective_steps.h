#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// One part of a tensor on its way from one member of a group to another.
struct StepTransfer {
    int from = 0;
    int to = 0;
    int part = 0;
    bool adds = false;  ///< summed with what the receiver has; else stored
    bool operator==(const StepTransfer&) const = default;
};

/// What a member holds of a part after a step.
enum class PartState : std::uint8_t { none, own, partial, complete, working };

/// All transfers that happen at the same time, and what everybody holds afterwards.
struct CollectiveStep {
    enum class Phase : std::uint8_t { start, reduceScatter, allGather, allToAll, attend, gather, compute, free };
    Phase phase = Phase::start;
    std::vector<StepTransfer> transfers;
    std::vector<std::vector<PartState>> holds;  ///< [member][part]
};

enum class CollectivePlay : std::uint8_t {
    allReduce,      ///< ring: reduce-scatter, then all-gather
    allToAll,       ///< pairwise: in step i everybody sends to its i-th neighbour
    ringAttention,  ///< blocks of keys and values go round; everybody attends with the block it has
    zeroGather,     ///< ZeRO 3: each layer is gathered, used and freed
};

inline constexpr int kMostMembers = 16;

/// The steps of a collective among `members` (2 to 16; clamped), the first one being the state before anything moved.
/// An all-reduce takes 2 (n - 1) steps, an all-to-all n - 1, ring attention n blocks in n - 1 hops, ZeRO 3 per layer n - 1
/// ring steps, one of work and one that frees. Sources: Patarasuk and Yuan 2009; arXiv 2310.01889; arXiv 1910.02054.
[[nodiscard]] std::vector<CollectiveStep> collectiveSteps(CollectivePlay kind, int members);

}  // namespace trainyard
