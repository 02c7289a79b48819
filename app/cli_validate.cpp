#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli_commands.h"
#include "core/engine/evaluation_text.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/framework_rules_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/plan_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/nearest_plans.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

struct ValidateOptions {
    std::string file;
    std::string framework;
    std::vector<std::string> settings;
    bool listRules = false;
    bool json = false;
};

nlohmann::json choiceJson(const ChoiceValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    const std::string& word = std::get<std::string>(value);
    return word == "true" || word == "false" ? nlohmann::json(word == "true") : nlohmann::json(word);
}

nlohmann::json nearbyJson(const std::vector<NearbyPlan>& plans) {
    nlohmann::json list = nlohmann::json::array();
    for (const NearbyPlan& plan : plans) {
        nlohmann::json changes = nlohmann::json::object();
        for (const PlanChange& change : plan.changes) changes[change.pointer] = choiceJson(change.after);
        list.push_back({{"changes", std::move(changes)},
                        {"plan", planJson(plan.scenario.plan)},
                        {"workload", workloadJson(plan.scenario.workload)}});
    }
    return list;
}

std::string nearbyText(const std::vector<NearbyPlan>& plans) {
    std::string text;
    for (const NearbyPlan& plan : plans) {
        text += text.empty() ? "\n  nearest valid plans\n" : "";
        std::string line;
        for (const PlanChange& change : plan.changes)
            line += fmt::format("{}{} {} (was {})", line.empty() ? "" : ", ", change.pointer, choiceText(change.after),
                                choiceText(change.before));
        text += fmt::format("  - {}\n", line);
    }
    return text;
}

int validateFile(const ValidateOptions& options) {
    std::optional<FrameworkRules> rules;
    if (!options.framework.empty()) {
        auto found = frameworkRules(presetLibrary(), options.framework);
        if (!found) {
            printError("validate", found.error());
            return exitStatusOf(found.error());
        }
        rules = std::move(*found);
    }
    const auto scenario = loadScenario(options.file, options.settings);
    if (!scenario) {
        printError("validate", scenario.error());
        return exitStatusOf(scenario.error());
    }
    std::vector<Diagnostic> found = validate(*scenario);
    if (rules) found = rules->joined(std::move(found), *scenario, FrameworkRules::Detail::legalValues);
    const bool wrong = hasErrors(found);
    const std::vector<NearbyPlan> nearby = wrong ? nearestPlans(*scenario, rules ? &*rules : nullptr) : std::vector<NearbyPlan>{};
    if (options.json) {
        nlohmann::json out{{"feasible", !wrong}, {"diagnostics", diagnosticsJson(found)}};
        if (rules) out["framework"] = rules->id();
        if (!nearby.empty()) out["nearest_plans"] = nearbyJson(nearby);
        fmt::print("{}\n", compactJson(out));
    } else {
        if (rules) fmt::print("for {} {}\n", rules->title(), rules->version());
        fmt::print("{}{}{}", diagnosticsText(found), found.empty() ? "nothing to report\n" : "", nearbyText(nearby));
    }
    return wrong ? 1 : 0;
}

nlohmann::json rulesJson(const FrameworkRules& rules) {
    nlohmann::json out{{"framework", rules.id()},
                       {"name", rules.title()},
                       {"framework_version", rules.version()},
                       {"rules", nlohmann::json::array()},
                       {"unchecked", nlohmann::json::array()}};
    for (const FrameworkRule& rule : rules.rules())
        out["rules"].push_back({{"code", rule.code},
                                {"severity", name(rule.severity)},
                                {"at", rule.pointers},
                                {"condition", rule.condition},
                                {"message", rule.message},
                                {"source", rule.source}});
    for (const UncheckedRule& rule : rules.unchecked())
        out["unchecked"].push_back({{"code", rule.code}, {"message", rule.message}, {"source", rule.source}});
    return out;
}

std::string rulesText(const FrameworkRules& rules) {
    std::string text = fmt::format("{} {}: {} rules\n", rules.title(), rules.version(), rules.rules().size());
    for (const FrameworkRule& rule : rules.rules())
        text += fmt::format("  {:<8} {}\n           {}\n           holds if {}\n           {}\n", name(rule.severity), rule.code,
                            rule.message, rule.condition, rule.source);
    if (!rules.unchecked().empty()) text += "  not checked, for a scenario does not hold the setting:\n";
    for (const UncheckedRule& rule : rules.unchecked())
        text += fmt::format("           {}\n           {}\n           {}\n", rule.code, rule.message, rule.source);
    return text;
}

int listRules(const ValidateOptions& options) {
    std::vector<std::string> ids = presetLibrary().ids(PresetKind::rules);
    if (!options.framework.empty()) ids = {options.framework};
    nlohmann::json all = nlohmann::json::array();
    for (const std::string& id : ids) {
        const auto rules = frameworkRules(presetLibrary(), id);
        if (!rules) {
            printError("validate", rules.error());
            return exitStatusOf(rules.error());
        }
        if (options.json)
            all.push_back(rulesJson(*rules));
        else
            fmt::print("{}{}", id == ids.front() ? "" : "\n", rulesText(*rules));
    }
    if (options.json) fmt::print("{}\n", compactJson(all));
    return 0;
}

}  // namespace

void addValidateCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<ValidateOptions>();
    CLI::App* command =
        program.add_subcommand("validate", "Findings about a scenario, with legal values and the nearest valid plans");
    CLI::Option* file = command->add_option("FILE", options->file, "scenario file; - reads standard input");
    std::string known;
    for (const std::string& id : presetLibrary().ids(PresetKind::rules)) known += (known.empty() ? "" : ", ") + id;
    command->add_option("--for", options->framework, "also what a framework forbids: " + known);
    command->add_option("--set", options->settings, "POINTER=VALUE laid over the file, e.g. /plan/tensor_parallel=4")
        ->allow_extra_args(false);
    command->add_flag("--rules", options->listRules, "list the rules of the framework (of all without --for)")->excludes(file);
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] {
        if (!options->listRules && options->file.empty()) throw CLI::RequiredError("FILE");
        exitStatus = options->listRules ? listRules(*options) : validateFile(*options);
    });
}

}  // namespace trainyard
