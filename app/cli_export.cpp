#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli_commands.h"
#include "core/io/export/exporter.h"
#include "core/io/text_file.h"

namespace trainyard {
namespace {

struct ExportOptions {
    std::string file;
    std::string kind;
    std::string output;
};

int exportFile(const ExportOptions& options) {
    const auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("export", scenario.error());
        return exitStatusOf(scenario.error());
    }
    const auto exported = exportScenario(options.kind, *scenario);
    if (!exported) {
        Error error = exported.error();
        if (!error.where.starts_with("--")) error.where = options.file + "#" + error.where;
        printError("export", error);
        return exitStatusOf(error);
    }
    for (const std::string& lost : exported->notExpressed) fmt::print(stderr, "trainyard-cli export: not expressed: {}\n", lost);
    if (!exported->command.empty()) fmt::print(stderr, "trainyard-cli export: start it with: {}\n", exported->command);
    if (options.output.empty() || options.output == "-") {
        std::fwrite(exported->text.data(), 1, exported->text.size(), stdout);
        return 0;
    }
    const auto written = writeFileAtomically(options.output, exported->text);
    if (written) return 0;
    printError("export", written.error());
    return exitStatusOf(written.error());
}

}  // namespace

void addExportCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command =
        program.add_subcommand("export", "The plan in the form that a framework, a viewer or a spreadsheet reads");
    command->add_option("FILE", options->file, "scenario file")->required();
    std::string kinds;
    for (const Exporter& exporter : allExporters()) kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", exporter.id);
    command->add_option("--to", options->kind, kinds)->required();
    command->add_option("-o,--output", options->output, "file to write (standard output)");
    command->callback([options, &exitStatus] { exitStatus = exportFile(*options); });
}

}  // namespace trainyard
