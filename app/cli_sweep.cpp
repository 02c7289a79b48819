#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/engine/evaluate.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/plan_json.h"
#include "core/search/search_plans.h"

namespace trainyard {
namespace {

struct SweepOptions {
    std::string file;
    std::vector<std::string> axes;
    std::string format = "csv";
    bool search = false;
};

struct Axis {
    std::string pointer;
    std::vector<std::string> values;
};

constexpr std::size_t kMostPoints = 100'000;

/// `POINTER=v1,v2,...`; commas inside brackets belong to a value.
Result<Axis> axisOf(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || text.empty() || text.front() != '/')
        return failure(Error::Kind::commandLine, "axis-form", "--axis " + text,
                       "write --axis POINTER=v1,v2,..., for example --axis /plan/tensor_parallel=1,2,4,8");
    Axis axis{.pointer = text.substr(0, equals), .values = {""}};
    int depth = 0;
    for (const char c : text.substr(equals + 1)) {
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        if (c == ',' && depth == 0)
            axis.values.emplace_back();
        else
            axis.values.back() += c;
    }
    return axis;
}

nlohmann::json row(const std::vector<Axis>& axes, const std::vector<std::size_t>& at, const Evaluation& e) {
    nlohmann::json out;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        auto value = parseJson(axes[i].values[at[i]], "", JsonDialect::strict);
        out[axes[i].pointer] = value ? *value : nlohmann::json(axes[i].values[at[i]]);
    }
    out["feasible"] = e.feasible;
    out["devices"] = e.devices;
    if (!e.computed) {
        for (const Diagnostic& diagnostic : e.diagnostics)
            if (diagnostic.severity == Severity::error) {
                out["reason"] = diagnostic.message;
                break;
            }
        return out;
    }
    out["verdict"] = name(e.memory.verdict);
    out["peak_bytes"] = e.memory.peakBytes;
    out["step_s"] = e.time.stepS;
    out["tokens_per_s"] = e.throughput.tokensPerS;
    out["tokens_per_s_per_device"] = e.throughput.tokensPerSPerDevice;
    out["mfu"] = e.throughput.mfu;
    out["bubble_fraction"] = e.time.bubbleFraction;
    out["exposed_s"] =
        e.time.exposedTensorS + e.time.exposedPipelineS + e.time.exposedContextS + e.time.exposedExpertS + e.time.exposedDataS;
    out["joules_per_token"] = e.joulesPerToken;
    if (e.costPerBillionTokens) out["cost_per_billion_tokens"] = *e.costPerBillionTokens;
    return out;
}

std::string csvCell(const nlohmann::json& value) {
    std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : compactJson(value);
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

int sweep(const SweepOptions& options) {
    std::vector<Axis> axes;
    std::size_t points = 1;
    for (const std::string& text : options.axes) {
        auto axis = axisOf(text);
        if (!axis) {
            printError("sweep", axis.error());
            return 2;
        }
        points *= axis->values.size();
        axes.push_back(std::move(*axis));
        if (points > kMostPoints) {
            fmt::print(stderr, "trainyard-cli sweep: the axes make more than {} points\n", kMostPoints);
            return 2;
        }
    }
    const auto document = loadDocument(options.file);
    if (!document) {
        printError("sweep", document.error());
        return exitStatusOf(document.error());
    }
    std::vector<nlohmann::json> rows;
    std::vector<std::size_t> at(axes.size(), 0);
    for (std::size_t point = 0; point < points; ++point) {
        std::size_t rest = point;
        for (std::size_t i = axes.size(); i-- > 0;) {
            at[i] = rest % axes[i].values.size();
            rest /= axes[i].values.size();
        }
        std::vector<std::string> settings;
        for (std::size_t i = 0; i < axes.size(); ++i) settings.push_back(axes[i].pointer + "=" + axes[i].values[at[i]]);
        auto scenario = scenarioOf(*document, options.file, settings);
        if (!scenario) {
            printError("sweep", scenario.error());
            return exitStatusOf(scenario.error());
        }
        for (const Axis& axis : axes)
            if (scenario->unknownKeys.contains(axis.pointer)) {
                printError("sweep", {Error::Kind::commandLine, "axis-unknown", "--axis " + axis.pointer,
                                     "there is no such value in a scenario; nothing would change along this axis"});
                return 2;
            }
        if (options.search) {
            const SearchResult found =
                searchPlans(*scenario, {.objective = Objective::time, .top = 1, .limitS = 0, .threads = 0});
            if (!found.plans.empty()) scenario->plan = found.plans.front().plan;
        }
        nlohmann::json one = row(axes, at, evaluate(*scenario, Depth::simulated));
        if (options.search) one["plan"] = planJson(scenario->plan);
        rows.push_back(std::move(one));
    }
    if (options.format == "json") {
        fmt::print("{}\n", compactJson(rows));
        return 0;
    }
    std::vector<std::string> columns;
    for (const Axis& axis : axes) columns.push_back(axis.pointer);
    for (const char* column :
         {"feasible", "devices", "verdict", "peak_bytes", "step_s", "tokens_per_s", "tokens_per_s_per_device", "mfu",
          "bubble_fraction", "exposed_s", "joules_per_token", "cost_per_billion_tokens", "reason"})
        columns.emplace_back(column);
    if (options.search) columns.emplace_back("plan");
    fmt::print("{}\n", fmt::join(columns, ","));
    for (const nlohmann::json& one : rows) {
        std::string line;
        for (const std::string& column : columns)
            line += (line.empty() && &column == &columns.front() ? "" : ",") +
                    csvCell(one.contains(column) ? one.at(column) : nlohmann::json());
        fmt::print("{}\n", line);
    }
    return 0;
}

}  // namespace

void addSweepCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<SweepOptions>();
    CLI::App* command = program.add_subcommand("sweep", "One evaluation per point of one or more axes");
    command->add_option("FILE", options->file, "scenario file")->required();
    command->add_option("--axis", options->axes, "POINTER=v1,v2,...; several axes make a grid")
        ->required()
        ->allow_extra_args(false);
    command->add_option("--format", options->format, "csv or json")->check(CLI::IsMember({"csv", "json"}));
    command->add_flag("--search", options->search, "the best plan at every point instead of the scenario's own");
    command->callback([options, &exitStatus] { exitStatus = sweep(*options); });
}

}  // namespace trainyard
