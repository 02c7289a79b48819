#include "core/model/operator_ledger.h"

namespace trainyard {

namespace {

// Bytes per logit. Megatron-LM's vocabulary-parallel loss: 16-bit logits, their fp32 copy, the exponentials, then all in
// place: 2 + 4 + 4. A loss written in PyTorch: 16-bit logits, log-softmax, its gradient, the logits' gradient in fp32 and
// in 16 bit: 2 + 4 + 4 + 4 + 2. FSDP recipes span 4 (fused kernels) to 16
// (eager), compiled losses lie between.
// Optimizer step of PyTorch's foreach kernels: the square root of the second moment, fp32, 4, and until 2.1 its denominator, 4;
// 16-bit gradients are flattened first (their fp32 copy is part of the state recipe). Fused kernels need neither.
constexpr StackTraits fusedTraits() {
    StackTraits t;
    t.keepsPackedProjection = true;
    return t;
}
constexpr StackTraits classicTraits() {
    StackTraits t;
    t.keepsPackedProjection = true;
    t.keepsStageOutputs = true;
    t.contextBytes = 1.8 * 1073741824.0;
    t.firstGroupBytes = 1.5 * 1073741824.0;
    t.flattenBytes = 2;
    return t;
}
constexpr StackTraits eagerTraits() {
    StackTraits t;
    t.gatheredInputs = 0.7;
    t.gradientCopyBytes = 2;
    t.reductionCopyBytes = 4;
    t.dynamicSlack = 0;
    t.reservedPerLogit = 10;
    return t;
}
constexpr StackTraits gatheredTraits() {
    StackTraits t;
    t.lossPeakBytes = 16;
    t.gathersLogits = true;
    t.gatheredInputs = 1;
    t.stepBytes = 8;
    t.flattenBytes = 2;
    t.dynamicSlack = 0.3;
    return t;
}
constexpr StackTraits shardedTraits() {
    StackTraits t;
    t.lossPeakBytes = 8;
    t.stepBytes = 4;
    t.flattenBytes = 4;
    t.dynamicSlack = 0.07;
    return t;
}

constexpr StackTraits kTraits[] = {fusedTraits(), classicTraits(), eagerTraits(), gatheredTraits(), shardedTraits()};

}  // namespace

const StackTraits& stackTraits(SoftwareStack stack) { return kTraits[static_cast<std::size_t>(stack)]; }

}  // namespace trainyard
