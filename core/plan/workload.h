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

/// What is trained per step and in which number formats.
struct Workload {
    std::int64_t sequenceLength = 4096;
    std::int64_t globalBatchSize = 256;   ///< sequences per step
    Precision precision = Precision::bf16;
    std::optional<Precision> gradientPrecision;  ///< kept and reduced in; absent: fp32 (bf16 runs), fp32
    std::string optimizer = "adamw";      ///< id of an optimizer recipe
    AttentionKernel attention = AttentionKernel::flash2;
    bool fusedNorm = true;
    bool causalFlopsHalved = false;       ///< MFU convention; false: full attention counted (Megatron-LM)
    std::optional<double> tokensTotal;    ///< length of the training run
    bool operator==(const Workload&) const = default;
};

}  // namespace trainyard
