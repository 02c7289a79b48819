#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"

// Megatron-Bridge's configuration container as YAML (`run_config.yaml`), which has taken the place of NeMo 2 recipes.

namespace trainyard {
namespace {

using Int = std::int64_t;
constexpr std::string_view kTarget = "NeMo Megatron-Bridge 0.7";

class Section {
  public:
    explicit Section(std::string name) : text_(std::move(name) + ":\n") {}
    template <class Value>
    void add(std::string_view key, const Value& value) {
        text_ += fmt::format("  {}: {}\n", key, value);
        empty_ = false;
    }
    void add(std::string_view key, bool value) { add(key, value ? "true" : "false"); }
    [[nodiscard]] std::string text() const { return empty_ ? std::string() : text_; }

  private:
    std::string text_;
    bool empty_ = true;
};

void addModel(const Scenario& s, const LaunchPlan& launch, ExportNotes& notes, Section& out) {
    const ModelSpec& model = *s.model;
    const Plan& plan = s.plan;
    out.add("num_layers", model.layers);
    out.add("hidden_size", model.hiddenSize);
    out.add("ffn_hidden_size", model.ffnHiddenSize);
    out.add("num_attention_heads", model.attentionHeads);
    out.add("num_query_groups", model.kvHeads);
    if (!model.mla && model.headDim * model.attentionHeads != model.hiddenSize) out.add("kv_channels", model.headDim);
    out.add("seq_length", s.workload.sequenceLength);
    out.add("vocab_size", model.vocabSize);
    out.add("gated_linear_unit", model.gatedMlp);
    out.add("normalization", model.norm == NormKind::rmsnorm ? "RMSNorm" : "LayerNorm");
    out.add("share_embeddings_and_output_weights", model.tiedEmbeddings);
    out.add("add_bias_linear", model.biases);
    if (model.qkvBias.value_or(false) && !model.biases) out.add("add_qkv_bias", true);
    if (model.qkNorm) out.add("qk_layernorm", true);
    out.add("position_embedding_type", model.positionEmbedding == PositionEmbedding::rope      ? "rope"
                                       : model.positionEmbedding == PositionEmbedding::learned ? "learned_absolute"
                                                                                               : "none");
    if (model.positionEmbedding == PositionEmbedding::learned)
        out.add("max_position_embeddings", std::max(model.maxPositions, s.workload.sequenceLength));
    if (model.mla) {
        out.add("multi_latent_attention", true);
        if (model.mla->qLoraRank > 0) out.add("q_lora_rank", model.mla->qLoraRank);
        out.add("kv_lora_rank", model.mla->kvLoraRank);
        out.add("qk_head_dim", model.mla->qkNopeHeadDim);
        out.add("qk_pos_emb_head_dim", model.mla->qkRopeHeadDim);
        out.add("v_head_dim", model.mla->vHeadDim);
    }
    if (model.moe) {
        out.add("num_moe_experts", model.moe->experts);
        out.add("moe_router_topk", model.moe->topK);
        out.add("moe_ffn_hidden_size", model.moe->expertFfnHiddenSize);
        const Int shared =
            model.moe->sharedExpertFfnHiddenSize.value_or(model.moe->sharedExperts * model.moe->expertFfnHiddenSize);
        if (shared > 0) out.add("moe_shared_expert_intermediate_size", shared);
        if (model.moe->routerBias) out.add("moe_router_enable_expert_bias", true);
        std::vector<int> pattern;
        for (Int i = 0; i < model.layers; ++i) pattern.push_back(layerKind(model, i).ffn == FfnKind::moe ? 1 : 0);
        if (std::accumulate(pattern.begin(), pattern.end(), Int{0}) != model.layers)
            out.add("moe_layer_freq", fmt::format("[{}]", fmt::join(pattern, ", ")));
        out.add("moe_grouped_gemm", true);
        out.add("moe_token_dispatcher_type", "alltoall");
    }
    if (model.slidingWindow && model.layerKinds.empty()) out.add("window_size", fmt::format("[{}, 0]", *model.slidingWindow));
    for (const auto& kind : model.layerKinds)
        if (kind.slidingWindow) {
            notes.leaveOut("sliding windows of single layers");
            break;
        }
    if (model.normsPerLayer != 2) notes.leaveOut(fmt::format("{} norms per layer", model.normsPerLayer));
    if (model.embeddingNorm) notes.leaveOut("the norm after the embedding");

    out.add("tensor_model_parallel_size", plan.tensorParallel);
    out.add("pipeline_model_parallel_size", plan.pipelineParallel);
    if (launch.resolved.virtualStages > 1) out.add("virtual_pipeline_model_parallel_size", launch.resolved.virtualStages);
    out.add("context_parallel_size", plan.contextParallel);
    if (plan.contextParallel > 1) {
        const char* type = plan.contextMethod == ContextMethod::ring         ? "p2p"
                           : plan.contextMethod == ContextMethod::ulysses    ? "a2a"
                           : plan.contextMethod == ContextMethod::all_gather ? "all_gather"
                                                                             : "a2a+p2p";
        out.add("cp_comm_type", type);
        if (plan.contextMethod == ContextMethod::usp) {
            const Int inner = std::gcd(plan.contextParallel,
                                       std::max<Int>(1, std::min<Int>(8, model.kvHeads / std::max<Int>(1, plan.tensorParallel))));
            out.add("hierarchical_context_parallel_sizes", fmt::format("[{}, {}]", inner, plan.contextParallel / inner));
        }
    }
    out.add("sequence_parallel", plan.sequenceParallel && plan.tensorParallel > 1);
    if (model.moe) {
        out.add("expert_model_parallel_size", plan.expertParallel);
        out.add("expert_tensor_parallel_size", plan.expertTensorParallel);
    }
    if (!launch.evenLayers) out.add("pipeline_model_parallel_layout", quotedScalar(layoutText(launch.resolved.layersOfStage)));
    if (plan.pipelineParallel > 1) out.add("pipeline_dtype", "bf16");
    const RecomputePlan& recompute = plan.recompute;
    if (recompute.mode == RecomputeMode::full) {
        out.add("recompute_granularity", "full");
        const Int stages = plan.pipelineParallel * launch.resolved.virtualStages;
        const bool some = recompute.layers && *recompute.layers < model.layers;
        out.add("recompute_method", some ? "block" : "uniform");
        out.add("recompute_num_layers", some ? (*recompute.layers + stages - 1) / stages : Int{1});
    } else if (recompute.mode == RecomputeMode::selective) {
        out.add("recompute_granularity", "selective");
        std::vector<std::string_view> modules;
        for (const auto module : kAllRecomputeModules) {
            if (!recompute.recomputes(module)) continue;
            if (module == RecomputeModule::every_second_matmul)
                notes.refuse("recomputing every second matrix product is torchtitan's policy");
            else if (module == RecomputeModule::activation)
                notes.leaveOut("recomputing the activation function alone");
            else
                modules.push_back(name(module));
        }
        if (!modules.empty()) out.add("recompute_modules", fmt::format("[{}]", fmt::join(modules, ", ")));
    }
}

}  // namespace

Result<Exported> exportNemo(const Scenario& s, const Evaluation&) {
    ExportNotes notes("Megatron-Bridge");
    const LaunchPlan launch = launchPlan(s);
    refuseUncommonShapes(s, notes);
    if (!launch.equalNodes) notes.refuse("the nodes have unequal numbers of accelerators");
    if (s.plan.pipelineParallel > 1 && s.plan.schedule != "1f1b" && !s.plan.schedule.starts_with("interleaved-1f1b") &&
        s.plan.schedule != "interleaved_1f1b")
        notes.refuse(fmt::format("the schedule {} is not one of Megatron's (1f1b, interleaved-1f1b)", s.plan.schedule));
    Section model("model"), train("train"), optimizer("optimizer"), ddp("ddp"), dist("dist"), dataset("dataset"),
        mixed("mixed_precision"), overlap("comm_overlap");
    addModel(s, launch, notes, model);
    train.add("micro_batch_size", s.plan.microBatchSize);
    train.add("global_batch_size", s.workload.globalBatchSize);
    train.add("train_iters", launch.steps > 0 ? launch.steps : 100);
    if (s.workload.optimizer == "adamw" || s.workload.optimizer == "adam" || s.workload.optimizer.ends_with("-moments"))
        optimizer.add("optimizer", "adam");
    else if (s.workload.optimizer.starts_with("sgd"))
        optimizer.add("optimizer", "sgd");
    else if (s.workload.optimizer == "muon")
        optimizer.add("optimizer", "muon");
    else
        notes.refuse(fmt::format("the optimizer {} is not one of Megatron's", s.workload.optimizer));
    optimizer.add("lr", "1.0e-4");
    if (s.workload.optimizer.ends_with("-moments")) {
        optimizer.add("use_precision_aware_optimizer", true);
        optimizer.add("exp_avg_dtype", s.workload.optimizer == "adamw-bf16-moments" ? "bf16" : "fp8");
        optimizer.add("exp_avg_sq_dtype", s.workload.optimizer == "adamw-bf16-moments" ? "bf16" : "fp8");
    }
    const bool overlaps = s.plan.overlap.data.value_or(true);
    ddp.add("use_distributed_optimizer", s.plan.zeroStage >= 1);
    ddp.add("overlap_grad_reduce", overlaps);
    ddp.add("overlap_param_gather", overlaps && s.plan.zeroStage >= 1);
    ddp.add("grad_reduce_in_fp32", launch.resolved.gradientPrecision == Precision::fp32);
    if (s.plan.zeroStage >= 2) {
        ddp.add("use_megatron_fsdp", true);
        ddp.add("data_parallel_sharding_strategy", s.plan.zeroStage == 2 ? "optim_grads" : "optim_grads_params");
    }
    const Int group = launch.resolved.dataParallel * s.plan.contextParallel;
    if (s.plan.shardGroup && s.plan.zeroStage > 0 && *s.plan.shardGroup != group) {
        if (*s.plan.shardGroup > 0 && group % *s.plan.shardGroup == 0)
            ddp.add("num_distributed_optimizer_instances", group / *s.plan.shardGroup);
        else
            notes.refuse(fmt::format("a shard group of {} does not divide {} replicas", *s.plan.shardGroup, group));
    }
    const std::vector<Dimension> pipelineFirst{Dimension::tensor, Dimension::context, Dimension::pipeline, Dimension::data};
    const std::vector<Dimension> usual{Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline};
    if (s.plan.placementOrder == pipelineFirst)
        dist.add("use_tp_pp_dp_mapping", true);
    else if (!s.plan.placementOrder.empty() && s.plan.placementOrder != usual)
        notes.refuse("the placement order is neither tensor, context, data, pipeline nor tensor, context, pipeline, data");
    dataset.add("seq_length", s.workload.sequenceLength);
    switch (s.workload.precision) {
        case Precision::fp32:
        case Precision::tf32: break;
        case Precision::fp16: mixed.add("fp16", true); break;
        case Precision::bf16: mixed.add("bf16", true); break;
        case Precision::fp8:
            mixed.add("bf16", true);
            mixed.add("fp8", "hybrid");
            mixed.add("fp8_recipe", "tensorwise");
            break;
        case Precision::mxfp8:
            mixed.add("bf16", true);
            mixed.add("fp8", "e4m3");
            mixed.add("fp8_recipe", "mxfp8");
            break;
        case Precision::nvfp4:
            mixed.add("bf16", true);
            mixed.add("fp4", "e2m1");
            mixed.add("fp4_recipe", "nvfp4");
            break;
    }
    if (s.plan.overlap.tensor.value_or(false)) overlap.add("tp_comm_overlap", true);
    if (s.plan.overlap.expert.value_or(false)) overlap.add("overlap_moe_expert_parallel_comm", true);
    if (s.plan.optimizerOffloadFraction > 0) {
        optimizer.add("optimizer_cpu_offload", true);
        optimizer.add("optimizer_offload_fraction", s.plan.optimizerOffloadFraction);
    }
    if (!s.plan.scheduleParameters.empty()) notes.leaveOut("parameters of the schedule");
    if (s.workload.attention == AttentionKernel::unfused)
        notes.leaveOut("unfused attention (set NVTE_FUSED_ATTN=0 and NVTE_FLASH_ATTN=0)");

    std::string out = exportHeading("#", "Configuration", kTarget, s, notes);
    out += fmt::format("# {} nodes of {} accelerators; data paths and the learning rate are your own to put in.\n", launch.nodes,
                       launch.devicesPerNode);
    for (const Section* section : {&model, &train, &optimizer, &ddp, &dist, &dataset, &mixed, &overlap}) out += section->text();
    return notes.result(std::move(out),
                        fmt::format("torchrun --nnodes {} --nproc_per_node {} your_pretrain.py --config-file run_config.yaml",
                                    launch.nodes, launch.devicesPerNode));
}

}  // namespace trainyard
