#include <algorithm>
#include <cmath>
#include <utility>

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

std::vector<LayerRun> layerRuns(const ModelSpec& model) {
    std::vector<LayerRun> runs;
    const auto add = [&](std::int64_t begin, std::int64_t end) {
        if (begin < end) runs.push_back({begin, end, layerKind(model, begin)});
    };
    if (model.layerKinds.empty()) {
        const std::int64_t dense = model.moe ? std::clamp<std::int64_t>(model.moe->denseLayers, 0, std::max<std::int64_t>(0, model.layers)) : 0;
        add(0, dense);
        add(dense, model.layers);
        return runs;
    }
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        LayerKind kind = layerKind(model, layer);
        if (!runs.empty() && runs.back().kind == kind) runs.back().end = layer + 1;
        else runs.push_back({layer, layer + 1, std::move(kind)});
    }
    return runs;
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
    for (const LayerRun& run : layerRuns(model)) add(layerOperators(model, run.kind, workload, whole), static_cast<double>(run.end - run.begin));
    total += static_cast<double>(model.extraParameters);
    return {std::llround(total), std::llround(total - unused), std::llround(embedding)};
}

}  // namespace trainyard
