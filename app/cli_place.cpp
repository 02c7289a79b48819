#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/io/json/json_text.h"
#include "core/plan/validate.h"
#include "core/search/placement.h"

namespace trainyard {
namespace {

struct PlaceCommandOptions {
    std::string file;
    PlacementOptions placement;
    bool json = false;
};

nlohmann::json placementJson(const Placement& placement) {
    return {{"placement", placement.deviceOfRank}, {"closed_form_s", placement.closedFormS}, {"step_s", placement.stepS}};
}

int place(const PlaceCommandOptions& options) {
    const auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("place", scenario.error());
        return exitStatusOf(scenario.error());
    }
    bool feasible = true;
    for (const Diagnostic& diagnostic : validate(*scenario))
        if (diagnostic.severity == Severity::error) {
            fmt::print(stderr, "trainyard-cli place: {}#{}: {}\n", options.file, diagnostic.pointer, diagnostic.message);
            feasible = false;
        }
    if (!feasible) return 1;
    if (!scenario->plan.replicas.empty()) {
        fmt::print(stderr, "trainyard-cli place: {}#/plan/replicas: replicas of their own shapes name their devices; placement is for equal ones\n",
                   options.file);
        return 1;
    }
    const PlacementResult found = placeRanks(*scenario, options.placement);
    if (options.json) {
        nlohmann::json out{{"naive", placementJson(found.naive)}, {"placements", nlohmann::json::array()}, {"proposals", found.proposals},
                           {"accepted", found.accepted},          {"seed", options.placement.seed},        {"annealing_seconds", found.annealingSeconds},
                           {"seconds", found.seconds}};
        for (const Placement& placement : found.best) out["placements"].push_back(placementJson(placement));
        fmt::print("{}\n", compactJson(out));
        return 0;
    }
    if (found.best.empty()) {
        fmt::print(stderr, "trainyard-cli place: {}: no placement fits into memory\n", options.file);
        return 1;
    }
    const Placement& best = found.best.front();
    fmt::print("step {}", secondsText(best.stepS).joined());
    if (found.naive.stepS > 0)
        fmt::print(" (naive order {}, {} less)", secondsText(found.naive.stepS).joined(), percentText(1 - best.stepS / found.naive.stepS).joined());
    fmt::print("\n{} of {} proposals accepted in {}, seed {}; the best {} simulated\n", found.accepted, found.proposals,
               secondsText(found.annealingSeconds).joined(), options.placement.seed, found.best.size());
    fmt::print("placement: {}\n", compactJson(nlohmann::json(best.deviceOfRank)));
    return 0;
}

}  // namespace

void addPlaceCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<PlaceCommandOptions>();
    CLI::App* command = program.add_subcommand("place", "Which rank sits where, by annealing over drawn or measured links");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_option("--proposals", options->placement.proposals, "exchanges that are tried")->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
    command->add_option("--seed", options->placement.seed, "of the random exchanges");
    command->add_option("--top", options->placement.top, "best placements that are simulated")->check(CLI::Range(1, 1000));
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = place(*options); });
}

}  // namespace trainyard
