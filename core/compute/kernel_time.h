#pragma once

#include "core/cluster/accelerator_spec.h"
#include "core/compute/device_efficiency.h"
#include "core/plan/workload.h"

namespace trainyard {

/// A device as the pricing functions need it: data sheet and what is reached of it. Cheap to copy.
struct PricedDevice {
    const AcceleratorSpec* accelerator = nullptr;  ///< borrowed from the topology
    DeviceEfficiency efficiency;
    double peakFlopsPerS = 0;      ///< dense peak of the workload's precision, as run
    double peak16FlopsPerS = 0;    ///< dense peak of 16-bit products
    double memoryBytesPerS = 0;
    double slowdown = 1;           ///< > 1: everything takes so much longer (hot or throttled node)
};

/// One matrix product, named terms. totalS = max(mathS, memoryS) + castS + overheadS.
struct GemmTime {
    double burstS = 0;      ///< tiles in waves over the multiprocessors, with the k ramp, at full clock
    double sustainedS = 0;  ///< the same FLOPs at what the power limit leaves
    double mathS = 0;       ///< both together, (burst^8 + sustained^8)^(1/8): a shape that idles the device saves power
    double memoryS = 0;     ///< operands and result over memory bandwidth
    double castS = 0;       ///< conversion of the activations to 8 or 4 bits
    double overheadS = 0;
    double waves = 0;
    double efficiency = 0;  ///< of the dense peak
    [[nodiscard]] double totalS() const { return (mathS > memoryS ? mathS : memoryS) + castS + overheadS; }
};

/// [m, k] x [k, n], `batch` times in one launch. Tile and wave quantization: the best of four output tiles; a wave runs one
/// tile per multiprocessor and costs 2 tm tn (k + ramp) FLOPs. Rows that are not a multiple of 8 elements miss the tensor
/// cores' fast path (H100: 10922 against 10944 columns, 273 against 398 TFLOPS).
[[nodiscard]] GemmTime gemmTime(const PricedDevice& device, Precision precision, double m, double n, double k, double batch);

/// One pass of softmax attention over one device's heads.
struct AttentionTime {
    double mathS = 0;       ///< unfused: two batched matrix products
    double memoryS = 0;     ///< unfused: scores and probabilities through memory
    double flops = 0;       ///< executed (causal half counted once)
    double rateFlopsPerS = 0;
    [[nodiscard]] double totalS() const { return mathS + memoryS; }
};

struct AttentionShape {
    double sequences = 1, queryLength = 0, keyLength = 0, heads = 0, headDim = 0, valueDim = 0;
    bool causal = true;
};
[[nodiscard]] AttentionTime attentionForwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape);
/// Five products instead of two, at `attentionBackwardShare` of the forward rate (FlashAttention-2, arXiv 2307.08691).
[[nodiscard]] AttentionTime attentionBackwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape);

/// Element-wise kernels: bytes over achievable bandwidth plus the start of each kernel.
[[nodiscard]] double memoryBoundTime(const PricedDevice& device, double bytes, double kernels);

}  // namespace trainyard
