#include "core/model/ledger_builder.h"

namespace trainyard::ledger {

namespace {

constexpr std::uint16_t kOperatorPolicy = bit(RecomputeModule::every_second_matmul);

/// The activation between the products; `width` is the width of its result on this device.
Operator activation(const Frame& frame, std::string_view name, ModuleTag module, double tokens, double width, std::uint16_t droppedBy,
                    std::uint16_t rerunBy) {
    const double inputs = frame.model.gatedMlp ? 2 : 1;
    const double bytes = tokens * width * frame.elementBytes;
    Operator op = elementwise(name, module, (inputs + 1) * bytes, (2 * inputs + 1) * bytes);
    op.savedBytes = inputs * bytes;
    if (!frame.model.gatedMlp && frame.inPlace(InPlaceOperator::activation)) op.savedBytes = tokens * width;  // one byte of mask per element
    op.outputBytes = bytes;
    op.droppedBy = droppedBy;
    op.rerunBy = static_cast<std::uint16_t>(rerunBy | kOperatorPolicy);
    return op;
}

void appendMlp(const Frame& frame, double fullWidth, ModuleTag module, std::uint16_t whole, std::uint16_t activationBits, bool normInput,
               std::string_view upName, std::string_view downName, bool bias, std::vector<Operator>& list) {
    const double width = fullWidth / frame.t;
    const double columns = (frame.model.gatedMlp ? 2 : 1) * width;
    enterTensorParallel(frame, list, frame.hidden, module, whole);
    Operator up = matmul(upName, module, frame.tokens, columns, frame.hidden, frame.elementBytes, bias);
    if (normInput) {
        up.savedBytes = up.savedForWeightBytes = frame.regionTokens * frame.hidden * frame.linearBytes;
        up.droppedBy = static_cast<std::uint16_t>(whole | bit(RecomputeModule::layernorm));
    }
    up.keptByEverySecondMatmul = frame.tokens * width * frame.elementBytes;
    up.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    up.rerunByEverySecondMatmul = frame.model.gatedMlp ? 0.5 : 0;
    list.push_back(up);
    list.push_back(activation(frame, frame.model.gatedMlp ? "gated activation" : "activation", ModuleTag::activation, frame.tokens, width, whole,
                              static_cast<std::uint16_t>(whole | activationBits)));
    Operator down = matmul(downName, module, frame.tokens, frame.hidden, width, frame.elementBytes, bias);
    down.savedBytes = down.savedForWeightBytes = frame.tokens * width * frame.linearBytes;
    down.droppedBy = static_cast<std::uint16_t>(whole | activationBits);
    down.keptByEverySecondMatmul = frame.model.gatedMlp ? frame.regionTokens * frame.hidden * frame.elementBytes : 0;
    down.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    down.rerunByEverySecondMatmul = frame.model.gatedMlp ? 0 : 1;
    list.push_back(down);
    leaveTensorParallel(frame, list, frame.hidden, module, whole);
}

}  // namespace

void appendDenseFeedForward(const Frame& frame, const LayerKind& kind, std::vector<Operator>& list) {
    const double width = static_cast<double>(kind.ffnHiddenSize.value_or(frame.model.ffnHiddenSize));
    appendMlp(frame, width, ModuleTag::mlp, bit(RecomputeModule::mlp), bit(RecomputeModule::activation), true,
              frame.model.gatedMlp ? "feed-forward gate and up" : "feed-forward up", "feed-forward down",
              frame.model.mlpBias.value_or(frame.model.biases), list);
}

void appendMoe(const Frame& frame, const LayerKind&, std::vector<Operator>& list) {
    const MoeSpec moe = frame.model.moe.value_or(MoeSpec{});
    const double experts = static_cast<double>(moe.experts), topK = static_cast<double>(moe.topK);
    const double expertParallel = static_cast<double>(frame.sharding.expert), expertTensor = static_cast<double>(frame.sharding.expertTensor);
    const double localExperts = experts / expertParallel;
    const double width = static_cast<double>(moe.expertFfnHiddenSize) / expertTensor;
    const double gates = frame.model.gatedMlp ? 2 : 1;
    const bool bias = frame.model.mlpBias.value_or(frame.model.biases);
    const std::uint16_t whole = bit(RecomputeModule::moe);
    const std::uint16_t activationBits = RecomputeModule::moe_act | RecomputeModule::activation;
    const double element = frame.elementBytes;
    const double hidden = frame.hidden;
    // Without sequence parallelism every tensor rank holds all tokens and each routes its 1/t of them.
    const double own = frame.sequenceParallel || frame.sharding.tensor == 1 ? frame.regionTokens : frame.tokens / frame.t;
    const double copies = own * topK * moe.capacityFactor.value_or(1);  // token copies leaving this device, padding included
    const double routed = copies * expertTensor;      // copies computed here: arrivals gathered over the expert-tensor group

    Operator router = matmul("router", ModuleTag::router, own, experts, hidden, element, moe.routerBias);
    router.shardedOverTensor = false;
    router.savedBytes = frame.regionTokens * hidden * element;  // the norm's output, which experts and shared experts read too
    router.savedForWeightBytes = router.savedBytes;
    router.droppedBy = bit(RecomputeModule::layernorm);
    router.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    router.weightGradientInputBytes = own * experts * 4;
    list.push_back(router);
    Operator choice = elementwise("router softmax and choice", ModuleTag::router, own * experts * 4 * 6, own * experts * 4 * 6);
    choice.kernels = 8;
    choice.savedBytes = own * experts * 4 * 2;  // logits and probabilities, fp32
    choice.droppedBy = whole;
    choice.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    list.push_back(choice);

    if (moe.sharedExperts > 0 || moe.sharedExpertFfnHiddenSize.value_or(0) > 0) {
        const double shared = static_cast<double>(moe.sharedExpertFfnHiddenSize.value_or(moe.sharedExperts * moe.expertFfnHiddenSize));
        appendMlp(frame, shared, ModuleTag::moe, whole, activationBits, false, "shared expert up", "shared expert down", bias, list);
        if (moe.sharedExpertGate) {
            Operator gate = elementwise("shared expert gate", ModuleTag::moe, 2 * frame.regionTokens * hidden * element, 2 * frame.regionTokens * hidden * element);
            gate.parameters = hidden;
            gate.shardedOverTensor = false;
            gate.savedBytes = frame.regionTokens * hidden * element;
            gate.droppedBy = whole;
            gate.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
            list.push_back(gate);
        }
    }

    const double copyBytes = copies * hidden * element;
    Operator permute = elementwise("token permutation", ModuleTag::moe, 2 * copyBytes, 2 * copyBytes);
    permute.kernels = 3;
    permute.savedBytes = copies * 8;  // where every copy went
    permute.outputBytes = copyBytes;
    permute.droppedBy = whole;
    permute.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    list.push_back(permute);
    const auto exchange = [&](std::string_view name) {
        if (frame.sharding.expert <= 1) return;
        Operator op = collective(name, ModuleTag::moe, CollectiveGroup::expert, CollectiveKind::allToAll, copyBytes, CollectiveKind::allToAll, copyBytes);
        op.outputBytes = copyBytes;
        op.workspaceBytes = copyBytes;
        op.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
        list.push_back(op);
    };
    exchange("expert dispatch");
    const double routedBytes = routed * hidden * element;
    if (frame.sharding.expertTensor > 1) {
        Operator gather = collective("expert gather", ModuleTag::moe, CollectiveGroup::expertTensor, CollectiveKind::allGather, routedBytes,
                                     CollectiveKind::reduceScatter, routedBytes);
        gather.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
        gather.outputBytes = routedBytes;
        list.push_back(gather);
    }
    if (localExperts > 1) {
        Operator sort = elementwise("sort by expert", ModuleTag::moe, 2 * routedBytes, 2 * routedBytes);
        sort.outputBytes = routedBytes;
        sort.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
        list.push_back(sort);
    }
    const auto grouped = [&](std::string_view name, double n, double k, double biasWidth) {
        Operator op = matmul(name, ModuleTag::moe, routed, n, k, element, false);
        op.kind = OperatorKind::groupedGemm;
        op.batch = localExperts;
        op.parameters = localExperts * (n * k + (bias ? biasWidth : 0));
        op.expertParameters = op.parameters;
        op.forwardBytes = element * (routed * k + localExperts * k * n + routed * n);
        op.backwardBytes = element * (2 * routed * n + localExperts * k * n + 2 * routed * k) + 8 * localExperts * k * n;
        op.savedBytes = op.savedForWeightBytes = routed * k * frame.linearBytes;
        op.droppedBy = whole;
        op.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
        return op;
    };
    list.push_back(grouped(frame.model.gatedMlp ? "expert gate and up" : "expert up", gates * width, hidden, gates * width));
    list.push_back(activation(frame, "expert activation", ModuleTag::activation, routed, width, whole, static_cast<std::uint16_t>(whole | activationBits)));
    Operator down = grouped("expert down", hidden, width, hidden / (expertTensor > 1 ? expertTensor : 1));
    down.droppedBy = static_cast<std::uint16_t>(whole | activationBits);
    list.push_back(down);
    if (frame.sharding.expertTensor > 1) {
        Operator scatter = collective("expert scatter", ModuleTag::moe, CollectiveGroup::expertTensor, CollectiveKind::reduceScatter, routedBytes,
                                      CollectiveKind::allGather, routedBytes);
        scatter.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
        list.push_back(scatter);
    }
    exchange("expert combine");
    Operator combine = elementwise("token combination", ModuleTag::moe, copyBytes + own * hidden * element, copyBytes + own * hidden * element);
    combine.kernels = 2;
    combine.outputBytes = frame.regionTokens * hidden * element;
    combine.rerunBy = static_cast<std::uint16_t>(whole | kOperatorPolicy);
    list.push_back(combine);
    if (!frame.sequenceParallel && frame.sharding.tensor > 1) {
        const double bytes = frame.tokens * hidden * element;
        list.push_back(collective("token gather", ModuleTag::moe, CollectiveGroup::tensor, CollectiveKind::allGather, bytes, CollectiveKind::reduceScatter, bytes));
    }
}

}  // namespace trainyard::ledger
