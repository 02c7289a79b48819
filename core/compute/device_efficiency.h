#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/cluster/accelerator_spec.h"
#include "core/model/precision.h"
#include "core/plan/workload.h"

namespace trainyard {

/// Device generations whose kernels behave alike. `other`: unknown; conservative constants.
enum class DeviceGeneration : std::uint8_t { volta, ampere, ada, hopper, blackwell, cdna2, cdna3, cdna4, tpu, gaudi, trainium, ascend, other };

/// How matrix products of one precision run on a device. Fractions are of the dense peak of that precision.
struct GemmEfficiency {
    double burstShare = 0.8;      ///< of peak for a large product at full clock
    double sustainedShare = 0.7;  ///< of peak that the power limit leaves during a long run, however good the shape
    double kRamp = 200;           ///< extra depth (elements of k) that filling and draining a tile costs
    double overheadS = 2e-6;      ///< fixed cost inside the device, per product
    double waveRounding = 0.4;    ///< 1: waves of tiles round up to whole waves, 0: no wave quantization
};

/// What a device reaches of what its data sheet says. Named constants of this struct can be overridden by calibration.
struct DeviceEfficiency {
    DeviceGeneration generation = DeviceGeneration::other;
    int multiprocessors = 100;
    GemmEfficiency gemm16;        ///< fp16 and bf16, also fp32 and tf32
    GemmEfficiency gemm8;         ///< fp8 and mxfp8
    GemmEfficiency gemm4;         ///< nvfp4
    double groupedGemmShare = 0.8;       ///< rate of products over several experts against one product of their size
    double attentionShareFlash1 = 0.35;  ///< forward, long sequences, head dimension 128
    double attentionShareFlash2 = 0.5;
    double attentionShareFlash3 = 0.5;
    double attentionDim64Share = 0.78;   ///< rate at head dimension 64 over that at 128
    double attentionHalfLength = 400;    ///< sequence length at half speed
    double attentionBackwardShare = 0.65;///< backward rate over forward rate
    double memoryShare = 0.8;            ///< achievable over nominal memory bandwidth for element-wise kernels
    double normForwardShare = 0.55;      ///< of memory bandwidth for a fused norm, one read and one write (H100: 2066 of 3350 GB/s)
    double normBackwardShare = 0.28;     ///< two reads and one write (H100 620, A100 508 to 628 GB/s)
    double rotaryPasses = 4.5;           ///< reads and writes of rotary positions written as framework operations, over the least
    double gatedPasses = 2.5;            ///< the same for the gated activation: silu, product and the joining of its gradients
    double unfusedNormShare = 0.064;     ///< of memory bandwidth for a norm written as several kernels, counting one read and one write
    double optimizerShare = 0.7;         ///< of memory bandwidth during the optimizer step
    double kernelS = 3e-6;               ///< start and drain of a memory-bound kernel on the device
    double dispatchS = 38e-6;            ///< host time to issue one simple framework operation: a pass is never faster than its operations
    double tensorSlowdown = 1.4;         ///< the same beside collectives inside the node, which take multiprocessors and memory bandwidth
    double communicationSlowdown = 1.2;  ///< of compute while a collective runs beside it
};

/// Constants of a device from its architecture, with the user's calibration on top (keys `compute.*`).
/// Sources: aiconfigurator operator tables (Apache-2.0), matmul ceilings of the ml-engineering book, FlashAttention and
/// Liger-Kernel benchmark notes; each figure is named in device_efficiency.cpp.
[[nodiscard]] DeviceEfficiency deviceEfficiency(const AcceleratorSpec& accelerator, const std::map<std::string, double>& calibration);

/// Dense peak that products of this precision run at: its own if the device has one, else that of the widest it falls back to.
[[nodiscard]] double effectivePeak(const AcceleratorSpec& accelerator, Precision precision);
[[nodiscard]] const GemmEfficiency& gemmEfficiency(const DeviceEfficiency& device, Precision precision);

}  // namespace trainyard
