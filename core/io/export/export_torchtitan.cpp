#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

#include "core/io/export/export_support.h"
#include "core/io/export/exporter.h"
#include "core/schedule/torch_schedule_names.h"

// torchtitan in both its forms: TOML (releases 0.1 to 0.2) and the Python configuration of the main branch. Sections are the
// same; some fields have other names or are gone.

namespace trainyard {
namespace {

using Int = std::int64_t;

enum class Era : unsigned char { toml, python };

struct Names {
    std::vector<std::string> items;
};
using Value = std::variant<Int, bool, std::string, std::vector<Names>>;

struct Section {
    std::string name;
    std::vector<std::pair<std::string, Value>> entries;
};

/// The name and flavour under which torchtitan has this model; empty if it has none.
std::pair<std::string, std::string> flavour(const ModelSpec& model) {
    struct Row {
        std::string_view name, size;
        Int layers, hidden, ffn;
    };
    // torchtitan/models: llama3, deepseek_v3, qwen3
    static constexpr Row kRows[] = {{"llama3", "8B", 32, 4096, 14336},        {"llama3", "70B", 80, 8192, 28672},
                                    {"llama3", "405B", 126, 16384, 53248},    {"deepseek_v3", "16B", 27, 2048, 10944},
                                    {"deepseek_v3", "236B", 60, 5120, 12288}, {"deepseek_v3", "671B", 61, 7168, 18432},
                                    {"qwen3", "0.6B", 28, 1024, 3072},        {"qwen3", "1.7B", 28, 2048, 6144},
                                    {"qwen3", "32B", 64, 5120, 25600}};
    for (const auto& row : kRows)
        if (row.layers == model.layers && row.hidden == model.hiddenSize && row.ffn == model.ffnHiddenSize)
            return {std::string(row.name), std::string(row.size)};
    return {};
}

void refuse(const Scenario& s, const LaunchPlan& launch, Era era, ExportNotes& notes) {
    const Plan& plan = s.plan;
    refuseUncommonShapes(s, notes);
    if (plan.zeroStage == 1)
        notes.refuse(
            "it has no optimizer-only sharding (ZeRO 1): replicas either shard with FSDP (ZeRO 2 or 3) or not at all (ZeRO 0)");
    if (!s.model->mla && s.model->kvHeads > 0 && s.model->kvHeads % plan.tensorParallel != 0)
        notes.refuse(fmt::format("it does not replicate key-value heads: tensor parallel {} does not divide {}", plan.tensorParallel, s.model->kvHeads));
    if (plan.zeroStage == 0 && plan.contextParallel > 1) notes.refuse("with context parallelism it always shards (ZeRO 2 or 3)");
    if (plan.pipelineParallel > 1 && torchNameOfSchedule(plan.schedule).empty())
        notes.refuse(
            fmt::format("the schedule {} is not one of torch's (1F1B, GPipe, Interleaved1F1B, LoopedBFS, InterleavedZeroBubble, "
                        "ZBVZeroBubble, DualPipeV)",
                        plan.schedule));
    if (plan.contextParallel > 1 && (plan.contextMethod == ContextMethod::ulysses || plan.contextMethod == ContextMethod::usp))
        notes.refuse("sequences are split by ring or all-gather only");
    if (era == Era::python && plan.contextParallel > 1 && plan.contextMethod == ContextMethod::ring)
        notes.leaveOut("ring attention: the attention module of the model decides how keys and values travel");
    if (!launch.equalNodes) notes.refuse("the nodes have unequal numbers of accelerators");
    if (plan.optimizerOffloadFraction > 0 && plan.optimizerOffloadFraction < 1)
        notes.refuse("the optimizer is offloaded wholly or not at all");
    if (plan.expertTensorParallel > 1 && (era == Era::python || plan.expertTensorParallel != plan.tensorParallel))
        notes.refuse(era == Era::python ? "experts are not split over tensor ranks"
                                        : "expert_tensor_parallel is 1 or as tensor_parallel");
    if (era == Era::toml && plan.tensorParallel > 1 && !plan.sequenceParallel)
        notes.leaveOut("tensor parallelism without sequence parallelism: it always shards the sequence as well");
    if (!plan.scheduleParameters.empty()) notes.leaveOut("parameters of the schedule");
    if (!plan.placementOrder.empty())
        notes.leaveOut("the placement order; the mesh is pipeline, replicate, shard, context, tensor");
    if (plan.overlap.data.has_value() && !*plan.overlap.data)
        notes.leaveOut("data-parallel traffic after the backward: FSDP overlaps it");
    if (s.workload.optimizer != "adamw" && s.workload.optimizer != "adam")
        notes.refuse(fmt::format("the optimizer {} is not one of its own (AdamW, Adam)", s.workload.optimizer));
    if (launch.resolved.gradientPrecision == Precision::fp16) notes.refuse("gradients are reduced in float32 or bfloat16");
    if (s.workload.precision == Precision::nvfp4) notes.leaveOut("nvfp4 matrix products");
}

Section training(const Scenario& s, const LaunchPlan& launch, Era era) {
    const Plan& plan = s.plan;
    Section out{"training", {}};
    const Int sequence = s.workload.sequenceLength;
    if (era == Era::toml) {
        out.entries.emplace_back("local_batch_size",
                                 plan.pipelineParallel > 1 ? plan.microBatchSize * launch.accumulation : plan.microBatchSize);
        out.entries.emplace_back("global_batch_size", s.workload.globalBatchSize);
        out.entries.emplace_back("seq_len", sequence);
        out.entries.emplace_back("dataset", std::string("c4"));
    } else {
        out.entries.emplace_back("num_tokens_per_microbatch_per_dp_rank", plan.microBatchSize * sequence);
        out.entries.emplace_back("num_tokens_per_train_step", s.workload.globalBatchSize * sequence);
        out.entries.emplace_back("max_context_length", sequence);
    }
    out.entries.emplace_back("steps", launch.steps > 0 ? launch.steps : Int{100});
    const Precision precision = s.workload.precision;
    out.entries.emplace_back("mixed_precision_param",
                             std::string(precision == Precision::fp32 || precision == Precision::tf32 ? "float32"
                                         : precision == Precision::fp16                               ? "float16"
                                                                                                      : "bfloat16"));
    out.entries.emplace_back("mixed_precision_reduce",
                             std::string(launch.resolved.gradientPrecision == Precision::bf16 ? "bfloat16" : "float32"));
    if (plan.optimizerOffloadFraction == 1) out.entries.emplace_back("enable_cpu_offload", true);
    if (era == Era::python && plan.pipelineParallel > 1) out.entries.emplace_back("disable_cuda_graphs", true);
    return out;
}

/// Each stage by the names of its modules: exact, whatever torchtitan would split itself.
std::vector<Names> stageModules(const std::vector<Int>& layers) {
    std::vector<Names> parts;
    Int next = 0;
    for (std::size_t stage = 0; stage < layers.size(); ++stage) {
        Names part;
        if (stage == 0) part.items.emplace_back("tok_embeddings");
        for (Int i = 0; i < layers[stage]; ++i) part.items.push_back(fmt::format("layers.{}", next++));
        if (stage + 1 == layers.size()) part.items.insert(part.items.end(), {"norm", "output"});
        parts.push_back(std::move(part));
    }
    return parts;
}

Section parallelism(const Scenario& s, const LaunchPlan& launch, Era era, ExportNotes& notes) {
    const Plan& plan = s.plan;
    Section out{"parallelism", {}};
    const Int data = launch.resolved.dataParallel;
    Int shard = plan.zeroStage >= 2 ? data : 1;
    if (plan.zeroStage >= 2 && plan.shardGroup && *plan.shardGroup > 0 && *plan.shardGroup != data * plan.contextParallel) {
        if (*plan.shardGroup % plan.contextParallel == 0 && data % std::max<Int>(1, *plan.shardGroup / plan.contextParallel) == 0)
            shard = *plan.shardGroup / plan.contextParallel;
        else
            notes.refuse(fmt::format("a shard group of {} is no product of context parallel and a divisor of data parallel",
                                     *plan.shardGroup));
    }
    shard = std::max<Int>(1, shard);
    out.entries.emplace_back("data_parallel_replicate_degree", data / shard);
    out.entries.emplace_back("data_parallel_shard_degree", shard);
    if (plan.zeroStage >= 2)
        out.entries.emplace_back("fsdp_reshard_after_forward", std::string(plan.zeroStage == 3 ? "always" : "never"));
    if (plan.zeroStage >= 2 && shard * plan.contextParallel == 1)
        notes.leaveOut(fmt::format("ZeRO {}: there is one replica, nothing is sharded", plan.zeroStage));
    out.entries.emplace_back("tensor_parallel_degree", plan.tensorParallel);
    if (era == Era::python && plan.tensorParallel > 1)
        out.entries.emplace_back("enable_sequence_parallel", plan.sequenceParallel);
    if (era == Era::toml && plan.overlap.tensor.value_or(false)) out.entries.emplace_back("enable_async_tensor_parallel", true);
    out.entries.emplace_back("context_parallel_degree", plan.contextParallel);
    if (era == Era::toml && plan.contextParallel > 1)
        out.entries.emplace_back("context_parallel_rotate_method",
                                 std::string(plan.contextMethod == ContextMethod::all_gather ? "allgather" : "alltoall"));
    if (s.model->moe) {
        out.entries.emplace_back("expert_parallel_degree", plan.expertParallel);
        if (era == Era::toml) out.entries.emplace_back("expert_tensor_parallel_degree", plan.expertTensorParallel);
    }
    out.entries.emplace_back("pipeline_parallel_degree", plan.pipelineParallel);
    if (plan.pipelineParallel > 1) {
        out.entries.emplace_back("pipeline_parallel_schedule", std::string(torchNameOfSchedule(plan.schedule)));
        if (era == Era::toml)
            out.entries.emplace_back("pipeline_parallel_microbatch_size", plan.microBatchSize);
        else
            out.entries.emplace_back("num_pp_microbatches", launch.accumulation);
        out.entries.emplace_back("module_fqns_per_model_part", stageModules(launch.resolved.layersOfStage));
    }
    return out;
}

/// Mode and option of activation checkpointing as TOML has them; the Python form has classes for the modes.
std::pair<std::string, std::string> checkpointing(const Scenario& s, const LaunchPlan& launch, Era era, ExportNotes& notes) {
    const RecomputePlan& recompute = s.plan.recompute;
    if (launch.recompute == RecomputeMode::none) return {"none", ""};
    if (launch.recompute == RecomputeMode::full) {
        if (!recompute.layers || *recompute.layers >= s.model->layers) return {"full", ""};
        if (era == Era::toml && *recompute.layers > 0 && s.model->layers % *recompute.layers == 0)
            return {"selective", fmt::format("{}", s.model->layers / *recompute.layers)};
        notes.refuse(fmt::format("recomputation of {} of {} layers: {}", *recompute.layers, s.model->layers,
                                 era == Era::toml ? "every n-th layer is possible only" : "all layers or none"));
        return {"none", ""};
    }
    if (!recompute.recomputes(RecomputeModule::every_second_matmul))
        notes.leaveOut("the modules recomputed: its selective policy keeps every second matrix product instead");
    return {"selective", "op"};
}

std::string text(const Value& value, Era era) {
    if (const auto* whole = std::get_if<Int>(&value)) return fmt::format("{}", *whole);
    if (const auto* flag = std::get_if<bool>(&value))
        return era == Era::toml ? (*flag ? "true" : "false") : (*flag ? "True" : "False");
    if (const auto* word = std::get_if<std::string>(&value)) return quotedScalar(*word);
    std::string out = "[\n";
    for (const Names& part : std::get<std::vector<Names>>(value)) {
        std::vector<std::string> quoted;
        for (const auto& item : part.items) quoted.push_back(quotedScalar(item));
        out += fmt::format("        [{}],\n", fmt::join(quoted, ", "));
    }
    return out + "    ]";
}

}  // namespace

Result<Exported> exportTorchtitan(const Scenario& s, const Evaluation&) {
    ExportNotes notes("torchtitan");
    const LaunchPlan launch = launchPlan(s);
    refuse(s, launch, Era::toml, notes);
    const auto [modelName, size] = flavour(*s.model);
    if (modelName.empty())
        notes.leaveOut(fmt::format("the model's shape ({} layers, hidden {}): add a flavor with it to torchtitan",
                                   s.model->layers, s.model->hiddenSize));
    std::string body = "[job]\ndump_folder = \"./outputs\"\n\n";
    body += fmt::format("[model]\nname = {}\nflavor = {}\n", quotedScalar(modelName.empty() ? "llama3" : modelName),
                        quotedScalar(modelName.empty() ? "custom" : size));
    if (s.workload.precision == Precision::fp8)
        body += "converters = [\"quantize.linear.float8\"]\n\n[quantize.linear.float8]\nenable_fsdp_float8_all_gather = false\n";
    if (s.workload.precision == Precision::mxfp8) body += "converters = [\"quantize.linear.mx\"]\n";
    body += fmt::format("\n[optimizer]\nname = \"{}\"\nlr = 1e-4\n", s.workload.optimizer == "adam" ? "Adam" : "AdamW");
    for (const Section& section : {training(s, launch, Era::toml), parallelism(s, launch, Era::toml, notes)}) {
        body += fmt::format("\n[{}]\n", section.name);
        for (const auto& [key, value] : section.entries) body += fmt::format("{} = {}\n", key, text(value, Era::toml));
    }
    const auto [mode, option] = checkpointing(s, launch, Era::toml, notes);
    body += fmt::format("\n[activation_checkpoint]\nmode = \"{}\"\n", mode);
    if (!option.empty()) body += fmt::format("selective_ac_option = \"{}\"\n", option);
    body += "\n[compile]\nenable = true\n";
    std::string out =
        exportHeading("#", "Configuration", "torchtitan 0.2 (TOML; the main branch is configured in Python)", s, notes);
    out += "# Data set, tokenizer path and learning rate are your own to put in.\n\n" + body;
    return notes.result(std::move(out),
                        fmt::format("torchrun --nnodes {} --nproc_per_node {} --rdzv_backend c10d --rdzv_endpoint "
                                    "\"$MASTER_ADDR:29500\" -m torchtitan.train --job.config_file train.toml",
                                    launch.nodes, launch.devicesPerNode));
}

Result<Exported> exportTorchtitanPython(const Scenario& s, const Evaluation&) {
    ExportNotes notes("torchtitan");
    const LaunchPlan launch = launchPlan(s);
    refuse(s, launch, Era::python, notes);
    const auto [modelName, size] = flavour(*s.model);
    std::string base = modelName;
    if (base == "llama3" || base == "qwen3" || base == "deepseek_v3") base += "_" + size;
    for (char& c : base) c = c == '.' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (modelName.empty())
        notes.leaveOut(
            fmt::format("the model's shape ({} layers, hidden {}): register it as a flavor and start from its configuration",
                        s.model->layers, s.model->hiddenSize));
    if (s.workload.precision == Precision::fp8 || s.workload.precision == Precision::mxfp8)
        notes.leaveOut(fmt::format("{} matrix products: add the converter of the base configuration's quantization",
                                   name(s.workload.precision)));
    const Section sections[] = {training(s, launch, Era::python), parallelism(s, launch, Era::python, notes)};
    const auto [mode, option] = checkpointing(s, launch, Era::python, notes);
    std::string body;
    if (mode != "none")
        body += fmt::format("from torchtitan.distributed.activation_checkpoint import {}\n",
                            mode == "full" ? "FullAC" : "SelectiveAC");
    body += modelName.empty() ? "from my_models.config_registry import my_model\n"
                              : fmt::format("from torchtitan.models.{}.config_registry import {}\n", modelName, base);
    body += fmt::format("\n\ndef planned():\n    config = {}()\n", modelName.empty() ? "my_model" : base);
    for (const Section& section : sections)
        for (const auto& [key, value] : section.entries)
            body += fmt::format("    config.{}.{} = {}\n", section.name, key, text(value, Era::python));
    body += mode == "none"
                ? "    config.activation_checkpoint = None\n"
                : fmt::format("    config.activation_checkpoint = {}.Config()\n", mode == "full" ? "FullAC" : "SelectiveAC");
    if (s.plan.overlap.tensor.value_or(false))
        body += "    config.compile.enable = True\n    config.compile.enable_async_tensor_parallel = True\n";
    body += "    return config\n";
    std::string out = exportHeading("#", "Configuration", "torchtitan main of August 2026 (Python)", s, notes);
    out +=
        "# Put it beside the model's config_registry.py. Data, tokenizer and learning rate stay those of the base "
        "configuration.\n\n" +
        body;
    return notes.result(std::move(out),
                        fmt::format("torchrun --nnodes {} --nproc_per_node {} --rdzv_backend c10d --rdzv_endpoint "
                                    "\"$MASTER_ADDR:29500\" -m torchtitan.train --module {} --config planned",
                                    launch.nodes, launch.devicesPerNode, modelName.empty() ? "my_models" : modelName));
}

}  // namespace trainyard
