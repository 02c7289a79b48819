#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_flags.h"
#include "core/io/import/megatron_arguments.h"
#include "core/io/shell/shell_script.h"
#include "core/plan/limits.h"

// Megatron-LM and its relatives: a launch script, a bare argument line, or the list of arguments that a run prints.

namespace trainyard {
namespace {

/// `name ........ value` lines as printed at the start of a run.
FlagSet readArgumentDump(std::string_view text) {
    FlagSet flags;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto dots = line.find(" ....");
        if (dots == std::string_view::npos) continue;
        std::size_t start = dots;
        while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '\t' && line[start - 1] != ':') --start;
        const auto valueAt = line.find_first_not_of('.', dots + 1);
        if (start == dots || valueAt == std::string_view::npos) continue;
        std::string_view value = line.substr(valueAt);
        while (!value.empty() && (value.front() == ' ')) value.remove_prefix(1);
        while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) value.remove_suffix(1);
        std::string name(line.substr(start, dots - start));
        std::replace(name.begin(), name.end(), '_', '-');
        if (value != "None" && !value.empty()) flags.set(std::move(name), {std::string(value)});
    }
    return flags;
}

bool isArgumentDump(std::string_view text) {
    int lines = 0;
    for (auto at = text.find(" ......"); at != std::string_view::npos && lines < 6;
         at = text.find(" ......", text.find('\n', at) == std::string_view::npos ? text.size() : text.find('\n', at)))
        ++lines;
    return lines >= 5;
}

/// Settings of reinforcement-learning trainers, whose training half is Megatron:
/// `...actor.megatron.tensor_model_parallel_size=2`.
void takeReinforcementOverrides(const Launch& launch, FlagSet& flags, ImportBuilder& builder) {
    const auto get = [&](std::string_view key) -> std::optional<std::string> {
        const auto at = launch.overrides.find(std::string(key));
        return at == launch.overrides.end() ? std::nullopt : std::optional<std::string>(at->second);
    };
    const std::string prefix = "actor_rollout_ref.actor.megatron.";
    bool any = false;
    for (const auto& [key, value] : launch.overrides) {
        if (!key.starts_with(prefix)) continue;
        std::string name = key.substr(prefix.size());
        if (const auto dot = name.rfind('.'); dot != std::string::npos) name = name.substr(dot + 1);
        std::replace(name.begin(), name.end(), '_', '-');
        flags.set(name, {value});
        any = true;
    }
    if (!any) return;
    if (const auto micro = get("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu")) flags.set("micro-batch-size", {*micro});
    if (const auto batch = get("actor_rollout_ref.actor.ppo_mini_batch_size"))
        flags.set("global-batch-size", {*batch});
    else if (const auto train = get("data.train_batch_size"))
        flags.set("global-batch-size", {*train});
    const auto prompt = integerOf(get("data.max_prompt_length").value_or("")),
               response = integerOf(get("data.max_response_length").value_or(""));
    if (prompt && response && *prompt > 0 && *response > 0 && *prompt < limits::kSequenceLength &&
        *response < limits::kSequenceLength)
        flags.set("seq-length", {fmt::format("{}", *prompt + *response)});
    if (const auto model = get("actor_rollout_ref.model.path")) flags.set("model", {*model});
    flags.set("bf16", {});
    builder.warn("training-half-only",
                 "only the training half of this reinforcement-learning run is planned; generation runs on the same devices with "
                 "its own degrees",
                 "/plan");
    if (const auto rollout = get("actor_rollout_ref.rollout.tensor_model_parallel_size"))
        builder.ignore(fmt::format("rollout tensor_model_parallel_size {} (generation)", *rollout));
    if (const auto share = get("actor_rollout_ref.rollout.gpu_memory_utilization"))
        builder.note("generation-memory",
                     fmt::format("generation reserves {} of the memory (gpu_memory_utilization) while it runs", *share), "/plan");
}

/// `model.tensor_model_parallel_size=2` and the like of Megatron-Bridge command lines.
void takeBridgeOverrides(const Launch& launch, FlagSet& flags) {
    for (const auto& [key, value] : launch.overrides) {
        const auto dot = key.find('.');
        const std::string section = key.substr(0, dot);
        if (section != "model" && section != "train" && section != "ddp" && section != "dataset" && section != "comm_overlap" &&
            section != "optimizer")
            continue;
        std::string name = key.substr(key.rfind('.') + 1);
        std::replace(name.begin(), name.end(), '_', '-');
        if (name == "num-moe-experts") name = "num-experts";
        if (name == "sequence-length") name = "seq-length";
        flags.set(name, {value});
    }
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    ImportBuilder builder("megatron", context);
    Launch launch;
    FlagSet flags;
    if (isArgumentDump(text)) {
        flags = readArgumentDump(text);
        builder.understand("the list of arguments that Megatron-LM prints at the start of a run");
    } else {
        auto script = readShellScript(text, context.where, context.variables);
        if (!script) return tl::unexpected<Error>(script.error());
        launch = findLaunch(*script);
        flags = launch.flags;
        takeReinforcementOverrides(launch, flags, builder);
        takeBridgeOverrides(launch, flags);
        for (const auto& item : script->notes) builder.note("script-simplified", item);
        for (const auto& item : script->unknown) {
            const bool asked = !item.comparedWith.empty();
            const bool positional = item.name.find_first_not_of("0123456789") == std::string::npos ||
                                    item.name.starts_with("$") || item.name.starts_with("[");
            if (!asked || positional) continue;
            builder.error("unknown-variable", fmt::format("line {}: {} decides what is started and nothing sets it; give it with "
                                                          "--define {}=VALUE (the script tests for {})",
                                                          item.line, item.name, item.name, fmt::join(item.comparedWith, ", ")));
        }
        for (const auto& item : script->unknown) {
            if (!item.comparedWith.empty() || item.name.find_first_not_of("0123456789") == std::string::npos) continue;
            builder.note("unknown-variable", fmt::format("line {}: {} is not set in the script{}", item.line,
                                                         item.name.starts_with("$") ? item.name : "${" + item.name + "}",
                                                         item.name.starts_with("$") || item.name.starts_with("[")
                                                             ? ""
                                                             : fmt::format("; --define {}=VALUE sets it", item.name)));
        }
    }
    const bool known = flags.has("tensor-model-parallel-size") || flags.has("num-layers") ||
                       flags.has("pipeline-model-parallel-size") || flags.has("micro-batch-size") ||
                       flags.has("model-parallel-size") || flags.has("global-batch-size") || flags.has("hidden-size");
    if (!known) {
        if (hasErrors(builder.report())) {
            const auto& first = *std::find_if(builder.report().diagnostics.begin(), builder.report().diagnostics.end(),
                                              [](const Diagnostic& item) { return item.severity == Severity::error; });
            return failure(Error::Kind::invalid, first.code, context.where, first.message);
        }
        return failure(Error::Kind::unreadable, "no-arguments", context.where,
                       "holds no Megatron arguments such as --tensor-model-parallel-size or --num-layers; expected a launch "
                       "script, an argument line or a printed argument list");
    }
    readMegatronArguments(flags, launch, builder);
    for (const auto& name : flags.unused()) builder.ignore("--" + name);
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("--tensor-model-parallel-size") || has("--tensor_model_parallel_size") || has("--model-parallel-size") ||
        has("tensor_model_parallel_size ...."))
        return 0.95;
    if (has("pretrain_gpt.py") || (has("--num-layers") && has("--hidden-size"))) return 0.9;
    if (has("actor_rollout_ref.actor.megatron")) return 0.9;
    return 0;
}

}  // namespace

const Importer kMegatronImporter{"megatron", "Megatron-LM launch script or arguments", "model, workload, plan, cluster", read,
                                 likeness};

}  // namespace trainyard
