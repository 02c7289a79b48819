#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/engine/evaluate.h"
#include "core/engine/evaluation_text.h"
#include "core/io/batch_csv.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

struct EvaluateOptions {
    std::vector<std::string> files;
    std::vector<std::string> settings;
    bool json = false;
    bool csv = false;
};

/// Folders stand for the JSON files in them, sorted; only where a table of many is asked for.
std::vector<std::string> withFoldersOpened(const std::vector<std::string>& paths) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> inside;
        for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end;
             !error && it != end; it.increment(error))
            if (it->is_regular_file(error) && it->path().extension() == ".json") inside.push_back(it->path().string());
        std::sort(inside.begin(), inside.end());
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

int evaluateFiles(const EvaluateOptions& options) {
    int status = 0;
    bool first = true;
    if (options.csv) fmt::print("{}", batchCsvHeading());
    for (const std::string& file : options.csv ? withFoldersOpened(options.files) : options.files) {
        const auto scenario = loadScenario(file, options.settings);
        if (!scenario) {
            printError("evaluate", scenario.error());
            if (scenario.error().kind == Error::Kind::commandLine) return exitStatusOf(scenario.error());
            status = std::max(status, exitStatusOf(scenario.error()));
            if (options.json) fmt::print("{}\n", compactJson(failedEvaluationJson(scenario.error(), file)));
            if (options.csv) fmt::print("{}", batchCsvRow(file, scenario.error()));
            continue;
        }
        const Evaluation evaluation = evaluate(*scenario, Depth::simulated);
        if (!evaluation.feasible) status = std::max(status, 1);
        if (options.json) {
            fmt::print("{}\n", compactJson(evaluationJson(evaluation)));
        } else if (options.csv) {
            fmt::print("{}", batchCsvRow(file, *scenario, evaluation));
        } else {
            if (!first) fmt::print("\n");
            fmt::print("{}", evaluationText(*scenario, evaluation));
        }
        if (!evaluation.feasible)
            for (const Diagnostic& diagnostic : evaluation.diagnostics)
                if (diagnostic.severity == Severity::error)
                    fmt::print(stderr, "trainyard-cli evaluate: {}#{}: {}\n", file, diagnostic.pointer, diagnostic.message);
        first = false;
    }
    return status;
}

}  // namespace

void addEvaluateCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<EvaluateOptions>();
    CLI::App* command = program.add_subcommand("evaluate", "Memory, step time, traffic, energy and cost of each scenario");
    command->add_option("FILE", options->files, "scenario files; - reads standard input; with --csv also folders")->required();
    command->add_option("--set", options->settings, "POINTER=VALUE laid over every file, e.g. /plan/tensor_parallel=4")
        ->allow_extra_args(false);
    CLI::Option* json = command->add_flag("--json", options->json, "one JSON object a line and file");
    command->add_flag("--csv", options->csv, "one row a file; a folder stands for the .json files in it")->excludes(json);
    command->footer(
        "Exit status 1 if any scenario is not feasible, 3 if any cannot be read. Out of memory is a verdict, not an error.");
    command->callback([options, &exitStatus] { exitStatus = evaluateFiles(*options); });
}

}  // namespace trainyard
