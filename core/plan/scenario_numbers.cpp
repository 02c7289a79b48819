#include "core/plan/scenario_numbers.h"

#include <algorithm>

#include "core/plan/resolve.h"

namespace trainyard {
namespace {

std::optional<Dimension> dimensionAt(std::string_view pointer) {
    if (pointer == "/plan/tensor_parallel") return Dimension::tensor;
    if (pointer == "/plan/pipeline_parallel") return Dimension::pipeline;
    if (pointer == "/plan/context_parallel") return Dimension::context;
    if (pointer == "/plan/data_parallel") return Dimension::data;
    return std::nullopt;
}

/// Where a plain number lives in plan or workload; null: not there.
template <class AnyScenario>
auto plainNumber(AnyScenario& scenario, std::string_view pointer) -> decltype(&scenario.plan.microBatchSize) {
    if (pointer == "/plan/expert_parallel") return &scenario.plan.expertParallel;
    if (pointer == "/plan/expert_tensor_parallel") return &scenario.plan.expertTensorParallel;
    if (pointer == "/plan/virtual_stages") return &scenario.plan.virtualStages;
    if (pointer == "/plan/micro_batch_size") return &scenario.plan.microBatchSize;
    if (pointer == "/plan/zero_stage") return &scenario.plan.zeroStage;
    if (pointer == "/workload/global_batch_size") return &scenario.workload.globalBatchSize;
    if (pointer == "/workload/sequence_length") return &scenario.workload.sequenceLength;
    return nullptr;
}

template <class AnyModel>
auto modelNumber(AnyModel& model, std::string_view pointer) -> decltype(&model.layers) {
    if (pointer == "/model/layers") return &model.layers;
    if (pointer == "/model/hidden_size") return &model.hiddenSize;
    if (pointer == "/model/attention_heads") return &model.attentionHeads;
    if (pointer == "/model/kv_heads") return &model.kvHeads;
    if (pointer == "/model/head_dim") return &model.headDim;
    if (pointer == "/model/ffn_hidden_size") return &model.ffnHiddenSize;
    if (pointer == "/model/vocab_size") return &model.vocabSize;
    if (model.moe) {
        if (pointer == "/model/moe/experts") return &model.moe->experts;
        if (pointer == "/model/moe/top_k") return &model.moe->topK;
        if (pointer == "/model/moe/expert_ffn_hidden_size") return &model.moe->expertFfnHiddenSize;
        if (pointer == "/model/moe/shared_experts") return &model.moe->sharedExperts;
        if (pointer == "/model/moe/dense_layers") return &model.moe->denseLayers;
    }
    return nullptr;
}

}  // namespace

std::optional<std::int64_t> numberAt(const Scenario& scenario, std::string_view pointer) {
    if (pointer == "/plan/data_parallel") return resolve(scenario).dataParallel;
    if (pointer == "/plan/shard_group") return resolve(scenario).shardGroup;
    if (const auto dimension = dimensionAt(pointer)) {
        switch (*dimension) {
            case Dimension::tensor: return scenario.plan.tensorParallel;
            case Dimension::pipeline: return scenario.plan.pipelineParallel;
            case Dimension::context: return scenario.plan.contextParallel;
            default: break;
        }
    }
    if (const auto* number = plainNumber(scenario, pointer)) return *number;
    if (const auto* number = modelNumber(*scenario.model, pointer)) return *number;
    return std::nullopt;
}

std::optional<Scenario> withNumberAt(const Scenario& scenario, std::string_view pointer, std::int64_t value,
                                     const DegreeLocks& locks, bool keepGlobalBatch) {
    Scenario next = scenario;
    if (const auto dimension = dimensionAt(pointer)) {
        next = withDegree(scenario, *dimension, value, locks);
    } else if (pointer == "/plan/shard_group") {
        next.plan.shardGroup = value;
    } else if (auto* number = plainNumber(next, pointer)) {
        *number = value;
        if (pointer == "/plan/virtual_stages" && value != scenario.plan.virtualStages) next.plan.layersPerStage.clear();
    } else if (modelNumber(*scenario.model, pointer) != nullptr) {
        auto model = std::make_shared<ModelSpec>(*scenario.model);
        *modelNumber(*model, pointer) = value;
        model->preset.clear();
        if (pointer == "/model/layers") {
            model->layerKinds.clear();
            next.plan.layersPerStage.clear();
        }
        next.model = std::move(model);
    } else {
        return std::nullopt;
    }
    if (!keepGlobalBatch && pointer != "/workload/global_batch_size") {
        const std::int64_t microBatches = resolve(scenario).microBatches;
        const std::int64_t perMicroBatch = resolve(next).dataParallel * next.plan.microBatchSize;
        if (perMicroBatch > 0 && perMicroBatch <= (std::int64_t{1} << 40) / std::max<std::int64_t>(microBatches, 1))
            next.workload.globalBatchSize = microBatches * perMicroBatch;
    }
    return next;
}

}  // namespace trainyard
