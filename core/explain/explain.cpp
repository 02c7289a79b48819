#include "core/explain/explain.h"

#include <fmt/format.h>

#include <charconv>

namespace trainyard {
namespace {

std::vector<std::string_view> split(std::string_view pointer) {
    std::vector<std::string_view> parts;
    while (!pointer.empty() && pointer.front() == '/') {
        pointer.remove_prefix(1);
        const std::size_t next = pointer.find('/');
        parts.push_back(pointer.substr(0, next));
        pointer = next == std::string_view::npos ? std::string_view() : pointer.substr(next);
    }
    return parts;
}

Result<std::size_t> index(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return noSuchFigure(text);
    return value;
}

}  // namespace

tl::unexpected<Error> noSuchFigure(std::string_view key) {
    return failure(Error::Kind::invalid, "no-such-figure", std::string(key),
                   fmt::format("the evaluation has no figure '{}' that can be explained", key));
}

Result<Explanation> explain(const Scenario& scenario, std::string_view pointer) {
    const EvaluationDetail detail = evaluateInDetail(scenario);
    return explain(scenario, detail, pointer);
}

Result<Explanation> explain(const Scenario& scenario, const EvaluationDetail& detail, std::string_view pointer) {
    if (!detail.evaluation.computed)
        return failure(Error::Kind::invalid, "not-feasible", std::string(pointer),
                       "the plan is not feasible, so there is no figure to explain; see its diagnostics");
    if (!scenario.plan.replicas.empty()) return explainReplicas(scenario, detail, pointer);
    const auto parts = split(pointer);
    if (parts.empty()) return noSuchFigure(pointer);
    if (parts.size() == 1 && parts[0] == "devices") return explainTotals(scenario, detail, "devices", "");
    if (parts.size() == 2 && parts[0] == "time") return explainTime(scenario, detail, parts[1]);
    if (parts.size() == 2 && parts[0] == "memory") return explainMemory(scenario, detail, parts[1]);
    if (parts.size() == 2 && parts[0] == "throughput") return explainThroughput(scenario, detail, parts[1]);
    if (parts.size() == 2 && parts[0] == "parameters") return explainParameters(scenario, detail, parts[1]);
    if (parts.size() == 2 && (parts[0] == "energy" || parts[0] == "cost" || parts[0] == "training"))
        return explainTotals(scenario, detail, parts[0], parts[1]);
    if (parts.size() == 4 && parts[0] == "memory" && parts[1] == "stages")
        return index(parts[2]).and_then([&](std::size_t stage) { return explainStageMemory(scenario, detail, stage, parts[3]); });
    if (parts.size() == 3 && parts[0] == "compression") return explainCompression(scenario, detail, parts[1], parts[2]);
    if (parts.size() == 3 && parts[0] == "communication")
        return index(parts[1]).and_then([&](std::size_t item) { return explainCommunication(scenario, detail, item, parts[2]); });
    return noSuchFigure(pointer);
}

std::vector<std::string> explainablePointers(const Evaluation& e) {
    std::vector<std::string> all{"/devices", "/parameters/total", "/parameters/active", "/parameters/embedding"};
    if (!e.computed) return {};
    for (const char* key :
         {"peak_bytes", "peak_stage", "capacity_bytes", "peak_allocated_bytes", "peak_reserved_bytes", "peak_device_bytes"})
        all.push_back(fmt::format("/memory/{}", key));
    for (std::size_t s = 0; s < e.memory.stages.size(); ++s)
        for (const char* key : {"parameters_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes", "logits_bytes",
                                "temporary_bytes", "communication_bytes", "framework_bytes", "total_bytes", "capacity_bytes",
                                "in_flight_microbatches", "load_peak_bytes", "optimizer_peak_bytes"})
            all.push_back(fmt::format("/memory/stages/{}/{}", s, key));
    for (const char* key : {"step_s", "compute_s", "bubble_s", "bubble_fraction", "exposed_tensor_s", "exposed_pipeline_s",
                            "exposed_context_s", "exposed_expert_s", "exposed_data_s", "optimizer_s", "offload_s"})
        all.push_back(fmt::format("/time/{}", key));
    for (const char* key :
         {"tokens_per_s", "tokens_per_s_per_device", "model_tflops_per_device", "hardware_tflops_per_device", "mfu", "hfu"})
        all.push_back(fmt::format("/throughput/{}", key));
    for (std::size_t i = 0; i < e.communication.size(); ++i)
        for (const char* key : {"calls_per_step", "bytes_per_device_per_step", "time_s", "exposed_s"})
            all.push_back(fmt::format("/communication/{}/{}", i, key));
    all.insert(all.end(), {"/energy/power_w_per_device", "/energy/joules_per_token"});
    if (e.costPerHour) all.push_back("/cost/per_hour");
    if (e.costPerBillionTokens) all.push_back("/cost/per_billion_tokens");
    if (e.training) {
        all.insert(all.end(), {"/training/tokens", "/training/steps", "/training/seconds", "/training/energy_j"});
        if (e.training->cost) all.push_back("/training/cost");
    }
    return all;
}

}  // namespace trainyard
