#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/model_spec.h"
#include "core/plan/plan.h"
#include "core/plan/workload.h"

namespace trainyard {

enum class OperatorKind : std::uint8_t {
    gemm,         ///< m x n x k, `batch` times
    groupedGemm,  ///< `batch` local experts; m is the tokens of all of them together
    attention,    ///< softmax attention core: scores, softmax, weighted sum
    scan,         ///< linear-time mixer core
    elementwise,  ///< bytes only: norms, activations, residuals, rotary, dropout, router softmax, loss
    collective,   ///< no arithmetic; see `collective*`
};

enum class CollectiveKind : std::uint8_t { none, allReduce, allGather, reduceScatter, allToAll, sendRecv, ring };

/// What a collective runs over.
enum class CollectiveGroup : std::uint8_t { none, tensor, context, expert, expertTensor, data };

/// Which part of a layer an operator belongs to.
enum class ModuleTag : std::uint8_t { attention, attentionCore, norm, activation, mlp, moe, router, residual, embedding, head, loss };

/// One operator of one layer on one device after sharding, for one micro-batch. All numbers are per device.
/// A collective is an operator of its own, standing directly before the operator that waits for its result or directly
/// after the one whose result it sends; the backward pass runs the list in reverse, so `backwardCollective` of the
/// gather before a matrix product follows that product's input gradient.
struct Operator {
    std::string_view name;         ///< the field's own term: "query-key-value", "attention core", "expert up"
    OperatorKind kind = OperatorKind::elementwise;
    ModuleTag module = ModuleTag::mlp;
    bool tiedToEmbedding = false;  ///< its parameters are those of the input embedding (a second copy on another stage)
    bool shardedOverTensor = true; ///< false: every tensor rank holds the same parameters and their gradients are summed

    // gemm: activations [m, k] times weights [k, n]
    double m = 0, n = 0, k = 0, batch = 1;
    // attention core: `sequences` x queries of `queryLength` against `keyLength` keys, `heads` (`kvHeads` of keys and
    // values) of `headDim` (values: `valueDim`). A sliding window has keyLength = mean keys seen and causal = false.
    double sequences = 0, queryLength = 0, keyLength = 0, heads = 0, kvHeads = 0, headDim = 0, valueDim = 0;
    bool causal = true;

    double forwardFlops = 0;       ///< attention: the full rectangle, also if causal (the kernel skips about half)
    double backwardInputFlops = 0; ///< attention: 2 x forward; recomputation inside a flash kernel is not counted
    double backwardWeightFlops = 0;
    double forwardBytes = 0;       ///< read and written in memory
    double backwardBytes = 0;
    double kernels = 1;            ///< launches in forward (backward: about twice)

    double parameters = 0;         ///< held by this device for this operator, before ZeRO sharding
    double expertParameters = 0;   ///< part of `parameters` that is sharded by the expert data group
    double savedBytes = 0;         ///< kept from forward to backward
    double savedForWeightBytes = 0;///< part of savedBytes that only the weight gradient frees (inputs of matrix products)
    double weightGradientInputBytes = 0;  ///< output gradient kept from the input-gradient to the weight-gradient pass
    double outputBytes = 0;        ///< its result, alive at least until the next operator has read it
    double workspaceBytes = 0;     ///< alive only while it runs (forward or backward, the larger)

    // Recomputation, bits of RecomputeModule. What is dropped is recomputed by running again the operators that made it.
    std::uint16_t droppedBy = 0;   ///< savedBytes are not kept if any of these modules is recomputed
    std::uint16_t rerunBy = 0;     ///< runs again in backward if any of these modules is recomputed
    double keptByEverySecondMatmul = 0;  ///< bytes kept under every_second_matmul (instead of savedBytes)
    double rerunByEverySecondMatmul = 1; ///< share of its forward work done again under every_second_matmul
    double keptByFull = 0;         ///< bytes kept when the whole layer is recomputed (the layer's input)

    CollectiveKind collective = CollectiveKind::none;
    CollectiveGroup group = CollectiveGroup::none;
    double collectiveBytes = 0;    ///< full message (before division by the group), forward; all-to-all: sent by one device
    CollectiveKind backwardCollective = CollectiveKind::none;
    double backwardCollectiveBytes = 0;
};

/// The sharding that an operator list is made for.
struct Sharding {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::int64_t expertTensor = 1;
    bool sequenceParallel = false;
    ContextMethod contextMethod = ContextMethod::ring;
    std::int64_t microBatchSize = 1;
    SoftwareStack stack = SoftwareStack::fused;
    std::int64_t vocabDivisor = 128;  ///< the vocabulary is padded to a multiple of this x tensor (Megatron-LM); 1: as it is

    bool operator==(const Sharding&) const = default;
};

/// Vocabulary rows after padding, all tensor ranks together.
[[nodiscard]] std::int64_t paddedVocabulary(const ModelSpec& model, const Sharding& sharding);
/// How a context group of `sharding.context` splits into Ulysses (heads) x ring (sequence) for the chosen method.
struct ContextSplit {
    std::int64_t ulysses = 1;
    std::int64_t ring = 1;
};
[[nodiscard]] ContextSplit contextSplit(const ModelSpec& model, const LayerKind& kind, const Sharding& sharding);
/// Whether this family trains with dropout (GPT-2 and GPT-3 recipes with attention written as several kernels: learned
/// positions, biases, plain feed-forward), unless the model says so itself. Later recipes of the family train without.
[[nodiscard]] bool usesDropout(const ModelSpec& model, const Workload& workload);

/// What a software stack keeps and allocates besides the operators themselves.
struct StackTraits {
    double lossKeptBytes = 4;      ///< per logit, from the loss to its backward
    double lossPeakBytes = 10;     ///< per logit, alive at once around the loss
    bool gathersLogits = false;    ///< every tensor rank computes the loss on all logits
    double gatheredInputs = 0;     ///< share of the gathered inputs of column-parallel products kept for backward
    bool keepsPackedProjection = false;  ///< a view of the packed query-key-value result keeps all of it beside the rotated copies
    bool keepsStageOutputs = false;///< outputs of a pipeline stage stay until their backward
    double gradientCopyBytes = 0;  ///< per parameter, beside the gradients of the workload's precision
    double reductionCopyBytes = 0; ///< per parameter, flat copies made for the reduction of gradients
    double stepBytes = 0;          ///< per parameter of the shard, temporaries of the optimizer step
    double flattenBytes = 0;       ///< besides, where gradients are 16-bit and are flattened and cast for the step
    double dynamicSlack = 0.15;    ///< blocks the allocator holds, per byte of activations and temporaries
    double contextBytes = 0.8 * 1073741824.0;  ///< device context: 0.45 to 0.9 GiB, 1.8 with the PyTorch of 2021 (UC-079)
    double firstGroupBytes = 600 * 1048576.0;  ///< communication library with its first process group; 1 to 2 GiB in 2021 (UC-026)
    double reservedPerLogit = 0;   ///< blocks the allocator holds on stages without the head, per logit
};
[[nodiscard]] const StackTraits& stackTraits(SoftwareStack stack);

/// Operators of one layer of this kind, in execution order.
[[nodiscard]] std::vector<Operator> layerOperators(const ModelSpec& model, const LayerKind& kind, const Workload& workload, const Sharding& sharding);
/// Operators of the input embedding, and of final norm, head and loss. A tied head carries its parameters with
/// `tiedToEmbedding`, to be counted only where the head's stage does not hold the embedding.
[[nodiscard]] std::vector<Operator> embeddingOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding);
[[nodiscard]] std::vector<Operator> headOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding);

}  // namespace trainyard
