#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"
#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

using nlohmann::json;
constexpr std::string_view kTarget = "DeepSpeed 0.19";

}  // namespace

Result<Exported> exportDeepspeed(const Scenario& s, const Evaluation&) {
    const Plan& plan = s.plan;
    ExportNotes notes("DeepSpeed");
    const LaunchPlan launch = launchPlan(s);
    refuseUncommonShapes(s, notes);
    if (plan.pipelineParallel > 1 && plan.zeroStage >= 2) notes.refuse("its pipeline engine works with ZeRO stage 0 or 1 only");
    if (plan.pipelineParallel > 1 && plan.schedule != "1f1b")
        notes.refuse(fmt::format("its pipeline engine runs 1f1b only, not {}", plan.schedule));
    if (launch.resolved.virtualStages > 1) notes.refuse("its pipeline engine has no virtual stages");
    if (plan.contextParallel > 1 && plan.contextMethod != ContextMethod::ulysses)
        notes.refuse("sequences are split by Ulysses only (context_method ulysses)");
    if (plan.expertTensorParallel > 1) notes.refuse("expert_tensor_parallel must be 1");
    if (s.model->moe && plan.expertParallel > 1 && plan.zeroStage == 3)
        notes.refuse("expert parallelism does not go with ZeRO stage 3");
    if (plan.tensorParallel > 1 && plan.zeroStage == 3)
        notes.refuse("automatic tensor parallelism does not go with ZeRO stage 3");
    switch (s.workload.precision) {
        case Precision::fp8:
        case Precision::mxfp8:
        case Precision::nvfp4:
            notes.leaveOut(fmt::format("{} matrix products: the model's own code chooses them, the configuration stays bf16",
                                       name(s.workload.precision)));
            break;
        default: break;
    }

    json out = json::object();
    out["train_batch_size"] = s.workload.globalBatchSize;
    out["train_micro_batch_size_per_gpu"] = plan.microBatchSize;
    out["gradient_accumulation_steps"] = launch.accumulation;
    out["gradient_clipping"] = 1.0;
    if (s.workload.precision == Precision::fp16)
        out["fp16"] = {{"enabled", true}};
    else if (s.workload.precision != Precision::fp32 && s.workload.precision != Precision::tf32)
        out["bf16"] = {{"enabled", true}};
    const Precision gradient = launch.resolved.gradientPrecision;
    out["data_types"] = {{"grad_accum_dtype", gradient == Precision::bf16   ? "bf16"
                                              : gradient == Precision::fp16 ? "fp16"
                                                                            : "fp32"}};
    json zero = {{"stage", plan.zeroStage}};
    if (plan.zeroStage > 0) {
        zero["overlap_comm"] = plan.overlap.data.value_or(true);
        zero["contiguous_gradients"] = true;
        zero["reduce_bucket_size"] = 500'000'000;
        if (plan.zeroStage == 3) {
            zero["stage3_prefetch_bucket_size"] = 50'000'000;
            zero["stage3_param_persistence_threshold"] = 100'000;
            zero["stage3_max_live_parameters"] = 1'000'000'000;
        } else {
            zero["allgather_bucket_size"] = 500'000'000;
        }
        if (plan.optimizerOffloadFraction > 0) {
            zero["offload_optimizer"] = {{"device", "cpu"}, {"pin_memory", true}};
            if (plan.optimizerOffloadFraction < 1) zero["offload_optimizer"]["ratio"] = plan.optimizerOffloadFraction;
        }
    } else if (plan.optimizerOffloadFraction > 0) {
        notes.refuse("offloading of the optimizer needs ZeRO");
    }
    const std::int64_t group = launch.resolved.dataParallel * plan.contextParallel;
    if (plan.zeroStage > 0 && plan.shardGroup && *plan.shardGroup != group) {
        if (plan.zeroStage == 3)
            zero["mics_shard_size"] = *plan.shardGroup;
        else
            notes.refuse("a shard group smaller than all replicas needs ZeRO stage 3 (MiCS)");
    }
    out["zero_optimization"] = std::move(zero);
    if (plan.tensorParallel > 1) out["tensor_parallel"] = {{"autotp_size", plan.tensorParallel}};
    if (plan.contextParallel > 1) out["sequence_parallel_size"] = plan.contextParallel;
    if (s.model->moe && plan.expertParallel > 1)
        out["expert_parallel"] = {{"enabled", true}, {"autoep_size", plan.expertParallel}};
    if (launch.recompute == RecomputeMode::full) {
        out["activation_checkpointing"] = {{"partition_activations", false}, {"contiguous_memory_optimization", false}};
        notes.leaveOut(
            "where recomputation happens: turn on gradient checkpointing in the model (model.gradient_checkpointing_enable())");
        if (plan.recompute.layers && *plan.recompute.layers < s.model->layers)
            notes.leaveOut(fmt::format("recomputation of {} layers only", *plan.recompute.layers));
    } else if (launch.recompute == RecomputeMode::selective) {
        notes.leaveOut("selective recomputation: the model's own code has to do it");
    }
    if (plan.pipelineParallel > 1) {
        out["pipeline"] = {{"pipe_partitioned", false}, {"grad_partitioned", false}};
        notes.leaveOut(fmt::format(
            "the pipeline itself, which is made in code: PipelineModule(layers, num_stages={}, partition_method=\"{}\")",
            plan.pipelineParallel, launch.evenLayers ? "uniform" : "type:transformer"));
        if (!launch.evenLayers) notes.leaveOut("the number of layers per stage");
    }
    if (plan.sequenceParallel && plan.tensorParallel > 1) notes.leaveOut("sequence parallelism beside tensor parallelism");
    const bool adam = s.workload.optimizer == "adamw" || s.workload.optimizer == "adam";
    if (adam)
        out["optimizer"] = {{"type", "AdamW"},
                            {"params", {{"lr", 1e-4}, {"betas", json::array({0.9, 0.95})}, {"weight_decay", 0.1}}}};
    else
        notes.leaveOut(fmt::format("the optimizer {}: pass it in code", s.workload.optimizer));
    notes.leaveOut(
        fmt::format("the sequence length {} and the model, which the training script chooses", s.workload.sequenceLength));
    if (!launch.equalNodes) notes.leaveOut("unequal nodes: give a hostfile with the slots of each");
    out["_for"] = kTarget;  // JSON has no comments; DeepSpeed passes over keys it does not know
    if (!notes.leftOut().empty()) out["_not_in_this_file"] = notes.leftOut();
    return notes.result(prettyJson(out), fmt::format("deepspeed --num_nodes {} --num_gpus {} train.py --deepspeed ds_config.json",
                                                     launch.nodes, launch.devicesPerNode));
}

}  // namespace trainyard
