#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/engine/evaluate.h"
#include "core/engine/evaluation_text.h"
#include "core/io/evaluation_json.h"
#include "core/io/json_text.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

struct EvaluateOptions {
    std::vector<std::string> files;
    std::vector<std::string> settings;
    std::string framework;
    bool json = false;
};

int evaluateFiles(const EvaluateOptions& options) {
    int status = 0;
    bool first = true;
    for (const std::string& file : options.files) {
        const auto scenario = loadScenario(file, options.settings);
        if (!scenario) {
            status = std::max(status, exitStatusOf(scenario.error()));
            if (options.json)
                fmt::print("{}\n", compactJson({{"failed", scenario.error().message},
                                                {"file", file},
                                                {"where", scenario.error().where},
                                                {"feasible", false}}));
            printError("evaluate", scenario.error());
            continue;
        }
        const Evaluation evaluation = evaluate(*scenario, Depth::simulated);
        if (!evaluation.feasible) status = std::max(status, 1);
        if (options.json) {
            fmt::print("{}\n", compactJson(evaluationJson(evaluation)));
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
    command->add_option("FILE", options->files, "scenario files")->required();
    command->add_option("--set", options->settings, "POINTER=VALUE laid over every file, e.g. /plan/tensor_parallel=4")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "one JSON object a line and file");
    command->callback([options, &exitStatus] { exitStatus = evaluateFiles(*options); });
}

}  // namespace trainyard
