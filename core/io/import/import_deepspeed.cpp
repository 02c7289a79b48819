#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

// DeepSpeed's JSON: batch triple, ZeRO, precision, tensor and expert parallelism. The model stands in code, so it is not here.

namespace trainyard {
namespace {

using nlohmann::json;

/// A whole number, also where it is written as a float or as text; nothing for "auto" and the rest.
std::optional<std::int64_t> whole(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end()) return std::nullopt;
    if (at->is_number()) {
        const double value = at->get<double>();
        if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
    }
    if (at->is_string()) {
        const auto parsed = parseJson(at->get<std::string>(), "", JsonDialect::strict);
        if (parsed && parsed->is_number_integer()) return parsed->get<std::int64_t>();
    }
    return std::nullopt;
}

bool isAuto(const json& object, const char* key) { return object.contains(key) && object.at(key) == "auto"; }
const json& part(const json& document, const char* key) {
    static const json kNone = json::object();
    return document.contains(key) && document.at(key).is_object() ? document.at(key) : kNone;
}
bool on(const json& section) { return section.contains("enabled") && section.at("enabled") == true; }

void readBatch(const json& document, ImportBuilder& builder) {
    const auto total = whole(document, "train_batch_size");
    const auto micro = whole(document, "train_micro_batch_size_per_gpu");
    const auto accumulation = whole(document, "gradient_accumulation_steps");
    for (const char* key : {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"})
        if (isAuto(document, key)) builder.note("batch-unresolved", fmt::format("{} is \"auto\": the launcher fills it in", key));
    if (micro) builder.take("/plan/micro_batch_size", *micro, "train_micro_batch_size_per_gpu");
    if (total) builder.take("/workload/global_batch_size", *total, "train_batch_size");
    if (!total || !micro || !accumulation || *micro < 1 || *accumulation < 1) return;
    if (*total < 1 || *total > limits::kGlobalBatchSize || *micro > limits::kGlobalBatchSize ||
        *accumulation > limits::kGlobalBatchSize / *micro) {
        builder.error("wrong-value", fmt::format("a batch of at most {} samples was expected", limits::kGlobalBatchSize),
                      "/workload/global_batch_size");
        return;
    }
    const std::int64_t perDevice = *micro * *accumulation;
    if (*total % perDevice == 0) {
        builder.take("/plan/data_parallel", *total / perDevice, "train_batch_size / (micro-batch x accumulation)");
        return;
    }
    const std::int64_t below = std::max<std::int64_t>(1, *total / perDevice);
    builder.error("batch-conflict",
                  fmt::format("train_batch_size {} is not train_micro_batch_size_per_gpu {} x gradient_accumulation_steps {} x "
                              "devices: {} devices make {}, {} make {}",
                              *total, *micro, *accumulation, below, below * perDevice, below + 1, (below + 1) * perDevice),
                  "/workload/global_batch_size", {below * perDevice, (below + 1) * perDevice});
}

void readPrecision(const json& document, ImportBuilder& builder) {
    const json& half = part(document, "fp16");
    const json& brain = part(document, "bf16");
    if (on(half) && on(brain)) {
        builder.error("two-precisions", "fp16 and bf16 are both enabled; DeepSpeed takes one", "/workload/precision");
        return;
    }
    if (on(brain)) builder.take("/workload/precision", "bf16", "bf16.enabled");
    if (on(half)) builder.take("/workload/precision", "fp16", "fp16.enabled");
    if (isAuto(half, "enabled") || isAuto(brain, "enabled"))
        builder.assume("/workload/precision", "bf16",
                       "the precision is \"auto\": the launcher decides; bf16 is usual on hardware that has it");
}

/// Keys of DeepSpeed's configuration that say something about time or memory here.
constexpr std::string_view kReadKeys[] = {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps", "fp16", "bf16",
                                          "zero_optimization", "tensor_parallel", "expert_parallel", "sequence_parallel_size",
                                          "activation_checkpointing"};
/// Others of its own: a file of these alone is still one.
constexpr std::string_view kOtherKeys[] = {"optimizer", "scheduler", "gradient_clipping", "steps_per_print", "wall_clock_breakdown",
                                           "communication_data_type", "prescale_gradients", "data_types", "flops_profiler", "comms_logger",
                                           "monitor_config", "tensorboard", "wandb", "csv_monitor", "amp", "zero_allow_untested_optimizer",
                                           "gradient_predivide_factor", "sparse_gradients", "dump_state", "pipeline", "aio", "elasticity",
                                           "autotuning", "checkpoint", "data_efficiency", "compression_training", "curriculum_learning"};

bool isOneOf(std::string_view key, std::span<const std::string_view> keys) { return std::ranges::find(keys, key) != keys.end(); }

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    ImportBuilder builder("deepspeed", context);
    const auto document = parseJson(text, context.where, JsonDialect::tolerant);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object())
        return failure(Error::Kind::unreadable, "deepspeed-unreadable", context.where,
                       fmt::format("expected a DeepSpeed configuration object, found {}", describeJson(*document)));
    if (!document->empty() && std::ranges::none_of(document->items(), [](const auto& item) { return isOneOf(item.key(), kReadKeys) || isOneOf(item.key(), kOtherKeys); }))
        return failure(Error::Kind::unreadable, "deepspeed-unreadable", context.where,
                       "holds none of the keys of a DeepSpeed configuration, such as zero_optimization or train_batch_size");
    readBatch(*document, builder);
    readPrecision(*document, builder);
    const json& zero = part(*document, "zero_optimization");
    const auto stage = whole(zero, "stage");
    if (stage && *stage >= 0 && *stage <= 3)
        builder.take("/plan/zero_stage", *stage, "zero_optimization.stage");
    else if (stage)
        builder.error("zero-stage", fmt::format("ZeRO stage {}; allowed: 0 to 3", *stage), "/plan/zero_stage", {0, 1, 2, 3});
    else
        builder.assume("/plan/zero_stage", 0, "no zero_optimization.stage: DeepSpeed's default");
    if (stage == 0 && on(part(*document, "bf16")))
        builder.warn(
            "bf16-optimizer",
            "with bf16 and stage 0 some versions shard the optimizer in their bf16 optimizer: choose ZeRO 1 if yours does",
            "/plan/zero_stage");
    if (const auto group = whole(zero, "mics_shard_size"); group && *group > 0)
        builder.take("/plan/shard_group", *group, "mics_shard_size");
    else if (const auto copies = whole(zero, "zero_hpz_partition_size"); copies && *copies > 1)
        builder.take("/plan/shard_group", *copies, "zero_hpz_partition_size");
    if (zero.contains("overlap_comm") && zero.at("overlap_comm").is_boolean())
        builder.take("/plan/overlap/data", zero.at("overlap_comm"), "zero_optimization.overlap_comm");
    if (part(zero, "offload_optimizer").contains("device") && zero.at("offload_optimizer").at("device") == "cpu")
        builder.take("/plan/optimizer_offload_fraction", 1.0, "zero_optimization.offload_optimizer");
    const json& tensor = part(*document, "tensor_parallel");
    if (const auto degree = whole(tensor, "autotp_size"); degree && *degree > 0)
        builder.take("/plan/tensor_parallel", *degree, "tensor_parallel.autotp_size");
    if (const auto degree = whole(part(*document, "expert_parallel"), "autoep_size"); degree && *degree > 1)
        builder.take("/plan/expert_parallel", *degree, "expert_parallel.autoep_size");
    if (const auto degree = whole(*document, "sequence_parallel_size"); degree && *degree > 1) {
        builder.take("/plan/context_parallel", *degree, "sequence_parallel_size");
        builder.take("/plan/context_method", "ulysses", "sequence_parallel_size");
    }
    if (!builder.has("/plan/data_parallel"))
        builder.assume("/plan/data_parallel", "auto", "the file does not say how many devices there are");
    if (document->contains("activation_checkpointing"))
        builder.note("recompute-in-code", "activation checkpointing is switched on in the model's code; the file only tunes it");
    for (const auto& [key, value] : document->items())
        if (!isOneOf(key, kReadKeys))
            builder.ignore(fmt::format("{}: {}", key, isOneOf(key, kOtherKeys) || key.starts_with("_") ? "no effect on memory or time here" : "no key that is known here"));
    return builder.finish();
}

double likeness(std::string_view text) {
    const std::string_view head = text.substr(0, 65536);
    if (head.find("zero_optimization") != std::string_view::npos) return 0.95;
    return head.find("train_micro_batch_size_per_gpu") != std::string_view::npos ? 0.9 : 0.0;
}

}  // namespace

const Importer kDeepspeedImporter{
    .id = "deepspeed", .title = "DeepSpeed configuration", .fills = "workload, plan", .read = &read, .likeness = &likeness};

}  // namespace trainyard
