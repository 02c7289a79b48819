#include <fmt/format.h>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"

namespace trainyard {
namespace {

constexpr std::string_view kTarget = "accelerate 1.15";

std::string_view mixedPrecision(Precision precision) {
    switch (precision) {
        case Precision::fp16: return "fp16";
        case Precision::bf16: return "bf16";
        case Precision::fp8:
        case Precision::mxfp8: return "fp8";
        default: return "no";
    }
}

/// Pipelines and the optimizer-only sharding exist behind its Megatron-LM plug-in.
std::string megatronPart(const Scenario& s, const LaunchPlan& launch, ExportNotes& notes) {
    const Plan& plan = s.plan;
    if (plan.zeroStage > 1) notes.refuse("its Megatron-LM plug-in shards the optimizer only (ZeRO 0 or 1)");
    if (plan.contextParallel > 1) notes.refuse("its Megatron-LM plug-in has no context parallelism");
    if (launch.resolved.virtualStages > 1 || (plan.pipelineParallel > 1 && plan.schedule != "1f1b"))
        notes.refuse("its Megatron-LM plug-in runs 1f1b without virtual stages");
    if (!launch.evenLayers) notes.refuse("its Megatron-LM plug-in splits the layers evenly");
    if (plan.recompute.mode == RecomputeMode::full)
        notes.refuse("its Megatron-LM plug-in recomputes activations selectively only");
    if (plan.zeroStage == 1 && plan.shardGroup && *plan.shardGroup != launch.resolved.dataParallel)
        notes.refuse("its Megatron-LM plug-in shards the optimizer over all replicas");
    return fmt::format(
        "distributed_type: MEGATRON_LM\nmegatron_lm_config:\n  megatron_lm_tp_degree: {}\n  megatron_lm_pp_degree: {}\n  "
        "megatron_lm_num_micro_batches: {}\n  megatron_lm_sequence_parallelism: {}\n"
        "  megatron_lm_recompute_activations: {}\n  megatron_lm_use_distributed_optimizer: {}\n  megatron_lm_gradient_clipping: "
        "1.0\n",
        plan.tensorParallel, plan.pipelineParallel, launch.accumulation,
        plan.sequenceParallel && plan.tensorParallel > 1 ? "true" : "false",
        plan.recompute.mode == RecomputeMode::selective ? "true" : "false", plan.zeroStage == 1 ? "true" : "false");
}

std::string fsdpPart(const Scenario& s, const LaunchPlan& launch, ExportNotes& notes) {
    const Plan& plan = s.plan;
    const std::int64_t data = launch.resolved.dataParallel;
    std::string out;
    if (plan.zeroStage == 0) {
        out += data > 1 && plan.tensorParallel == 1 && plan.contextParallel == 1 ? "distributed_type: MULTI_GPU\n"
                                                                                 : "distributed_type: FSDP\n";
    } else {
        out += fmt::format(
            "distributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: {}\n  fsdp_auto_wrap_policy: "
            "TRANSFORMER_BASED_WRAP\n  fsdp_state_dict_type: SHARDED_STATE_DICT\n"
            "  fsdp_cpu_ram_efficient_loading: true\n  fsdp_offload_params: {}\n  fsdp_activation_checkpointing: {}\n",
            plan.zeroStage == 3 ? "true" : "false", plan.optimizerOffloadFraction == 1 ? "true" : "false",
            launch.recompute == RecomputeMode::full ? "true" : "false");
    }
    if (plan.zeroStage == 0 && plan.contextParallel > 1)
        notes.refuse("context parallelism needs FSDP, which shards (ZeRO 2 or 3)");
    std::int64_t shard = plan.zeroStage >= 2 ? data : 1;
    if (plan.zeroStage >= 2 && plan.shardGroup && *plan.shardGroup > 0 && *plan.shardGroup != data * plan.contextParallel) {
        if (*plan.shardGroup % plan.contextParallel == 0 &&
            data % std::max<std::int64_t>(1, *plan.shardGroup / plan.contextParallel) == 0)
            shard = *plan.shardGroup / plan.contextParallel;
        else
            notes.refuse("the shard group is no product of context parallel and a divisor of data parallel");
    }
    if (plan.zeroStage >= 2 && shard * plan.contextParallel == 1)
        notes.leaveOut(fmt::format("ZeRO {}: there is one replica, nothing is sharded", plan.zeroStage));
    const std::int64_t replicate = data / std::max<std::int64_t>(1, shard);
    if (replicate > 1 && shard == 1 && (plan.tensorParallel > 1 || plan.contextParallel > 1))
        notes.refuse("replicas without sharding do not go with tensor or context parallelism");
    if (plan.contextParallel > 1 && (plan.contextMethod == ContextMethod::ulysses || plan.contextMethod == ContextMethod::usp))
        notes.refuse("sequences are split by ring or all-gather here (Ulysses needs its DeepSpeed backend)");
    if (plan.zeroStage >= 2 || plan.tensorParallel > 1 || plan.contextParallel > 1) {
        out += fmt::format(
            "parallelism_config:\n  parallelism_config_dp_replicate_size: {}\n  parallelism_config_dp_shard_size: {}\n  "
            "parallelism_config_tp_size: {}\n  parallelism_config_cp_size: {}\n",
            replicate, shard, plan.tensorParallel, plan.contextParallel);
        if (plan.contextParallel > 1)
            out += fmt::format("  parallelism_config_cp_backend: torch\n  parallelism_config_cp_comm_strategy: {}\n",
                               plan.contextMethod == ContextMethod::all_gather ? "allgather" : "alltoall");
    }
    if (launch.recompute == RecomputeMode::selective)
        notes.leaveOut("selective recomputation: the model's own code has to do it");
    if (plan.recompute.layers && *plan.recompute.layers < s.model->layers) notes.leaveOut("recomputation of some layers only");
    if (plan.sequenceParallel && plan.tensorParallel > 1)
        notes.leaveOut("sequence parallelism beside tensor parallelism (the model's tensor-parallel plan decides)");
    if (plan.optimizerOffloadFraction > 0 && plan.optimizerOffloadFraction < 1)
        notes.refuse("parameters and optimizer are offloaded wholly or not at all");
    return out;
}

}  // namespace

Result<Exported> exportAccelerate(const Scenario& s, const Evaluation&) {
    ExportNotes notes("accelerate");
    const LaunchPlan launch = launchPlan(s);
    refuseUncommonShapes(s, notes);
    if (!launch.equalNodes) notes.refuse("the nodes have unequal numbers of accelerators");
    if (s.plan.expertParallel > 1) notes.refuse("it has no expert parallelism");
    if (s.workload.precision == Precision::nvfp4) notes.refuse("it has no nvfp4 training");
    if (s.workload.precision == Precision::mxfp8) notes.leaveOut("MX scaling: the fp8 back end is set up in the training script");
    const bool megatron = s.plan.pipelineParallel > 1 || s.plan.zeroStage == 1;
    const std::string body = megatron ? megatronPart(s, launch, notes) : fsdpPart(s, launch, notes);
    notes.leaveOut(
        fmt::format("micro-batch {}, global batch {}, sequence length {} and the optimizer, which the training script chooses "
                    "(gradient_accumulation_steps {})",
                    s.plan.microBatchSize, s.workload.globalBatchSize, s.workload.sequenceLength, launch.accumulation));
    std::string out = exportHeading("#", "Configuration", kTarget, s, notes);
    out += "compute_environment: LOCAL_MACHINE\n" + body;
    out += fmt::format(
        "mixed_precision: \"{}\"\nnum_machines: {}\nnum_processes: {}\nmachine_rank: 0\nmain_process_ip: "
        "localhost\nmain_process_port: 29500\nmain_training_function: main\nrdzv_backend: static\n"
        "same_network: true\nuse_cpu: false\n",
        mixedPrecision(s.workload.precision), launch.nodes, launch.nodes * launch.devicesPerNode);
    return notes.result(
        std::move(out),
        "accelerate launch --config_file config.yaml --machine_rank \"$RANK\" --main_process_ip \"$MASTER_ADDR\" train.py");
}

}  // namespace trainyard
