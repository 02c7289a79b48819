#include <fmt/format.h>

#include <algorithm>

#include "core/io/import/import_builder.h"
#include "core/io/import/importers.h"
#include "core/io/import/launch_script.h"
#include "core/io/import/megatron_arguments.h"

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

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    ImportBuilder builder("megatron", context);
    Launch launch;
    FlagSet flags;
    if (isArgumentDump(text)) {
        flags = readArgumentDump(text);
        builder.understand("the list of arguments that Megatron-LM prints at the start of a run");
    } else {
        auto found = readLaunchScript(text, builder);
        if (!found) return tl::unexpected<Error>(found.error());
        launch = std::move(*found);
        flags = launch.flags;
    }
    if (!describesMegatron(flags)) {
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
