#include <cmath>

#include "core/model/model_spec.h"
#include "core/model/operator_ledger.h"

namespace trainyard {

LayerKind layerKind(const ModelSpec& model, std::int64_t index) {
    LayerKind kind;
    if (index >= 0 && static_cast<std::size_t>(index) < model.layerKinds.size()) {
        return model.layerKinds[static_cast<std::size_t>(index)];
    }
    kind.ffn = model.moe && index >= model.moe->denseLayers ? FfnKind::moe : FfnKind::dense;
    if (model.layerKinds.empty()) kind.slidingWindow = model.slidingWindow;
    return kind;
}

ParameterCounts countParameters(const ModelSpec& model, std::int64_t sequenceLength) {
    Workload workload;
    workload.sequenceLength = sequenceLength;
    Sharding whole;
    whole.vocabDivisor = 1;
    double total = 0, unused = 0, embedding = 0;
    const auto add = [&](const std::vector<Operator>& list, double times) {
        for (const Operator& op : list) {
            if (op.tiedToEmbedding) continue;
            total += times * op.parameters;
            if (op.name == "token embedding" || op.name == "head") embedding += times * op.parameters;
            if (op.kind == OperatorKind::groupedGemm)
                unused += times * op.expertParameters * (1 - static_cast<double>(model.moe->topK) / static_cast<double>(model.moe->experts));
        }
    };
    add(embeddingOperators(model, workload, whole), 1);
    add(headOperators(model, workload, whole), 1);
    for (std::int64_t first = 0; first < model.layers;) {
        const LayerKind kind = layerKind(model, first);
        std::int64_t next = first + 1;
        while (next < model.layers && layerKind(model, next) == kind) ++next;
        add(layerOperators(model, kind, workload, whole), static_cast<double>(next - first));
        first = next;
    }
    total += static_cast<double>(model.extraParameters);
    return {std::llround(total), std::llround(total - unused), std::llround(embedding)};
}

}  // namespace trainyard
