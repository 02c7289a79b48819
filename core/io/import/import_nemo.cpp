#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_flags.h"
#include "core/io/import/megatron_arguments.h"
#include "core/io/import/python_config.h"
#include "core/io/import/yaml_text.h"
#include "core/io/json/json_text.h"

// NeMo in its three forms: Megatron-Bridge's run_config.yaml, the YAML of NeMo 1 (`trainer`, `model`), and Python recipes of
// NeMo 2. All hold Megatron's own settings under other names, so they are turned into Megatron's and read as such.

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxSettings = 4'000;

std::string valueText(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    return compactJson(value);
}

/// All settings by their last name, later sections winning; `${...}` references of OmegaConf are followed.
class Settings {
  public:
    void add(const json& document) {
        root_ = &document;
        walk(document, "", 0);
    }
    [[nodiscard]] const json* findOrNull(std::string_view path) const {
        const auto at = byPath_.find(std::string(path));
        return at == byPath_.end() ? nullptr : &at->second;
    }
    [[nodiscard]] const std::map<std::string, json>& all() const { return byPath_; }

  private:
    void walk(const json& node, const std::string& path, int depth) {
        if (depth > 12 || byPath_.size() > kMaxSettings) return;
        if (node.is_object() && !node.empty()) {
            for (const auto& [key, value] : node.items())
                if (key != "_target_") walk(value, path.empty() ? key : path + "." + key, depth + 1);
            return;
        }
        byPath_[path] = resolved(node, path, 0);
    }
    json resolved(const json& value, const std::string& path, int depth) const {
        if (!value.is_string() || depth > 8) return value;
        const std::string& text = value.get_ref<const std::string&>();
        if (!text.starts_with("${") || !text.ends_with('}') || text.find("${", 2) != std::string::npos) return value;
        std::string target = text.substr(2, text.size() - 3);
        std::string base = path;
        if (target.starts_with('.')) {  // relative to the section of the value
            while (target.starts_with('.')) {
                target.erase(0, 1);
                base = base.substr(0, base.rfind('.') == std::string::npos ? 0 : base.rfind('.'));
            }
            target = base.empty() ? target : base + "." + target;
        }
        const json* at = root_;
        for (std::size_t begin = 0; begin <= target.size();) {
            const auto dot = std::min(target.find('.', begin), target.size());
            const std::string step = target.substr(begin, dot - begin);
            if (!at->is_object() || !at->contains(step)) return value;
            at = &(*at)[step];
            begin = dot + 1;
        }
        return resolved(*at, target, depth + 1);
    }

    const json* root_ = nullptr;
    std::map<std::string, json> byPath_;
};

bool isTrue(const json& value) { return value == true || (value.is_string() && (value == "true" || value == "True")); }
bool isFalse(const json& value) { return value == false || (value.is_string() && (value == "false" || value == "False")); }

/// One setting of a model, strategy, training or data section as Megatron's argument.
void takeSetting(const std::string& key, const json& value, FlagSet& flags) {
    if (value.is_null()) return;
    static const std::map<std::string, std::string, std::less<>> kRenamed = {
        {"num_moe_experts", "num-experts"},
        {"virtual_pipeline_model_parallel_size", "num-virtual-stages-per-pipeline-rank"},
        {"num_layers_in_first_pipeline_stage", "decoder-first-pipeline-num-layers"},
        {"num_layers_in_last_pipeline_stage", "decoder-last-pipeline-num-layers"},
        {"account_for_embedding_in_pipeline_split", "account-for-embedding-in-pipeline-split"},
        {"account_for_loss_in_pipeline_split", "account-for-loss-in-pipeline-split"},
        {"activations_checkpoint_granularity", "recompute-granularity"},
        {"activations_checkpoint_method", "recompute-method"},
        {"activations_checkpoint_num_layers", "recompute-num-layers"},
        {"encoder_seq_length", "seq-length"},
        {"sequence_length", "seq-length"},
        {"max_sequence_length", "seq-length"},
        {"optimizer_cpu_offload", "optimizer-cpu-offload"},
        {"use_tp_pp_dp_mapping", "use-tp-pp-dp-mapping"}};
    std::string name = key;
    if (const auto at = kRenamed.find(key); at != kRenamed.end()) {
        name = at->second;
    } else if (key == "add_bias_linear" || key == "bias") {
        if (isFalse(value)) flags.set("disable-bias-linear", {});
        return;
    } else if (key == "share_embeddings_and_output_weights") {
        if (isFalse(value)) flags.set("untie-embeddings-and-output-weights", {});
        return;
    } else if (key == "gated_linear_unit") {
        if (isTrue(value)) flags.set("swiglu", {});
        return;
    } else if (key == "activation") {
        if (value.is_string() && valueText(value).find("glu") != std::string::npos) flags.set("swiglu", {});
        return;
    } else if (key == "grad_reduce_in_fp32") {
        flags.set(isTrue(value) ? "accumulate-allreduce-grads-in-fp32" : "grad-reduce-in-bf16", {});
        return;
    } else if (key == "normalization") {
        std::string norm = valueText(value);
        std::transform(norm.begin(), norm.end(), norm.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        flags.set("normalization", {norm == "rmsnorm" ? "RMSNorm" : "LayerNorm"});
        return;
    } else {
        std::replace(name.begin(), name.end(), '_', '-');
    }
    if (value.is_boolean()) {
        if (value.get<bool>())
            flags.set(name, {});
        else
            flags.set(name, {"false"});
        return;
    }
    if (value.is_array() && (name == "recompute-modules" || name == "cp-comm-type")) {
        std::vector<std::string> words;
        for (const json& item : value) words.push_back(valueText(item));
        flags.set(name, std::move(words));
        return;
    }
    if (value.is_array() && name == "pipeline-model-parallel-layout") {  // [[embedding, decoder, ...], [...]]
        std::string layout;
        for (const json& stage : value) {
            if (!layout.empty()) layout += '|';
            if (!stage.is_array()) continue;
            for (const json& item : stage)
                layout += item == "embedding" ? "E" : item == "decoder" ? "t" : item == "mtp" ? "m" : item == "loss" ? "L" : "";
        }
        flags.set(name, {layout});
        return;
    }
    if (value.is_object()) return;
    flags.set(name, {valueText(value)});
}

void takePrecision(const std::string& text, FlagSet& flags) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
    if (has("mxfp8")) {
        flags.set("fp8-format", {"e4m3"});
        flags.set("fp8-recipe", {"mxfp8"});
    } else if (has("fp8")) {
        flags.set("fp8-format", {"hybrid"});
    } else if (has("fp4")) {
        flags.set("fp4-format", {"e2m1"});
    }
    if (has("bf16"))
        flags.set("bf16", {});
    else if (has("fp16") || text == "16" || has("16-mixed"))
        flags.set("fp16", {});
}

void takeSettings(const Settings& settings, FlagSet& flags, Launch& launch, ImportBuilder& builder) {
    std::vector<std::string> ignored;
    const auto section = [](const std::string& path) { return path.substr(0, path.find('.')); };
    for (const auto& [path, value] : settings.all()) {
        const std::string key = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
        const std::string part = section(path);
        if (path == "trainer.devices" || path == "trainer.num_gpus") {
            if (const auto count = integerOf(valueText(value)); count && *count > 0) launch.perNode = *count;
        } else if (path == "trainer.num_nodes") {
            if (const auto count = integerOf(valueText(value)); count && *count > 0) launch.nodes = *count;
        } else if (path == "trainer.precision" || (path == "mixed_precision" && value.is_string())) {
            takePrecision(valueText(value), flags);
        } else if (path == "trainer.max_steps") {
            flags.set("train-iters", {valueText(value)});
        } else if (part == "mixed_precision" && (key == "fp8" || key == "fp4")) {
            if (value.is_string()) flags.set(key + "-format", {valueText(value)});
        } else if (path == "model.optim.name") {
            if (valueText(value).find("distributed") != std::string::npos) flags.set("use-distributed-optimizer", {});
        } else if (path.find(".tokenizer.") != std::string::npos || path.find(".data.") == 5 ||
                   path.find("callbacks") != std::string::npos || part == "exp_manager" || part == "logger" ||
                   part == "checkpoint" || part == "rng" || part == "validation" || part == "scheduler") {
            ignored.push_back(part);
        } else if (part == "model" || part == "train" || part == "ddp" || part == "dist" || part == "dataset" || part == "data" ||
                   part == "optimizer" || part == "comm_overlap" || part == "mixed_precision" || part == "strategy" ||
                   path.starts_with("trainer.strategy.")) {
            if (!(part == "optimizer" && key == "name")) takeSetting(key, value, flags);
        } else {
            ignored.push_back(part);
        }
    }
    std::sort(ignored.begin(), ignored.end());
    ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
    for (const auto& name : ignored) builder.ignore(name + ": no effect on the plan");
}

/// The settings of a Python recipe: dotted assignments (`recipe.trainer.strategy.x = 2`) and calls such as
/// `run.Config(MegatronStrategy, tensor_model_parallel_size=4)`, wherever they stand.
void collectRecipe(const json& value, json& out, std::vector<std::string>& calls, int depth) {
    if (depth > 24) return;
    if (value.is_array()) {
        for (const json& item : value) collectRecipe(item, out, calls, depth + 1);
        return;
    }
    if (!value.is_object()) return;
    std::string call = value.contains("__call__") ? valueText(value["__call__"]) : "";
    if (value.contains("__arguments__") && value["__arguments__"].is_array() && !value["__arguments__"].empty() &&
        value["__arguments__"][0].is_string())
        call += " " + valueText(value["__arguments__"][0]);
    if (!call.empty() && calls.size() < 64) calls.push_back(call);
    const bool settings = call.find("Strategy") != std::string::npos || call.find("DataModule") != std::string::npos ||
                          call.find("DistributedDataParallelConfig") != std::string::npos ||
                          call.find("Provider") != std::string::npos || call.find("CommOverlap") != std::string::npos ||
                          call.find("MockData") != std::string::npos;
    for (const auto& [key, item] : value.items()) {
        if (key.starts_with("__")) continue;
        if (item.is_structured())
            collectRecipe(item, out, calls, depth + 1);
        else if (settings)
            out["model"][key] = item;
        if (key == "num_nodes") out["trainer"]["num_nodes"] = item;
        if (key == "devices" || key == "num_gpus_per_node") out["trainer"]["devices"] = item;
        if (key == "max_steps") out["trainer"]["max_steps"] = item;
        if ((key == "strategy" || key == "data" || key == "model" || key == "train" || key == "dataset" || key == "ddp" ||
             key == "comm_overlap") &&
            item.is_object())
            for (const auto& [name, setting] : item.items())
                if (!name.starts_with("__") && !setting.is_structured()) out["model"][name] = setting;
    }
}

Result<ImportResult> readRecipe(std::string_view text, const ImportContext& context) {
    auto configs = readPythonConfigs(text, context.where);
    if (!configs) return tl::unexpected<Error>(configs.error());
    json document = json::object();
    std::vector<std::string> calls;
    for (const PythonConfig& config : *configs) collectRecipe(config.value, document, calls, 0);
    ImportBuilder builder("nemo", context);
    Settings settings;
    settings.add(document);
    FlagSet flags;
    Launch launch;
    launch.source = "trainer.num_nodes, trainer.devices";
    takeSettings(settings, flags, launch, builder);
    std::string names;
    for (const auto& call : calls) {
        std::string name = call;
        std::replace(name.begin(), name.end(), '_', '-');
        names += name + "\n";
    }
    // a recipe names its model: llm.llama3_8b stands for Llama 3.1 8B, whose shape is the same
    for (std::size_t at = names.find("llama3-"); at != std::string::npos; at = names.find("llama3-", at + 9))
        names.replace(at, 7, "llama-3.1-");
    if (!flags.has("num-layers") && !names.empty()) flags.set("model", {names});
    if (flags.empty() && !launch.nodes)
        return failure(Error::Kind::unreadable, "nemo-unreadable", context.where,
                       "holds no recipe settings such as recipe.trainer.strategy.tensor_model_parallel_size");
    if (!flags.has("bf16") && !flags.has("fp16")) {
        flags.set("bf16", {});
        builder.understand("recipes train in bf16 unless they say otherwise");
    }
    builder.understand("a recipe in Python; its literals were read, nothing was run");
    readMegatronArguments(flags, launch, builder);
    return builder.finish();
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    const bool python = text.find("recipe.") != std::string_view::npos || text.find("run.Config(") != std::string_view::npos ||
                        text.find("import nemo") != std::string_view::npos || text.find("from nemo") != std::string_view::npos ||
                        text.find("\ndef ") != std::string_view::npos;
    if (python) return readRecipe(text, context);
    const auto document = parseYaml(text, context.where);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() || !(document->contains("model") || document->contains("trainer")))
        return failure(
            Error::Kind::unreadable, "nemo-unreadable", context.where,
            "has neither a section model nor trainer; expected a run_config.yaml of Megatron-Bridge or a NeMo configuration");
    ImportBuilder builder("nemo", context);
    Settings settings;
    settings.add(*document);
    FlagSet flags;
    Launch launch;
    launch.source = "trainer.num_nodes, trainer.devices";
    takeSettings(settings, flags, launch, builder);
    builder.understand(document->contains("trainer")
                           ? "a NeMo configuration; settings are named as Megatron-LM's arguments"
                           : "a Megatron-Bridge configuration; settings are named as Megatron-LM's arguments");
    readMegatronArguments(flags, launch, builder);
    std::size_t listed = 0;
    for (const auto& name : flags.unused())
        if (++listed <= 60) builder.ignore(name);
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("recipe.trainer") || has("MegatronStrategy") || has("pretrain_recipe(")) return 0.96;
    const bool shell = has("#!/") || has("torchrun") || has("--tensor");
    if (!shell && (has("tensor_model_parallel_size:") || has("pipeline_model_parallel_size:"))) return 0.95;
    return !shell && has("_target_:") && has("megatron") ? 0.9 : 0;
}

}  // namespace

const Importer kNemoImporter{"nemo", "Megatron-Bridge or NeMo configuration (YAML, Python recipe)",
                             "model, workload, plan, cluster size", read, likeness};

}  // namespace trainyard
