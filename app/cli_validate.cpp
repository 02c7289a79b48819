#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/engine/evaluation_text.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

struct ValidateOptions {
    std::string file;
    bool json = false;
};

int validateFile(const ValidateOptions& options) {
    const auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("validate", scenario.error());
        return exitStatusOf(scenario.error());
    }
    const std::vector<Diagnostic> found = validate(*scenario);
    if (options.json)
        fmt::print("{}\n", compactJson({{"feasible", !hasErrors(found)}, {"diagnostics", diagnosticsJson(found)}}));
    else
        fmt::print("{}{}", diagnosticsText(found), found.empty() ? "nothing to report\n" : "");
    return hasErrors(found) ? 1 : 0;
}

}  // namespace

void addValidateCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ValidateOptions>();
    CLI::App* command = program.add_subcommand("validate", "Findings about a scenario, with legal values");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = validateFile(*options); });
}

}  // namespace trainyard
