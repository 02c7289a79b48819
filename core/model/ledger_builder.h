#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/model/operator_ledger.h"

namespace trainyard::ledger {

inline constexpr std::uint16_t bit(RecomputeModule module) { return static_cast<std::uint16_t>(module); }
inline constexpr std::uint16_t operator|(RecomputeModule a, RecomputeModule b) { return static_cast<std::uint16_t>(bit(a) | bit(b)); }

/// Bytes per element in which a linear layer keeps its input for the weight gradient. Transformer Engine keeps only the
/// 8- or 4-bit copy (with block scales: one per 32 values for mxfp8, per 16 for nvfp4) that the weight gradient reads.
inline double savedLinearBytes(Precision precision) {
    switch (precision) {
        case Precision::fp8: return 1.0;
        case Precision::mxfp8: return 1.0 + 1.0 / 32;
        case Precision::nvfp4: return 0.5 + 1.0 / 16;
        default: return storageBytes(precision);
    }
}

/// What every operator of one list shares: token counts and element sizes on one device.
struct Frame {
    const ModelSpec& model;
    const Workload& workload;
    const Sharding& sharding;
    double t = 1;             ///< tensor parallel degree
    double elementBytes = 2;  ///< of activations
    double linearBytes = 2;   ///< of saved inputs of linear layers
    double hidden = 0;
    double tokens = 0;        ///< of one micro-batch on this context rank
    double regionTokens = 0;  ///< tokens in norms and residuals: divided by tensor under sequence parallelism
    bool sequenceParallel = false;
    bool dropout = false;
    [[nodiscard]] bool inPlace(InPlaceOperator which) const { return workload.runsInPlace(which); }

    Frame(const ModelSpec& modelSpec, const Workload& work, const Sharding& shard)
        : model(modelSpec), workload(work), sharding(shard),
          t(static_cast<double>(shard.tensor)),
          elementBytes(storageBytes(work.precision)),
          linearBytes(savedLinearBytes(work.precision)),
          hidden(static_cast<double>(modelSpec.hiddenSize)),
          tokens(static_cast<double>(shard.microBatchSize) * static_cast<double>(work.sequenceLength) / static_cast<double>(shard.context)),
          sequenceParallel(shard.sequenceParallel && shard.tensor > 1),
          dropout(usesDropout(modelSpec, work)) {
        regionTokens = sequenceParallel ? tokens / t : tokens;
    }
};

/// An element-wise operator that reads and writes so many bytes.
inline Operator elementwise(std::string_view name, ModuleTag module, double forwardBytes, double backwardBytes) {
    Operator op;
    op.name = name;
    op.kind = OperatorKind::elementwise;
    op.module = module;
    op.forwardBytes = forwardBytes;
    op.backwardBytes = backwardBytes;
    return op;
}

/// A matrix product [m, k] x [k, n] with its weight: 2 m n k each for forward, input and weight gradient.
inline Operator matmul(std::string_view name, ModuleTag module, double m, double n, double k, double elementBytes, bool bias) {
    Operator op;
    op.name = name;
    op.kind = OperatorKind::gemm;
    op.module = module;
    op.m = m;
    op.n = n;
    op.k = k;
    op.forwardFlops = op.backwardInputFlops = op.backwardWeightFlops = 2 * m * n * k;
    op.forwardBytes = elementBytes * (m * k + k * n + m * n);
    op.backwardBytes = elementBytes * (2 * m * n + k * n + 2 * m * k) + 8 * k * n;  // weight gradient added into fp32
    op.parameters = k * n + (bias ? n : 0);
    op.weightGradientInputBytes = m * n * elementBytes;
    op.outputBytes = m * n * elementBytes;
    return op;
}

inline Operator collective(std::string_view name, ModuleTag module, CollectiveGroup group, CollectiveKind forward, double forwardBytes,
                           CollectiveKind backward, double backwardBytes) {
    Operator op;
    op.name = name;
    op.kind = OperatorKind::collective;
    op.module = module;
    op.group = group;
    op.collective = forward;
    op.collectiveBytes = forward == CollectiveKind::none ? 0 : forwardBytes;
    op.backwardCollective = backward;
    op.backwardCollectiveBytes = backward == CollectiveKind::none ? 0 : backwardBytes;
    op.kernels = 1;
    return op;
}

/// A normalisation of `tokens` vectors of `width`, its input kept for backward (statistics: 4 bytes a token each).
[[nodiscard]] Operator norm(const Frame& frame, std::string_view name, double tokens, double width, bool fused);
/// What enters column-parallel products: gather of the sequence shards, or the reduction of their input gradients.
void enterTensorParallel(const Frame& frame, std::vector<Operator>& list, double width, ModuleTag module, std::uint16_t rerunBy);
/// What leaves row-parallel products: sum of partial results over the tensor group.
void leaveTensorParallel(const Frame& frame, std::vector<Operator>& list, double width, ModuleTag module, std::uint16_t rerunBy);

void appendAttention(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list);
void appendLinearMixer(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list);
void appendDenseFeedForward(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list);
void appendMoe(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list);
/// Dropout of a sub-layer's result and its addition to the residual stream.
void appendResidual(const Frame& frame, std::vector<Operator>& list);

}  // namespace trainyard::ledger
