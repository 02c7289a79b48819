#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/explain/explain.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

struct ExplainOptions {
    std::string file;
    std::string quantity;
    std::string format = "text";
    int depth = 3;
    bool json = false;
};

int explainFigure(const ExplainOptions& options) {
    const auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("explain", scenario.error());
        return exitStatusOf(scenario.error());
    }
    const EvaluationDetail detail = evaluateInDetail(*scenario);
    const auto tree = explain(*scenario, detail, options.quantity);
    if (!tree) {
        printError("explain", tree.error());
        if (tree.error().code == "no-such-figure" && detail.evaluation.computed) {
            fmt::print(stderr, "figures that can be explained:\n");
            for (const std::string& pointer : explainablePointers(detail.evaluation)) fmt::print(stderr, "  {}\n", pointer);
        }
        return exitStatusOf(tree.error());
    }
    if (options.json)
        fmt::print("{}\n", compactJson(explanationJson(*tree)));
    else if (options.format == "latex")
        fmt::print("{}", explanationLatex(*tree));
    else if (options.format == "markdown")
        fmt::print("{}", explanationMarkdown(*tree));
    else
        fmt::print("{}", explanationText(*tree, options.depth));
    return 0;
}

}  // namespace

void addExplainCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = program.add_subcommand("explain", "The formula tree behind one figure of the evaluation");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_option("QUANTITY", options->quantity, "JSON pointer into the evaluation, e.g. /time/step_s")->required();
    command->add_option("--depth", options->depth, "levels shown");
    command->add_option("--format", options->format, "text, latex or markdown")
        ->check(CLI::IsMember({"text", "latex", "markdown"}));
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = explainFigure(*options); });
}

}  // namespace trainyard
