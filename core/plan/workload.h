#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/precision.h"

namespace trainyard {

enum class AttentionKernel : std::uint8_t { unfused, flash, flash2, flash3 };
[[nodiscard]] std::string_view name(AttentionKernel kernel);
[[nodiscard]] std::optional<AttentionKernel> attentionKernelFromName(std::string_view name);

/// What kind of software trains, as far as memory shows it: which tensors its kernels keep, how it computes the loss, and
/// what its allocator holds. Names in files: the enumerator names.
enum class SoftwareStack : std::uint8_t {
    fused,    ///< Megatron-Core with Transformer Engine: fused kernels, gradients added in place, vocabulary-parallel loss
    classic,  ///< Megatron-LM and Megatron-DeepSpeed with attention written as several kernels
    eager,    ///< PyTorch with tensor-parallel layers and a vocabulary-parallel loss, e.g. nanotron
    gathered, ///< PyTorch that gathers the logits of the tensor ranks for its loss
    sharded,  ///< PyTorch FSDP, DeepSpeed ZeRO-3
};
[[nodiscard]] std::string_view name(SoftwareStack stack);
[[nodiscard]] std::optional<SoftwareStack> softwareStackFromName(std::string_view name);

/// Operators that keep less for backward at no arithmetic to speak of (Tempo, arXiv 2210.10246); a bit set.
enum class InPlaceOperator : std::uint8_t {
    activation = 1,  ///< plain activation: its output and one byte of mask instead of its input
    norm = 2,        ///< norm: its output, which the next product keeps anyway, instead of its input
    dropout = 4,     ///< dropout of attention scores: the mask only; the product is made again
};
[[nodiscard]] std::string_view name(InPlaceOperator which);
[[nodiscard]] std::optional<InPlaceOperator> inPlaceOperatorFromName(std::string_view name);
inline constexpr InPlaceOperator kAllInPlaceOperators[] = {InPlaceOperator::activation, InPlaceOperator::norm, InPlaceOperator::dropout};

/// What is trained per step and in which number formats.
struct Workload {
    std::int64_t sequenceLength = 4096;
    std::int64_t globalBatchSize = 256;   ///< sequences per step
    Precision precision = Precision::bf16;
    std::optional<Precision> gradientPrecision;  ///< kept and reduced in; absent: fp32 (bf16 runs), fp32
    std::string optimizer = "adamw";      ///< id of an optimizer recipe
    AttentionKernel attention = AttentionKernel::flash2;
    bool fusedNorm = true;
    std::int64_t lossChunks = 1;          ///< logits are made and consumed in so many parts of the micro-batch (chunked cross-entropy)
    std::uint8_t inPlace = 0;             ///< bits of InPlaceOperator
    [[nodiscard]] bool runsInPlace(InPlaceOperator which) const { return (inPlace & static_cast<std::uint8_t>(which)) != 0; }
    std::optional<SoftwareStack> stack;   ///< absent: inferred, see softwareStack() in core/memory/software_stack.h
    bool causalFlopsHalved = false;       ///< MFU convention; false: full attention counted (Megatron-LM)
    std::optional<double> tokensTotal;    ///< length of the training run
    bool operator==(const Workload&) const = default;
};

}  // namespace trainyard
