#include "core/model/operator_ledger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/model/ledger_builder.h"

namespace trainyard {

std::int64_t paddedVocabulary(const ModelSpec& model, const Sharding& sharding) {
    const std::int64_t multiple = std::max<std::int64_t>(1, sharding.vocabDivisor) * (sharding.vocabDivisor > 1 ? sharding.tensor : 1);
    return (model.vocabSize + multiple - 1) / multiple * multiple;
}

ContextSplit contextSplit(const ModelSpec& model, const LayerKind& kind, const Sharding& sharding) {
    ContextSplit split;
    switch (sharding.contextMethod) {
        case ContextMethod::ulysses: split.ulysses = sharding.context; break;
        case ContextMethod::usp: {
            // The largest head split that the key-value heads of one tensor rank allow; the rest rings.
            const std::int64_t heads = std::max<std::int64_t>(1, kind.kvHeads.value_or(model.kvHeads) / sharding.tensor);
            split.ulysses = std::gcd(sharding.context, heads);
            break;
        }
        case ContextMethod::ring:
        case ContextMethod::all_gather: break;
    }
    split.ring = sharding.context / split.ulysses;
    return split;
}

bool usesDropout(const ModelSpec& model, const Workload& workload) {
    if (model.dropout) return *model.dropout;
    return workload.attention == AttentionKernel::unfused && model.positionEmbedding == PositionEmbedding::learned && model.biases && !model.gatedMlp;
}

namespace ledger {

Operator norm(const Frame& frame, std::string_view name, double tokens, double width, bool fused) {
    const double bytes = tokens * width * frame.elementBytes;
    const bool layernorm = frame.model.norm == NormKind::layernorm;
    Operator op = elementwise(name, ModuleTag::norm, 2 * bytes, 3 * bytes);
    op.parameters = width * (layernorm ? 2 : 1);
    op.shardedOverTensor = false;
    op.savedBytes = bytes + tokens * (layernorm ? 8 : 4);
    // In place, backward starts from the output, which the product that reads it keeps anyway, and the statistics.
    if (frame.inPlace(InPlaceOperator::norm)) op.savedBytes -= bytes;
    op.outputBytes = bytes;
    op.rerunBy = RecomputeModule::layernorm | RecomputeModule::every_second_matmul;
    if (!fused && !frame.inPlace(InPlaceOperator::norm)) {
        // Written as separate kernels the norm keeps its input and the normalised value in fp32; it also moves about four
        // times the bytes.
        op.savedBytes = tokens * (width * 8 + 8);
        op.forwardBytes = 8 * bytes;
        op.backwardBytes = 12 * bytes;
        op.kernels = 6;
        op.workspaceBytes = tokens * width * 4;
    }
    return op;
}

void enterTensorParallel(const Frame& frame, std::vector<Operator>& list, double width, ModuleTag module, std::uint16_t rerunBy) {
    if (frame.sharding.tensor <= 1) return;
    const double bytes = frame.tokens * width * frame.elementBytes;
    if (frame.sequenceParallel) {
        Operator gather = collective("sequence gather", module, CollectiveGroup::tensor, CollectiveKind::allGather, bytes,
                                     CollectiveKind::reduceScatter, bytes);
        gather.workspaceBytes = bytes;
        gather.outputBytes = bytes;
        gather.savedBytes = stackTraits(frame.sharding.stack).gatheredInputs * (bytes - bytes / frame.t);
        gather.savedForWeightBytes = gather.savedBytes;
        gather.rerunBy = rerunBy;
        list.push_back(gather);
        // The saved input is the shard; the weight gradient needs the whole again.
        Operator again = collective("sequence gather for weight gradient", module, CollectiveGroup::tensor, CollectiveKind::none, 0,
                                    CollectiveKind::allGather, bytes);
        again.kernels = 0;
        list.push_back(again);
    } else {
        Operator reduce = collective("input gradient sum", module, CollectiveGroup::tensor, CollectiveKind::none, 0,
                                     CollectiveKind::allReduce, bytes);
        reduce.kernels = 0;
        list.push_back(reduce);
    }
}

void leaveTensorParallel(const Frame& frame, std::vector<Operator>& list, double width, ModuleTag module, std::uint16_t rerunBy) {
    if (frame.sharding.tensor <= 1) return;
    const double bytes = frame.tokens * width * frame.elementBytes;
    Operator op = frame.sequenceParallel
                      ? collective("sequence scatter", module, CollectiveGroup::tensor, CollectiveKind::reduceScatter, bytes,
                                   CollectiveKind::allGather, bytes)
                      : collective("partial sum", module, CollectiveGroup::tensor, CollectiveKind::allReduce, bytes, CollectiveKind::none, 0);
    op.outputBytes = frame.regionTokens * width * frame.elementBytes;
    op.rerunBy = rerunBy;
    list.push_back(op);
}

void appendResidual(const Frame& frame, std::vector<Operator>& list) {
    const double bytes = frame.regionTokens * frame.hidden * frame.elementBytes;
    Operator op = elementwise(frame.dropout ? "dropout and residual" : "residual", ModuleTag::residual, 3 * bytes, frame.dropout ? 2 * bytes : bytes);
    op.savedBytes = frame.dropout ? frame.regionTokens * frame.hidden : 0;  // one byte of mask per element
    op.outputBytes = bytes;
    op.rerunBy = bit(RecomputeModule::every_second_matmul);
    list.push_back(op);
}

}  // namespace ledger

std::vector<Operator> layerOperators(const ModelSpec& model, const LayerKind& kind, const Workload& workload, const Sharding& sharding) {
    using namespace ledger;
    const Frame frame(model, workload, sharding);
    std::vector<Operator> list;
    list.reserve(40);
    const double normTokens = frame.regionTokens;
    const bool parallelBlock = model.normsPerLayer == 1;
    const bool postNorms = model.normsPerLayer >= 4;
    if (kind.mixer != MixerKind::none) {
        list.push_back(norm(frame, "input norm", normTokens, frame.hidden, workload.fusedNorm));
        if (kind.mixer == MixerKind::attention) appendAttention(frame, kind, list);
        else appendLinearMixer(frame, kind, list);
        if (postNorms) list.push_back(norm(frame, "post-attention norm", normTokens, frame.hidden, workload.fusedNorm));
        if (!parallelBlock || kind.ffn == FfnKind::none) appendResidual(frame, list);
    }
    if (kind.ffn != FfnKind::none) {
        if (!parallelBlock || kind.mixer == MixerKind::none) list.push_back(norm(frame, "feed-forward norm", normTokens, frame.hidden, workload.fusedNorm));
        if (kind.ffn == FfnKind::moe) appendMoe(frame, kind, list);
        else appendDenseFeedForward(frame, kind, list);
        if (postNorms) list.push_back(norm(frame, "post-feed-forward norm", normTokens, frame.hidden, workload.fusedNorm));
        appendResidual(frame, list);
    }
    if (!list.empty()) {
        const double input = frame.regionTokens * frame.hidden * frame.elementBytes;
        list.front().keptByFull = input;
        list.front().keptByEverySecondMatmul = input;
    }
    return list;
}

std::vector<Operator> embeddingOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding) {
    using namespace ledger;
    const Frame frame(model, workload, sharding);
    std::vector<Operator> list;
    const double bytes = frame.tokens * frame.hidden * frame.elementBytes;
    Operator lookup = elementwise("token embedding", ModuleTag::embedding, 2 * bytes, 2 * bytes);
    lookup.parameters = static_cast<double>(paddedVocabulary(model, sharding)) / frame.t * frame.hidden;
    lookup.savedBytes = frame.tokens * 8;  // token ids
    lookup.outputBytes = bytes;
    list.push_back(lookup);
    if (frame.sharding.tensor > 1) {
        Operator sum = frame.sequenceParallel
                           ? collective("embedding scatter", ModuleTag::embedding, CollectiveGroup::tensor, CollectiveKind::reduceScatter, bytes,
                                        CollectiveKind::allGather, bytes)
                           : collective("embedding sum", ModuleTag::embedding, CollectiveGroup::tensor, CollectiveKind::allReduce, bytes,
                                        CollectiveKind::none, 0);
        list.push_back(sum);
    }
    const double region = frame.regionTokens * frame.hidden * frame.elementBytes;
    if (model.positionEmbedding == PositionEmbedding::learned) {
        Operator positions = elementwise("position embedding", ModuleTag::embedding, 3 * region, region);
        positions.parameters = static_cast<double>(model.maxPositions > 0 ? model.maxPositions : workload.sequenceLength) * frame.hidden;
        positions.shardedOverTensor = false;
        list.push_back(positions);
    }
    if (model.embeddingNorm) list.push_back(norm(frame, "embedding norm", frame.regionTokens, frame.hidden, workload.fusedNorm));
    if (frame.dropout) {
        Operator drop = elementwise("embedding dropout", ModuleTag::embedding, 2 * region, 2 * region);
        drop.savedBytes = frame.regionTokens * frame.hidden;
        list.push_back(drop);
    }
    return list;
}

std::vector<Operator> headOperators(const ModelSpec& model, const Workload& workload, const Sharding& sharding) {
    using namespace ledger;
    const Frame frame(model, workload, sharding);
    std::vector<Operator> list;
    list.push_back(norm(frame, "final norm", frame.regionTokens, frame.hidden, workload.fusedNorm));
    enterTensorParallel(frame, list, frame.hidden, ModuleTag::head, 0);
    const double vocabulary = static_cast<double>(paddedVocabulary(model, sharding)) / frame.t;
    Operator head = matmul("head", ModuleTag::head, frame.tokens, vocabulary, frame.hidden, frame.elementBytes, model.lmHeadBias);
    head.savedBytes = frame.regionTokens * frame.hidden * frame.elementBytes;  // the head stays in 16 bits
    head.savedForWeightBytes = head.savedBytes;
    head.tiedToEmbedding = model.tiedEmbeddings;
    list.push_back(head);

    // Cross-entropy over the vocabulary shard: logits cast to fp32, their exponentials kept for the gradient.
    const StackTraits& traits = stackTraits(sharding.stack);
    const double logits = frame.tokens * vocabulary * (traits.gathersLogits ? frame.t : 1);
    Operator loss = elementwise("cross-entropy", ModuleTag::loss, logits * (frame.elementBytes + 4 + 4 + 8), logits * (4 + 4 + frame.elementBytes));
    loss.kernels = 8;
    // A fused cross-entropy writes the gradient over the 16-bit logits: Transformer Engine's in Megatron-Core, and the one that
    // came with the first flash-attention library. Besides, the product that follows needs the gradient once more.
    const bool fusedLoss = (sharding.stack == SoftwareStack::fused && workload.attention == AttentionKernel::flash3) ||
                           (sharding.stack == SoftwareStack::sharded && workload.attention == AttentionKernel::flash);
    const double kept = fusedLoss ? frame.elementBytes : traits.lossKeptBytes;
    const double peak = fusedLoss ? 2 * frame.elementBytes : traits.lossPeakBytes;
    loss.savedBytes = logits * kept;
    loss.workspaceBytes = logits * (peak - kept);
    if (workload.lossChunks > 1) {
        // Chunk by chunk the loss writes the gradient of its input and forgets the logits; between the passes only that gradient
        // stays, in the place of the head's own input.
        const double chunks = static_cast<double>(std::min<std::int64_t>(workload.lossChunks, std::max<std::int64_t>(1, static_cast<std::int64_t>(frame.tokens))));
        loss.savedBytes = 0;
        loss.workspaceBytes = logits / chunks * peak;
        loss.kernels *= chunks;
    }
    if (traits.gathersLogits && frame.sharding.tensor > 1) {
        list.push_back(collective("logit gather", ModuleTag::loss, CollectiveGroup::tensor, CollectiveKind::allGather, logits * frame.elementBytes,
                                  CollectiveKind::none, 0));
        list.push_back(loss);
    } else if (frame.sharding.tensor > 1) {
        // Maximum, target logit and sum of exponentials of every token, fp32.
        list.push_back(loss);
        for (const char* name : {"logit maximum", "target logit", "sum of exponentials"})
            list.push_back(collective(name, ModuleTag::loss, CollectiveGroup::tensor, CollectiveKind::allReduce, frame.tokens * 4, CollectiveKind::none, 0));
    } else {
        list.push_back(loss);
    }
    return list;
}

}  // namespace trainyard
