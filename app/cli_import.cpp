#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/engine/evaluation_text.h"
#include "core/io/import/importer.h"
#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/text_file.h"
#include "core/plan/cluster_edit.h"
#include "core/plan/cluster_merge.h"

namespace trainyard {
namespace {

struct ImportOptions {
    std::string kind;
    std::string input;
    std::string output;
    std::string into;
    std::vector<std::string> definitions;
    bool json = false;
};

std::string reportText(const ImportResult& result, std::string_view input) {
    std::string out = fmt::format(
        "{}: {}\n", input,
        findImporterOrNull(result.kind) != nullptr ? findImporterOrNull(result.kind)->title : std::string_view(result.kind));
    if (result.parameters) {
        out += fmt::format("  {} parameters", countText(static_cast<double>(result.parameters->total)).joined());
        if (result.parameters->active != result.parameters->total)
            out += fmt::format(", {} active", countText(static_cast<double>(result.parameters->active)).joined());
        out += '\n';
    }
    const ImportReport& report = result.report;
    if (!report.understood.empty()) out += "\nunderstood\n";
    for (const auto& text : report.understood) out += fmt::format("  {}\n", text);
    if (!report.assumed.empty()) out += "\nassumed\n";
    std::size_t width = 0;
    for (const auto& item : report.assumed) width = std::max(width, item.field.size() + item.value.size() + 3);
    for (const auto& item : report.assumed) {
        const std::string left = fmt::format("{} = {}", item.field, item.value);
        out += fmt::format("  {:<{}}  {}\n", left, std::min<std::size_t>(width, 60), item.reason);
    }
    if (!report.ignored.empty()) out += fmt::format("\nignored\n  {}\n", fmt::join(report.ignored, ", "));
    if (!report.diagnostics.empty()) out += "\nfindings\n" + diagnosticsText(report.diagnostics);
    return out;
}

/// The whole scenario for -o: what the input says over the default scenario.
Result<std::string> wholeScenario(const ImportResult& result) {
    const auto text = presetLibrary().text(PresetKind::scenarios, "dgx-h100-llama-70b");
    const auto ids = presetLibrary().ids(PresetKind::scenarios);
    const auto base =
        readScenario(text ? *text : *presetLibrary().text(PresetKind::scenarios, ids.front()), {"preset", ""}, presetLibrary());
    if (!base) return tl::unexpected<Error>(base.error());
    Scenario plain = *base;
    plain.name.clear();
    plain.unknownKeys.clear();
    plain.plan = Plan{};
    const auto scenario = scenarioFromImport(result, plain, presetLibrary());
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    return writeScenario(*scenario, &presetLibrary());
}

/// The scenario of `into` with the imported drawing beside its own. What was assumed to join both goes into the report.
Result<std::string> mergedScenario(const std::string& into, ImportResult& result) {
    auto base = readScenarioFile(into, presetLibrary());
    if (!base) return tl::unexpected<Error>(base.error());
    const auto imported = scenarioFromImport(result, *base, presetLibrary());
    if (!imported) return tl::unexpected<Error>(imported.error());
    MergedCluster merged = mergedClusters(*base->cluster, *imported->cluster);
    if (!merged.bridge.empty()) result.report.assumed.push_back({"/cluster/links", "a cable", merged.bridge});
    return writeScenario(*cluster_edit::withCluster(std::make_shared<const Scenario>(*base), std::move(merged.cluster)), &presetLibrary());
}

int runImport(const ImportOptions& options) {
    ImportContext context;
    context.where = options.input;
    context.presets = &presetLibrary();
    for (const auto& definition : options.definitions) {
        const auto equals = definition.find('=');
        if (equals == std::string::npos || equals == 0) {
            printError("import",
                       {Error::Kind::commandLine, "define-form", "--define " + definition, "write --define NAME=VALUE"});
            return 2;
        }
        context.variables[definition.substr(0, equals)] = definition.substr(equals + 1);
    }
    if (options.kind != "auto" && findImporterOrNull(options.kind) == nullptr) {
        const auto unknown = importText(options.kind, "", context);
        printError("import", unknown.error());
        return 2;
    }
    const auto text = readTextFile(options.input);
    if (!text) {
        printError("import", text.error());
        return exitStatusOf(text.error());
    }
    auto result = importText(options.kind, *text, context);
    if (!result) {
        printError("import", result.error());
        return result.error().kind == Error::Kind::commandLine ? 2 : 3;
    }
    const bool bad = hasErrors(result->report);
    for (const auto& item : result->report.diagnostics)
        if (item.severity == Severity::error)
            printError("import",
                       {Error::Kind::invalid, item.code, fmt::format("{}#{}", options.input, item.pointer), item.message});
    if (!options.into.empty() && options.output.empty()) {
        printError("import", {Error::Kind::commandLine, "into-without-output", "--into " + options.into, "say with -o where the merged scenario goes"});
        return 2;
    }
    if (!options.output.empty()) {
        const auto whole = options.into.empty() ? wholeScenario(*result) : mergedScenario(options.into, *result);
        if (!whole) {
            printError("import", whole.error());
            return exitStatusOf(whole.error());
        }
        if (const auto written = writeFileAtomically(options.output, *whole); !written) {
            printError("import", written.error());
            return exitStatusOf(written.error());
        }
    }
    if (options.json) {
        fmt::print("{}\n", writeImportResult(*result));
    } else {
        fmt::print("{}", reportText(*result, options.input));
        if (options.output.empty()) {
            if (const auto partial = parseJson(result->scenario, "", JsonDialect::strict); partial && !partial->empty())
                fmt::print("\nscenario\n{}", prettyJson(*partial));
        } else {
            fmt::print("\nwrote {}; parts that the input does not describe were filled in\n", options.output);
        }
    }
    return bad ? 1 : 0;
}

}  // namespace

void addImportCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ImportOptions>();
    CLI::App* command =
        program.add_subcommand("import", "Reads what you already have: model configurations, launch scripts, topology dumps");
    command->add_option("KIND", options->kind, "kind of the input, or auto")->required();
    command->add_option("INPUT", options->input, "file; - reads standard input")->required();
    command->add_option("-o,--output", options->output, "writes a whole scenario: what the input says over a default");
    command->add_option("--into", options->into, "draws what is imported beside the cluster of this scenario; with -o");
    command->add_option("--define", options->definitions, "NAME=VALUE for a variable that the input leaves open; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "one JSON object: partial scenario, parameters, report");
    std::string kinds = "Kinds:\n";
    for (const Importer* importer : allImporters())
        kinds += fmt::format("  {:<14} {} ({})\n", importer->id, importer->title, importer->fills);
    command->footer(kinds + "Nothing is run: scripts are worked out, not executed.");
    command->callback([options, &exitStatus] { exitStatus = runImport(*options); });
}

}  // namespace trainyard
