#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// What an action does. F, I, W, B, R of the schedule notation, then what passes add.
enum class ActionKind : std::uint8_t {
    forward,
    backwardInput,
    backwardWeight,
    backward,
    recompute,
    optimizer,
    allGather,
    reduceScatter,
    allReduce,
    evict,
    load,
    offload,
    reload,
    send,
    receive,
    barrier,
};

enum class Lane : std::uint8_t { compute, tensor, context, expert, data, pipeline, host };
inline constexpr int kLaneCount = 7;

/// One step of one rank. 16 bytes.
struct Action {
    ActionKind kind = ActionKind::forward;
    std::uint8_t flags = 0;   ///< bits of ActionFlag
    std::uint16_t stage = 0;  ///< global stage 0..p*v-1, in model order
    std::uint16_t slice = 0;  ///< sequence slice
    std::uint8_t pipe = 0;    ///< of bidirectional schedules
    Lane lane = Lane::compute;
    std::uint32_t microBatch = 0;
    std::uint32_t weightVersion = 0;  ///< of a reduction: which bucket, see ActionLists::gradientBuckets
    bool operator==(const Action&) const = default;
};
static_assert(sizeof(Action) == 16);

enum ActionFlag : std::uint8_t {
    kRecomputed = 1,  ///< on a forward: nothing is kept, a recompute follows
    kPairHead = 2,
    kPairTail = 4,
    kGradient = 8,        ///< on a send or receive: of a gradient, to the stage before
    kAfterPrevious = 16,  ///< off the compute lane: issued when the compute action before it ends, not when it starts
};

/// The ordered actions of every rank, one contiguous array.
struct ActionLists {
    int stages = 0;  ///< p x v
    int microBatches = 0;
    int slices = 1;
    std::vector<Action> actions;
    std::vector<std::uint32_t> rankBegin;                 ///< size ranks + 1
    std::vector<std::vector<std::uint16_t>> rankOfStage;  ///< [pipe][stage] -> rank
    std::vector<std::uint8_t> pipeOfMicroBatch;           ///< empty: all on pipe 0
    /// Reductions that share the gradients of a stage evenly; each is ready when its share of the last gradient action is done.
    int gradientBuckets = 1;
    std::vector<std::uint8_t> localLoss;  ///< [stage] 1: its backward needs no gradient from the next stage; empty: none

    [[nodiscard]] int ranks() const { return static_cast<int>(rankBegin.size()) - 1; }
    [[nodiscard]] std::uint8_t pipeOf(std::uint32_t microBatch) const {
        return pipeOfMicroBatch.empty() ? std::uint8_t{0} : pipeOfMicroBatch[microBatch];
    }
};

}  // namespace trainyard
