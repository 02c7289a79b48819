#include "core/io/json/evaluation_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace trainyard {
namespace {

using nlohmann::json;

void put(json& object, const char* key, double value) {
    if (std::isfinite(value)) object[key] = value;
}
void put(json& object, const char* key, const std::optional<double>& value) {
    if (value) put(object, key, *value);
}

json stageJson(const StageMemory& stage) {
    json out{{"stage", stage.stage}, {"accelerator", stage.accelerator}, {"device", stage.device}};
    put(out, "parameters_bytes", stage.parametersBytes);
    put(out, "gradients_bytes", stage.gradientsBytes);
    put(out, "optimizer_bytes", stage.optimizerBytes);
    put(out, "activations_bytes", stage.activationsBytes);
    put(out, "logits_bytes", stage.logitsBytes);
    put(out, "temporary_bytes", stage.temporaryBytes);
    put(out, "communication_bytes", stage.communicationBytes);
    put(out, "framework_bytes", stage.frameworkBytes);
    put(out, "total_bytes", stage.totalBytes);
    put(out, "capacity_bytes", stage.capacityBytes);
    put(out, "in_flight_microbatches", stage.inFlightMicrobatches);
    put(out, "load_peak_bytes", stage.loadPeakBytes);
    put(out, "optimizer_peak_bytes", stage.optimizerPeakBytes);
    put(out, "allocated_bytes", stage.allocatedBytes);
    put(out, "reserved_bytes", stage.reservedBytes);
    put(out, "activation_bytes_per_microbatch", stage.activationBytesPerMicrobatch);
    return out;
}

json memoryJson(const MemorySummary& memory) {
    json out{{"verdict", name(memory.verdict)}, {"peak_stage", memory.peakStage}, {"stages", json::array()}};
    put(out, "peak_bytes", memory.peakBytes);
    put(out, "capacity_bytes", memory.capacityBytes);
    put(out, "peak_allocated_bytes", memory.peakAllocatedBytes);
    put(out, "peak_reserved_bytes", memory.peakReservedBytes);
    put(out, "peak_device_bytes", memory.peakDeviceBytes);
    for (const StageMemory& stage : memory.stages) out["stages"].push_back(stageJson(stage));
    return out;
}

json timeJson(const TimeSummary& time) {
    json out = json::object();
    put(out, "step_s", time.stepS);
    put(out, "compute_s", time.computeS);
    put(out, "bubble_s", time.bubbleS);
    put(out, "bubble_fraction", time.bubbleFraction);
    put(out, "exposed_tensor_s", time.exposedTensorS);
    put(out, "exposed_pipeline_s", time.exposedPipelineS);
    put(out, "exposed_context_s", time.exposedContextS);
    put(out, "exposed_expert_s", time.exposedExpertS);
    put(out, "exposed_data_s", time.exposedDataS);
    put(out, "optimizer_s", time.optimizerS);
    put(out, "offload_s", time.offloadS);
    return out;
}

json throughputJson(const Throughput& throughput) {
    json out{{"causal_flops_halved", throughput.causalFlopsHalved}};
    put(out, "tokens_per_s", throughput.tokensPerS);
    put(out, "tokens_per_s_per_device", throughput.tokensPerSPerDevice);
    put(out, "model_tflops_per_device", throughput.modelTflopsPerDevice);
    put(out, "hardware_tflops_per_device", throughput.hardwareTflopsPerDevice);
    put(out, "mfu", throughput.mfu);
    put(out, "hfu", throughput.hfu);
    return out;
}

json communicationJson(const CommunicationItem& item) {
    json out{{"group", name(item.group)},
             {"collective", name(item.collective)},
             {"link", item.link},
             {"algorithm", item.algorithm},
             {"group_size", item.groupSize}};
    put(out, "calls_per_step", item.callsPerStep);
    put(out, "bytes_per_device_per_step", item.bytesPerDevicePerStep);
    put(out, "time_s", item.timeS);
    put(out, "exposed_s", item.exposedS);
    return out;
}

}  // namespace

std::string_view name(Severity severity) {
    switch (severity) {
        case Severity::error: return "error";
        case Severity::warning: return "warning";
        case Severity::note: return "note";
    }
    return "note";
}

json diagnosticsJson(const std::vector<Diagnostic>& diagnostics) {
    json list = json::array();
    for (const Diagnostic& diagnostic : diagnostics) {
        json one{{"severity", name(diagnostic.severity)},
                 {"code", diagnostic.code},
                 {"message", diagnostic.message},
                 {"pointer", diagnostic.pointer}};
        if (!diagnostic.legalValues.empty()) one["legal_values"] = diagnostic.legalValues;
        for (const std::string& legal : diagnostic.legalNames)
            one["legal_values"].push_back(legal == "true" || legal == "false" ? json(legal == "true") : json(legal));
        if (!diagnostic.source.empty()) one["source"] = diagnostic.source;
        list.push_back(std::move(one));
    }
    return list;
}

json evaluationJson(const Evaluation& e) {
    json out{{"format", "trainyard.evaluation"},
             {"version", 1},
             {"feasible", e.feasible},
             {"diagnostics", diagnosticsJson(e.diagnostics)},
             {"devices", e.devices}};
    if (e.parameters.total > 0)
        out["parameters"] = {
            {"total", e.parameters.total}, {"active", e.parameters.active}, {"embedding", e.parameters.embedding}};
    if (!e.computed) return out;
    out["memory"] = memoryJson(e.memory);
    out["time"] = timeJson(e.time);
    out["throughput"] = throughputJson(e.throughput);
    out["communication"] = json::array();
    for (const CommunicationItem& item : e.communication) out["communication"].push_back(communicationJson(item));
    json energy = json::object();
    put(energy, "power_w_per_device", e.powerWPerDevice);
    put(energy, "joules_per_token", e.joulesPerToken);
    out["energy"] = std::move(energy);
    if (e.costPerHour) {
        json cost{{"currency", "USD"}};
        put(cost, "per_hour", e.costPerHour);
        put(cost, "per_billion_tokens", e.costPerBillionTokens);
        out["cost"] = std::move(cost);
    }
    if (e.training) {
        json training = json::object();
        put(training, "tokens", e.training->tokens);
        put(training, "steps", e.training->steps);
        put(training, "seconds", e.training->seconds);
        put(training, "cost", e.training->cost);
        put(training, "energy_j", e.training->energyJ);
        out["training"] = std::move(training);
    }
    out["validity"] = {{"inside_validated_range", e.insideValidatedRange}, {"notes", e.validityNotes}};
    return out;
}

json failedEvaluationJson(const Error& error, const std::string& file) {
    const std::size_t hash = error.where.find('#');
    const std::string pointer = hash == std::string::npos ? std::string() : error.where.substr(hash + 1);
    return {{"format", "trainyard.evaluation"},
            {"version", 1},
            {"file", file},
            {"feasible", false},
            {"failed", error.where.empty() ? error.message : error.where + ": " + error.message},
            {"diagnostics", diagnosticsJson({{Severity::error, error.code, error.message, pointer, {}, {}}})}};
}

json explanationJson(const Explanation& explanation) {
    json out{
        {"symbol", explanation.symbol}, {"name", explanation.name}, {"value", explanation.value}, {"unit", explanation.unit}};
    if (!explanation.source.empty()) out["source"] = explanation.source;
    if (explanation.terms.empty()) return out;
    out["formula"] = explanation.formula;
    out["terms"] = json::array();
    for (const Explanation& term : explanation.terms) out["terms"].push_back(explanationJson(term));
    return out;
}

}  // namespace trainyard
