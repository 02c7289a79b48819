#include "core/memory/software_stack.h"

#include <array>
#include <algorithm>

namespace trainyard {

namespace {

bool hasFasterAttentionThanFlash2(const AcceleratorSpec& accelerator) {
    constexpr std::array<std::string_view, 3> kFamilies = {"Hopper", "Blackwell", "Rubin"};
    return std::ranges::any_of(kFamilies, [&](std::string_view family) { return accelerator.architecture.find(family) != std::string::npos; });
}

}  // namespace

SoftwareStack softwareStack(const Scenario& scenario) {
    const Workload& workload = scenario.workload;
    if (workload.stack) return *workload.stack;
    if (scenario.plan.zeroStage >= 3) return SoftwareStack::sharded;
    if (workload.attention == AttentionKernel::flash3) return SoftwareStack::fused;
    const bool unfused = workload.attention == AttentionKernel::unfused;
    if (unfused && scenario.model->biases && !scenario.model->gatedMlp) return SoftwareStack::classic;
    const Precision gradients = workload.gradientPrecision.value_or(Precision::fp32);
    if (workload.precision == Precision::bf16 && storageBytes(gradients) == 2 && !(unfused && scenario.plan.zeroStage == 0))
        return SoftwareStack::gathered;
    if (unfused) return SoftwareStack::classic;
    // Interleaved and zero-bubble schedules and context parallelism are at home in Megatron-Core.
    if (scenario.plan.virtualStages > 1 || scenario.plan.contextParallel > 1 || scenario.plan.schedule.find("1f1b") == std::string::npos)
        return SoftwareStack::fused;
    if (!scenario.cluster) return SoftwareStack::fused;
    for (const NodeSpec& node : scenario.cluster->nodes)
        for (const AcceleratorGroup& group : node.accelerators)
            if (group.accelerator && hasFasterAttentionThanFlash2(*group.accelerator)) return SoftwareStack::eager;
    return SoftwareStack::fused;
}

}  // namespace trainyard
