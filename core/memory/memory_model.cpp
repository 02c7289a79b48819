#include "core/memory/memory_model.h"

#include <algorithm>
#include <cmath>

#include "core/memory/memory_constants.h"

namespace trainyard {

namespace {

using namespace memory_constants;

/// Bytes of the cast copies that an 8- or 4-bit recipe keeps beside the 16-bit weights: one for each direction of the product.
/// `castPrimary`: the recipes that reduce gradients in 16 bit (Megatron-Bridge, NeMo) also gather 8-bit parameters and keep no
/// 16-bit copy; 4-bit parameters are not gathered.
double cachedWeightBytes(Precision precision, bool castPrimary) {
    // With gathered 8-bit parameters the two cast copies take the place of the 16-bit weight, 2 bytes for 2.
    if (castPrimary) return precision == Precision::mxfp8 ? 2.0 / 32 : precision == Precision::nvfp4 ? 2 * (0.5 + 1.0 / 16) : 0;
    switch (precision) {
        case Precision::fp8: return 2;
        case Precision::mxfp8: return 2 * (1 + 1.0 / 32);
        case Precision::nvfp4: return 2 * (0.5 + 1.0 / 16);
        default: return 0;
    }
}

/// Sums over the layers and ends of one rank.
struct StageSums {
    double dense = 0, expert = 0, matrices = 0;
    KeptBytes kept;
    double weightGradientInputs = 0;
    double workingSet = 0;         ///< largest of any layer
    double comesBack = 0;          ///< largest of any recomputed layer
    double expertBuffers = 0;
    double largestLayer = 0;       ///< parameters, for gathered weights
};

struct RecomputeChoice {
    RecomputeMode mode = RecomputeMode::none;
    std::int64_t fullLayers = 0;  ///< of the stage
};

RecomputeChoice recomputeOf(const Plan& plan, const StageContents& stage, std::int64_t layersHere, std::int64_t layersOfModel) {
    RecomputeChoice choice;
    const auto index = static_cast<std::size_t>(stage.pipelineRank);
    if (index < plan.recompute.perStage.size()) {
        const StageRecompute& own = plan.recompute.perStage[index];
        choice.mode = own.mode;
        choice.fullLayers = own.layers.value_or(layersHere);
    } else {
        choice.mode = plan.recompute.mode;
        const std::int64_t wanted = plan.recompute.layers.value_or(layersOfModel);
        // The model's share, spread evenly over the stages.
        choice.fullLayers = layersOfModel > 0 ? (wanted * layersHere) / layersOfModel : 0;
    }
    choice.fullLayers = std::clamp<std::int64_t>(choice.fullLayers, 0, layersHere);
    return choice;
}

StageSums sumStage(const ModelMemory& model, const StageContents& stage, const Plan& plan) {
    StageSums sums;
    std::int64_t layersHere = 0;
    for (const auto& [first, count] : stage.layers) layersHere += count;
    const RecomputeChoice choice = recomputeOf(plan, stage, layersHere, model.layers);
    const auto add = [&](const LedgerMemory& one, const KeptBytes& kept, std::int64_t layers) {
        if (layers <= 0) return;
        const double count = static_cast<double>(layers);
        sums.dense += count * one.denseParameters;
        sums.expert += count * one.expertParameters;
        sums.matrices += count * one.matrixParameters;
        sums.weightGradientInputs += count * one.weightGradientInputs;
        sums.largestLayer = std::max(sums.largestLayer, one.denseParameters + one.expertParameters);
        sums.workingSet = std::max(sums.workingSet, one.backwardWorkingSet);
        sums.expertBuffers = std::max(sums.expertBuffers, one.expertBuffers);
        sums.kept.add(kept, count);
        sums.comesBack = std::max(sums.comesBack, kept.comesBack);
    };
    std::int64_t seen = 0;
    for (const auto& [first, count] : stage.layers) {
        const std::int64_t end = first + count;
        std::int64_t layer = first;
        for (const ModelMemory::Run& run : model.runs) {
            if (run.end <= layer) continue;
            if (layer >= end) break;
            const std::int64_t here = std::min(run.end, end) - layer;
            const LedgerMemory& one = model.kinds[run.kind];
            // The first layers of a stage are recomputed: their activations would wait longest.
            const std::int64_t full = choice.mode == RecomputeMode::full ? std::clamp<std::int64_t>(choice.fullLayers - seen, 0, here) : 0;
            add(one, one.full, full);
            add(one, choice.mode == RecomputeMode::selective ? one.selective : one.none, here - full);
            layer += here;
            seen += here;
        }
    }
    if (stage.embedding) {
        sums.dense += model.embedding.denseParameters;
        sums.kept.add(model.embedding.none, 1);
    }
    if (stage.head) {
        sums.dense += model.head.denseParameters + (stage.embedding ? 0 : model.head.tiedParameters);
    }
    return sums;
}

}  // namespace

std::string_view name(MemoryCategory category) {
    constexpr std::string_view kNames[] = {"parameters", "gradients", "optimizer", "activations", "logits", "temporary", "communication", "framework"};
    return kNames[static_cast<std::size_t>(category)];
}

double usableBytes(const AcceleratorSpec& accelerator) {
    if (accelerator.memoryUsableBytes > 0) return accelerator.memoryUsableBytes;
    return 0.985 * accelerator.memoryBytes / 1e9 * kGiB;
}

StatePlan statePlan(const Workload& workload, const Plan& plan, const ResolvedPlan& resolved) {
    StatePlan state;
    state.zeroStage = plan.zeroStage;
    state.bytes = stateBytes(optimizerRecipe(workload.optimizer), workload.precision, resolved.gradientPrecision, plan.zeroStage >= 3);
    state.bytes.weightCaches = cachedWeightBytes(workload.precision, state.bytes.gradients <= 2);
    const double replicas = static_cast<double>(resolved.dataParallel * plan.contextParallel);
    state.denseShards = static_cast<double>(std::clamp<std::int64_t>(resolved.shardGroup, 1, std::max<std::int64_t>(1, resolved.dataParallel * plan.contextParallel)));
    const double expertReplicas = std::max(1.0, replicas * static_cast<double>(plan.tensorParallel) /
                                                    static_cast<double>(std::max<std::int64_t>(1, plan.expertParallel * plan.expertTensorParallel)));
    state.expertShards = std::min(expertReplicas, std::max(1.0, state.denseShards / replicas * expertReplicas));
    state.optimizerOffload = std::clamp(plan.optimizerOffloadFraction, 0.0, 1.0);
    return state;
}

int communicatorCount(const Plan& plan, const ResolvedPlan& resolved) {
    if (resolved.devices <= 1) return 0;
    int split = 0;  // dimensions in use
    if (plan.tensorParallel > 1) ++split;
    if (plan.pipelineParallel > 1) ++split;
    if (resolved.dataParallel > 1) ++split;
    if (plan.contextParallel > 1) ++split;
    if (plan.expertParallel > 1) ++split;
    if (split <= 1 && plan.tensorParallel == 1 && plan.pipelineParallel == 1) return 1;  // its group is the world's
    return split + 1 + (plan.pipelineParallel > 1 ? 1 : 0);  // the world; first and last stage share the embedding's gradient
}

MemoryBreakdown memoryBreakdown(const ModelMemory& model, const StageContents& stage, const InFlight& inFlight, const StatePlan& state,
                                const Workload& workload, const Plan& plan, const ResolvedPlan& resolved) {
    MemoryBreakdown out;
    const StageSums sums = sumStage(model, stage, plan);
    out.denseParameters = sums.dense;
    out.expertParameters = sums.expert;
    out.matrixParameters = sums.matrices;
    const auto sharded = [&](double bytes, bool divided) {
        return divided ? bytes * (sums.dense / state.denseShards + sums.expert / state.expertShards) : bytes * (sums.dense + sums.expert);
    };
    out.weights = sharded(state.bytes.weights, state.zeroStage >= 3);
    // FSDP casts a layer when it has gathered it; others keep the cast copies of all layers for the micro-batches of a step.
    out.weightCaches = state.bytes.weightCaches * (state.zeroStage >= 3 ? std::min(sums.matrices, sums.largestLayer) : sums.matrices);
    const StackTraits& traits = stackTraits(model.stack);
    out.gradients = sharded(state.bytes.gradients, state.zeroStage >= 2);
    if (state.bytes.gradients > 2 && state.zeroStage < 2) out.gradientCopy = sharded(traits.gradientCopyBytes, false);
    const double onDevice = 1 - state.optimizerOffload;
    out.master = sharded(state.bytes.master, state.zeroStage >= 1) * onDevice;
    out.moments = sharded(state.bytes.moments, state.zeroStage >= 1) * onDevice;

    // Activations.
    const double chunks = std::max<double>(1, static_cast<double>(stage.layers.size()));
    out.keptPerMicroBatch = sums.kept.bytes;
    out.inFlightMicroBatches = inFlight.untilInput / chunks;
    out.kept = sums.kept.bytes * out.inFlightMicroBatches;
    if (inFlight.splitBackward) {
        const double waiting = std::max(0.0, inFlight.untilWeight - inFlight.untilInput) / chunks;
        out.waitingForWeight = waiting * (sums.kept.forWeight + sums.weightGradientInputs);
    }
    if (traits.keepsStageOutputs && !stage.head) out.stageOutputs = model.boundaryBytes * inFlight.untilInput;
    out.offloaded = std::clamp(plan.activationOffloadFraction, 0.0, 1.0) * out.kept;
    out.kept -= out.offloaded;

    // Transients: a layer's backward, or the loss on the head's stage; they are not alive together.
    out.kernelWorkspace = kKernelWorkspaceBytes;
    out.recomputedLayer = sums.comesBack;
    out.backwardWorkingSet = sums.workingSet;
    double layer = out.recomputedLayer + out.backwardWorkingSet;
    if (stage.embedding && state.zeroStage < 3) {
        // The embedding's dense gradient appears when the rest of that micro-batch is already freed.
        out.embeddingGradient = std::max(0.0, model.embedding.embeddingGradient - sums.kept.bytes / chunks - layer);
        layer += out.embeddingGradient;
    }
    if (stage.head) {
        out.logits = model.head.lossPeak + model.head.lossKept * std::max(0.0, inFlight.atHead - 1) + model.head.none.bytes;
        // Megatron-Core adds the head's weight gradient in place and returns an empty 16-bit one of the same shape.
        if (model.stack == SoftwareStack::fused) out.headGradient = model.embedding.embeddingGradient;
        const double left = std::max(0.0, layer - model.head.lossPeak - out.headGradient);
        const double share = layer > 0 ? left / layer : 0;
        out.recomputedLayer *= share;
        out.backwardWorkingSet *= share;
        out.embeddingGradient *= share;
    }

    // Communication.
    if (state.zeroStage >= 3) {
        const double ends = std::max(stage.embedding ? model.embedding.denseParameters : 0, stage.head ? model.head.denseParameters + model.head.tiedParameters : 0);
        const double compute = storageBytes(workload.precision);
        // The layer at work and the next one on its way, their gradients before the reduction.
        out.gatheredWeights = compute * (2 * sums.largestLayer + ends);
        out.reductionBuffers = (compute + state.bytes.gradients) * std::max(sums.largestLayer, ends);
    }
    if ((state.zeroStage == 1 || state.zeroStage == 2) && state.bytes.gradients <= 2 && model.stack == SoftwareStack::classic) {
        // One bucket to reduce, one to gather, no larger than what they carry.
        const double bucket = std::min(kBucketElements, sums.dense + sums.expert) * state.bytes.gradients;
        out.reductionBuffers = resolved.dataParallel * plan.contextParallel > 1 ? 2 * bucket : 0;
    }
    if (plan.pipelineParallel > 1) out.stageBuffers = 2 * model.boundaryBytes;
    out.expertBuffers = sums.expertBuffers;

    // The optimizer step runs when no activation is alive.
    const double states = out.weights + out.weightCaches + out.gradients + out.gradientCopy + out.master + out.moments;
    const double step = sharded(state.bytes.stepCopy + traits.stepBytes + (state.bytes.gradients <= 2 ? traits.flattenBytes : 0), state.zeroStage >= 1);
    const double transient = out.kept + out.stageOutputs + out.waitingForWeight + out.logits + out.headGradient + out.recomputedLayer + out.backwardWorkingSet +
                             out.embeddingGradient + out.gatheredWeights + out.reductionBuffers + out.stageBuffers + out.expertBuffers;
    out.optimizerStep = std::max(0.0, step - transient);
    out.optimizerPeakBytes = states + step + out.kernelWorkspace;

    // Sums by category.
    auto& category = out.category;
    const auto at = [&](MemoryCategory which) -> double& { return category[static_cast<std::size_t>(which)]; };
    at(MemoryCategory::parameters) = out.weights + out.weightCaches;
    at(MemoryCategory::gradients) = out.gradients + out.gradientCopy;
    at(MemoryCategory::optimizer) = out.master + out.moments;
    at(MemoryCategory::activations) = out.kept + out.stageOutputs + out.waitingForWeight;
    at(MemoryCategory::logits) = out.logits + out.headGradient;
    at(MemoryCategory::temporary) = out.recomputedLayer + out.backwardWorkingSet + out.embeddingGradient + out.optimizerStep + out.kernelWorkspace;
    at(MemoryCategory::communication) = out.gatheredWeights + out.reductionBuffers + out.stageBuffers + out.expertBuffers;
    for (int i = 0; i < static_cast<int>(MemoryCategory::framework); ++i) out.allocatedBytes += category[static_cast<std::size_t>(i)];
    // Blocks of sizes that do not return within a step stay with the allocator: a share of everything that comes and goes,
    // and the embedding's gradient, the largest block of its stage.
    out.allocatorSlack = traits.dynamicSlack * (out.allocatedBytes - states) + sharded(traits.reductionCopyBytes, state.zeroStage >= 2);
    if (stage.embedding && (model.stack == SoftwareStack::fused || model.stack == SoftwareStack::classic)) out.allocatorSlack += model.embedding.embeddingGradient - out.embeddingGradient;
    // Half of what the smaller phase needs does not fit into the blocks of the other.
    out.phaseSlack = kPhaseSlack * std::min(step, transient);
    if (!stage.head) out.allocatorSlack += traits.reservedPerLogit * model.head.logits;
    out.reservedBytes = out.allocatedBytes + out.allocatorSlack + out.phaseSlack;
    const int groups = communicatorCount(plan, resolved);
    out.context = traits.contextBytes;
    out.communicators = groups > 0 ? traits.firstGroupBytes + (groups - 1) * kCommunicatorBytes : 0;
    out.deviceBytes = out.reservedBytes + out.context + out.communicators;
    at(MemoryCategory::framework) = out.allocatorSlack + out.phaseSlack + out.context + out.communicators;
    // Loading: weights as trained plus one full copy of the largest piece being read.
    out.loadPeakBytes = out.weights + out.master + state.bytes.weights * sums.largestLayer + out.context;
    return out;
}

StageMemory stageMemory(const MemoryBreakdown& breakdown, int stage, int device, const AcceleratorSpec& accelerator) {
    StageMemory memory;
    const auto at = [&](MemoryCategory which) { return breakdown.category[static_cast<std::size_t>(which)]; };
    memory.stage = stage;
    memory.accelerator = accelerator.id;
    memory.device = device;
    memory.parametersBytes = at(MemoryCategory::parameters);
    memory.gradientsBytes = at(MemoryCategory::gradients);
    memory.optimizerBytes = at(MemoryCategory::optimizer);
    memory.activationsBytes = at(MemoryCategory::activations);
    memory.logitsBytes = at(MemoryCategory::logits);
    memory.temporaryBytes = at(MemoryCategory::temporary);
    memory.communicationBytes = at(MemoryCategory::communication);
    memory.capacityBytes = usableBytes(accelerator);
    const double released = std::clamp(breakdown.deviceBytes - memory.capacityBytes, 0.0, breakdown.phaseSlack);
    memory.frameworkBytes = at(MemoryCategory::framework) - released;
    memory.totalBytes = breakdown.deviceBytes - released;
    memory.inFlightMicrobatches = breakdown.inFlightMicroBatches;
    memory.loadPeakBytes = breakdown.loadPeakBytes;
    memory.optimizerPeakBytes = breakdown.optimizerPeakBytes;
    memory.allocatedBytes = breakdown.allocatedBytes;
    memory.reservedBytes = breakdown.reservedBytes - released;
    memory.activationBytesPerMicrobatch = breakdown.keptPerMicroBatch;
    return memory;
}

MemorySummary memorySummary(std::vector<StageMemory> stages) {
    MemorySummary summary;
    double fullest = -1;
    for (const StageMemory& stage : stages) {
        const double share = stage.capacityBytes > 0 ? stage.totalBytes / stage.capacityBytes : 0;
        if (share > fullest) {
            fullest = share;
            summary.peakStage = stage.stage;
            summary.capacityBytes = stage.capacityBytes;
        }
        summary.peakDeviceBytes = std::max(summary.peakDeviceBytes, stage.totalBytes);
        summary.peakReservedBytes = std::max(summary.peakReservedBytes, stage.reservedBytes);
        summary.peakAllocatedBytes = std::max(summary.peakAllocatedBytes, stage.allocatedBytes);
    }
    summary.peakBytes = summary.peakDeviceBytes;
    summary.verdict = fullest > 1 ? MemoryVerdict::out_of_memory : fullest > kSafeMemoryShare ? MemoryVerdict::tight : MemoryVerdict::fits;
    summary.stages = std::move(stages);
    return summary;
}

std::vector<MemoryTerm> memoryTerms(const MemoryBreakdown& b) {
    using C = MemoryCategory;
    const MemoryTerm all[] = {
        {C::parameters, "W", "weights", b.weights},
        {C::parameters, "W8", "cast copies of the weights", b.weightCaches},
        {C::gradients, "G", "gradients", b.gradients},
        {C::gradients, "G16", "16-bit gradients beside the fp32 ones", b.gradientCopy},
        {C::optimizer, "M", "fp32 master weights", b.master},
        {C::optimizer, "S", "optimizer moments", b.moments},
        {C::activations, "A", "kept for backward, all micro-batches in flight", b.kept},
        {C::activations, "AO", "stage outputs kept until their backward", b.stageOutputs},
        {C::activations, "AW", "kept for the weight-gradient pass", b.waitingForWeight},
        {C::logits, "Z", "logits, their fp32 copy and the softmax", b.logits},
        {C::logits, "ZG", "16-bit gradient of the head's weight", b.headGradient},
        {C::temporary, "R", "recomputed layer", b.recomputedLayer},
        {C::temporary, "T", "gradients and buffers of one layer's backward", b.backwardWorkingSet},
        {C::temporary, "GE", "dense gradient of the embedding", b.embeddingGradient},
        {C::temporary, "O", "gradient copy of the optimizer step", b.optimizerStep},
        {C::temporary, "K", "workspaces of kernels", b.kernelWorkspace},
        {C::communication, "Q", "gathered weights", b.gatheredWeights},
        {C::communication, "U", "buffers of gradient reduction", b.reductionBuffers},
        {C::communication, "P", "activations between stages", b.stageBuffers},
        {C::communication, "E", "token copies between experts", b.expertBuffers},
        {C::framework, "F", "blocks the allocator holds", b.allocatorSlack},
        {C::framework, "FP", "blocks held from the other phase of the step", b.phaseSlack},
        {C::framework, "X", "device context", b.context},
        {C::framework, "N", "communication library", b.communicators},
    };
    std::vector<MemoryTerm> terms;
    for (const MemoryTerm& term : all)
        if (term.bytes > 0) terms.push_back(term);
    return terms;
}

}  // namespace trainyard
