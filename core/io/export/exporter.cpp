#include "core/io/export/exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/engine/evaluate.h"

namespace trainyard {
namespace {

constexpr Exporter kExporters[] = {
    {"json", "Scenario", "Trainyard scenario, version 1", "trainyard.json", &exportJson},
    {"link", "Scenario as one text", "Trainyard link, version 1", "txt", &exportLink},
    {"megatron", "Megatron-LM arguments", "Megatron-LM, core 0.20", "sh", &exportMegatron},
    {"nemo", "Megatron-Bridge / NeMo configuration", "Megatron-Bridge 0.7", "yaml", &exportNemo},
    {"deepspeed", "DeepSpeed configuration", "DeepSpeed 0.19", "json", &exportDeepspeed},
    {"torchtitan", "torchtitan configuration (TOML)", "torchtitan 0.2", "toml", &exportTorchtitan},
    {"torchtitan-python", "torchtitan configuration (Python)", "torchtitan main of August 2026", "py", &exportTorchtitanPython},
    {"nanotron", "nanotron configuration", "nanotron 0.4", "yaml", &exportNanotron},
    {"accelerate", "accelerate configuration", "accelerate 1.15", "yaml", &exportAccelerate},
    {"slurm", "Slurm batch script", "Slurm with torchrun, Megatron-LM", "sbatch", &exportSlurm},
    {"trace", "Timeline as a Chrome trace", "Perfetto", "json", &exportTrace},
    {"schedule-csv", "Pipeline schedule", "torch.distributed.pipelining CSV", "csv", &exportScheduleCsv},
    {"csv", "Figures", "comma-separated values", "csv", &exportCsv},
    {"markdown", "Report", "Markdown", "md", &exportMarkdown},
};

}  // namespace

std::span<const Exporter> allExporters() { return kExporters; }

const Exporter* findExporterOrNull(std::string_view id) {
    for (const Exporter& exporter : kExporters)
        if (exporter.id == id) return &exporter;
    return nullptr;
}

Result<Exported> exportScenario(std::string_view id, const Scenario& scenario) {
    const Exporter* exporter = findExporterOrNull(id);
    if (exporter == nullptr) {
        std::string known;
        for (const Exporter& each : kExporters) known += fmt::format("{}{}", known.empty() ? "" : ", ", each.id);
        return failure(Error::Kind::commandLine, "export-kind", fmt::format("--to {}", id),
                       fmt::format("there is no export of that kind; known: {}", known));
    }
    const Evaluation evaluation = evaluate(scenario, Depth::simulated);
    if (!evaluation.computed && id != "json" && id != "link") {
        for (const Diagnostic& diagnostic : evaluation.diagnostics)
            if (diagnostic.severity == Severity::error)
                return failure(Error::Kind::invalid, "export-infeasible", diagnostic.pointer, diagnostic.message);
        return failure(Error::Kind::invalid, "export-infeasible", "", "the plan cannot be computed");
    }
    constexpr std::string_view kFrameworks[] = {"megatron", "nemo", "deepspeed", "torchtitan", "nanotron", "accelerate", "slurm"};
    if (!scenario.plan.replicas.empty() && std::find(std::begin(kFrameworks), std::end(kFrameworks), id) != std::end(kFrameworks))
        return failure(Error::Kind::invalid, "export-replicas", "/plan/replicas",
                       fmt::format("{} runs equal replicas only; choose degrees instead, or export the scenario as json", exporter->title));
    return exporter->write(scenario, evaluation);
}

}  // namespace trainyard
