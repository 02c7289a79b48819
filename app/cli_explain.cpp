#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/explain/explain.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"

namespace trainyard {
namespace {

struct ExplainOptions {
    std::string file;
    std::string quantity;
    std::string format = "text";
    int depth = 3;
    bool json = false;
};

/// One of each kind: `/memory/stages/N/total_bytes` for all stages.
std::vector<std::string> withoutRepetition(const std::vector<std::string>& pointers) {
    std::vector<std::string> kinds;
    for (std::string kind : pointers) {
        for (std::size_t at = kind.find_first_of("0123456789"); at != std::string::npos && kind[at - 1] == '/';
             at = kind.find_first_of("0123456789", at + 1)) {
            std::size_t end = at;
            while (end < kind.size() && kind[end] >= '0' && kind[end] <= '9') ++end;
            kind.replace(at, end - at, "N");
        }
        if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
    }
    return kinds;
}

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
            const std::vector<std::string> pointers = explainablePointers(detail.evaluation);
            const auto near = nearestNames(options.quantity, std::vector<std::string_view>(pointers.begin(), pointers.end()));
            if (!near.empty()) fmt::print(stderr, "did you mean {}?\n", fmt::join(near, ", "));
            fmt::print(stderr, "figures that can be explained (N: number of a stage or of an item of traffic):\n");
            for (const std::string& pointer : withoutRepetition(pointers)) fmt::print(stderr, "  {}\n", pointer);
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
