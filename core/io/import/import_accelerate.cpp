#include <fmt/format.h>

#include <algorithm>

#include "core/io/import/config_keys.h"
#include "core/io/import/importers.h"
#include "core/io/import/yaml_text.h"
#include "core/plan/limits.h"

// Hugging Face accelerate's YAML: what is launched and how FSDP, DeepSpeed or the Megatron-LM plug-in split it. Batch, sequence
// and model stand in the training script.

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

void readFsdp(ConfigKeys& keys, ImportBuilder& out, std::optional<Int> perNode) {
    const Int version = keys.integer("fsdp_config.fsdp_version", 1, 2).value_or(1);
    if (version == 2) {
        const auto reshard = keys.flag("fsdp_config.fsdp_reshard_after_forward");
        if (reshard)
            out.take("/plan/zero_stage", *reshard ? 3 : 2, "fsdp_config.fsdp_reshard_after_forward");
        else
            out.assume("/plan/zero_stage", 3, "FSDP2's default: reshard after the forward");
    } else {
        std::string strategy = lowered(keys.text("fsdp_config.fsdp_sharding_strategy")
                                           .value_or(keys.text("fsdp_config.fsdp_reshard_after_forward").value_or("")));
        if (strategy.empty()) {
            out.assume("/plan/zero_stage", 3, "FSDP's default strategy FULL_SHARD");
        } else if (strategy == "full_shard" || strategy == "1" || strategy == "hybrid_shard" || strategy == "4") {
            out.take("/plan/zero_stage", 3, "fsdp_config.fsdp_sharding_strategy");
        } else if (strategy == "shard_grad_op" || strategy == "2" || strategy == "hybrid_shard_zero2" || strategy == "5") {
            out.take("/plan/zero_stage", 2, "fsdp_config.fsdp_sharding_strategy");
        } else if (strategy == "no_shard" || strategy == "3") {
            out.take("/plan/zero_stage", 0, "fsdp_config.fsdp_sharding_strategy");
        } else {
            out.error("wrong-value",
                      fmt::format("fsdp_sharding_strategy: expected FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD or "
                                  "HYBRID_SHARD_ZERO2, found \"{}\"",
                                  strategy.substr(0, 40)),
                      "/plan/zero_stage");
        }
        if ((strategy.starts_with("hybrid") || strategy == "4" || strategy == "5") && perNode)
            out.take("/plan/shard_group", *perNode, "hybrid sharding: inside each node");
    }
    if (keys.flag("fsdp_config.fsdp_activation_checkpointing").value_or(false))
        out.take("/plan/recompute", "full", "fsdp_config.fsdp_activation_checkpointing");
    else
        out.assume("/plan/recompute", "none", "no fsdp_activation_checkpointing; the training script may turn it on");
    if (keys.flag("fsdp_config.fsdp_offload_params").value_or(false))
        out.take("/plan/optimizer_offload_fraction", 1.0, "fsdp_config.fsdp_offload_params");
    keys.know({"fsdp_config.fsdp_auto_wrap_policy", "fsdp_config.fsdp_transformer_layer_cls_to_wrap",
               "fsdp_config.fsdp_state_dict_type", "fsdp_config.fsdp_cpu_ram_efficient_loading"});
}

void readDeepspeed(ConfigKeys& keys, ImportBuilder& out) {
    if (const auto file = keys.text("deepspeed_config.deepspeed_config_file"))
        out.warn("second-file", fmt::format("the plan stands in {}; import that file with kind deepspeed", file->substr(0, 200)),
                 "/plan");
    if (!keys.take({"deepspeed_config.zero_stage"}, 0, 3, "/plan/zero_stage"))
        out.assume("/plan/zero_stage", 2, "accelerate's default ZeRO stage");
    if (keys.text("deepspeed_config.offload_optimizer_device").value_or("none") == "cpu")
        out.take("/plan/optimizer_offload_fraction", 1.0, "deepspeed_config.offload_optimizer_device");
    if (keys.text("deepspeed_config.offload_param_device").value_or("none") == "cpu")
        out.warn("offloaded-parameters", "parameters in host memory (offload_param_device) are not modelled", "/plan");
    if (const auto steps = keys.integer("deepspeed_config.gradient_accumulation_steps", 1, limits::kMicroBatches))
        out.note("accumulation", fmt::format("{} micro-batches per step; the micro-batch stands in the training script", *steps),
                 "/workload/global_batch_size");
}

void readMegatron(ConfigKeys& keys, ImportBuilder& out) {
    keys.take({"megatron_lm_config.megatron_lm_tp_degree"}, 1, limits::kDevices, "/plan/tensor_parallel");
    keys.take({"megatron_lm_config.megatron_lm_pp_degree"}, 1, limits::kDevices, "/plan/pipeline_parallel");
    if (keys.flag("megatron_lm_config.megatron_lm_sequence_parallelism").value_or(false))
        out.take("/plan/sequence_parallel", true, "megatron_lm_config.megatron_lm_sequence_parallelism");
    if (keys.flag("megatron_lm_config.megatron_lm_recompute_activations").value_or(false))
        out.take("/plan/recompute", "selective", "megatron_lm_config.megatron_lm_recompute_activations");
    const bool shards = keys.flag("megatron_lm_config.megatron_lm_use_distributed_optimizer").value_or(false);
    out.take("/plan/zero_stage", shards ? 1 : 0, "megatron_lm_config.megatron_lm_use_distributed_optimizer");
    if (out.integer("/plan/pipeline_parallel").value_or(1) > 1)
        out.assume("/plan/schedule", "1f1b", "Megatron's schedule without virtual stages");
    if (const auto count = keys.integer("megatron_lm_config.megatron_lm_num_micro_batches", 1, limits::kMicroBatches))
        out.note("accumulation", fmt::format("{} micro-batches per step; the micro-batch stands in the training script", *count),
                 "/workload/global_batch_size");
    keys.know({"megatron_lm_config.megatron_lm_gradient_clipping"});
}

void readMesh(ConfigKeys& keys, ImportBuilder& out) {
    const std::string at = "parallelism_config.parallelism_config_";
    keys.take({at + "tp_size"}, 1, limits::kDevices, "/plan/tensor_parallel");
    const Int cp = keys.integer(at + "cp_size", 1, limits::kDevices).value_or(1),
              sp = keys.integer(at + "sp_size", 1, limits::kDevices).value_or(1);
    if (cp > 1 && sp > 1) {
        out.error("context-and-sequence", "parallelism_config has cp_size and sp_size above 1; accelerate takes one of them",
                  "/plan/context_parallel");
        return;
    }
    if (cp > 1) {
        out.take("/plan/context_parallel", cp, at + "cp_size");
        const std::string strategy = keys.text(at + "cp_comm_strategy").value_or("allgather");
        out.take("/plan/context_method", strategy == "alltoall" ? "ring" : "all_gather", at + "cp_comm_strategy");
    }
    if (sp > 1) {
        out.take("/plan/context_parallel", sp, at + "sp_size");
        out.take("/plan/context_method", "ulysses", at + "sp_size");
        keys.take({at + "sp_seq_length"}, 1, limits::kSequenceLength, "/workload/sequence_length");
    }
    const auto replicate = keys.integer(at + "dp_replicate_size", 1, limits::kDevices),
               shard = keys.integer(at + "dp_shard_size", 1, limits::kDevices);
    if (replicate || shard) {
        out.take("/plan/data_parallel", replicate.value_or(1) * shard.value_or(1), at + "dp_replicate_size x dp_shard_size");
        const bool sharded = shard.value_or(1) > 1 || cp > 1;
        if (!sharded)
            out.take("/plan/zero_stage", 0, at + "dp_shard_size 1");
        else if (replicate.value_or(1) > 1)
            out.take("/plan/shard_group", shard.value_or(1) * cp, at + "dp_shard_size x cp_size");
    }
    keys.know(
        {at + "cp_backend", at + "cp_comm_strategy", at + "sp_backend", at + "sp_attn_implementation", at + "sp_seq_length"});
}

void readDevices(ImportBuilder& out, std::optional<Int> machines, std::optional<Int> processes) {
    if (!machines || !processes || *processes % *machines != 0) {
        if (machines && processes)
            out.error("machines", fmt::format("num_processes {} is no multiple of num_machines {}", *processes, *machines),
                      "/cluster");
        if (!out.has("/plan/data_parallel")) out.assume("/plan/data_parallel", "auto", "the number of processes is not given");
        return;
    }
    const auto data = out.integer("/plan/data_parallel");
    const auto degree = [&](const char* pointer) { return std::max<Int>(1, out.integer(pointer).value_or(1)); };
    const Int others = degree("/plan/tensor_parallel") * degree("/plan/pipeline_parallel") * degree("/plan/context_parallel");
    if (data && *data > limits::kDevices / others)
        out.error("world-size", "the sizes of parallelism_config multiply to more devices than there can be",
                  "/plan/data_parallel");
    else if (data && *data * others != *processes)
        out.error("world-size",
                  fmt::format("the sizes of parallelism_config multiply to {}, num_processes is {}", *data * others, *processes),
                  "/plan/data_parallel");
    out.settleDevices(machines, *processes / *machines, "", "num_machines, num_processes");
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    const auto document = parseYaml(text, context.where);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() ||
        (!document->contains("distributed_type") && !document->contains("num_processes") && !document->contains("fsdp_config")))
        return failure(Error::Kind::unreadable, "accelerate-unreadable", context.where,
                       "has neither distributed_type nor num_processes; expected the file that `accelerate config` writes");
    ImportBuilder builder("accelerate", context);
    ConfigKeys keys(*document, builder);
    const auto machines = keys.integer("num_machines", 1, limits::kDevices),
               processes = keys.integer("num_processes", 1, limits::kDevices);
    const std::optional<Int> perNode =
        machines && processes ? std::optional(std::max<Int>(1, *processes / *machines)) : std::nullopt;
    const std::string type = keys.text("distributed_type").value_or("NO");
    builder.understand(fmt::format("distributed_type {}", type.substr(0, 40)));
    if (type == "FSDP")
        readFsdp(keys, builder, perNode);
    else if (type == "DEEPSPEED")
        readDeepspeed(keys, builder);
    else if (type == "MEGATRON_LM")
        readMegatron(keys, builder);
    else if (type == "MULTI_GPU" || type == "NO")
        builder.take("/plan/zero_stage", 0, "distributed_type: every process keeps a whole copy");
    else
        builder.error(
            "wrong-value",
            fmt::format("distributed_type {} is none of FSDP, DEEPSPEED, MEGATRON_LM, MULTI_GPU, NO on GPUs", type.substr(0, 40)),
            "/plan/zero_stage");
    readMesh(keys, builder);
    if (const auto precision = keys.text("mixed_precision")) {
        const std::string ours = *precision == "bf16" || *precision == "fp16" || *precision == "fp8" ? *precision : "fp32";
        builder.take("/workload/precision", ours, "mixed_precision");
    }
    readDevices(builder, machines, processes);
    builder.note("in-the-script", "batch sizes, sequence length, optimizer and model stand in the training script", "/workload");
    keys.know({"compute_environment", "machine_rank", "main_process_ip", "main_process_port", "main_training_function",
               "rdzv_backend", "same_network", "use_cpu", "downcast_bf16", "debug"});
    keys.reportIgnored();
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("distributed_type:") || has("fsdp_config:") || has("parallelism_config_")) return 0.97;
    return has("compute_environment:") && has("num_processes:") ? 0.9 : 0;
}

}  // namespace

const Importer kAccelerateImporter{"accelerate", "Hugging Face accelerate configuration (YAML)", "plan, cluster size", read,
                                   likeness};

}  // namespace trainyard
