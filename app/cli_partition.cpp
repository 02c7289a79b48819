#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/io/json/json_text.h"
#include "core/plan/validate.h"
#include "core/search/partition.h"

namespace trainyard {
namespace {

struct PartitionCommandOptions {
    std::string file;
    PartitionOptions partition;
    bool json = false;
};

int partition(const PartitionCommandOptions& options) {
    auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("partition", scenario.error());
        return exitStatusOf(scenario.error());
    }
    scenario->plan.layersPerStage.clear();
    bool feasible = true;
    for (const Diagnostic& diagnostic : validate(*scenario))
        if (diagnostic.severity == Severity::error) {
            fmt::print(stderr, "trainyard-cli partition: {}#{}: {}\n", options.file, diagnostic.pointer, diagnostic.message);
            feasible = false;
        }
    if (!feasible) return 1;
    const PartitionResult found = partitionLayers(*scenario, options.partition);
    if (options.json) {
        nlohmann::json out{{"layers_per_stage", found.layersPerStage},
                           {"stage_devices", found.stageDevices},
                           {"shares", nlohmann::json::object()},
                           {"step_s", found.stepS},
                           {"optimal", found.optimal},
                           {"gap", found.gap},
                           {"fits", found.fits},
                           {"simulated", found.simulated}};
        if (found.evenSplitStepS > 0) out["even_split_step_s"] = found.evenSplitStepS;
        if (!found.fits) out["overflow_bytes"] = found.overflowBytes;
        fmt::print("{}\n", compactJson(out));
    } else {
        fmt::print("layers per stage: {}\nstep {}{}\n", fmt::join(found.layersPerStage, ", "), secondsText(found.stepS).joined(),
                   found.evenSplitStepS > 0 ? fmt::format(" (even split {})", secondsText(found.evenSplitStepS).joined())
                                            : std::string(" (the even split does not fit)"));
        fmt::print("{}\n", found.optimal ? std::string("optimal: no other split can be faster")
                                         : fmt::format("at most {} slower than the best", percentText(found.gap).joined()));
    }
    if (found.fits) return 0;
    fmt::print(stderr, "trainyard-cli partition: {}: no split fits; the least overflow is {}\n", options.file,
               bytesText(found.overflowBytes).joined());
    return 1;
}

}  // namespace

void addPartitionCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<PartitionCommandOptions>();
    CLI::App* command = program.add_subcommand("partition", "Layers per stage over unequal devices that minimise the step");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_option("--limit", options->partition.limitS, "stop proving after so many seconds");
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, &exitStatus] { exitStatus = partition(*options); });
}

}  // namespace trainyard
