#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cluster/accelerator_spec.h"
#include "core/memory/optimizer_recipes.h"
#include "core/memory/stage_memory.h"
#include "core/model/model_spec.h"
#include "core/model/operator_ledger.h"
#include "core/plan/plan.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario.h"
#include "core/plan/workload.h"

namespace trainyard {

/// What one recomputation mode keeps of an operator list, bytes per micro-batch.
struct KeptBytes {
    double bytes = 0;        ///< from forward to backward
    double forWeight = 0;    ///< part that only the weight gradient frees
    double comesBack = 0;    ///< made again by recomputation while the layer's backward runs
    void add(const KeptBytes& other, double count) {
        bytes += count * other.bytes;
        forWeight += count * other.forWeight;
        comesBack += count * other.comesBack;
    }
};

/// What memory needs to know of one operator list (one layer, the embedding, or the head), per device and micro-batch.
/// Independent of the stage, the schedule and ZeRO, so an evaluation can keep it per kind of layer.
struct LedgerMemory {
    double denseParameters = 0;     ///< replicated over the data group unless ZeRO shards them
    double expertParameters = 0;    ///< replicated over the expert data group
    double tiedParameters = 0;      ///< head weights that are the embedding's
    double matrixParameters = 0;    ///< part of both that 8- and 4-bit recipes cache a cast copy of
    KeptBytes none, selective, full;
    double weightGradientInputs = 0;///< output gradients that a split backward keeps for the weight pass
    double backwardWorkingSet = 0;  ///< largest sum of gradients and buffers alive at once in backward
    double lossKept = 0;            ///< fp32 softmax kept by the loss
    double lossPeak = 0;            ///< logits, their fp32 copy and the softmax, all alive
    double expertBuffers = 0;       ///< token copies in flight around the experts
    double logits = 0;              ///< per tensor rank: tokens x vocabulary shard
    double embeddingGradient = 0;   ///< dense gradient of the token embedding in 16 bit
};

/// `modules`: bits of RecomputeModule that selective recomputation covers.
[[nodiscard]] LedgerMemory ledgerMemory(std::span<const Operator> operators, std::uint16_t modules);

/// The ledger of a whole model for one sharding, folded for memory. Layers of equal kind share one entry.
struct ModelMemory {
    LedgerMemory embedding, head;
    std::vector<LedgerMemory> kinds;
    struct Run {
        std::int64_t end = 0;                ///< layer after the last of this run
        std::size_t kind = 0;                ///< index into `kinds`
    };
    std::vector<Run> runs;                   ///< of equal layers, in model order
    std::int64_t layers = 0;
    SoftwareStack stack = SoftwareStack::fused;
    double boundaryBytes = 0;                ///< activations passed between stages, per micro-batch and device
};
[[nodiscard]] ModelMemory modelMemory(const ModelSpec& model, const Workload& workload, const Sharding& sharding, std::uint16_t modules);

/// How the plan shards tensors (`Sharding`), taken from it; the second also says which software stack keeps them.
[[nodiscard]] Sharding shardingOf(const Plan& plan);
[[nodiscard]] Sharding shardingOf(const Scenario& scenario);

/// Where training state goes: groups over which ZeRO divides, and bytes per parameter.
struct StatePlan {
    StateBytes bytes;
    std::int64_t zeroStage = 0;
    double denseShards = 1;    ///< devices that share the dense state of this device
    double expertShards = 1;   ///< devices that share the expert state
    double optimizerOffload = 0;
};
[[nodiscard]] StatePlan statePlan(const Workload& workload, const Plan& plan, const ResolvedPlan& resolved);

/// Which layers and ends one pipeline rank holds.
struct StageContents {
    int pipelineRank = 0;
    std::span<const std::pair<std::int64_t, std::int64_t>> layers;  ///< (first, count) per chunk, in model order
    bool embedding = false;
    bool head = false;
};

/// How many activations a schedule keeps on one rank, in chunks of one micro-batch (chunks x micro-batches).
struct InFlight {
    double untilInput = 1;   ///< freed by the input gradient (or the whole backward)
    double untilWeight = 1;  ///< freed by the weight gradient; equal to untilInput where backward is not split
    double atHead = 1;       ///< micro-batches whose loss waits for its backward
    bool splitBackward = false;
};

enum class MemoryCategory : std::uint8_t { parameters, gradients, optimizer, activations, logits, temporary, communication, framework };
inline constexpr int kMemoryCategories = 8;
[[nodiscard]] std::string_view name(MemoryCategory category);

/// Every intermediate of one stage's memory. Fields are bytes unless named otherwise; the sum of the eight categories is
/// `deviceBytes`. The explanation of a figure is built from the same fields.
struct MemoryBreakdown {
    // parameters held by this device (numbers, not bytes)
    double denseParameters = 0, expertParameters = 0, matrixParameters = 0;
    // states
    double weights = 0, weightCaches = 0, gradients = 0, gradientCopy = 0, master = 0, moments = 0;
    // activations
    double keptPerMicroBatch = 0;   ///< all chunks of this rank
    double inFlightMicroBatches = 0;
    double kept = 0;                ///< from forward to backward, all micro-batches in flight
    double stageOutputs = 0;        ///< outputs sent on but kept by stacks that do not free them
    double waitingForWeight = 0;    ///< besides, what a split backward keeps for the weight pass
    double offloaded = 0;           ///< part of `kept` in host memory (already subtracted)
    // head
    double logits = 0, headGradient = 0;
    // temporary
    double recomputedLayer = 0, backwardWorkingSet = 0, embeddingGradient = 0, optimizerStep = 0, kernelWorkspace = 0;
    // communication
    double gatheredWeights = 0, reductionBuffers = 0, stageBuffers = 0, expertBuffers = 0;
    // outside tensors
    double allocatorSlack = 0, phaseSlack = 0, context = 0, communicators = 0;

    std::array<double, kMemoryCategories> category{};
    double allocatedBytes = 0, reservedBytes = 0, deviceBytes = 0;
    double loadPeakBytes = 0, optimizerPeakBytes = 0;
};

/// Number of process groups in use, for communicator buffers.
[[nodiscard]] int communicatorCount(const Plan& plan, const ResolvedPlan& resolved);

/// Peak memory of the fullest device of a stage. Sources: Korthikanti et al. (arXiv 2205.05198) for activations, Rajbhandari
/// et al. (arXiv 1910.02054) for sharded state, the named constants of memory_constants.h for the rest.
[[nodiscard]] MemoryBreakdown memoryBreakdown(const ModelMemory& model, const StageContents& stage, const InFlight& inFlight, const StatePlan& state,
                                              const Workload& workload, const Plan& plan, const ResolvedPlan& resolved);

/// The contract's figures of that breakdown. `device`: the fullest device of the stage. Where memory runs short the allocator
/// gives `phaseSlack` back before it fails.
[[nodiscard]] StageMemory stageMemory(const MemoryBreakdown& breakdown, int stage, int device, const AcceleratorSpec& accelerator);

/// What the driver shows of an accelerator's memory; 0.985 x label where that is not known.
[[nodiscard]] double usableBytes(const AcceleratorSpec& accelerator);

/// Verdict and peaks over all stages.
[[nodiscard]] MemorySummary memorySummary(std::vector<StageMemory> stages);

/// One named part of a breakdown, for tables and explanations.
struct MemoryTerm {
    MemoryCategory category;
    std::string_view symbol;
    std::string_view name;
    double bytes = 0;
};
/// The non-zero parts; they add up to deviceBytes.
[[nodiscard]] std::vector<MemoryTerm> memoryTerms(const MemoryBreakdown& breakdown);

}  // namespace trainyard
