#pragma once

#include "core/plan/scenario.h"

namespace trainyard {

/// The software that the scenario is taken to run on: what the workload says, else inferred from what only some stacks do.
/// ZeRO-3: FSDP. flash3 (and cuDNN): Megatron-Core. A GPT-2 style model (biases, plain feed-forward) with attention in several
/// kernels: the Megatron-LM of 2021 to 2023. 16-bit gradients in bf16 training, which Megatron adds up in fp32: PyTorch
/// with gathered logits, except for attention in several kernels without ZeRO. Attention in several kernels: the Megatron-LM
/// of 2021 to 2023. Context parallelism, interleaved and zero-bubble schedules: Megatron-Core. flash2 on a Hopper or later
/// NVIDIA device, where Megatron-Core would use cuDNN: PyTorch with tensor-parallel layers. Else Megatron-Core.
[[nodiscard]] SoftwareStack softwareStack(const Scenario& scenario);

}  // namespace trainyard
