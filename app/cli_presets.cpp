#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/io/json/json_text.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {
namespace {

struct PresetsOptions {
    std::string kind;
    std::string id;
    bool json = false;
};

constexpr PresetKind kKinds[] = {PresetKind::models,   PresetKind::accelerators, PresetKind::nodes,
                                 PresetKind::networks, PresetKind::clusters,     PresetKind::scenarios,
                                 PresetKind::rules,    PresetKind::schema};

int presets(const PresetsOptions& options) {
    const PresetLibrary& library = presetLibrary();
    for (const Error& error : library.errors()) printError("presets", error);
    if (options.kind.empty()) {
        nlohmann::json counts;
        for (const PresetKind kind : kKinds) {
            counts[std::string(name(kind))] = library.ids(kind).size();
            if (!options.json) fmt::print("{:<14}{:>4}\n", name(kind), library.ids(kind).size());
        }
        if (options.json) fmt::print("{}\n", compactJson(counts));
        return 0;
    }
    const auto kind = presetKindFromName(options.kind);
    if (!options.id.empty()) {
        const auto text = library.text(*kind, options.id);
        if (!text) {
            printError("presets", {Error::Kind::invalid, "preset-unknown", fmt::format("{}/{}", options.kind, options.id),
                                   "there is no such preset; `trainyard-cli presets " + options.kind + "` lists them"});
            return 1;
        }
        fmt::print("{}{}", *text, text->ends_with('\n') ? "" : "\n");
        return 0;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const PresetSummary& summary : library.summaries(*kind)) {
        if (options.json)
            list.push_back(
                {{"id", summary.id}, {"name", summary.name}, {"description", summary.description}, {"origin", summary.origin}});
        else
            fmt::print("{:<30} {}\n", summary.id, summary.name);
    }
    if (options.json) fmt::print("{}\n", compactJson(list));
    return 0;
}

}  // namespace

void addPresetsCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<PresetsOptions>();
    CLI::App* command = program.add_subcommand("presets", "What ships, or one entry with its sources");
    command->add_option("KIND", options->kind, "models, accelerators, nodes, networks, clusters, scenarios, rules or schema")
        ->check(CLI::IsMember({"models", "accelerators", "nodes", "networks", "clusters", "scenarios", "rules", "schema"}));
    command->add_option("NAME", options->id, "id of one preset");
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = presets(*options); });
}

}  // namespace trainyard
