#include "core/model/ledger_builder.h"

namespace trainyard::ledger {

namespace {

constexpr std::uint16_t kNormOutput = bit(RecomputeModule::layernorm);
constexpr std::uint16_t kOperatorPolicy = bit(RecomputeModule::every_second_matmul);

/// Attention shapes on one device.
struct Shape {
    double heads = 0;
    double kvHeads = 0;
    double headDim = 0;
    double valueDim = 0;
};

/// Mean number of keys that one query meets with a window of `window` keys in a sequence of `length`.
double meanWindow(double window, double length) { return window >= length ? length : window * (1 - window / (2 * length)); }

void exchangeContext(const Frame& frame, const LayerKind& kind, const Shape& shape, std::vector<Operator>& list, bool before) {
    if (frame.sharding.context <= 1) return;
    const ContextSplit split = contextSplit(frame.model, kind, frame.sharding);
    const double queryBytes = frame.tokens * shape.heads * shape.headDim * frame.elementBytes;
    const double outputBytes = frame.tokens * shape.heads * shape.valueDim * frame.elementBytes;
    const double keyValueBytes = frame.tokens * shape.kvHeads * (shape.headDim + shape.valueDim) * frame.elementBytes;
    const auto module = ModuleTag::attentionCore;
    const std::uint16_t rerun = bit(RecomputeModule::core_attn);
    if (split.ulysses > 1) {
        const double bytes = before ? queryBytes + keyValueBytes : outputBytes;
        Operator exchange = collective(before ? "heads to sequence exchange" : "sequence to heads exchange", module, CollectiveGroup::context,
                                       CollectiveKind::allToAll, bytes, CollectiveKind::allToAll, bytes);
        exchange.outputBytes = bytes;
        exchange.workspaceBytes = bytes;
        exchange.rerunBy = rerun;
        list.push_back(exchange);
    }
    if (before && split.ring > 1) {
        // One round of the ring passes every rank's keys and values through every other; backward passes their gradients too.
        const double whole = keyValueBytes * static_cast<double>(split.ring);
        const bool gather = frame.sharding.contextMethod == ContextMethod::all_gather;
        Operator ring = gather ? collective("key-value gather", module, CollectiveGroup::context, CollectiveKind::allGather, whole,
                                            CollectiveKind::reduceScatter, whole)
                               : collective("key-value ring", module, CollectiveGroup::context, CollectiveKind::ring, whole, CollectiveKind::ring, 2 * whole);
        ring.outputBytes = gather ? whole : 2 * keyValueBytes;
        ring.workspaceBytes = ring.outputBytes;
        ring.rerunBy = rerun;
        list.push_back(ring);
        if (gather) {
            list.push_back(collective("key-value gather for backward", module, CollectiveGroup::context, CollectiveKind::none, 0,
                                      CollectiveKind::allGather, whole));
            list.back().kernels = 0;
        }
    }
}

/// Megatron-LM's fused scale, mask and softmax kernel takes up to 16,384 keys; other stacks write the softmax in PyTorch.
bool fusesSoftmax(const Frame& frame) {
    const SoftwareStack stack = frame.sharding.stack;
    return (stack == SoftwareStack::fused || stack == SoftwareStack::classic) && frame.workload.sequenceLength <= 16384;
}

void appendCore(const Frame& frame, const LayerKind& kind, const Shape& shape, std::vector<Operator>& list) {
    const double length = static_cast<double>(frame.workload.sequenceLength);
    const bool window = kind.slidingWindow && static_cast<double>(*kind.slidingWindow) < length;
    const ContextSplit split = contextSplit(frame.model, kind, frame.sharding);
    exchangeContext(frame, kind, shape, list, true);

    Operator core;
    core.name = "attention core";
    core.kind = OperatorKind::attention;
    core.module = ModuleTag::attentionCore;
    core.sequences = static_cast<double>(frame.sharding.microBatchSize);
    core.queryLength = length / static_cast<double>(split.ring);
    core.keyLength = window ? meanWindow(static_cast<double>(*kind.slidingWindow), length) : length;
    core.heads = shape.heads / static_cast<double>(split.ulysses);
    core.kvHeads = std::max(1.0, shape.kvHeads / static_cast<double>(split.ulysses));
    core.headDim = shape.headDim;
    core.valueDim = shape.valueDim;
    core.causal = !window;
    // Rectangle of queries and keys, the same for every method: a context rank does 1/context of it.
    const double pairs = frame.tokens * core.keyLength * shape.heads;
    core.forwardFlops = 2 * pairs * (shape.headDim + shape.valueDim);
    core.backwardInputFlops = 2 * core.forwardFlops;
    const double operandBytes = frame.tokens * frame.elementBytes *
                                (shape.heads * (shape.headDim + shape.valueDim) + shape.kvHeads * (shape.headDim + shape.valueDim));
    const double outputBytes = frame.tokens * shape.heads * shape.valueDim * frame.elementBytes;
    core.forwardBytes = operandBytes;
    core.backwardBytes = 2.5 * operandBytes;
    core.outputBytes = outputBytes;
    core.rerunBy = bit(RecomputeModule::core_attn);
    core.droppedBy = bit(RecomputeModule::core_attn);
    core.rerunByEverySecondMatmul = 0;
    if (frame.workload.attention == AttentionKernel::unfused) {
        const double scores = frame.tokens * length * shape.heads;  // the whole block is held, masked or not
        const bool remade = frame.inPlace(InPlaceOperator::dropout);
        const double dropout = frame.dropout ? 1 + (remade ? 0 : frame.elementBytes) : 0;  // its mask and its result
        if (fusesSoftmax(frame)) {
            // Korthikanti et al., arXiv 2205.05198, section 4.1: softmax output 2, dropout mask 1, dropout output 2 bytes.
            core.savedBytes = scores * (frame.elementBytes + dropout);
            core.workspaceBytes = 2 * scores * frame.elementBytes;  // in backward the gradients of softmax and dropout
        } else {
            // Softmax in fp32, kept, and its 16-bit copy; besides scores, their scaled fp32 copy and the masked one: 16 bytes an
            // element in all, as measured (user report UC-004: 163 bytes per squared token for 10 heads).
            core.savedBytes = scores * (4 + frame.elementBytes + dropout);
            core.workspaceBytes = scores * (frame.elementBytes + 4 + 4);
        }
        core.keptByEverySecondMatmul = core.savedBytes;
        core.forwardBytes += scores * frame.elementBytes * (frame.dropout ? 6 : 4);
        core.backwardBytes += scores * frame.elementBytes * (frame.dropout ? 9 + (remade ? 2 : 0) : 6);
        core.kernels = frame.dropout ? 4 : 3;
    } else {
        core.savedBytes = frame.tokens * shape.heads * 4;  // log-sum-exp of every row, fp32
        core.keptByEverySecondMatmul = core.savedBytes + outputBytes;
        // Backward accumulates the query gradient in fp32 and, with grouped queries, key and value gradients per query head.
        core.workspaceBytes = frame.tokens * shape.heads * shape.headDim * 4 +
                              (shape.kvHeads < shape.heads ? frame.tokens * shape.heads * (shape.headDim + shape.valueDim) * frame.elementBytes : 0);
    }
    if (frame.model.attentionSinks) core.parameters = shape.heads;
    list.push_back(core);
    exchangeContext(frame, kind, shape, list, false);
}

void appendOutput(const Frame& frame, const Shape& shape, std::vector<Operator>& list) {
    const bool bias = frame.model.attentionOutputBias.value_or(frame.model.biases);
    const double width = shape.heads * shape.valueDim;
    Operator projection = matmul("attention output", ModuleTag::attention, frame.tokens, frame.hidden, width, frame.elementBytes, bias);
    projection.savedBytes = frame.tokens * width * frame.linearBytes;
    // A flash kernel keeps its own output for backward; the 16-bit tensor then stays beside a narrower linear input.
    if (frame.workload.attention != AttentionKernel::unfused && frame.linearBytes < frame.elementBytes)
        projection.savedBytes += frame.tokens * width * frame.elementBytes;
    projection.savedForWeightBytes = frame.workload.attention == AttentionKernel::unfused || frame.linearBytes < frame.elementBytes
                                         ? frame.tokens * width * frame.linearBytes : 0;
    projection.rerunBy = kOperatorPolicy;
    list.push_back(projection);
    leaveTensorParallel(frame, list, frame.hidden, ModuleTag::attention, 0);
}

/// Query, key and value kept for the attention core's backward pass.
/// `packedBytes`: the rest of a packed projection that a view of it keeps alive.
Operator rotary(const Frame& frame, const Shape& shape, double packedBytes, std::uint16_t droppedBy) {
    const double bytes = frame.tokens * frame.elementBytes * (shape.heads + shape.kvHeads) * shape.headDim;
    const bool rotates = frame.model.positionEmbedding == PositionEmbedding::rope;
    Operator op = elementwise(rotates ? "rotary positions" : "query, key, value", ModuleTag::attention, rotates ? 2 * bytes : 0, rotates ? 2 * bytes : 0);
    op.kernels = rotates ? 2 : 0;
    op.savedBytes = frame.tokens * frame.elementBytes * (shape.heads * shape.headDim + shape.kvHeads * (shape.headDim + shape.valueDim));
    op.outputBytes = op.savedBytes;
    if (rotates && stackTraits(frame.sharding.stack).keepsPackedProjection) op.savedBytes += packedBytes;
    op.droppedBy = droppedBy;
    op.rerunBy = static_cast<std::uint16_t>(droppedBy | kOperatorPolicy);
    return op;
}

void appendMla(const Frame& frame, const MlaSpec& mla, const LayerKind& kind, std::vector<Operator>& list) {
    const double heads = static_cast<double>(kind.attentionHeads.value_or(frame.model.attentionHeads)) / frame.t;
    const double nope = static_cast<double>(mla.qkNopeHeadDim), rope = static_cast<double>(mla.qkRopeHeadDim);
    const double value = static_cast<double>(mla.vHeadDim);
    const double queryRank = static_cast<double>(mla.qLoraRank), keyRank = static_cast<double>(mla.kvLoraRank);
    const bool bias = frame.model.qkvBias.value_or(false);
    const double inputBytes = frame.regionTokens * frame.hidden * frame.linearBytes;
    const std::uint16_t upRerun = bit(RecomputeModule::mla_up_proj);
    const auto module = ModuleTag::attention;
    // The down projections are replicated over tensor ranks and work on the sequence shard; both read the same norm output.
    if (queryRank > 0) {
        Operator down = matmul("query down", module, frame.regionTokens, queryRank, frame.hidden, frame.elementBytes, bias);
        down.shardedOverTensor = false;
        down.savedBytes = down.savedForWeightBytes = inputBytes;
        down.droppedBy = kNormOutput;
        down.keptByEverySecondMatmul = down.outputBytes;
        down.rerunByEverySecondMatmul = 0;
        list.push_back(down);
        list.push_back(norm(frame, "query latent norm", frame.regionTokens, queryRank, true));
        enterTensorParallel(frame, list, queryRank, module, upRerun);
        Operator up = matmul("query up", module, frame.tokens, heads * (nope + rope), queryRank, frame.elementBytes, false);
        up.savedBytes = up.savedForWeightBytes = frame.regionTokens * queryRank * frame.linearBytes;
        up.rerunBy = static_cast<std::uint16_t>(upRerun | kOperatorPolicy);
        list.push_back(up);
    } else {
        enterTensorParallel(frame, list, frame.hidden, module, 0);
        Operator query = matmul("query", module, frame.tokens, heads * (nope + rope), frame.hidden, frame.elementBytes, bias);
        query.savedBytes = query.savedForWeightBytes = inputBytes;
        query.droppedBy = kNormOutput;
        query.keptByEverySecondMatmul = query.outputBytes;
        query.rerunByEverySecondMatmul = 0;
        list.push_back(query);
    }
    Operator down = matmul("key-value down", module, frame.regionTokens, keyRank + rope, frame.hidden, frame.elementBytes, bias);
    down.shardedOverTensor = false;
    down.keptByEverySecondMatmul = down.outputBytes;
    down.rerunByEverySecondMatmul = 0;
    list.push_back(down);  // its input is the same tensor as the query's
    list.push_back(norm(frame, "key-value latent norm", frame.regionTokens, keyRank, true));
    enterTensorParallel(frame, list, keyRank + rope, module, upRerun);
    Operator up = matmul("key-value up", module, frame.tokens, heads * (nope + value), keyRank, frame.elementBytes, false);
    up.savedBytes = up.savedForWeightBytes = frame.regionTokens * keyRank * frame.linearBytes;
    up.rerunBy = static_cast<std::uint16_t>(upRerun | kOperatorPolicy);
    list.push_back(up);

    const Shape shape{heads, heads, nope + rope, value};
    // Query and key are put together from their parts; the value is a view of the key-value projection.
    Operator kept = rotary(frame, shape, frame.tokens * heads * nope * frame.elementBytes, upRerun);
    list.push_back(kept);
    appendCore(frame, kind, shape, list);
    appendOutput(frame, shape, list);
}

}  // namespace

void appendAttention(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list) {
    if (frame.model.mla) return appendMla(frame, *frame.model.mla, kind, list);
    const double allHeads = static_cast<double>(kind.attentionHeads.value_or(frame.model.attentionHeads));
    const double allKvHeads = static_cast<double>(kind.kvHeads.value_or(frame.model.kvHeads));
    Shape shape;
    shape.heads = allHeads / frame.t;
    shape.kvHeads = std::max(1.0, allKvHeads / frame.t);  // more ranks than key-value heads: each keeps one
    shape.headDim = shape.valueDim = static_cast<double>(kind.headDim.value_or(frame.model.headDim));
    const auto module = ModuleTag::attention;

    enterTensorParallel(frame, list, frame.hidden, module, 0);
    Operator qkv = matmul("query-key-value", module, frame.tokens, (shape.heads + 2 * shape.kvHeads) * shape.headDim, frame.hidden, frame.elementBytes,
                          frame.model.qkvBias.value_or(frame.model.biases));
    qkv.savedBytes = qkv.savedForWeightBytes = frame.regionTokens * frame.hidden * frame.linearBytes;
    qkv.droppedBy = kNormOutput;
    // torchtitan's policy keeps the results of the 1st, 3rd, ... product: query and value here.
    qkv.keptByEverySecondMatmul = frame.tokens * frame.elementBytes * (shape.heads + shape.kvHeads) * shape.headDim;
    qkv.rerunBy = kOperatorPolicy;
    qkv.rerunByEverySecondMatmul = shape.kvHeads / (shape.heads + 2 * shape.kvHeads);
    list.push_back(qkv);
    if (frame.model.qkNorm) {
        const double vectors = frame.tokens * (shape.heads + shape.kvHeads);
        Operator op = norm(frame, "query and key norm", vectors, shape.headDim, true);
        op.parameters = frame.model.qkNormFull ? (shape.heads + shape.kvHeads) * shape.headDim : 2 * shape.headDim;
        op.shardedOverTensor = frame.model.qkNormFull;
        op.rerunBy = kOperatorPolicy;
        list.push_back(op);
    }
    // The value is a view of the packed projection while query and key are rotated into new tensors.
    list.push_back(rotary(frame, shape, frame.tokens * frame.elementBytes * (shape.heads + shape.kvHeads) * shape.headDim, 0));
    appendCore(frame, kind, shape, list);
    appendOutput(frame, shape, list);
}

void appendLinearMixer(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list) {
    // Mamba-2 shape (arXiv 2405.21060): input projection to gate, values, B, C and step; short convolution; chunked scan; output.
    const double inner = frame.hidden * static_cast<double>(frame.model.linearExpand) / frame.t;
    const double headDim = static_cast<double>(kind.headDim.value_or(std::max<std::int64_t>(frame.model.headDim, 1)));
    const double heads = std::max(1.0, inner / headDim);
    const double state = static_cast<double>(frame.model.linearStateSize);
    const double chunk = 256;
    const auto module = ModuleTag::attention;
    enterTensorParallel(frame, list, frame.hidden, module, 0);
    Operator in = matmul("mixer input", module, frame.tokens, 2 * inner + 2 * state + heads, frame.hidden, frame.elementBytes, false);
    in.savedBytes = in.savedForWeightBytes = frame.regionTokens * frame.hidden * frame.linearBytes;
    in.droppedBy = kNormOutput;
    in.keptByEverySecondMatmul = in.outputBytes;
    in.rerunByEverySecondMatmul = 0;
    list.push_back(in);
    const double convolved = inner + 2 * state;
    Operator convolution = elementwise("short convolution", module, 2 * frame.tokens * convolved * frame.elementBytes, 4 * frame.tokens * convolved * frame.elementBytes);
    convolution.parameters = convolved * 4 + convolved;
    convolution.savedBytes = frame.tokens * (2 * inner + 2 * state + heads) * frame.elementBytes;  // the projection, also the gate
    convolution.outputBytes = frame.tokens * convolved * frame.elementBytes;
    convolution.rerunBy = kOperatorPolicy;
    list.push_back(convolution);
    Operator scan;
    scan.name = "state scan";
    scan.kind = OperatorKind::scan;
    scan.module = ModuleTag::attentionCore;
    scan.sequences = static_cast<double>(frame.sharding.microBatchSize);
    scan.queryLength = frame.tokens / scan.sequences;
    scan.heads = heads;
    scan.headDim = headDim;
    // Within a chunk quadratic, between chunks through the state: 2 (chunk (N + P) + 2 N P) per token and head.
    scan.forwardFlops = 2 * frame.tokens * heads * (chunk * (state + headDim) / 2 + 2 * state * headDim);
    scan.backwardInputFlops = 2 * scan.forwardFlops;
    scan.forwardBytes = frame.tokens * (convolved + inner) * frame.elementBytes;
    scan.backwardBytes = 3 * scan.forwardBytes;
    scan.parameters = 3 * heads;
    scan.savedBytes = frame.tokens * convolved * frame.elementBytes + frame.tokens / chunk * heads * headDim * state * 4;
    scan.outputBytes = frame.tokens * inner * frame.elementBytes;
    scan.rerunBy = RecomputeModule::core_attn | RecomputeModule::every_second_matmul;
    list.push_back(scan);
    Operator gate = norm(frame, "gated norm", frame.tokens, inner, true);
    gate.shardedOverTensor = true;
    list.push_back(gate);
    Operator out = matmul("mixer output", module, frame.tokens, frame.hidden, inner, frame.elementBytes, false);
    out.savedBytes = out.savedForWeightBytes = frame.tokens * inner * frame.linearBytes;
    out.droppedBy = kNormOutput;
    out.rerunBy = kOperatorPolicy;
    list.push_back(out);
    leaveTensorParallel(frame, list, frame.hidden, module, 0);
}

}  // namespace trainyard::ledger
