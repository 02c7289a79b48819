#include <fmt/format.h>

#include "core/base/format_quantity.h"
#include "core/engine/evaluation_text.h"
#include "core/engine/step_time.h"
#include "core/io/export/exporter.h"
#include "core/io/json/scenario_json.h"
#include "core/io/json/scenario_link.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"

namespace trainyard {
namespace {

std::string csvRow(std::string_view section, std::string_view name, std::string_view key, double value) {
    return fmt::format("{},{},{},{:.12g}\n", section, name, key, value);
}

}  // namespace

Result<Exported> exportJson(const Scenario& scenario, const Evaluation&) { return Exported{writeScenario(scenario), {}}; }

Result<Exported> exportLink(const Scenario& scenario, const Evaluation&) { return Exported{scenarioLink(scenario) + "\n", {}}; }

Result<Exported> exportCsv(const Scenario&, const Evaluation& e) {
    std::string text = "section,name,figure,value\n";
    const std::pair<const char*, double> time[] = {{"step_s", e.time.stepS},
                                                   {"compute_s", e.time.computeS},
                                                   {"bubble_s", e.time.bubbleS},
                                                   {"bubble_fraction", e.time.bubbleFraction},
                                                   {"exposed_tensor_s", e.time.exposedTensorS},
                                                   {"exposed_pipeline_s", e.time.exposedPipelineS},
                                                   {"exposed_context_s", e.time.exposedContextS},
                                                   {"exposed_expert_s", e.time.exposedExpertS},
                                                   {"exposed_data_s", e.time.exposedDataS},
                                                   {"optimizer_s", e.time.optimizerS},
                                                   {"offload_s", e.time.offloadS}};
    for (const auto& [key, value] : time) text += csvRow("time", "", key, value);
    text += csvRow("throughput", "", "tokens_per_s", e.throughput.tokensPerS) +
            csvRow("throughput", "", "mfu", e.throughput.mfu) + csvRow("throughput", "", "hfu", e.throughput.hfu);
    for (const StageMemory& stage : e.memory.stages) {
        const std::string name = fmt::format("stage {}", stage.stage);
        const std::pair<const char*, double> parts[] = {{"parameters_bytes", stage.parametersBytes},
                                                        {"gradients_bytes", stage.gradientsBytes},
                                                        {"optimizer_bytes", stage.optimizerBytes},
                                                        {"activations_bytes", stage.activationsBytes},
                                                        {"logits_bytes", stage.logitsBytes},
                                                        {"temporary_bytes", stage.temporaryBytes},
                                                        {"communication_bytes", stage.communicationBytes},
                                                        {"framework_bytes", stage.frameworkBytes},
                                                        {"total_bytes", stage.totalBytes},
                                                        {"capacity_bytes", stage.capacityBytes}};
        for (const auto& [key, value] : parts) text += csvRow("memory", name, key, value);
    }
    for (const CommunicationItem& item : e.communication) {
        const std::string id = fmt::format("{} {}", name(item.group), name(item.collective));
        text += csvRow("communication", id, "calls_per_step", item.callsPerStep) +
                csvRow("communication", id, "bytes_per_device_per_step", item.bytesPerDevicePerStep) +
                csvRow("communication", id, "time_s", item.timeS) + csvRow("communication", id, "exposed_s", item.exposedS);
    }
    return Exported{std::move(text), {}};
}

Result<Exported> exportMarkdown(const Scenario& scenario, const Evaluation& e) {
    std::string text = fmt::format("# {}\n\n", scenario.name.empty() ? scenario.model->name : scenario.name);
    const Plan& plan = scenario.plan;
    text += fmt::format(
        "{} with {} parameters on {} devices.\n\n| tensor | pipeline | context | expert | data | micro-batch | micro-batches | "
        "schedule | ZeRO | recompute |\n|---|---|---|---|---|---|---|---|---|---|\n"
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n\n",
        scenario.model->name, countText(static_cast<double>(e.parameters.total)).joined(), e.devices, plan.tensorParallel,
        plan.pipelineParallel, plan.contextParallel, plan.expertParallel, e.plan.dataParallel, plan.microBatchSize,
        e.plan.microBatches, plan.schedule, plan.zeroStage, name(plan.recompute.mode));
    text += fmt::format(
        "| figure | value |\n|---|---|\n| memory | {}, {} |\n| step | {} |\n| tokens per second | {} |\n| MFU / HFU | {} / {} "
        "|\n| bubble | {} |\n",
        name(e.memory.verdict), bytesText(e.memory.peakBytes).joined(), secondsText(e.time.stepS).joined(),
        countText(e.throughput.tokensPerS).joined(), percentText(e.throughput.mfu).joined(),
        percentText(e.throughput.hfu).joined(), percentText(e.time.bubbleFraction).joined());
    if (e.costPerBillionTokens)
        text += fmt::format("| cost of 10^9 tokens | {} |\n", dollarsText(*e.costPerBillionTokens).joined());
    if (e.training) text += fmt::format("| whole run | {} |\n", secondsText(e.training->seconds).joined());
    text +=
        "\n## Memory per stage\n\n| stage | weights | gradients | optimizer | activations | logits | temporary | buffers | "
        "framework | total | of |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const StageMemory& s : e.memory.stages)
        text += fmt::format(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", s.stage, bytesText(s.parametersBytes).joined(),
            bytesText(s.gradientsBytes).joined(), bytesText(s.optimizerBytes).joined(), bytesText(s.activationsBytes).joined(),
            bytesText(s.logitsBytes).joined(), bytesText(s.temporaryBytes).joined(), bytesText(s.communicationBytes).joined(),
            bytesText(s.frameworkBytes).joined(), bytesText(s.totalBytes).joined(), bytesText(s.capacityBytes).joined());
    text +=
        "\n## Traffic\n\n| group | collective | devices | over | calls | bytes per device | time | exposed "
        "|\n|---|---|---|---|---|---|---|---|\n";
    for (const CommunicationItem& item : e.communication)
        text += fmt::format("| {} | {} | {} | {}, {} | {:.6g} | {} | {} | {} |\n", name(item.group), name(item.collective),
                            item.groupSize, item.link, item.algorithm, item.callsPerStep,
                            bytesText(item.bytesPerDevicePerStep, ByteUnits::decimal).joined(), secondsText(item.timeS).joined(),
                            secondsText(item.exposedS).joined());
    if (!e.diagnostics.empty()) {
        text += "\n## Notes\n\n";
        for (const Diagnostic& d : e.diagnostics) text += fmt::format("- {} (`{}`)\n", d.message, d.code);
    }
    for (const std::string& note : e.validityNotes) text += fmt::format("- {}\n", note);
    return Exported{std::move(text), {}};
}

Result<Exported> exportScheduleCsv(const Scenario& scenario, const Evaluation& e) {
    const auto lists = buildSchedule(scenario.plan.schedule, scheduleRequest(scenario, e.plan));
    if (!lists) return tl::unexpected<Error>(lists.error());
    auto text = writeTorchCsv(*lists, TorchForm::computeOnly);
    if (!text) return tl::unexpected<Error>(text.error());
    return Exported{std::move(*text), {}};
}

}  // namespace trainyard
