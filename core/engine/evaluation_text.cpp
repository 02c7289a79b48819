#include "core/engine/evaluation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/format_quantity.h"

namespace trainyard {
namespace {

using Row = std::vector<std::string>;

/// Number of columns a text takes; every code point of ours is one wide.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// First column left, the others right aligned.
std::string table(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c >= widths.size()) widths.push_back(0);
            widths[c] = std::max(widths[c], width(row[c]));
        }
    std::string out;
    for (const Row& row : rows) {
        std::string line = " ";
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string pad(widths[c] - width(row[c]), ' ');
            line += c == 0 ? " " + row[c] + pad : "  " + pad + row[c];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string verdictWords(MemoryVerdict verdict) {
    switch (verdict) {
        case MemoryVerdict::fits: return "fits";
        case MemoryVerdict::tight: return "tight";
        case MemoryVerdict::out_of_memory: return "out of memory";
    }
    return "fits";
}

void addRow(std::vector<Row>& rows, const char* label, double seconds, double step) {
    if (seconds > 0) rows.push_back({label, secondsText(seconds).joined(), percentText(seconds / step).joined()});
}

/// Stages that look alike are one line.
std::string memoryTable(const MemorySummary& memory) {
    std::vector<Row> rows{{"stage", "weights", "gradients", "optimizer", "activations", "logits", "temporary", "buffers",
                           "framework", "total", "of", "in flight"}};
    const auto cells = [](const StageMemory& s) {
        const auto gib = [](double bytes) { return bytes > 0 ? bytesText(bytes).joined() : std::string("-"); };
        return Row{"",
                   gib(s.parametersBytes),
                   gib(s.gradientsBytes),
                   gib(s.optimizerBytes),
                   gib(s.activationsBytes),
                   gib(s.logitsBytes),
                   gib(s.temporaryBytes),
                   gib(s.communicationBytes),
                   gib(s.frameworkBytes),
                   gib(s.totalBytes),
                   gib(s.capacityBytes),
                   fmt::format("{:.3g}", s.inFlightMicrobatches)};
    };
    for (std::size_t first = 0; first < memory.stages.size();) {
        Row row = cells(memory.stages[first]);
        std::size_t next = first + 1;
        while (next < memory.stages.size() && cells(memory.stages[next]) == row) ++next;
        row[0] = next - first > 1 ? fmt::format("{}-{}", first, next - 1) : fmt::format("{}", first);
        if (!memory.stages[first].accelerator.empty()) row[0] += "  " + memory.stages[first].accelerator;
        rows.push_back(std::move(row));
        first = next;
    }
    return table(rows);
}

std::string trafficTable(const Evaluation& e) {
    std::vector<Row> rows{{"traffic", "collective", "devices", "over", "calls", "bytes/device", "time", "exposed"}};
    for (const CommunicationItem& item : e.communication)
        rows.push_back({std::string(name(item.group)), std::string(name(item.collective)), fmt::format("{}", item.groupSize),
                        fmt::format("{}, {}", item.link, item.algorithm), fmt::format("{:.6g}", item.callsPerStep),
                        bytesText(item.bytesPerDevicePerStep, ByteUnits::decimal).joined(), secondsText(item.timeS).joined(),
                        secondsText(item.exposedS).joined()});
    return rows.size() > 1 ? table(rows) : std::string();
}

}  // namespace

std::string diagnosticsText(const std::vector<Diagnostic>& diagnostics) {
    std::string out;
    for (const Diagnostic& d : diagnostics) {
        const char* severity = d.severity == Severity::error ? "error" : d.severity == Severity::warning ? "warning" : "note";
        out += fmt::format("  {:<8} {}  ({}{})\n", severity, d.message, d.code, d.pointer.empty() ? "" : ", " + d.pointer);
    }
    return out;
}

std::string evaluationText(const Scenario& scenario, const Evaluation& e) {
    const Plan& plan = scenario.plan;
    std::string out = fmt::format("{}\n", scenario.name.empty() ? scenario.model->name : scenario.name);
    if (!e.computed) {
        out += "  not feasible\n";
        return out + diagnosticsText(e.diagnostics);
    }
    out += fmt::format("  {} with {} parameters on {} devices: tensor {} x pipeline {} x context {} x data {}",
                       scenario.model->name, countText(static_cast<double>(e.parameters.total)).joined(), e.devices,
                       plan.tensorParallel, plan.pipelineParallel, plan.contextParallel, e.plan.dataParallel);
    if (plan.expertParallel > 1) out += fmt::format(", expert {}", plan.expertParallel);
    out += fmt::format("\n  {} micro-batches of {}, schedule {}{}, ZeRO {}, recompute {}\n\n", e.plan.microBatches,
                       plan.microBatchSize, plan.schedule,
                       e.plan.virtualStages > 1 ? fmt::format(" with {} chunks", e.plan.virtualStages) : "", plan.zeroStage,
                       name(plan.recompute.mode));

    const StageMemory& fullest = e.memory.stages[static_cast<std::size_t>(e.memory.peakStage)];
    std::vector<Row> head{
        {"memory", verdictWords(e.memory.verdict),
         fmt::format("{} of {} on stage {} ({})", bytesText(fullest.totalBytes).joined(),
                     bytesText(fullest.capacityBytes).joined(), e.memory.peakStage, fullest.accelerator)},
        {"step", secondsText(e.time.stepS).joined(), ""},
        {"tokens/s", countText(e.throughput.tokensPerS).joined(),
         fmt::format("{} per device", countText(e.throughput.tokensPerSPerDevice).joined())},
        {"MFU", percentText(e.throughput.mfu).joined(),
         fmt::format("HFU {}, {:.0f} TFLOP/s per device, {}", percentText(e.throughput.hfu).joined(),
                     e.throughput.modelTflopsPerDevice,
                     e.throughput.causalFlopsHalved ? "causal half of attention counted" : "full attention counted")},
        {"energy", fmt::format("{:.3g} J/token", e.joulesPerToken), fmt::format("{:.0f} W per device", e.powerWPerDevice)}};
    if (e.costPerBillionTokens)
        head.push_back({"cost", fmt::format("{} / 10^9 tokens", dollarsText(*e.costPerBillionTokens).joined()),
                        fmt::format("{} / h", dollarsText(*e.costPerHour).joined())});
    if (e.training)
        head.push_back(
            {"training", secondsText(e.training->seconds).joined(),
             fmt::format("{} tokens, {} steps{}", countText(e.training->tokens).joined(), countText(e.training->steps).joined(),
                         e.training->cost ? ", " + dollarsText(*e.training->cost).joined() : "")});
    // The last column reads as a remark: left aligned.
    std::size_t label = 0, value = 0;
    for (const Row& row : head) {
        label = std::max(label, width(row[0]));
        value = std::max(value, width(row[1]));
    }
    for (const Row& row : head) {
        std::string line = fmt::format("  {}{}  {}{}  {}", row[0], std::string(label - width(row[0]), ' '),
                                       std::string(value - width(row[1]), ' '), row[1], row[2]);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }

    std::vector<Row> parts{{"where the step goes", "time", "share"}};
    addRow(parts, "compute", e.time.computeS, e.time.stepS);
    addRow(parts, "bubble", e.time.bubbleS, e.time.stepS);
    addRow(parts, "exposed tensor traffic", e.time.exposedTensorS, e.time.stepS);
    addRow(parts, "exposed pipeline traffic", e.time.exposedPipelineS, e.time.stepS);
    addRow(parts, "exposed context traffic", e.time.exposedContextS, e.time.stepS);
    addRow(parts, "exposed expert traffic", e.time.exposedExpertS, e.time.stepS);
    addRow(parts, "exposed data traffic", e.time.exposedDataS, e.time.stepS);
    addRow(parts, "optimizer", e.time.optimizerS, e.time.stepS);
    addRow(parts, "offload", e.time.offloadS, e.time.stepS);
    out += "\n" + table(parts) + "\n" + memoryTable(e.memory);
    if (const std::string traffic = trafficTable(e); !traffic.empty()) out += "\n" + traffic;
    if (!e.diagnostics.empty()) out += "\n" + diagnosticsText(e.diagnostics);
    if (!e.insideValidatedRange) out += "\n  outside the validated range:\n";
    for (const std::string& note : e.validityNotes) out += fmt::format("  {}\n", note);
    return out;
}

}  // namespace trainyard
