#include "core/memory/memory_calibration.h"

namespace trainyard {

void calibrateMemory(MemoryBreakdown& b, const std::map<std::string, double>& calibration) {
    if (calibration.empty()) return;
    const auto at = [&b](MemoryCategory which) -> double& { return b.category[static_cast<std::size_t>(which)]; };
    /// Multiplies the figures named and returns what their sum gained.
    const auto scale = [&calibration](std::string_view key, std::initializer_list<double*> values) {
        double gained = 0;
        const auto found = calibration.find(std::string(key));
        if (found == calibration.end()) return gained;
        for (double* value : values) {
            gained += *value * (found->second - 1);
            *value *= found->second;
        }
        return gained;
    };
    const double activations = scale("memory.activations", {&b.kept, &b.stageOutputs, &b.waitingForWeight});
    scale("memory.activations", {&b.keptPerMicroBatch, &b.offloaded});
    const double allocator = scale("memory.allocator", {&b.allocatorSlack, &b.phaseSlack});
    const double context = scale("memory.framework", {&b.context});
    const double framework = context + scale("memory.framework", {&b.communicators});
    at(MemoryCategory::activations) += activations;
    at(MemoryCategory::framework) += allocator + framework;
    b.allocatedBytes += activations;
    b.reservedBytes += activations + allocator;
    b.deviceBytes += activations + allocator + framework;
    b.loadPeakBytes += context;
}

}  // namespace trainyard
