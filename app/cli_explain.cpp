#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/explain/explain.h"
#include "core/explain/sensitivity.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"

namespace trainyard {
namespace {

struct ExplainOptions {
    std::string file;
    std::string quantity;
    std::string format = "text";
    std::vector<std::string> changes;
    int depth = 3;
    bool json = false;
    bool sensitivity = false;
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

nlohmann::json caseJson(const SensitivityCase& one) {
    return {{"change", one.change}, {"value", one.value}, {"relative", one.relative}};
}

int printSensitivity(const ExplainOptions& options, const Scenario& scenario) {
    const auto rows = sensitivities(scenario, options.quantity);
    if (!rows) {
        printError("explain", rows.error());
        return exitStatusOf(rows.error());
    }
    if (options.json) {
        nlohmann::json inputs = nlohmann::json::array();
        for (const Sensitivity& row : *rows) {
            nlohmann::json input{{"id", row.id}, {"name", row.name}};
            if (row.less) input["less"] = caseJson(*row.less);
            if (row.more) input["more"] = caseJson(*row.more);
            inputs.push_back(std::move(input));
        }
        fmt::print("{}\n", compactJson({{"quantity", options.quantity}, {"inputs", inputs}}));
        return 0;
    }
    const auto shown = [](const std::optional<SensitivityCase>& one) {
        return one ? fmt::format("{:>18} {:>+9.2f} %", one->change, 100 * one->relative) : std::string(30, ' ');
    };
    for (const Sensitivity& row : *rows) fmt::print("{:<44.44}{}{}\n", row.name, shown(row.less), shown(row.more));
    return 0;
}

/// What a changed input does to the tree.
int printChanges(const ExplainOptions& options, const Explanation& before) {
    const auto changed = loadScenario(options.file, options.changes);
    if (!changed) {
        printError("explain", changed.error());
        return exitStatusOf(changed.error());
    }
    const auto after = explain(*changed, options.quantity);
    if (!after) {
        printError("explain", after.error());
        return exitStatusOf(after.error());
    }
    const auto changes = explanationChanges(before, *after);
    if (!options.json) {
        fmt::print("{}", changes.empty() ? std::string("nothing moves\n") : changesText(changes, options.depth));
        return 0;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const ExplanationChange& change : changes)
        list.push_back({{"path", change.path}, {"name", change.name}, {"unit", change.unit}, {"before", change.before}, {"after", change.after}});
    fmt::print("{}\n", compactJson({{"quantity", options.quantity}, {"changes", list}}));
    return 0;
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
    if (options.sensitivity) return printSensitivity(options, *scenario);
    if (!options.changes.empty()) return printChanges(options, *tree);
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
    command->add_flag("--sensitivity", options->sensitivity, "what would change it most: every input by 10 % or one legal step");
    command->add_option("--change", options->changes, "POINTER=VALUE: shows what moves in the tree, and by how much");
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = explainFigure(*options); });
}

}  // namespace trainyard
