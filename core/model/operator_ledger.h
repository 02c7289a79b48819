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
    groupedGemm,  ///< `batch` experts of m x n x k each
    attention,    ///< softmax attention core: scores, softmax, weighted sum
    scan,         ///< linear-time mixer core
    elementwise,  ///< bytes only: norms, activations, residuals, rotary, dropout, router softmax, loss
    collective,   ///< no arithmetic; see `collective*`
};

enum class CollectiveKind : std::uint8_t { none, allReduce, allGather, reduceScatter, allToAll, sendRecv, ring };

/// What a collective runs over.
enum class CollectiveGroup : std::uint8_t { none, tensor, context, expert, expertTensor, data };

/// Which part of a layer an operator belongs to; selective recomputation names these.
enum class ModuleTag : std::uint8_t { attention, attentionCore, norm, activation, mlp, moe, router, residual, embedding, head, loss };

/// One operator of one layer on one device after sharding, for one micro-batch. All numbers are per device.
struct Operator {
    std::string_view name;         ///< the field's own term: "query-key-value", "attention core", "expert up"
    OperatorKind kind = OperatorKind::elementwise;
    ModuleTag module = ModuleTag::mlp;

    // gemm: activations [m, k] times weights [k, n]
    double m = 0, n = 0, k = 0, batch = 1;
    // attention core: queries of length `queryLength` against `keyLength` keys, `heads` of `headDim` (value: `valueDim`)
    double sequences = 0, queryLength = 0, keyLength = 0, heads = 0, headDim = 0, valueDim = 0;
    bool causal = true;

    double forwardFlops = 0;
    double backwardInputFlops = 0;
    double backwardWeightFlops = 0;
    double forwardBytes = 0;       ///< read and written in memory
    double backwardBytes = 0;
    double kernels = 1;            ///< launches in forward (backward: about twice)

    double parameters = 0;         ///< held by this device for this operator, before ZeRO sharding
    double expertParameters = 0;   ///< part of `parameters` that is sharded by the expert data group
    double savedBytes = 0;         ///< kept from forward to backward
    double savedForWeightBytes = 0;///< part of savedBytes that only the weight gradient frees
    double workspaceBytes = 0;     ///< alive only while it runs (forward or backward, the larger)

    CollectiveKind collective = CollectiveKind::none;
    CollectiveGroup group = CollectiveGroup::none;
    double collectiveBytes = 0;    ///< full message (before division by the group), forward
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
};

/// Operators of one layer of this kind, in execution order.
[[nodiscard]] std::vector<Operator> layerOperators(const ModelSpec& model, const LayerKind& kind, const Workload& workload, const Sharding& sharding);
/// Operators of the input embedding, and of final norm, head and loss.
[[nodiscard]] std::vector<Operator> embeddingOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding);
[[nodiscard]] std::vector<Operator> headOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding);

}  // namespace trainyard
