#include "core/io/export/export_support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

LaunchPlan launchPlan(const Scenario& scenario) {
    LaunchPlan out;
    out.resolved = resolve(scenario);
    out.nodes = 0;
    out.devicesPerNode = 0;
    for (const auto& node : scenario.cluster->nodes) {
        out.nodes += node.count;
        const std::int64_t devices = node.devicesPerNode();
        if (out.devicesPerNode != 0 && devices != out.devicesPerNode) out.equalNodes = false;
        out.devicesPerNode = std::max(out.devicesPerNode, devices);
        for (const auto& group : node.accelerators)
            if (group.accelerator && group.accelerator->architecture == "Blackwell") out.blackwell = true;
    }
    const auto& layers = out.resolved.layersOfStage;
    out.evenLayers = std::adjacent_find(layers.begin(), layers.end(), std::not_equal_to<>()) == layers.end();
    out.accumulation = out.resolved.microBatches;
    const RecomputePlan& recompute = scenario.plan.recompute;
    out.recompute = recompute.mode;
    const bool coreOnly = recompute.modules == static_cast<std::uint16_t>(RecomputeModule::core_attn);
    if (out.recompute == RecomputeMode::selective && coreOnly && scenario.workload.attention != AttentionKernel::unfused)
        out.recompute = RecomputeMode::none;
    if (scenario.workload.tokensTotal) {
        const double perStep =
            static_cast<double>(scenario.workload.globalBatchSize) * static_cast<double>(scenario.workload.sequenceLength);
        if (perStep > 0)
            out.steps = static_cast<std::int64_t>(std::min(1e15, std::ceil(*scenario.workload.tokensTotal / perStep)));
    }
    return out;
}

Result<Exported> ExportNotes::result(std::string text, std::string command) const {
    if (refused())
        return failure(Error::Kind::invalid, "cannot-express", "/plan",
                       fmt::format("{} cannot run this plan: {}", framework_, fmt::join(refusals_, "; ")));
    return Exported{std::move(text), left_, std::move(command)};
}

std::string exportHeading(std::string_view mark, std::string_view title, std::string_view target, const Scenario& scenario,
                          const ExportNotes& notes) {
    std::string name = scenario.name.empty() ? scenario.model->name : scenario.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    std::string out = fmt::format("{} {}{}{}\n", mark, title, target.empty() ? "" : ", for ", target);
    if (!name.empty()) out += fmt::format("{} {}\n", mark, name);
    for (const auto& text : notes.leftOut()) out += fmt::format("{} Not in this file: {}.\n", mark, text);
    return out;
}

std::string layoutText(const std::vector<std::int64_t>& layersOfStage) {
    std::string out;
    const std::size_t stages = layersOfStage.size();
    for (std::size_t i = 0; i < stages; ++i) {
        if (i > 0) out += '|';
        if (i == 0) out += 'E';
        if (layersOfStage[i] == 1) out += 't';
        if (layersOfStage[i] > 1) out += fmt::format("t*{}", layersOfStage[i]);
        if (i + 1 == stages) out += 'L';
    }
    return out;
}

std::string shellWord(std::string_view text) {
    const auto safe = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./:=+,@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), safe)) return std::string(text);
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + "'";
}

std::string quotedScalar(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            out += ' ';
        else
            out += c;
    }
    return out + '"';
}

void refuseUncommonShapes(const Scenario& scenario, ExportNotes& notes) {
    const ModelSpec& model = *scenario.model;
    bool linear = false, shapes = false, none = false;
    for (const auto& kind : model.layerKinds) {
        linear = linear || kind.mixer == MixerKind::linear;
        none = none || kind.mixer == MixerKind::none || kind.ffn == FfnKind::none;
        shapes = shapes || kind.attentionHeads || kind.kvHeads || kind.headDim || kind.ffnHiddenSize;
    }
    if (linear) notes.refuse("layers with linear mixers have no arguments here");
    if (none) notes.refuse("layers without attention or feed-forward have no arguments here");
    if (shapes) notes.refuse("the layers differ in heads or widths");
    if (!scenario.plan.deviceOfRank.empty())
        notes.leaveOut("the explicit placement of ranks on devices; order the hosts so that ranks land where the plan puts them");
    if (!scenario.plan.recompute.perStage.empty()) notes.refuse("recomputation differs from stage to stage");
    if (scenario.plan.activationOffloadFraction > 0) notes.leaveOut("offloading of activations to host memory");
}

}  // namespace trainyard
