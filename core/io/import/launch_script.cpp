#include "core/io/import/launch_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/io/shell/shell_script.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

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

bool isPositional(const std::string& name) {
    return name.find_first_not_of("0123456789") == std::string::npos || name.starts_with("$") || name.starts_with("[");
}

/// What the script hangs on: an error where a branch tests it, else a note.
void reportUnknown(const ShellScript& script, ImportBuilder& builder) {
    for (const auto& item : script.notes) builder.note("script-simplified", item);
    for (const auto& item : script.unknown) {
        if (item.comparedWith.empty() || isPositional(item.name)) continue;
        builder.error("unknown-variable", fmt::format("line {}: {} decides what is started and nothing sets it; give it with "
                                                      "--define {}=VALUE (the script tests for {})",
                                                      item.line, item.name, item.name, fmt::join(item.comparedWith, ", ")));
    }
    for (const auto& item : script.unknown) {
        if (!item.comparedWith.empty() || item.name.find_first_not_of("0123456789") == std::string::npos) continue;
        const bool substitution = item.name.starts_with("$");
        builder.note(
            "unknown-variable",
            fmt::format("line {}: {} is not set in the script{}", item.line, substitution ? item.name : "${" + item.name + "}",
                        isPositional(item.name) ? "" : fmt::format("; --define {}=VALUE sets it", item.name)));
    }
}

}  // namespace

Result<Launch> readLaunchScript(std::string_view text, ImportBuilder& builder) {
    const ImportContext& context = builder.context();
    auto script = readShellScript(text, context.where, context.variables);
    if (!script) return tl::unexpected<Error>(script.error());
    Launch launch = findLaunch(*script);
    FlagSet flags = launch.flags;
    takeReinforcementOverrides(launch, flags, builder);
    takeBridgeOverrides(launch, flags);
    launch.flags = std::move(flags);
    reportUnknown(*script, builder);
    return launch;
}

bool describesMegatron(const FlagSet& flags) {
    return flags.has("tensor-model-parallel-size") || flags.has("num-layers") || flags.has("pipeline-model-parallel-size") ||
           flags.has("micro-batch-size") || flags.has("model-parallel-size") || flags.has("global-batch-size") ||
           flags.has("hidden-size");
}

}  // namespace trainyard
