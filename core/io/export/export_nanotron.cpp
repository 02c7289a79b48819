#include <fmt/format.h>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"

namespace trainyard {
namespace {

constexpr std::string_view kTarget = "nanotron 0.4";

}  // namespace

Result<Exported> exportNanotron(const Scenario& s, const Evaluation&) {
    const Plan& plan = s.plan;
    const ModelSpec& model = *s.model;
    ExportNotes notes("nanotron");
    const LaunchPlan launch = launchPlan(s);
    refuseUncommonShapes(s, notes);
    if (plan.zeroStage > 1) notes.refuse("it shards the optimizer only (ZeRO 0 or 1)");
    if (launch.resolved.virtualStages > 1) notes.refuse("it has no virtual stages");
    if (plan.pipelineParallel > 1 && plan.schedule != "1f1b" && plan.schedule != "gpipe")
        notes.refuse(fmt::format("its pipeline engines are 1f1b and afab (gpipe), not {}", plan.schedule));
    if (plan.contextParallel > 1 && plan.contextMethod != ContextMethod::ring)
        notes.refuse("sequences are split by ring attention only");
    if (plan.expertTensorParallel > 1) notes.refuse("experts are not split over tensor ranks");
    if (launch.recompute == RecomputeMode::selective) notes.refuse("it recomputes whole layers or nothing");
    if (!launch.equalNodes) notes.refuse("the nodes have unequal numbers of accelerators");
    if (model.kvHeads < plan.tensorParallel)
        notes.refuse(fmt::format("{} key-value heads are fewer than tensor parallel {}", model.kvHeads, plan.tensorParallel));
    if (s.workload.precision == Precision::fp8 || s.workload.precision == Precision::mxfp8 ||
        s.workload.precision == Precision::nvfp4)
        notes.refuse(fmt::format("it has no {} training", name(s.workload.precision)));
    if (model.mla) notes.refuse("it has no multi-head latent attention");
    if (s.workload.optimizer != "adamw" && s.workload.optimizer != "adam")
        notes.refuse(fmt::format("the optimizer {} is not one of its own", s.workload.optimizer));
    if (!model.gatedMlp || model.norm != NormKind::rmsnorm || model.positionEmbedding != PositionEmbedding::rope)
        notes.refuse("its models are Llama- and Qwen-like: gated feed-forward, RMS norms, rotary positions");
    if (model.qkNorm) notes.leaveOut("the norm of queries and keys, which its models do not have");
    if (!launch.evenLayers && !plan.layersPerStage.empty())
        notes.leaveOut("the number of layers per stage; nanotron splits by cost itself");
    if (plan.recompute.layers && *plan.recompute.layers < model.layers)
        notes.leaveOut("recomputation of some layers only; all are recomputed");
    if (!plan.placementOrder.empty()) notes.leaveOut("the placement order");
    if (plan.shardGroup && *plan.shardGroup != launch.resolved.dataParallel * plan.contextParallel)
        notes.refuse("the optimizer is sharded over all replicas");
    if (plan.optimizerOffloadFraction > 0) notes.refuse("it does not offload the optimizer");

    const bool qwen = model.qkvBias.value_or(false) || model.moe;
    std::string out = exportHeading("#", "Configuration", kTarget, s, notes);
    out += "# Data, tokenizer and the learning rate are your own to put in.\n";
    out += fmt::format("general:\n  project: trainyard\n  run: {}\n  seed: 42\n",
                       quotedScalar(s.name.empty() ? model.name : s.name));
    out += fmt::format("parallelism:\n  dp: {}\n  pp: {}\n  tp: {}\n  context_parallel_size: {}\n  expert_parallel_size: {}\n",
                       launch.resolved.dataParallel, plan.pipelineParallel, plan.tensorParallel, plan.contextParallel,
                       plan.expertParallel);
    out += fmt::format("  pp_engine: {}\n  tp_mode: {}\n  tp_linear_async_communication: {}\n  recompute_layer: {}\n",
                       plan.schedule == "gpipe" ? "afab" : "1f1b",
                       plan.sequenceParallel && plan.tensorParallel > 1 ? "REDUCE_SCATTER" : "ALL_REDUCE",
                       plan.overlap.tensor.value_or(plan.sequenceParallel && plan.tensorParallel > 1) ? "true" : "false",
                       launch.recompute == RecomputeMode::full ? "true" : "false");
    out += fmt::format(
        "tokens:\n  sequence_length: {}\n  micro_batch_size: {}\n  batch_accumulation_per_replica: {}\n  train_steps: {}\n  "
        "val_check_interval: -1\n",
        s.workload.sequenceLength, plan.microBatchSize, launch.accumulation, launch.steps > 0 ? launch.steps : 100);
    out += fmt::format(
        "optimizer:\n  zero_stage: {}\n  accumulate_grad_in_fp32: {}\n  clip_grad: 1.0\n  weight_decay: 0.1\n  "
        "optimizer_factory:\n    name: adamW\n    adam_beta1: 0.9\n    adam_beta2: 0.95\n"
        "    adam_eps: 1.0e-8\n    torch_adam_is_fused: true\n  learning_rate_scheduler:\n    learning_rate: 1.0e-4\n    "
        "lr_warmup_steps: 100\n    lr_warmup_style: linear\n    lr_decay_style: cosine\n"
        "    min_decay_lr: 1.0e-5\n",
        plan.zeroStage, launch.resolved.gradientPrecision == Precision::fp32 ? "true" : "false");
    const char* dtype = s.workload.precision == Precision::fp16   ? "float16"
                        : s.workload.precision == Precision::bf16 ? "bfloat16"
                                                                  : "float32";
    out += fmt::format(
        "model:\n  dtype: {}\n  make_vocab_size_divisible_by: 1\n  ddp_bucket_cap_mb: 25\n  init_method:\n    std: 0.02\n  "
        "model_config:\n    is_{}_config: true\n",
        dtype, qwen ? "qwen2" : "llama");
    out += fmt::format(
        "    hidden_size: {}\n    intermediate_size: {}\n    num_hidden_layers: {}\n    num_attention_heads: {}\n    "
        "num_key_value_heads: {}\n    vocab_size: {}\n    max_position_embeddings: {}\n"
        "    tie_word_embeddings: {}\n    hidden_act: {}\n",
        model.hiddenSize, model.ffnHiddenSize, model.layers, model.attentionHeads, model.kvHeads, model.vocabSize,
        s.workload.sequenceLength, model.tiedEmbeddings ? "true" : "false", model.gatedMlp ? "silu" : "gelu");
    if (model.headDim * model.attentionHeads != model.hiddenSize) out += fmt::format("    head_dim: {}\n", model.headDim);
    if (model.qkvBias.value_or(false)) out += "    attention_bias: true\n";
    if (model.slidingWindow) out += fmt::format("    sliding_window_size: {}\n", *model.slidingWindow);
    if (model.moe) {
        out += fmt::format(
            "    moe_config:\n      num_experts: {}\n      top_k: {}\n      moe_intermediate_size: {}\n      "
            "enable_shared_expert: {}\n",
            model.moe->experts, model.moe->topK, model.moe->expertFfnHiddenSize, model.moe->sharedExperts > 0 ? "true" : "false");
        if (model.moe->sharedExperts > 0)
            out += fmt::format(
                "      shared_expert_intermediate_size: {}\n",
                model.moe->sharedExpertFfnHiddenSize.value_or(model.moe->sharedExperts * model.moe->expertFfnHiddenSize));
    }
    return notes.result(std::move(out),
                        fmt::format("CUDA_DEVICE_MAX_CONNECTIONS=1 torchrun --nnodes {} --nproc_per_node {} --rdzv_backend c10d "
                                    "--rdzv_endpoint \"$MASTER_ADDR:29500\" run_train.py --config-file config.yaml",
                                    launch.nodes, launch.devicesPerNode));
}

}  // namespace trainyard
