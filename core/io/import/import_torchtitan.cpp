#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "core/io/import/config_keys.h"
#include "core/io/import/importers.h"
#include "core/io/import/python_config.h"
#include "core/io/import/toml_text.h"
#include "core/io/json/json_text.h"
#include "core/plan/limits.h"
#include "core/schedule/torch_schedule_names.h"

// torchtitan: the TOML of releases 0.1 and 0.2, and the Python configuration functions that came after it. Both use one set of
// section and field names, so one reader takes both.

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

/// The preset that a model name and flavor of torchtitan stand for; empty if there is none.
std::string presetOf(const std::string& model, const std::string& flavor) {
    struct Row {
        std::string_view model, flavor, preset;
    };
    static constexpr Row kRows[] = {{"llama3", "8B", "llama-3.1-8b"},
                                    {"llama3", "70B", "llama-3.1-70b"},
                                    {"llama3", "405B", "llama-3.1-405b"},
                                    {"llama3", "1B", "llama-3.2-1b"},
                                    {"llama3", "3B", "llama-3.2-3b"},
                                    {"deepseek_v3", "16B", "deepseek-v2-lite"},
                                    {"deepseek_v3", "236B", "deepseek-v2"},
                                    {"deepseek_v3", "671B", "deepseek-v3"},
                                    {"qwen3", "0.6B", "qwen3-0.6b"},
                                    {"qwen3", "8B", "qwen3-8b"},
                                    {"qwen3", "32B", "qwen3-32b"},
                                    {"qwen3", "30B-A3B", "qwen3-30b-a3b"},
                                    {"qwen3", "235B-A22B", "qwen3-235b-a22b"},
                                    {"gpt_oss", "20b", "gpt-oss-20b"},
                                    {"gpt_oss", "120b", "gpt-oss-120b"}};
    const auto same = [](std::string_view a, std::string_view b) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
                   const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
                   return low(x) == low(y);
               });
    };
    for (const Row& row : kRows)
        if (model.find(row.model) != std::string::npos && same(flavor, row.flavor)) return std::string(row.preset);
    return {};
}

class Reader {
  public:
    Reader(const json& document, ImportBuilder& builder, bool python)
        : document_(document), keys_(document, builder), out_(builder), python_(python) {}

    void run(const std::string& functionName) {
        readModel(functionName);
        readDegrees();
        readPipeline();
        readBatch();
        readPrecision();
        readRecompute();
        if (const auto optimizer = keys_.text("optimizer.name"))
            out_.take("/workload/optimizer", *optimizer == "Adam" ? "adam" : "adamw", "optimizer.name");
        if (keys_.flag("training.enable_cpu_offload").value_or(false))
            out_.take("/plan/optimizer_offload_fraction", 1.0, "training.enable_cpu_offload");
        keys_.know({"job.description", "job.dump_folder", "job.config_file", "training.dataset", "training.dataset_path",
                    "training.max_norm", "training.seed", "training.deterministic", "optimizer.lr", "optimizer.eps",
                    "optimizer.implementation", "__call__"});
        keys_.reportIgnored();
    }

  private:
    Int degree(const char* pointer) const { return std::max<Int>(1, out_.integer(pointer).value_or(1)); }

    void readModel(const std::string& functionName) {
        std::string name = keys_.text("model.name").value_or(""), flavor = keys_.text("model.flavor").value_or("");
        std::string assets = keys_.text("model.hf_assets_path").value_or(keys_.text("hf_assets_path").value_or(""));
        if (const json* spec = keys_.findOrNull("model_spec");
            spec != nullptr && spec->is_object() && spec->contains("__arguments__") && (*spec)["__arguments__"].is_array() &&
            !(*spec)["__arguments__"].empty() && (*spec)["__arguments__"][0].is_string()) {
            flavor = (*spec)["__arguments__"][0].get<std::string>();
            name = functionName;
        }
        if (name.empty() && flavor.empty() && assets.empty()) return;
        std::string preset = presetOf(name, flavor);
        if (preset.empty()) preset = modelIdFromText(*out_.context().presets, assets);
        if (preset.empty() && !flavor.empty()) preset = modelIdFromText(*out_.context().presets, name + "-" + flavor);
        if (!preset.empty())
            out_.take("/model", json{{"preset", preset}}, name.empty() ? "hf_assets_path" : "model name and flavor");
        else
            out_.warn("model-unknown",
                      fmt::format("the flavor \"{}\" of \"{}\" is none of the known models; choose the model", flavor, name),
                      "/model");
    }

    void readDegrees() {
        keys_.take({"parallelism.tensor_parallel_degree"}, 1, limits::kDevices, "/plan/tensor_parallel");
        keys_.take({"parallelism.pipeline_parallel_degree"}, 1, limits::kDevices, "/plan/pipeline_parallel");
        keys_.take({"parallelism.context_parallel_degree"}, 1, limits::kDevices, "/plan/context_parallel");
        keys_.take({"parallelism.expert_parallel_degree"}, 1, limits::kDevices, "/plan/expert_parallel");
        keys_.take({"parallelism.expert_tensor_parallel_degree"}, 1, limits::kDevices, "/plan/expert_tensor_parallel");
        for (const char* pointer : {"/plan/tensor_parallel", "/plan/pipeline_parallel", "/plan/context_parallel"})
            if (!out_.has(pointer)) out_.assume(pointer, 1, "torchtitan's default");
        if (degree("/plan/tensor_parallel") > 1) {
            const auto given = keys_.flag("parallelism.enable_sequence_parallel");
            if (given)
                out_.take("/plan/sequence_parallel", *given, "parallelism.enable_sequence_parallel");
            else
                out_.assume("/plan/sequence_parallel", true, "torchtitan shards the sequence wherever it is tensor parallel");
        } else {
            keys_.know({"parallelism.enable_sequence_parallel"});
            out_.scenario["plan"]["sequence_parallel"] = false;
        }
        const Int replicate = keys_.integer("parallelism.data_parallel_replicate_degree", 1, limits::kDevices).value_or(1);
        const Int shard = keys_.integer("parallelism.data_parallel_shard_degree", -1, limits::kDevices).value_or(-1);
        const Int context = degree("/plan/context_parallel");
        if (shard > 0)
            out_.take("/plan/data_parallel", replicate * shard,
                      "parallelism.data_parallel_replicate_degree x .data_parallel_shard_degree");
        else
            out_.assume("/plan/data_parallel", "auto", "data_parallel_shard_degree -1: what the device count leaves");
        const bool sharded = shard != 1 || context > 1;
        if (replicate > 1 && shard > 0 && sharded)
            out_.take("/plan/shard_group", shard * context, "parallelism.data_parallel_shard_degree x context parallel");
        const std::string reshard = keys_.text("parallelism.fsdp_reshard_after_forward").value_or("default");
        if (!sharded)
            out_.take("/plan/zero_stage", 0, "parallelism.data_parallel_shard_degree 1");
        else if (reshard == "always" || reshard == "never")
            out_.take("/plan/zero_stage", reshard == "always" ? 3 : 2, "parallelism.fsdp_reshard_after_forward");
        else
            out_.assume("/plan/zero_stage", degree("/plan/pipeline_parallel") > 1 ? 2 : 3,
                        "torchtitan's default: weights are kept gathered only in a pipeline");
        if (context > 1) {
            const auto rotate = keys_.text("parallelism.context_parallel_rotate_method");
            if (rotate)
                out_.take("/plan/context_method", *rotate == "alltoall" ? "ring" : "all_gather",
                          "parallelism.context_parallel_rotate_method");
            else
                out_.assume("/plan/context_method", "all_gather", "torchtitan's default rotation of keys and values");
        } else {
            keys_.know({"parallelism.context_parallel_rotate_method"});
        }
        const char* async = keys_.has("compile.enable_async_tensor_parallel") ? "compile.enable_async_tensor_parallel"
                                                                              : "parallelism.enable_async_tensor_parallel";
        keys_.takeFlag(async, "/plan/overlap/tensor");
        keys_.know(
            {"parallelism.context_parallel_load_balancer", "parallelism.disable_loss_parallel", "parallelism.spmd_backend"});
    }

    Int layerCount() {
        const auto preset = out_.text("/model/preset");
        const auto text = preset ? out_.context().presets->text(PresetKind::models, *preset) : std::nullopt;
        if (!text) return 0;
        const json document = json::parse(*text, nullptr, false);
        const json::json_pointer layers("/architecture/layers");
        return document.contains(layers) && document[layers].is_number_integer() ? document[layers].get<Int>() : 0;
    }

    void readPipeline() {
        const Int pipeline = degree("/plan/pipeline_parallel");
        const auto perStage = keys_.integer("parallelism.pipeline_parallel_layers_per_stage", 1, limits::kLayers);
        const Int firstLess =
            keys_.integer("parallelism.pipeline_parallel_first_stage_less_layers", 0, limits::kLayers).value_or(1);
        const Int lastLess =
            keys_.integer("parallelism.pipeline_parallel_last_stage_less_layers", 0, limits::kLayers).value_or(1);
        const std::string torchName = keys_.text("parallelism.pipeline_parallel_schedule").value_or("1F1B");
        const json* parts = keys_.findOrNull("parallelism.module_fqns_per_model_part");
        keys_.know({"parallelism.pipeline_parallel_microbatch_size", "parallelism.num_pp_microbatches",
                    "parallelism.pipeline_parallel_split_points"});
        if (pipeline < 2) return;
        if (keys_.has("parallelism.pipeline_parallel_schedule_csv"))
            out_.warn("schedule-csv",
                      "the schedule comes from a CSV file, which is not read here; import it with kind schedule-csv",
                      "/plan/schedule");
        const std::string_view schedule = scheduleFromTorchName(torchName);
        if (schedule.empty()) {
            out_.error("unknown-schedule",
                       fmt::format("pipeline_parallel_schedule \"{}\" is none of torch's schedules", torchName.substr(0, 40)),
                       "/plan/schedule");
            return;
        }
        out_.take("/plan/schedule", std::string(schedule), "parallelism.pipeline_parallel_schedule");
        const Int layers = layerCount();
        std::vector<Int> split;
        if (parts != nullptr && parts->is_array()) {
            for (const json& part : *parts) {
                Int count = 0;
                if (part.is_array())
                    for (const json& name : part)
                        count += name.is_string() && name.get_ref<const std::string&>().starts_with("layers.");
                split.push_back(count);
            }
            if (split.empty() || static_cast<Int>(split.size()) % pipeline != 0 ||
                static_cast<Int>(split.size()) > limits::kStages) {
                out_.error("stages",
                           fmt::format("module_fqns_per_model_part has {} parts, no multiple of the {} pipeline ranks",
                                       split.size(), pipeline),
                           "/plan/virtual_stages");
                return;
            }
        }
        Int stages = pipeline * (torchScheduleHasVirtualStages(schedule) ? 2 : 1);
        if (!split.empty())
            stages = static_cast<Int>(split.size());
        else if (perStage && layers > 0)
            stages = (layers + firstLess + lastLess + *perStage - 1) / *perStage;
        if (stages % pipeline != 0 || stages > limits::kStages) {
            out_.error(
                "stages",
                fmt::format("{} stages are no multiple of the {} pipeline ranks; change pipeline_parallel_layers_per_stage",
                            stages, pipeline),
                "/plan/virtual_stages");
            return;
        }
        out_.take("/plan/virtual_stages", stages / pipeline, "stages over pipeline ranks");
        if (split.empty() && layers > 0 && layers + firstLess + lastLess >= stages) {
            // the first and last stage count as holding some layers more: embedding and head
            const Int total = layers + firstLess + lastLess;
            for (Int stage = 0; stage < stages; ++stage)
                split.push_back(total / stages + (stage < total % stages ? 1 : 0) - (stage == 0 ? firstLess : 0) -
                                (stage + 1 == stages ? lastLess : 0));
            if (*std::min_element(split.begin(), split.end()) < 0) {
                out_.error("empty-stage", "the first or last stage would hold less than no layers; lower the *_stage_less_layers",
                           "/plan/layers_per_stage");
                return;
            }
        }
        if (!split.empty())
            out_.take("/plan/layers_per_stage", split,
                      parts != nullptr ? "parallelism.module_fqns_per_model_part" : "torchtitan's split of layers");
    }

    void readBatch() {
        const Int pipeline = degree("/plan/pipeline_parallel");
        Int sequence = 0, micro = 0, batch = 0;
        const auto length = keys_.integer("training.seq_len", 1, limits::kSequenceLength);
        const auto context = keys_.integer("training.max_context_length", 1, limits::kSequenceLength);
        if (length || context) {
            sequence = length ? *length : *context;
            out_.take("/workload/sequence_length", sequence, length ? "training.seq_len" : "training.max_context_length");
        }
        const char* localKey = keys_.has("training.local_batch_size") ? "training.local_batch_size" : "training.batch_size";
        const auto local = keys_.integer(localKey, 1, limits::kGlobalBatchSize);
        const auto microTokens = keys_.integer("training.num_tokens_per_microbatch_per_dp_rank", 1, Int{1} << 50);
        const auto stepTokens = keys_.integer("training.num_tokens_per_train_step", -1, Int{1} << 50);
        const auto pipelineMicro = keys_.integer("parallelism.pipeline_parallel_microbatch_size", 1, limits::kGlobalBatchSize);
        const Int pipelineCount =
            pipeline > 1 ? keys_.integer("parallelism.num_pp_microbatches", 1, limits::kMicroBatches).value_or(1) : 1;
        std::string microSource = localKey;
        if (local) {
            micro = pipeline > 1 ? pipelineMicro.value_or(1) : *local;
            if (pipeline > 1) microSource = "parallelism.pipeline_parallel_microbatch_size";
            if (pipeline > 1 && *local % micro != 0)
                out_.error(
                    "microbatches",
                    fmt::format("local_batch_size {} is no multiple of pipeline_parallel_microbatch_size {}", *local, micro),
                    "/plan/micro_batch_size");
        } else if (microTokens && sequence > 0) {
            micro = *microTokens / sequence;
            microSource = "training.num_tokens_per_microbatch_per_dp_rank / max_context_length";
            if (micro < 1 || *microTokens % sequence != 0)
                out_.error(
                    "microbatches",
                    fmt::format("{} tokens per micro-batch are no whole number of sequences of {}", *microTokens, sequence),
                    "/plan/micro_batch_size");
        }
        if (micro > 0) out_.take("/plan/micro_batch_size", micro, microSource);
        const auto global = keys_.integer("training.global_batch_size", -1, limits::kGlobalBatchSize);
        const auto data = out_.integer("/plan/data_parallel");
        if (global && *global > 0) {
            batch = *global;
            out_.take("/workload/global_batch_size", batch, "training.global_batch_size");
        } else if (stepTokens && *stepTokens > 0 && sequence > 0) {
            batch = *stepTokens / sequence;
            out_.take("/workload/global_batch_size", batch, "training.num_tokens_per_train_step / max_context_length");
        } else if (microTokens && micro > 0 && data && pipelineCount <= limits::kGlobalBatchSize / *data &&
                   micro <= limits::kGlobalBatchSize / (*data * pipelineCount)) {
            batch = micro * pipelineCount * *data;
            out_.take("/workload/global_batch_size", batch, "micro-batch x num_pp_microbatches x data parallel");
        } else if (local && data && *local <= limits::kGlobalBatchSize / *data) {
            batch = *local * *data;
            out_.take("/workload/global_batch_size", batch, "local batch x data parallel");
        } else if (local) {
            out_.warn(
                "global-batch",
                "no global_batch_size: it is local_batch_size times the data-parallel ranks, which the device count decides",
                "/workload/global_batch_size");
        }
        const auto steps = keys_.integer("training.steps", 1, Int{1} << 40);
        if (steps && batch > 0 && sequence > 0)
            out_.take("/workload/tokens_total",
                      static_cast<double>(*steps) * static_cast<double>(batch) * static_cast<double>(sequence),
                      "training.steps x batch x sequence length");
    }

    void readPrecision() {
        const std::string param = keys_.text("training.mixed_precision_param").value_or("bfloat16");
        const std::string reduce = keys_.text("training.mixed_precision_reduce").value_or("float32");
        std::string precision = param.find("bfloat16") != std::string::npos  ? "bf16"
                                : param.find("float16") != std::string::npos ? "fp16"
                                                                             : "fp32";
        std::string source = "training.mixed_precision_param";
        for (const char* key : {"model.converters", "model_converters", "quantize"})
            if (const json* converters = keys_.findOrNull(key)) {
                const std::string text = compactJson(*converters);
                if (text.find("mx") != std::string::npos || text.find("MX") != std::string::npos)
                    precision = "mxfp8";
                else if (text.find("loat8") != std::string::npos && std::string_view(key) != "quantize")
                    precision = "fp8";
                else
                    continue;
                source = key;
            }
        if (keys_.has("training.mixed_precision_param") || source != "training.mixed_precision_param")
            out_.take("/workload/precision", precision, source);
        else
            out_.assume("/workload/precision", precision, "torchtitan's default");
        const std::string gradient = reduce.find("bfloat16") != std::string::npos ? "bf16" : "fp32";
        if (keys_.has("training.mixed_precision_reduce"))
            out_.take("/workload/gradient_precision", gradient, "training.mixed_precision_reduce");
        else
            out_.assume("/workload/gradient_precision", gradient, "torchtitan's default");
    }

    void readRecompute() {
        std::string mode = keys_.text("activation_checkpoint.mode").value_or("");
        if (const json* section = keys_.findOrNull("activation_checkpoint");
            mode.empty() && section != nullptr && section->is_object() && section->contains("__call__") &&
            section->at("__call__").is_string()) {
            const std::string call = section->at("__call__").get<std::string>();
            if (call.find("Full") != std::string::npos) mode = "full";
            if (call.find("Selective") != std::string::npos) mode = "selective";
            if (call.find("MemoryBudget") != std::string::npos) mode = "memory_budget";
        }
        std::string option = keys_.text("activation_checkpoint.selective_ac_option").value_or("");
        if (mode.empty()) {
            mode = python_ ? "none" : "selective";
            if (!keys_.has("activation_checkpoint")) {
                out_.assume("/plan/recompute", "none", "no activation_checkpoint section");
                return;
            }
        }
        if (mode == "full" || mode == "none") {
            out_.take("/plan/recompute", mode, "activation_checkpoint.mode");
        } else if (mode == "selective") {
            if (option.empty()) option = python_ ? "op" : "2";
            const auto every = scalarEvery(option);
            if (option == "op") {
                out_.take("/plan/recompute", "selective", "activation_checkpoint.selective_ac_option op");
                out_.take("/plan/recompute_modules", json::array({"every_second_matmul"}),
                          "activation_checkpoint.selective_ac_option op");
            } else if (every) {
                out_.take("/plan/recompute", "full", "activation_checkpoint.selective_ac_option");
                if (const Int layers = layerCount(); layers > 0 && *every > 1)
                    out_.take("/plan/recompute_layers", std::max<Int>(1, layers / *every),
                              fmt::format("every {}th layer is recomputed", *every));
            } else {
                out_.error(
                    "wrong-value",
                    fmt::format("selective_ac_option: expected \"op\" or a whole number, found \"{}\"", option.substr(0, 40)),
                    "/plan/recompute");
            }
        } else if (mode == "memory_budget") {
            out_.warn("memory-budget",
                      "the compiler chooses what to recompute within a memory budget; it is planned as selective",
                      "/plan/recompute");
            out_.assume("/plan/recompute", "selective", "activation_checkpoint mode memory_budget");
        } else {
            out_.error("wrong-value",
                       fmt::format("activation_checkpoint.mode: expected none, selective, full or memory_budget, found \"{}\"",
                                   mode.substr(0, 40)),
                       "/plan/recompute");
        }
    }

    static std::optional<Int> scalarEvery(const std::string& text) {
        if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
        const Int value = std::stoll(text);
        return value > 0 ? std::optional(value) : std::nullopt;
    }

    const json& document_;
    ConfigKeys keys_;
    ImportBuilder& out_;
    bool python_;
};

bool isPython(std::string_view text) {
    return text.find("def ") != std::string_view::npos || text.find("Config(") != std::string_view::npos ||
           text.find("config.parallelism") != std::string_view::npos;
}

bool describesRun(const json& value) {
    return value.is_object() && (value.contains("parallelism") || value.contains("training") ||
                                 value.contains("activation_checkpoint") || value.contains("model_spec"));
}

Result<ImportResult> readPython(std::string_view text, const ImportContext& context) {
    auto configs = readPythonConfigs(text, context.where);
    if (!configs) return tl::unexpected<Error>(configs.error());
    ImportBuilder builder("torchtitan", context);
    const auto wanted = context.variables.find("CONFIG");
    const PythonConfig* chosen = nullptr;
    std::vector<std::string> names;
    for (const PythonConfig& config : *configs) {
        if (!describesRun(config.value)) continue;
        names.push_back(config.name);
        if (wanted != context.variables.end() ? config.name == wanted->second : chosen == nullptr) chosen = &config;
    }
    if (chosen == nullptr)
        return failure(
            Error::Kind::unreadable, "torchtitan-unreadable", context.where,
            wanted != context.variables.end() && !names.empty()
                ? fmt::format("has no configuration function \"{}\"; it has {}", wanted->second, fmt::join(names, ", "))
                : "builds no Trainer configuration; expected a function with parallelism=ParallelismConfig(...) or "
                  "training=TrainingConfig(...)");
    builder.understand(fmt::format("the configuration {} in Python; its literals were read, nothing was run", chosen->name));
    if (names.size() > 1)
        builder.note("several-configs",
                     fmt::format("{} configurations stand here; {} is taken, --define CONFIG=NAME takes another: {}",
                                 names.size(), chosen->name, fmt::join(names, ", ")));
    Reader(chosen->value, builder, true).run(chosen->name);
    return builder.finish();
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    auto document = parseToml(text, context.where);
    if (!document && isPython(text)) return readPython(text, context);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->contains("parallelism") && !document->contains("training") && !document->contains("job"))
        return failure(Error::Kind::unreadable, "torchtitan-unreadable", context.where,
                       "has none of the sections [job], [training] and [parallelism] of a torchtitan configuration");
    ImportBuilder builder("torchtitan", context);
    Reader(*document, builder, false).run("");
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("[parallelism]") && (has("data_parallel_shard_degree") || has("tensor_parallel_degree") || has("[job]"))) return 0.97;
    if (has("[activation_checkpoint]") && has("[training]")) return 0.9;
    if (has("Trainer.Config") || has("ParallelismConfig(") || has("config.parallelism.")) return 0.92;
    return has("torchtitan") && has("[training]") ? 0.8 : 0;
}

}  // namespace

const Importer kTorchtitanImporter{"torchtitan", "torchtitan configuration (TOML or Python)", "workload, plan, model by flavor",
                                   read, likeness};

}  // namespace trainyard
