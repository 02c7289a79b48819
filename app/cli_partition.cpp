#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/base/format_quantity.h"
#include "core/io/json/json_text.h"
#include "core/plan/validate.h"
#include "core/io/json/plan_json.h"
#include "core/search/partition_plan.h"

namespace trainyard {
namespace {

struct PartitionCommandOptions {
    std::string file;
    PartitionOptions partition;
    std::string allow;
    bool json = false;
};

/// What each replica has of the batch and of the states.
nlohmann::json sharesJson(const Plan& plan) {
    nlohmann::json out = nlohmann::json::object();
    for (const ReplicaPlan& replica : plan.replicas) {
        out["micro_batches"].push_back(replica.microBatches);
        out["micro_batch_size"].push_back(replica.microBatchSize);
        out["sequences"].push_back(replica.sequences());
        if (replica.shard > 0) out["shard"].push_back(replica.shard);
    }
    return out;
}

int partitionWhole(const PartitionCommandOptions& options, const Scenario& scenario, const PartitionFreedom& freedom) {
    const PlanPartition found = partitionPlan(scenario, freedom, options.partition);
    if (options.json) {
        nlohmann::json out{{"layers_per_stage", found.layersPerStage},
                           {"stage_devices", found.stageDevices},
                           {"shares", sharesJson(found.plan)},
                           {"step_s", found.stepS},
                           {"optimal", found.optimal},
                           {"gap", found.gap},
                           {"fits", found.found},
                           {"how", found.how},
                           {"plan", planJson(found.plan)}};
        if (found.evenSplitStepS > 0) out["even_split_step_s"] = found.evenSplitStepS;
        if (found.nowStepS > 0) out["now_step_s"] = found.nowStepS;
        if (!found.found) out["overflow_bytes"] = found.overflowBytes;
        fmt::print("{}\n", compactJson(out));
    } else {
        fmt::print("step {}{}, by {}\nat most {} slower than devices that never wait\n", secondsText(found.stepS).joined(),
                   found.nowStepS > 0 ? fmt::format(" (as it stands {})", secondsText(found.nowStepS).joined())
                                      : std::string(" (as it stands it does not fit)"),
                   found.how, percentText(found.gap).joined());
        for (std::size_t j = 0; j < found.plan.replicas.size() && j < 64; ++j) {
            const ReplicaPlan& replica = found.plan.replicas[j];
            fmt::print("  replica {}: {} micro-batches of {}", j, replica.microBatches, replica.microBatchSize);
            if (replica.shard > 0) fmt::print(", {} of the states", percentText(replica.shard).joined());
            for (const ReplicaStage& stage : replica.stages)
                fmt::print("; {} layers on {}", stage.layers, fmt::join(stage.devices, "+"));
            fmt::print("\n");
        }
        if (found.plan.replicas.empty()) fmt::print("layers per stage: {}\n", fmt::join(found.layersPerStage, ", "));
        fmt::print("plan: {}\n", compactJson(planJson(found.plan)));
    }
    if (found.found) return 0;
    fmt::print(stderr, "trainyard-cli partition: {}: nothing fits; the least overflow is {}\n", options.file, bytesText(found.overflowBytes).joined());
    return 1;
}

int partition(const PartitionCommandOptions& options) {
    auto scenario = loadScenario(options.file);
    if (!scenario) {
        printError("partition", scenario.error());
        return exitStatusOf(scenario.error());
    }
    const auto freedom = partitionFreedom(options.allow);
    if (!freedom) {
        printError("partition", freedom.error());
        return exitStatusOf(freedom.error());
    }
    if (!freedom->any()) scenario->plan.layersPerStage.clear();
    bool feasible = true;
    for (const Diagnostic& diagnostic : validate(*scenario))
        if (diagnostic.severity == Severity::error) {
            fmt::print(stderr, "trainyard-cli partition: {}#{}: {}\n", options.file, diagnostic.pointer, diagnostic.message);
            feasible = false;
        }
    if (!feasible) return 1;
    if (freedom->any()) return partitionWhole(options, *scenario, *freedom);
    if (!scenario->plan.replicas.empty()) {
        fmt::print(stderr, "trainyard-cli partition: {}#/plan/replicas: replicas of their own shapes are split with --allow replicas\n", options.file);
        return 1;
    }
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
    command->add_option("--allow", options->allow, "what may change besides: order,tensor,replicas,shares");
    CLI::Option* limit = command->add_option("--limit", options->partition.limitS, "stop after so many seconds; also prove splits of many stages");
    command->add_flag("--json", options->json, "JSON");
    command->callback([options, limit, &exitStatus] {
        options->partition.proveManyStages = limit->count() > 0;
        exitStatus = partition(*options);
    });
}

}  // namespace trainyard
