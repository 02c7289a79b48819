#include "core/engine/calibration_constants.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

using Affects = CalibrationConstant::Affects;

// Spreads: rates of kernels differ by a tenth or two between clusters of one accelerator (power limit, cooling, library
// versions); latencies, host times and what the allocator holds by much more.
constexpr CalibrationConstant kConstants[] = {
    {"compute.gemm_rate", "rate of matrix products", Affects::time, 0.4, 1.8, 0.2},
    {"compute.attention_rate", "rate of attention kernels", Affects::time, 0.3, 2.5, 0.25},
    {"compute.memory_rate", "achievable memory bandwidth of element-wise kernels", Affects::time, 0.4, 1.25, 0.15},
    {"compute.dispatch_time", "host time to issue one operation", Affects::time, 0.1, 8, 0.5},
    {"compute.gemm_burst", "rate of matrix products at full clock", Affects::time, 0.5, 1.5, 0.1},
    {"compute.gemm_sustained", "rate of matrix products under the power limit", Affects::time, 0.5, 1.5, 0.15},
    {"compute.gemm_ramp", "depth lost to filling and draining a tile", Affects::time, 0.2, 5, 0.3},
    {"compute.grouped_gemm_rate", "rate of products over several experts", Affects::time, 0.3, 2, 0.25},
    {"compute.attention_backward_rate", "rate of attention backward over forward", Affects::time, 0.5, 1.6, 0.15},
    {"compute.attention_half_length", "sequence length at which attention reaches half its rate", Affects::time, 0.2, 5, 0.3},
    {"compute.norm_rate", "memory bandwidth of fused norms", Affects::time, 0.3, 3, 0.3},
    {"compute.unfused_norm_rate", "memory bandwidth of norms written as several kernels", Affects::time, 0.2, 6, 0.4},
    {"compute.rotary_passes", "passes over memory of rotary positions", Affects::time, 0.2, 4, 0.3},
    {"compute.gated_passes", "passes over memory of gated activations", Affects::time, 0.3, 4, 0.3},
    {"compute.tensor_slowdown", "slowdown of compute beside tensor-parallel traffic", Affects::time, 0.7, 2, 0.15},
    {"compute.communication_slowdown", "slowdown of compute beside other traffic", Affects::time, 0.8, 2, 0.15},
    {"communication.rate", "achievable bandwidth of every link", Affects::time, 0.2, 1.5, 0.2},
    {"communication.training_share", "bandwidth during training over that of a benchmark", Affects::time, 0.3, 1.5, 0.15},
    {"communication.latency", "start and hop latencies of collectives", Affects::time, 0.1, 20, 0.5},
    {"communication.handover", "gap between a collective and the kernel that waits for it", Affects::time, 0.1, 20, 0.5},
    {"memory.activations", "bytes kept from forward to backward", Affects::memory, 0.4, 2.5, 0.15},
    {"memory.allocator", "blocks that the allocator holds besides live tensors", Affects::memory, 0.05, 10, 0.5},
    {"memory.framework", "device context and communication library", Affects::memory, 0.1, 6, 0.4},
};

}  // namespace

std::span<const CalibrationConstant> calibrationConstants() { return kConstants; }

const CalibrationConstant* findCalibrationConstantOrNull(std::string_view name) {
    const auto* found = std::find_if(std::begin(kConstants), std::end(kConstants), [&](const auto& each) { return each.name == name; });
    return found == std::end(kConstants) ? nullptr : found;
}

std::optional<int> calibratedMeasurements(const std::map<std::string, double>& calibration) {
    const auto found = calibration.find(std::string(kCalibrationCount));
    if (found == calibration.end() || !(found->second >= 1) || found->second > 1e9) return std::nullopt;
    return static_cast<int>(found->second);
}

std::string calibrationSentence(const std::map<std::string, double>& calibration, CalibrationWords words) {
    std::string constants;
    for (const auto& [name, value] : calibration)
        if (findCalibrationConstantOrNull(name) != nullptr) constants += fmt::format("{}{} x {:.3g}", constants.empty() ? "" : ", ", name, value);
    if (constants.empty()) return {};
    const auto count = calibratedMeasurements(calibration);
    std::string sentence = count ? fmt::format("calibrated to {} measurement{} of yours", *count, *count == 1 ? "" : "s") : "constants set by you";
    return words == CalibrationWords::briefly ? sentence : sentence + ": " + constants;
}

}  // namespace trainyard
