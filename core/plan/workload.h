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

/// What is trained per step and in which number formats.
struct Workload {
    std::int64_t sequenceLength = 4096;
    std::int64_t globalBatchSize = 256;   ///< sequences per step
    Precision precision = Precision::bf16;
    std::optional<Precision> gradientPrecision;  ///< kept and reduced in; absent: fp32 (bf16 runs), fp32
    std::string optimizer = "adamw";      ///< id of an optimizer recipe
    AttentionKernel attention = AttentionKernel::flash2;
    bool fusedNorm = true;
    std::optional<SoftwareStack> stack;   ///< absent: inferred, see softwareStack() in core/memory/software_stack.h
    bool causalFlopsHalved = false;       ///< MFU convention; false: full attention counted (Megatron-LM)
    std::optional<double> tokensTotal;    ///< length of the training run
    bool operator==(const Workload&) const = default;
};

}  // namespace trainyard
