#include "core/io/batch_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace trainyard {
namespace {

constexpr std::string_view kColumns[] = {"file",
                                         "name",
                                         "feasible",
                                         "failed",
                                         "devices",
                                         "parameters",
                                         "tensor_parallel",
                                         "pipeline_parallel",
                                         "context_parallel",
                                         "expert_parallel",
                                         "data_parallel",
                                         "virtual_stages",
                                         "micro_batch_size",
                                         "zero_stage",
                                         "schedule",
                                         "recompute",
                                         "verdict",
                                         "peak_bytes",
                                         "capacity_bytes",
                                         "step_s",
                                         "compute_s",
                                         "bubble_s",
                                         "bubble_fraction",
                                         "exposed_s",
                                         "tokens_per_s",
                                         "tokens_per_s_per_device",
                                         "mfu",
                                         "hfu",
                                         "cost_per_billion_tokens"};

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string joined(const std::vector<std::string>& fields) {
    std::string row;
    for (std::size_t i = 0; i < std::size(kColumns); ++i) {
        if (i > 0) row += ',';
        if (i < fields.size()) row += csvField(fields[i]);
    }
    return row + "\r\n";
}

}  // namespace

std::string csvField(std::string_view text) {
    // a leading = + - @ would be run as a formula by a spreadsheet
    const bool formula =
        !text.empty() &&
        (text[0] == '=' || text[0] == '@' ||
         ((text[0] == '+' || text[0] == '-') && text.find_first_not_of("+-.0123456789eE") != std::string_view::npos));
    if (!formula && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string out = formula ? "\"'" : "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string batchCsvHeading() {
    std::string row;
    for (const auto column : kColumns) row += fmt::format("{}{}", row.empty() ? "" : ",", column);
    return row + "\r\n";
}

std::string batchCsvRow(const std::string& file, const Scenario& scenario, const Evaluation& evaluation) {
    const Plan& plan = scenario.plan;
    std::string failed;
    for (const auto& item : evaluation.diagnostics)
        if (item.severity == Severity::error && failed.empty()) failed = item.message;
    std::vector<std::string> row{file,
                                 scenario.name,
                                 evaluation.feasible ? "true" : "false",
                                 failed,
                                 fmt::format("{}", evaluation.devices),
                                 fmt::format("{}", evaluation.parameters.total),
                                 fmt::format("{}", plan.tensorParallel),
                                 fmt::format("{}", plan.pipelineParallel),
                                 fmt::format("{}", plan.contextParallel),
                                 fmt::format("{}", plan.expertParallel),
                                 evaluation.computed ? fmt::format("{}", evaluation.plan.dataParallel) : std::string(),
                                 fmt::format("{}", plan.virtualStages),
                                 fmt::format("{}", plan.microBatchSize),
                                 fmt::format("{}", plan.zeroStage),
                                 plan.schedule,
                                 plan.recompute.perStage.empty() ? std::string(name(plan.recompute.mode)) : "per stage"};
    if (evaluation.computed) {
        const auto& time = evaluation.time;
        row.insert(row.end(), {std::string(name(evaluation.memory.verdict)), number(std::round(evaluation.memory.peakBytes)),
                               number(std::round(evaluation.memory.capacityBytes)), number(time.stepS), number(time.computeS),
                               number(time.bubbleS), number(time.bubbleFraction),
                               number(time.exposedTensorS + time.exposedPipelineS + time.exposedContextS + time.exposedExpertS +
                                      time.exposedDataS),
                               number(evaluation.throughput.tokensPerS), number(evaluation.throughput.tokensPerSPerDevice),
                               number(evaluation.throughput.mfu), number(evaluation.throughput.hfu),
                               evaluation.costPerBillionTokens ? number(*evaluation.costPerBillionTokens) : std::string()});
    }
    return joined(row);
}

std::string batchCsvRow(const std::string& file, const Error& error) {
    return joined({file, "", "false", error.where.empty() ? error.message : fmt::format("{}: {}", error.where, error.message)});
}

}  // namespace trainyard
