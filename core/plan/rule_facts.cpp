#include "core/plan/rule_facts.h"

#include <algorithm>
#include <iterator>

#include "core/base/expression.h"
#include "core/plan/plan_choices.h"
#include "core/plan/resolve.h"

namespace trainyard {
namespace {

struct Sources {
    const Scenario& scenario;
    const ResolvedPlan& resolved;
};

Fact number(double value) { return {value, {}}; }
Fact number(std::int64_t value) { return {static_cast<double>(value), {}}; }
Fact truth(bool value) { return {value ? 1.0 : 0.0, {}}; }
Fact text(std::string_view value) { return {textValue(value), std::string(value)}; }

bool recomputes(const Sources& s, RecomputeModule module) {
    return s.scenario.plan.recompute.mode == RecomputeMode::selective && s.scenario.plan.recompute.recomputes(module);
}

/// Layers of the emptiest stage that holds neither embedding nor head; the emptiest of all where there is no such stage.
std::int64_t fewestMiddleLayers(const ResolvedPlan& resolved) {
    const auto& layers = resolved.layersOfStage;
    if (layers.empty()) return 0;
    if (layers.size() < 3) return std::max<std::int64_t>(1, *std::ranges::min_element(layers));
    return *std::min_element(layers.begin() + 1, layers.end() - 1);
}

std::int64_t scheduleGroup(const Plan& plan) {
    for (const auto& [key, value] : plan.scheduleParameters)
        if (key == "group" && value > 0) return value;
    return plan.pipelineParallel;
}

std::int64_t smallestNode(const ClusterSpec& cluster) {
    std::int64_t smallest = 0;
    for (const NodeSpec& node : cluster.nodes)
        smallest = smallest == 0 ? node.devicesPerNode() : std::min(smallest, node.devicesPerNode());
    return smallest;
}

struct Definition {
    FactDefinition shown;
    Fact (*read)(const Sources&);
};

#define TRAINYARD_FACT(NAME, MEANING, VALUE)            \
    {                                                   \
        {NAME, MEANING}, [](const Sources& s) -> Fact { \
            static_cast<void>(s);                       \
            return VALUE;                               \
        }                                               \
    }

const Definition kDefinitions[] = {
    TRAINYARD_FACT("cluster.devices", "accelerators in all", number(s.resolved.devices)),
    TRAINYARD_FACT("cluster.devices_per_node", "accelerators of the smallest node", number(smallestNode(*s.scenario.cluster))),
    TRAINYARD_FACT("model.layers", "layers", number(s.scenario.model->layers)),
    TRAINYARD_FACT("model.hidden_size", "hidden size", number(s.scenario.model->hiddenSize)),
    TRAINYARD_FACT("model.attention_heads", "attention heads", number(s.scenario.model->attentionHeads)),
    TRAINYARD_FACT("model.kv_heads", "key-value heads", number(s.scenario.model->kvHeads)),
    TRAINYARD_FACT("model.head_dim", "head dimension", number(s.scenario.model->headDim)),
    TRAINYARD_FACT("model.ffn_hidden_size", "feed-forward width", number(s.scenario.model->ffnHiddenSize)),
    TRAINYARD_FACT("model.vocab_size", "vocabulary", number(s.scenario.model->vocabSize)),
    TRAINYARD_FACT("model.tied_embeddings", "embedding and head share their weights", truth(s.scenario.model->tiedEmbeddings)),
    TRAINYARD_FACT("model.mlp_bias", "feed-forward layers have biases",
                   truth(s.scenario.model->mlpBias.value_or(s.scenario.model->biases))),
    TRAINYARD_FACT("model.learned_positions", "learned position embeddings",
                   truth(s.scenario.model->positionEmbedding == PositionEmbedding::learned)),
    TRAINYARD_FACT("model.max_positions", "positions with an embedding; 0: as the sequence",
                   number(s.scenario.model->maxPositions)),
    TRAINYARD_FACT("model.mla", "multi-head latent attention", truth(s.scenario.model->mla.has_value())),
    TRAINYARD_FACT("model.moe", "layers with experts", truth(s.scenario.model->moe.has_value())),
    TRAINYARD_FACT("model.experts", "experts per layer", number(s.scenario.model->moe ? s.scenario.model->moe->experts : 0)),
    TRAINYARD_FACT("model.top_k", "experts per token", number(s.scenario.model->moe ? s.scenario.model->moe->topK : 0)),
    TRAINYARD_FACT("plan.tensor_parallel", "tensor parallel degree", number(s.scenario.plan.tensorParallel)),
    TRAINYARD_FACT("plan.pipeline_parallel", "pipeline parallel degree", number(s.scenario.plan.pipelineParallel)),
    TRAINYARD_FACT("plan.context_parallel", "context parallel degree", number(s.scenario.plan.contextParallel)),
    TRAINYARD_FACT("plan.data_parallel", "data parallel degree, filled in", number(s.resolved.dataParallel)),
    TRAINYARD_FACT("plan.expert_parallel", "expert parallel degree", number(s.scenario.plan.expertParallel)),
    TRAINYARD_FACT("plan.expert_tensor_parallel", "expert tensor parallel degree", number(s.scenario.plan.expertTensorParallel)),
    TRAINYARD_FACT("plan.virtual_stages", "chunks per device, filled in", number(s.resolved.virtualStages)),
    TRAINYARD_FACT("plan.micro_batch_size", "sequences of a micro-batch", number(s.scenario.plan.microBatchSize)),
    TRAINYARD_FACT("plan.micro_batches", "micro-batches per step and replica", number(s.resolved.microBatches)),
    TRAINYARD_FACT("plan.sequence_parallel", "sequence parallelism", truth(s.scenario.plan.sequenceParallel)),
    TRAINYARD_FACT("plan.zero_stage", "ZeRO stage", number(s.scenario.plan.zeroStage)),
    TRAINYARD_FACT("plan.shard_group", "devices over which ZeRO shards, filled in",
                   number(s.scenario.plan.shardGroup.value_or(s.resolved.shardGroup))),
    TRAINYARD_FACT("plan.schedule", "pipeline schedule", text(s.scenario.plan.schedule)),
    TRAINYARD_FACT("plan.schedule_group", "micro-batches per chunk turn", number(scheduleGroup(s.scenario.plan))),
    TRAINYARD_FACT("plan.has_layer_split", "layers_per_stage is given", truth(!s.scenario.plan.layersPerStage.empty())),
    TRAINYARD_FACT("plan.fewest_middle_layers", "layers of the emptiest stage between first and last",
                   number(fewestMiddleLayers(s.resolved))),
    TRAINYARD_FACT("plan.context_method", "context method", text(name(s.scenario.plan.contextMethod))),
    TRAINYARD_FACT("plan.recompute", "recomputation; \"per stage\" for a list",
                   text(choiceText(choiceAt(s.scenario, "/plan/recompute").value_or("")))),
    TRAINYARD_FACT("plan.recomputes_activation", "selective, module activation",
                   truth(recomputes(s, RecomputeModule::activation))),
    TRAINYARD_FACT("plan.recomputes_mla_up_proj", "selective, module mla_up_proj",
                   truth(recomputes(s, RecomputeModule::mla_up_proj))),
    TRAINYARD_FACT("plan.recomputes_moe", "selective, module moe", truth(recomputes(s, RecomputeModule::moe))),
    TRAINYARD_FACT("plan.recomputes_moe_act", "selective, module moe_act", truth(recomputes(s, RecomputeModule::moe_act))),
    TRAINYARD_FACT("plan.recomputes_every_second_matmul", "selective, per-operator policy",
                   truth(recomputes(s, RecomputeModule::every_second_matmul))),
    TRAINYARD_FACT("plan.placement", "dimensions, fastest first; \"devices\": a list of devices",
                   text(choiceText(choiceAt(s.scenario, "/plan/placement").value_or("")))),
    TRAINYARD_FACT("plan.overlap.tensor", "tensor traffic is told to overlap",
                   truth(s.scenario.plan.overlap.tensor.value_or(false))),
    TRAINYARD_FACT("plan.overlap.expert", "expert traffic is told to overlap",
                   truth(s.scenario.plan.overlap.expert.value_or(false))),
    TRAINYARD_FACT("plan.activation_offload_fraction", "share of activations in host memory",
                   number(s.scenario.plan.activationOffloadFraction)),
    TRAINYARD_FACT("plan.optimizer_offload_fraction", "share of optimizer state in host memory",
                   number(s.scenario.plan.optimizerOffloadFraction)),
    TRAINYARD_FACT("workload.sequence_length", "tokens of a sequence", number(s.scenario.workload.sequenceLength)),
    TRAINYARD_FACT("workload.global_batch_size", "sequences of a step", number(s.scenario.workload.globalBatchSize)),
    TRAINYARD_FACT("workload.precision", "number format", text(name(s.scenario.workload.precision))),
    TRAINYARD_FACT("workload.optimizer", "optimizer", text(s.scenario.workload.optimizer)),
    TRAINYARD_FACT("workload.attention", "attention kernel", text(name(s.scenario.workload.attention))),
};
#undef TRAINYARD_FACT

}  // namespace

std::span<const FactDefinition> ruleFactDefinitions() {
    static const std::vector<FactDefinition> shown = [] {
        std::vector<FactDefinition> all;
        for (const Definition& definition : kDefinitions) all.push_back(definition.shown);
        return all;
    }();
    return shown;
}

std::optional<std::size_t> ruleFactIndex(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kDefinitions); ++i)
        if (kDefinitions[i].shown.name == name) return i;
    return std::nullopt;
}

std::vector<Fact> ruleFacts(const Scenario& scenario) {
    const ResolvedPlan resolved = resolve(scenario);
    std::vector<Fact> facts;
    facts.reserve(std::size(kDefinitions));
    for (const Definition& definition : kDefinitions) facts.push_back(definition.read({scenario, resolved}));
    return facts;
}

}  // namespace trainyard
