#include <fmt/format.h>
#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/export/exporter.h"
#include "core/io/export/launch_shape.h"
#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

/// The notes as comment lines, then the document.
std::string withNotes(const std::string& head, const std::vector<std::string>& lost, const std::string& body) {
    std::string text = fmt::format("# {}\n", head);
    for (const std::string& each : lost) text += fmt::format("# NOT EXPRESSED: {}\n", each);
    return text + body + (body.ends_with('\n') ? "" : "\n");
}

tl::unexpected<Error> refuse(const char* pointer, std::string message) {
    return failure(Error::Kind::invalid, "export-refused", pointer, std::move(message));
}

bool moe(const Scenario& scenario) { return scenario.model->moe.has_value(); }

}  // namespace

Result<Exported> exportDeepspeed(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    Exported out;
    if (plan.pipelineParallel > 1 && plan.zeroStage >= 2)
        return refuse("/plan/zero_stage", "DeepSpeed's pipeline engine runs with ZeRO 0 and 1 only; allowed: 0, 1");
    if (plan.contextParallel > 1 && plan.contextMethod != ContextMethod::ulysses)
        return refuse("/plan/context_method", "DeepSpeed splits sequences with Ulysses only; allowed: ulysses");
    nlohmann::json config{{"train_batch_size", scenario.workload.globalBatchSize},
                          {"train_micro_batch_size_per_gpu", plan.microBatchSize},
                          {"gradient_accumulation_steps", e.plan.microBatches},
                          {"gradient_clipping", 1.0}};
    nlohmann::json zero{
        {"stage", plan.zeroStage}, {"overlap_comm", plan.overlap.data.value_or(true)}, {"contiguous_gradients", true}};
    if (plan.zeroStage == 3 && plan.shardGroup) zero["zero_hpz_partition_size"] = *plan.shardGroup;
    if (plan.optimizerOffloadFraction > 0) {
        zero["offload_optimizer"] = {{"device", "cpu"}, {"pin_memory", true}};
        if (plan.optimizerOffloadFraction < 1) zero["offload_optimizer"]["ratio"] = plan.optimizerOffloadFraction;
    }
    config["zero_optimization"] = zero;
    if (scenario.workload.precision == Precision::fp16)
        config["fp16"] = {{"enabled", true}};
    else if (scenario.workload.precision != Precision::fp32 && scenario.workload.precision != Precision::tf32)
        config["bf16"] = {{"enabled", true}};
    if (e.plan.gradientPrecision == Precision::fp32 && scenario.workload.precision == Precision::bf16)
        config["data_types"] = {{"grad_accum_dtype", "fp32"}};
    if (plan.tensorParallel > 1) config["tensor_parallel"] = {{"autotp_size", plan.tensorParallel}};
    if (plan.expertParallel > 1) config["expert_parallel"] = {{"enabled", true}, {"autoep_size", plan.expertParallel}};
    if (plan.contextParallel > 1) config["sequence_parallel_size"] = plan.contextParallel;
    if (plan.recompute.mode != RecomputeMode::none)
        config["activation_checkpointing"] = {{"partition_activations", plan.sequenceParallel}};
    if (plan.pipelineParallel > 1)
        out.notExpressed.push_back(
            fmt::format("the pipeline is made in code: PipelineModule(num_stages={})", plan.pipelineParallel));
    if (plan.sequenceParallel && plan.tensorParallel > 1)
        out.notExpressed.push_back("sequence parallelism beside tensor parallelism");
    if (plan.recompute.mode == RecomputeMode::selective)
        out.notExpressed.push_back("selective recomputation is chosen in the model's code");
    // JSON has no comments; DeepSpeed ignores keys it does not know.
    if (!out.notExpressed.empty()) config["_not_expressed"] = out.notExpressed;
    out.text = prettyJson(config);
    return out;
}

Result<Exported> exportTorchtitan(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    Exported out;
    static constexpr std::pair<std::string_view, std::string_view> kSchedules[] = {{"1f1b", "1F1B"},
                                                                                   {"gpipe", "GPipe"},
                                                                                   {"interleaved-1f1b", "Interleaved1F1B"},
                                                                                   {"looped-bfs", "LoopedBFS"},
                                                                                   {"interleaved-zb", "InterleavedZeroBubble"},
                                                                                   {"zb-v", "ZBVZeroBubble"},
                                                                                   {"dualpipe-v", "DualPipeV"}};
    std::string_view schedule;
    for (const auto& [ours, theirs] : kSchedules)
        if (ours == plan.schedule) schedule = theirs;
    if (plan.pipelineParallel > 1 && schedule.empty())
        return refuse("/plan/schedule", fmt::format("torchtitan has no schedule '{}'; allowed: 1f1b, gpipe, interleaved-1f1b, "
                                                    "looped-bfs, interleaved-zb, zb-v, dualpipe-v",
                                                    plan.schedule));
    if (plan.zeroStage < 2 && e.plan.dataParallel * plan.contextParallel > 1)
        out.notExpressed.push_back(
            fmt::format("ZeRO stage {}: torchtitan always shards parameters (FSDP2); this file does", plan.zeroStage));
    if (moe(scenario) && plan.expertTensorParallel > 1 && plan.expertTensorParallel != plan.tensorParallel)
        out.notExpressed.push_back("expert tensor parallelism other than 1 or the tensor degree");
    const std::int64_t data = e.plan.dataParallel;
    const std::int64_t shard = plan.shardGroup ? std::max<std::int64_t>(1, *plan.shardGroup / plan.contextParallel) : data;
    toml::table parallelism{{"data_parallel_replicate_degree", data / std::max<std::int64_t>(1, shard)},
                            {"data_parallel_shard_degree", shard},
                            {"fsdp_reshard_after_forward", plan.zeroStage >= 3 ? "always" : "never"},
                            {"tensor_parallel_degree", plan.tensorParallel},
                            {"context_parallel_degree", plan.contextParallel},
                            {"pipeline_parallel_degree", plan.pipelineParallel},
                            {"enable_async_tensor_parallel", plan.overlap.tensor.value_or(false)}};
    if (plan.pipelineParallel > 1) {
        parallelism.insert("pipeline_parallel_schedule", std::string(schedule));
        parallelism.insert("pipeline_parallel_microbatch_size", plan.microBatchSize);
        if (scenario.model->layers % static_cast<std::int64_t>(e.plan.layersOfStage.size()) == 0)
            parallelism.insert("pipeline_parallel_layers_per_stage",
                               scenario.model->layers / static_cast<std::int64_t>(e.plan.layersOfStage.size()));
        else
            out.notExpressed.push_back("an uneven split of layers beyond the first and last stage");
    }
    if (plan.contextParallel > 1)
        parallelism.insert("context_parallel_rotate_method",
                           plan.contextMethod == ContextMethod::all_gather ? "allgather" : "alltoall");
    if (moe(scenario)) {
        parallelism.insert("expert_parallel_degree", plan.expertParallel);
        parallelism.insert("expert_tensor_parallel_degree", plan.expertTensorParallel);
    }
    const std::int64_t local = plan.pipelineParallel > 1 ? plan.microBatchSize * e.plan.microBatches : plan.microBatchSize;
    const toml::table document{
        {"job", toml::table{{"description", scenario.name}}},
        {"training",
         toml::table{{"local_batch_size", local},
                     {"global_batch_size", scenario.workload.globalBatchSize},
                     {"seq_len", scenario.workload.sequenceLength},
                     {"steps", e.training ? static_cast<std::int64_t>(e.training->steps) : std::int64_t{10000}},
                     {"mixed_precision_param", scenario.workload.precision == Precision::fp32 ? "float32" : "bfloat16"},
                     {"mixed_precision_reduce", e.plan.gradientPrecision == Precision::fp32 ? "float32" : "bfloat16"}}},
        {"parallelism", parallelism},
        {"activation_checkpoint", plan.recompute.mode == RecomputeMode::selective
                                      ? toml::table{{"mode", "selective"}, {"selective_ac_option", "op"}}
                                      : toml::table{{"mode", std::string(name(plan.recompute.mode))}}}};
    std::ostringstream body;
    body << document;
    out.text = withNotes(
        "torchtitan 0.2 (TOML); add [model] name and flavor. Newer releases take the same names in a Python configuration.",
        out.notExpressed, body.str());
    return out;
}

Result<Exported> exportNanotron(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    Exported out;
    if (plan.pipelineParallel > 1 && plan.schedule != "1f1b" && plan.schedule != "gpipe")
        return refuse("/plan/schedule", fmt::format("nanotron runs 1f1b and gpipe (afab), not {}", plan.schedule));
    if (plan.zeroStage > 1) return refuse("/plan/zero_stage", "nanotron shards the optimizer only; allowed: 0, 1");
    if (!plan.layersPerStage.empty())
        out.notExpressed.push_back("the layer split: nanotron balances stages by its own cost model");
    if (plan.recompute.mode == RecomputeMode::selective) out.notExpressed.push_back("selective recomputation");
    const ModelSpec& model = *scenario.model;
    YAML::Emitter yaml;
    yaml << YAML::BeginMap;
    yaml << YAML::Key << "parallelism" << YAML::Value << YAML::BeginMap << YAML::Key << "dp" << YAML::Value << e.plan.dataParallel
         << YAML::Key << "pp" << YAML::Value << plan.pipelineParallel << YAML::Key << "tp" << YAML::Value << plan.tensorParallel
         << YAML::Key << "context_parallel_size" << YAML::Value << plan.contextParallel << YAML::Key << "expert_parallel_size"
         << YAML::Value << plan.expertParallel << YAML::Key << "pp_engine" << YAML::Value
         << (plan.schedule == "gpipe" ? "afab" : "1f1b") << YAML::Key << "tp_mode" << YAML::Value
         << (plan.sequenceParallel ? "REDUCE_SCATTER" : "ALL_REDUCE") << YAML::Key << "tp_linear_async_communication"
         << YAML::Value << plan.overlap.tensor.value_or(plan.sequenceParallel) << YAML::Key << "recompute_layer" << YAML::Value
         << (plan.recompute.mode == RecomputeMode::full) << YAML::EndMap;
    yaml << YAML::Key << "tokens" << YAML::Value << YAML::BeginMap << YAML::Key << "micro_batch_size" << YAML::Value
         << plan.microBatchSize << YAML::Key << "batch_accumulation_per_replica" << YAML::Value << e.plan.microBatches
         << YAML::Key << "sequence_length" << YAML::Value << scenario.workload.sequenceLength << YAML::Key << "train_steps"
         << YAML::Value << (e.training ? static_cast<std::int64_t>(e.training->steps) : 10000) << YAML::EndMap;
    yaml << YAML::Key << "optimizer" << YAML::Value << YAML::BeginMap << YAML::Key << "zero_stage" << YAML::Value
         << plan.zeroStage << YAML::Key << "accumulate_grad_in_fp32" << YAML::Value
         << (e.plan.gradientPrecision == Precision::fp32) << YAML::EndMap;
    yaml << YAML::Key << "model" << YAML::Value << YAML::BeginMap << YAML::Key << "dtype" << YAML::Value
         << (scenario.workload.precision == Precision::fp32 ? "float32" : "bfloat16") << YAML::Key << "model_config"
         << YAML::Value << YAML::BeginMap << YAML::Key << "is_llama_config" << YAML::Value << true << YAML::Key
         << "num_hidden_layers" << YAML::Value << model.layers << YAML::Key << "hidden_size" << YAML::Value << model.hiddenSize
         << YAML::Key << "num_attention_heads" << YAML::Value << model.attentionHeads << YAML::Key << "num_key_value_heads"
         << YAML::Value << model.kvHeads << YAML::Key << "intermediate_size" << YAML::Value << model.ffnHiddenSize << YAML::Key
         << "vocab_size" << YAML::Value << model.vocabSize << YAML::Key << "tie_word_embeddings" << YAML::Value
         << model.tiedEmbeddings << YAML::Key << "max_position_embeddings" << YAML::Value << scenario.workload.sequenceLength
         << YAML::EndMap << YAML::EndMap;
    yaml << YAML::EndMap;
    out.text = withNotes("nanotron 0.4; add data_stages, tokenizer and checkpoints.", out.notExpressed, yaml.c_str());
    return out;
}

Result<Exported> exportNemo(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    const ModelSpec& model = *scenario.model;
    Exported out;
    YAML::Emitter yaml;
    const auto put = [&](const char* key, const auto& value) { yaml << YAML::Key << key << YAML::Value << value; };
    yaml << YAML::BeginMap << YAML::Key << "model" << YAML::Value << YAML::BeginMap;
    put("num_layers", model.layers);
    put("hidden_size", model.hiddenSize);
    put("ffn_hidden_size", model.ffnHiddenSize);
    put("num_attention_heads", model.attentionHeads);
    put("num_query_groups", model.kvHeads);
    put("seq_length", scenario.workload.sequenceLength);
    put("vocab_size", model.vocabSize);
    put("gated_linear_unit", model.gatedMlp);
    put("add_bias_linear", model.biases);
    put("share_embeddings_and_output_weights", model.tiedEmbeddings);
    if (model.moe) {
        put("num_moe_experts", model.moe->experts);
        put("moe_router_topk", model.moe->topK);
        put("moe_ffn_hidden_size", model.moe->expertFfnHiddenSize);
        put("expert_model_parallel_size", plan.expertParallel);
        put("expert_tensor_parallel_size", plan.expertTensorParallel);
    }
    put("tensor_model_parallel_size", plan.tensorParallel);
    put("pipeline_model_parallel_size", plan.pipelineParallel);
    put("context_parallel_size", plan.contextParallel);
    put("sequence_parallel", plan.sequenceParallel && plan.tensorParallel > 1);
    if (plan.pipelineParallel > 1 && plan.schedule != "1f1b" && plan.schedule != "interleaved-1f1b")
        out.notExpressed.push_back(fmt::format("schedule {}: Megatron-Bridge runs 1f1b and interleaved-1f1b", plan.schedule));
    if (plan.schedule == "interleaved-1f1b" && e.plan.virtualStages > 1)
        put("virtual_pipeline_model_parallel_size", e.plan.virtualStages);
    if (const auto layout = megatronLayout(model, e.plan)) put("pipeline_model_parallel_layout", *layout);
    if (plan.recompute.mode == RecomputeMode::full) {
        put("recompute_granularity", "full");
        put("recompute_method", plan.recompute.layers ? "block" : "uniform");
        put("recompute_num_layers",
            plan.recompute.layers ? std::max<std::int64_t>(1, *plan.recompute.layers / plan.pipelineParallel) : 1);
    } else if (plan.recompute.mode == RecomputeMode::selective) {
        put("recompute_granularity", "selective");
        yaml << YAML::Key << "recompute_modules" << YAML::Value << YAML::Flow << YAML::BeginSeq;
        for (const RecomputeModule module : kAllRecomputeModules)
            if (plan.recompute.recomputes(module)) yaml << std::string(name(module));
        yaml << YAML::EndSeq;
    }
    yaml << YAML::EndMap;
    yaml << YAML::Key << "train" << YAML::Value << YAML::BeginMap;
    put("micro_batch_size", plan.microBatchSize);
    put("global_batch_size", scenario.workload.globalBatchSize);
    put("train_iters", e.training ? static_cast<std::int64_t>(e.training->steps) : 10000);
    yaml << YAML::EndMap << YAML::Key << "dataset" << YAML::Value << YAML::BeginMap;
    put("seq_length", scenario.workload.sequenceLength);
    yaml << YAML::EndMap << YAML::Key << "ddp" << YAML::Value << YAML::BeginMap;
    put("use_distributed_optimizer", plan.zeroStage >= 1);
    put("overlap_grad_reduce", plan.overlap.data.value_or(true));
    put("overlap_param_gather", plan.overlap.data.value_or(true) && plan.zeroStage >= 1);
    put("grad_reduce_in_fp32", e.plan.gradientPrecision == Precision::fp32);
    if (plan.zeroStage >= 2) {
        put("use_megatron_fsdp", true);
        put("data_parallel_sharding_strategy", plan.zeroStage == 2 ? "optim_grads" : "optim_grads_params");
    }
    yaml << YAML::EndMap;
    const Precision precision = scenario.workload.precision;
    put("mixed_precision", precision == Precision::fp16    ? "fp16_mixed"
                           : precision == Precision::fp8   ? "bf16_with_fp8_current_scaling_mixed"
                           : precision == Precision::mxfp8 ? "bf16_with_mxfp8_mixed"
                           : precision == Precision::nvfp4 ? "bf16_with_nvfp4_mixed"
                                                           : "bf16_mixed");
    yaml << YAML::EndMap;
    out.text = withNotes("Megatron-Bridge 0.7; overrides for a recipe, the same names as section.key=value on its command line.",
                         out.notExpressed, yaml.c_str());
    return out;
}

Result<Exported> exportAccelerate(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    if (plan.pipelineParallel > 1)
        return refuse("/plan/pipeline_parallel", "accelerate has no pipeline parallel training; allowed: 1");
    if (plan.expertParallel > 1) return refuse("/plan/expert_parallel", "accelerate has no expert parallelism; allowed: 1");
    Exported out;
    const LaunchShape shape = launchShape(*scenario.cluster);
    if (!shape.uniform) out.notExpressed.push_back("nodes of different sizes");
    if (plan.zeroStage == 1) out.notExpressed.push_back("ZeRO stage 1: FSDP2 shards gradients as well (stage 2); this file does");
    YAML::Emitter yaml;
    const auto put = [&](const char* key, const auto& value) { yaml << YAML::Key << key << YAML::Value << value; };
    yaml << YAML::BeginMap;
    const bool sharded = plan.zeroStage > 0 || plan.tensorParallel > 1 || plan.contextParallel > 1;
    put("compute_environment", "LOCAL_MACHINE");
    put("distributed_type", sharded ? "FSDP" : "MULTI_GPU");
    put("mixed_precision", scenario.workload.precision == Precision::fp32   ? "no"
                           : scenario.workload.precision == Precision::fp16 ? "fp16"
                           : scenario.workload.precision == Precision::fp8  ? "fp8"
                                                                            : "bf16");
    put("num_machines", shape.nodes);
    put("num_processes", e.devices);
    put("machine_rank", 0);
    if (shape.nodes > 1) {
        put("main_process_ip", "MASTER_ADDR");
        put("main_process_port", 29500);
    }
    if (sharded) {
        yaml << YAML::Key << "fsdp_config" << YAML::Value << YAML::BeginMap;
        put("fsdp_version", 2);
        put("fsdp_reshard_after_forward", plan.zeroStage >= 3);
        put("fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
        put("fsdp_activation_checkpointing", plan.recompute.mode == RecomputeMode::full);
        put("fsdp_offload_params", plan.optimizerOffloadFraction > 0);
        put("fsdp_state_dict_type", "SHARDED_STATE_DICT");
        yaml << YAML::EndMap << YAML::Key << "parallelism_config" << YAML::Value << YAML::BeginMap;
        const std::int64_t shard = plan.zeroStage == 0 ? 1
                                   : plan.shardGroup   ? std::max<std::int64_t>(1, *plan.shardGroup / plan.contextParallel)
                                                       : e.plan.dataParallel;
        put("parallelism_config_dp_replicate_size", e.plan.dataParallel / std::max<std::int64_t>(1, shard));
        put("parallelism_config_dp_shard_size", shard);
        put("parallelism_config_tp_size", plan.tensorParallel);
        put("parallelism_config_cp_size", plan.contextParallel);
        yaml << YAML::EndMap;
    }
    yaml << YAML::EndMap;
    if (plan.recompute.mode == RecomputeMode::selective) out.notExpressed.push_back("selective recomputation");
    out.notExpressed.push_back(
        fmt::format("set in the training script: per-device batch {}, gradient accumulation {}, sequence length {}",
                    plan.microBatchSize, e.plan.microBatches, scenario.workload.sequenceLength));
    out.text = withNotes("accelerate 1.15: accelerate launch --config_file THIS_FILE train.py", out.notExpressed, yaml.c_str());
    return out;
}

}  // namespace trainyard
