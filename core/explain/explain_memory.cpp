#include <fmt/format.h>

#include <cmath>

#include "core/explain/explain.h"
#include "core/memory/memory_model.h"

namespace trainyard {
namespace {

constexpr const char* kRecipeSource = "optimizer recipe and number formats of the workload";
constexpr const char* kLedgerSource = "operator ledger: sum over the layers of the stage after sharding";

bool follows(double value, double computed) { return std::abs(value - computed) <= 1e-12 * std::max(1.0, std::abs(value)); }

/// Bytes per parameter times the parameters that this device keeps of them.
Explanation state(const MemoryTerm& term, const MemoryBreakdown& b, const StatePlan& plan, double bytesPer, bool divided,
                  double kept) {
    const double dense = divided ? plan.denseShards : 1;
    const double expert = divided ? plan.expertShards : 1;
    const double computed = bytesPer * (b.denseParameters / dense + b.expertParameters / expert) * kept;
    if (!follows(term.bytes, computed))
        return leaf(std::string(term.symbol), std::string(term.name), term.bytes, "B", kRecipeSource);
    std::vector<Explanation> terms{
        leaf("w", "bytes per parameter", bytesPer, "B", kRecipeSource),
        leaf("D", "dense parameters of this device", b.denseParameters, "", kLedgerSource),
        leaf("n_d", "devices that share them", dense, "", "ZeRO stage and shard group of the plan (arXiv 1910.02054)"),
        leaf("X", "expert parameters of this device", b.expertParameters, "", kLedgerSource),
        leaf("n_x", "devices that share them", expert, "", "copies of an expert: tensor x context x data / expert parallel")};
    std::string formula = "w * (D / n_d + X / n_x)";
    if (kept != 1) {
        terms.push_back(leaf("k", "share kept on the device", kept, "1", "input: plan.optimizer_offload_fraction"));
        formula += " * k";
    }
    return derived(std::string(term.symbol), std::string(term.name), term.bytes, "B", std::move(formula), kRecipeSource,
                   std::move(terms));
}

Explanation explainTerm(const MemoryTerm& term, const MemoryBreakdown& b, const EvaluationDetail& detail) {
    const StatePlan& plan = detail.state;
    if (term.symbol == "W") return state(term, b, plan, plan.bytes.weights, plan.zeroStage >= 3, 1);
    if (term.symbol == "G") return state(term, b, plan, plan.bytes.gradients, plan.zeroStage >= 2, 1);
    if (term.symbol == "M") return state(term, b, plan, plan.bytes.master, plan.zeroStage >= 1, 1 - plan.optimizerOffload);
    if (term.symbol == "S") return state(term, b, plan, plan.bytes.moments, plan.zeroStage >= 1, 1 - plan.optimizerOffload);
    if (term.symbol == "A" && follows(term.bytes, b.keptPerMicroBatch * b.inFlightMicroBatches - b.offloaded)) {
        std::vector<Explanation> terms{
            leaf("a", "saved from forward to backward, one micro-batch", b.keptPerMicroBatch, "B",
                 "operator ledger after recomputation (Korthikanti et al., arXiv 2205.05198)"),
            leaf("q", "micro-batches in flight", b.inFlightMicroBatches, "", "order of the schedule's actions")};
        std::string formula = "a * q";
        if (b.offloaded > 0) {
            terms.push_back(leaf("h", "part in host memory", b.offloaded, "B", "input: plan.activation_offload_fraction"));
            formula += " - h";
        }
        return derived("A", std::string(term.name), term.bytes, "B", std::move(formula), "arXiv 2205.05198", std::move(terms));
    }
    const char* source = term.category == MemoryCategory::framework
                             ? "named constants of the memory model (device context, communication library, allocator)"
                         : term.category == MemoryCategory::communication
                             ? "largest buffers of gathers, reductions and transfers in use at once"
                         : term.category == MemoryCategory::logits
                             ? "logits in 16 bit, their fp32 copy and the softmax: tokens x padded vocabulary / tensor parallel"
                         : term.category == MemoryCategory::temporary ? "largest working set alive at once"
                                                                      : kLedgerSource;
    return leaf(std::string(term.symbol), std::string(term.name), term.bytes, "B", source);
}

Explanation category(MemoryCategory which, const char* symbol, double value, const MemoryBreakdown& b,
                     const EvaluationDetail& detail) {
    std::vector<Explanation> terms;
    double sum = 0;
    for (const MemoryTerm& term : memoryTerms(b)) {
        if (term.category != which) continue;
        terms.push_back(explainTerm(term, b, detail));
        sum += term.bytes;
    }
    if (!follows(value, sum)) terms.push_back(leaf("rest", "further parts of this category", value - sum, "B", "memory model"));
    if (terms.empty()) terms.push_back(leaf("none", "nothing of this kind", 0, "B", "the plan keeps none"));
    std::string formula = sumFormula(terms);
    return derived(symbol, std::string(name(which)), value, "B", std::move(formula), "", std::move(terms));
}

struct CategoryKey {
    std::string_view key;
    MemoryCategory category;
    const char* symbol;
    double StageMemory::*member;
};
constexpr CategoryKey kCategories[] = {
    {"parameters_bytes", MemoryCategory::parameters, "M_parameters", &StageMemory::parametersBytes},
    {"gradients_bytes", MemoryCategory::gradients, "M_gradients", &StageMemory::gradientsBytes},
    {"optimizer_bytes", MemoryCategory::optimizer, "M_optimizer", &StageMemory::optimizerBytes},
    {"activations_bytes", MemoryCategory::activations, "M_activations", &StageMemory::activationsBytes},
    {"logits_bytes", MemoryCategory::logits, "M_logits", &StageMemory::logitsBytes},
    {"temporary_bytes", MemoryCategory::temporary, "M_temporary", &StageMemory::temporaryBytes},
    {"communication_bytes", MemoryCategory::communication, "M_communication", &StageMemory::communicationBytes},
    {"framework_bytes", MemoryCategory::framework, "M_framework", &StageMemory::frameworkBytes}};

Explanation total(const EvaluationDetail& detail, std::size_t stage, const std::string& symbol) {
    const StageMemory& memory = detail.evaluation.memory.stages[stage];
    std::vector<Explanation> terms;
    for (const CategoryKey& each : kCategories)
        terms.push_back(category(each.category, each.symbol, memory.*each.member, detail.memory[stage], detail));
    std::string formula = sumFormula(terms);
    return derived(symbol, fmt::format("peak of the fullest device of stage {}, as the driver shows it", stage),
                   memory.totalBytes, "B", std::move(formula), "", std::move(terms));
}

Explanation allocated(const EvaluationDetail& detail, std::size_t stage, const std::string& symbol) {
    const StageMemory& memory = detail.evaluation.memory.stages[stage];
    std::vector<Explanation> terms;
    double sum = 0;
    for (const CategoryKey& each : kCategories) {
        if (each.category == MemoryCategory::framework) continue;
        terms.push_back(category(each.category, each.symbol, memory.*each.member, detail.memory[stage], detail));
        sum += memory.*each.member;
    }
    if (!follows(memory.allocatedBytes, sum))
        terms.push_back(leaf("rest", "tensors not alive at that moment", memory.allocatedBytes - sum, "B", "memory model"));
    std::string formula = sumFormula(terms);
    return derived(symbol, fmt::format("live tensors of stage {}", stage), memory.allocatedBytes, "B", std::move(formula),
                   "torch max_memory_allocated", std::move(terms));
}

Explanation reserved(const EvaluationDetail& detail, std::size_t stage, const std::string& symbol) {
    const StageMemory& memory = detail.evaluation.memory.stages[stage];
    return derived(symbol, fmt::format("memory that the allocator holds on stage {}", stage), memory.reservedBytes, "B",
                   "M_live + F", "torch max_memory_reserved",
                   {allocated(detail, stage, "M_live"),
                    leaf("F", "blocks held but not in use", memory.reservedBytes - memory.allocatedBytes, "B",
                         "allocator slack as a share of live tensors, calibrated on runs that print both")});
}

Explanation single(const char* symbol, const char* name, double value, const char* unit, const char* source) {
    return derived(symbol, name, value, unit, "x", "", {leaf("x", name, value, unit, source)});
}

}  // namespace

Result<Explanation> explainStageMemory(const Scenario& scenario, const EvaluationDetail& detail, std::size_t stage,
                                       std::string_view key) {
    static_cast<void>(scenario);
    if (stage >= detail.evaluation.memory.stages.size()) return noSuchFigure(key);
    const StageMemory& memory = detail.evaluation.memory.stages[stage];
    const MemoryBreakdown& b = detail.memory[stage];
    for (const CategoryKey& each : kCategories)
        if (each.key == key) return category(each.category, each.symbol, memory.*each.member, b, detail);
    if (key == "total_bytes") return total(detail, stage, fmt::format("M_{}", stage));
    if (key == "stage") return single("r", "pipeline rank", static_cast<double>(stage), "", "position in the plan");
    if (key == "capacity_bytes")
        return single("C", "usable memory of the accelerator: what the driver shows, not the label", memory.capacityBytes, "B",
                      "accelerator preset: memory_usable (else 0.985 x label)");
    if (key == "in_flight_microbatches")
        return single("q", "micro-batches in flight on this rank's whole share of layers", memory.inFlightMicrobatches, "",
                      "order of the schedule's actions: forwards started and not yet freed");
    if (key == "load_peak_bytes")
        return single("M_load", "peak while the weights are loaded", memory.loadPeakBytes, "B",
                      "weights, master copy, one full layer being read, device context");
    if (key == "optimizer_peak_bytes")
        return single("M_first", "peak of the first optimizer step", memory.optimizerPeakBytes, "B",
                      "all states and the gradient copy of the optimizer, no activation alive");
    return noSuchFigure(key);
}

Result<Explanation> explainMemory(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key) {
    static_cast<void>(scenario);
    const MemorySummary& memory = detail.evaluation.memory;
    const auto largest = [&](const char* symbol, const char* name, double value, const auto& each) {
        std::vector<Explanation> terms;
        std::string formula = "max(";
        for (std::size_t s = 0; s < memory.stages.size(); ++s) {
            terms.push_back(each(s, fmt::format("M_{}", s)));
            formula += fmt::format("{}M_{}", s == 0 ? "" : ", ", s);
        }
        return derived(symbol, name, value, "B", formula + ")", "", std::move(terms));
    };
    if (key == "peak_bytes" || key == "peak_device_bytes")
        return largest("M_peak", "largest peak of a device, what nvidia-smi shows", memory.peakDeviceBytes,
                       [&](std::size_t s, std::string symbol) { return total(detail, s, symbol); });
    if (key == "peak_reserved_bytes")
        return largest("M_reserved", "largest memory held by the allocator", memory.peakReservedBytes,
                       [&](std::size_t s, std::string symbol) { return reserved(detail, s, symbol); });
    if (key == "peak_allocated_bytes")
        return largest("M_allocated", "largest sum of live tensors", memory.peakAllocatedBytes,
                       [&](std::size_t s, std::string symbol) { return allocated(detail, s, symbol); });
    if (key == "capacity_bytes")
        return single("C", "usable memory of the fullest stage's accelerator", memory.capacityBytes, "B",
                      "accelerator preset: memory_usable (else 0.985 x label)");
    if (key == "peak_stage")
        return single("r", "stage whose share of its capacity is largest", memory.peakStage, "",
                      "largest total_bytes / capacity_bytes");
    return noSuchFigure(key);
}

}  // namespace trainyard
