#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/io/json/json_text.h"
#include "core/io/json/plan_json.h"
#include "core/plan/validate.h"
#include "core/search/search_plans.h"

namespace trainyard {
namespace {

struct SearchCommandOptions {
    std::string file;
    std::string objective = "time";
    SearchOptions search;
    bool json = false;
};

nlohmann::json foundJson(const FoundPlan& found) {
    nlohmann::json out{
        {"plan", planJson(found.plan)}, {"step_s", found.stepS},          {"peak_bytes", found.peakBytes}, {"mfu", found.mfu},
        {"pareto", found.pareto},       {"verdict", name(found.verdict)}, {"simulated", found.simulated}};
    if (found.costPerBillionTokens) out["cost_per_billion_tokens"] = *found.costPerBillionTokens;
    if (!found.reason.empty()) out["reason"] = found.reason;
    return out;
}

void printTable(const SearchResult& result) {
    fmt::print("{:>3} {:>10} {:>10} {:>7}  {:>2} {:>2} {:>2} {:>2} {:>3} {:<18} {:<9} {:>4}  {}\n", "", "step", "peak", "MFU",
               "tp", "pp", "cp", "ep", "mbs", "schedule", "recompute", "ZeRO", "why not first");
    int rank = 1;
    for (const FoundPlan& found : result.plans) {
        const Plan& plan = found.plan;
        fmt::print("{:>3} {:>10} {:>10} {:>7}  {:>2} {:>2} {:>2} {:>2} {:>3} {:<18} {:<9} {:>4}  {}\n", rank++,
                   secondsText(found.stepS).joined(), bytesText(found.peakBytes).joined(), percentText(found.mfu).joined(),
                   plan.tensorParallel, plan.pipelineParallel, plan.contextParallel, plan.expertParallel, plan.microBatchSize,
                   plan.virtualStages > 1 ? fmt::format("{} x{}", plan.schedule, plan.virtualStages) : plan.schedule,
                   name(plan.recompute.mode), plan.zeroStage, found.reason);
    }
    fmt::print("\n{} plans priced in {:.2f} s{}\n", result.evaluated, result.seconds,
               result.complete ? "" : " (stopped by the limit)");
    for (const auto& [code, count] : result.rejected) fmt::print("  {:>9} rejected: {}\n", count, code);
}

int search(const SearchCommandOptions& options) {
    const auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("search", scenario.error());
        return exitStatusOf(scenario.error());
    }
    SearchOptions searching = options.search;
    searching.objective = *objectiveFromName(options.objective);
    const SearchResult result = searchPlans(*scenario, searching);
    if (options.json) {
        nlohmann::json plans = nlohmann::json::array();
        for (const FoundPlan& found : result.plans) plans.push_back(foundJson(found));
        nlohmann::json front = nlohmann::json::array();
        for (const FoundPlan& found : result.front) front.push_back(foundJson(found));
        fmt::print("{}\n", compactJson({{"plans", plans},
                                        {"front", front},
                                        {"evaluated", result.evaluated},
                                        {"rejected", result.rejected},
                                        {"seconds", result.seconds},
                                        {"complete", result.complete}}));
    } else {
        printTable(result);
    }
    if (!result.plans.empty()) return 0;
    fmt::print(stderr, "trainyard-cli search: {}: no plan of this model fits this cluster\n", options.file);
    for (const Diagnostic& diagnostic : validate(*scenario))
        if (diagnostic.severity == Severity::error) fmt::print(stderr, "  {}: {}\n", diagnostic.pointer, diagnostic.message);
    return 1;
}

}  // namespace

void addSearchCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<SearchCommandOptions>();
    CLI::App* command = program.add_subcommand("search", "The best plans for the cluster and model of a scenario");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_option("--objective", options->objective, "time, memory, cost, energy or tokens")
        ->check(CLI::IsMember({"time", "memory", "cost", "energy", "tokens"}));
    command->add_option("--top", options->search.top, "plans listed (10)")->check(CLI::PositiveNumber);
    command->add_option("--limit", options->search.limitS, "stop after so many seconds (0: when all are priced)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--threads", options->search.threads, "threads (0: all cores but one)")->check(CLI::NonNegativeNumber);
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = search(*options); });
}

}  // namespace trainyard
