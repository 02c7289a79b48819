#include "core/compute/device_efficiency.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace trainyard {
namespace {

DeviceGeneration generationOf(const AcceleratorSpec& accelerator) {
    struct Key {
        std::string_view text;
        DeviceGeneration generation;
    };
    static constexpr Key kKeys[] = {
        {"Blackwell", DeviceGeneration::blackwell}, {"Hopper", DeviceGeneration::hopper}, {"Ada", DeviceGeneration::ada},
        {"Ampere", DeviceGeneration::ampere},       {"Volta", DeviceGeneration::volta},   {"Turing", DeviceGeneration::volta},
        {"CDNA4", DeviceGeneration::cdna4},         {"CDNA3", DeviceGeneration::cdna3},   {"CDNA2", DeviceGeneration::cdna2},
        {"TPU", DeviceGeneration::tpu},             {"Gaudi", DeviceGeneration::gaudi},   {"Trainium", DeviceGeneration::trainium},
        {"Da Vinci", DeviceGeneration::ascend},
    };
    for (const auto& key : kKeys)
        if (accelerator.architecture.find(key.text) != std::string::npos) return key.generation;
    static constexpr Key kIds[] = {
        {"gb", DeviceGeneration::blackwell}, {"b2", DeviceGeneration::blackwell}, {"b3", DeviceGeneration::blackwell},
        {"gh", DeviceGeneration::hopper},    {"h", DeviceGeneration::hopper},     {"a1", DeviceGeneration::ampere},
        {"a8", DeviceGeneration::ampere},    {"v100", DeviceGeneration::volta},   {"mi3", DeviceGeneration::cdna3},
        {"mi2", DeviceGeneration::cdna2},    {"tpu", DeviceGeneration::tpu},      {"l4", DeviceGeneration::ada},
    };
    for (const auto* name : {&accelerator.base, &accelerator.id})
        for (const auto& key : kIds)
            if (name->starts_with(key.text)) return key.generation;
    return DeviceGeneration::other;
}

/// Burst shares, ramps and rounding are fits of the tile model to aiconfigurator's GEMM grids (m >= 2048, 15 weight shapes;
/// mean error 5 to 9 % in 16 bits). Sustained shares: the best matmul of a long search (ml-engineering book: 0.87 of peak on
/// A100, 0.80 on H100, 0.78 on B200) is what one hand-picked shape reaches; training mixes shapes and layouts.
constexpr GemmEfficiency kAmpere16{.burstShare = 0.85, .sustainedShare = 0.72, .kRamp = 210, .overheadS = 2.6e-6, .waveRounding = 0.4};
constexpr GemmEfficiency kHopper16{.burstShare = 0.86, .sustainedShare = 0.64, .kRamp = 220, .overheadS = 1.7e-6, .waveRounding = 0.5};
constexpr GemmEfficiency kHopper8{.burstShare = 0.70, .sustainedShare = 0.66, .kRamp = 340, .overheadS = 4.8e-6, .waveRounding = 0.5};
constexpr GemmEfficiency kBlackwell16{.burstShare = 0.78, .sustainedShare = 0.50, .kRamp = 150, .overheadS = 1.8e-6, .waveRounding = 0.3};
constexpr GemmEfficiency kBlackwell8{.burstShare = 0.70, .sustainedShare = 0.66, .kRamp = 500, .overheadS = 4.2e-6, .waveRounding = 0.3};
constexpr GemmEfficiency kBlackwell4{.burstShare = 0.55, .sustainedShare = 0.50, .kRamp = 900, .overheadS = 3.5e-6, .waveRounding = 0.35};

void applyGeneration(DeviceEfficiency& e) {
    switch (e.generation) {
        case DeviceGeneration::volta:
            e.gemm16 = {.burstShare = 0.79, .sustainedShare = 0.72, .kRamp = 200, .overheadS = 3e-6, .waveRounding = 0.4};
            e.attentionShareFlash1 = e.attentionShareFlash2 = e.attentionShareFlash3 = 0.35;
            break;
        case DeviceGeneration::ampere:
            e.gemm16 = kAmpere16;
            e.attentionShareFlash1 = 0.40;
            e.attentionShareFlash2 = 0.58;  // 176 to 182 of 312 TFLOPS at 4k to 16k causal
            e.attentionShareFlash3 = 0.60;
            e.attentionHalfLength = 420;
            e.attentionDim64Share = 0.90;   // Triton tutorial, 164 TFLOPS at 16k
            break;
        case DeviceGeneration::ada:
            e.gemm16 = {.burstShare = 0.73, .sustainedShare = 0.66, .kRamp = 270, .overheadS = 1.5e-6, .waveRounding = 0.3};
            e.gemm8 = {.burstShare = 0.61, .sustainedShare = 0.55, .kRamp = 310, .overheadS = 1.7e-6, .waveRounding = 0.3};
            e.attentionShareFlash1 = 0.4;
            e.attentionShareFlash2 = e.attentionShareFlash3 = 0.5;
            break;
        case DeviceGeneration::hopper:
            e.gemm16 = kHopper16;
            e.gemm8 = kHopper8;
            e.attentionShareFlash1 = 0.28;
            e.attentionShareFlash2 = 0.38;  // FlashAttention-2 uses about 35 % of the peak (FlashAttention-3 paper)
            e.attentionShareFlash3 = 0.62;  // 579 to 607 of 989 TFLOPS at 8k to 16k causal
            e.attentionHalfLength = 700;
            break;
        case DeviceGeneration::blackwell:
            e.gemm16 = kBlackwell16;
            e.gemm8 = kBlackwell8;
            e.gemm4 = kBlackwell4;
            e.attentionShareFlash1 = 0.16;
            e.attentionShareFlash2 = 0.25;
            e.attentionShareFlash3 = 0.60;  // 1137 to 1239 of 2250 TFLOPS at 8k to 16k causal
            e.attentionHalfLength = 800;
            e.attentionBackwardShare = 0.68;  // 1000 against 1460 TFLOPS (FlashMLA repository)
            e.attentionDim64Share = 0.61;
            break;
        case DeviceGeneration::cdna2:
            e.gemm16 = {.burstShare = 0.61, .sustainedShare = 0.55, .kRamp = 300, .overheadS = 5e-6, .waveRounding = 0.4};
            e.attentionShareFlash1 = e.attentionShareFlash2 = e.attentionShareFlash3 = 0.35;
            break;
        case DeviceGeneration::cdna3:
            // 0.51 of peak is the best single product found on MI300X; whole runs reach 270 of 1307 TFLOPS (Primus, torchao).
            e.gemm16 = {.burstShare = 0.46, .sustainedShare = 0.38, .kRamp = 300, .overheadS = 4e-6, .waveRounding = 0.4};
            e.gemm8 = {.burstShare = 0.34, .sustainedShare = 0.28, .kRamp = 400, .overheadS = 5e-6, .waveRounding = 0.4};
            e.attentionShareFlash1 = 0.15;
            e.attentionShareFlash2 = 0.22;
            e.attentionShareFlash3 = 0.30;
            break;
        case DeviceGeneration::cdna4:
            e.gemm16 = {.burstShare = 0.62, .sustainedShare = 0.50, .kRamp = 300, .overheadS = 4e-6, .waveRounding = 0.4};
            e.gemm8 = {.burstShare = 0.50, .sustainedShare = 0.40, .kRamp = 400, .overheadS = 5e-6, .waveRounding = 0.4};
            e.gemm4 = {.burstShare = 0.45, .sustainedShare = 0.36, .kRamp = 600, .overheadS = 5e-6, .waveRounding = 0.4};
            e.attentionShareFlash1 = 0.15;
            e.attentionShareFlash2 = 0.25;
            e.attentionShareFlash3 = 0.38;
            break;
        case DeviceGeneration::tpu:
        case DeviceGeneration::gaudi:
        case DeviceGeneration::trainium:
        case DeviceGeneration::ascend:
        case DeviceGeneration::other:
            e.gemm16 = {.burstShare = 0.77, .sustainedShare = 0.70, .kRamp = 200, .overheadS = 3e-6, .waveRounding = 0.3};
            e.gemm8 = {.burstShare = 0.66, .sustainedShare = 0.60, .kRamp = 300, .overheadS = 4e-6, .waveRounding = 0.3};
            e.gemm4 = {.burstShare = 0.50, .sustainedShare = 0.45, .kRamp = 600, .overheadS = 4e-6, .waveRounding = 0.3};
            break;
    }
}

/// Watts per 16-bit TFLOPS of the part whose sustained rate the constants describe; 0: unknown.
double referenceWattsPerTeraflops(DeviceGeneration generation) {
    switch (generation) {
        case DeviceGeneration::volta: return 300.0 / 125;
        case DeviceGeneration::ampere: return 400.0 / 312;
        case DeviceGeneration::hopper: return 700.0 / 989;
        case DeviceGeneration::blackwell: return 1000.0 / 2250;
        case DeviceGeneration::cdna2: return 560.0 / 383;
        case DeviceGeneration::cdna3: return 750.0 / 1307;
        case DeviceGeneration::cdna4: return 1400.0 / 2500;
        case DeviceGeneration::ada:
        case DeviceGeneration::tpu:
        case DeviceGeneration::gaudi:
        case DeviceGeneration::trainium:
        case DeviceGeneration::ascend:
        case DeviceGeneration::other: break;
    }
    return 0;
}

/// A part with less power for its peak holds a lower clock: A100 PCIe (250 W) reaches 0.93 of what SXM (400 W) does.
double powerShare(const AcceleratorSpec& accelerator, DeviceGeneration generation) {
    constexpr double kExponent = 0.4;
    const double reference = referenceWattsPerTeraflops(generation);
    const double peak = std::max(accelerator.peak(Precision::bf16), accelerator.peak(Precision::fp16)) / 1e12;
    if (reference <= 0 || peak <= 0 || accelerator.tdpW <= 0) return 1;
    return std::min(1.0, std::pow(accelerator.tdpW / peak / reference, kExponent));
}

}  // namespace

DeviceEfficiency deviceEfficiency(const AcceleratorSpec& accelerator, const std::map<std::string, double>& calibration) {
    DeviceEfficiency e;
    e.generation = generationOf(accelerator);
    if (accelerator.streamingMultiprocessors > 0) e.multiprocessors = accelerator.streamingMultiprocessors;
    applyGeneration(e);
    const double power = powerShare(accelerator, e.generation);
    for (auto* gemm : {&e.gemm16, &e.gemm8, &e.gemm4}) gemm->sustainedShare *= power;
    for (auto* share : {&e.attentionShareFlash2, &e.attentionShareFlash3}) *share *= power;
    if (calibration.empty()) return e;

    const auto scale = [&calibration](std::string_view key, double& value) {
        if (const auto found = calibration.find(std::string(key)); found != calibration.end()) value *= found->second;
    };
    for (auto* gemm : {&e.gemm16, &e.gemm8, &e.gemm4}) {
        scale("compute.gemm_rate", gemm->burstShare);
        scale("compute.gemm_rate", gemm->sustainedShare);
        scale("compute.gemm_burst", gemm->burstShare);
        scale("compute.gemm_sustained", gemm->sustainedShare);
        scale("compute.gemm_ramp", gemm->kRamp);
    }
    for (auto* share : {&e.attentionShareFlash1, &e.attentionShareFlash2, &e.attentionShareFlash3})
        scale("compute.attention_rate", *share);
    scale("compute.memory_rate", e.memoryShare);
    scale("compute.dispatch_time", e.dispatchS);
    scale("compute.attention_backward_rate", e.attentionBackwardShare);
    scale("compute.attention_half_length", e.attentionHalfLength);
    scale("compute.grouped_gemm_rate", e.groupedGemmShare);
    scale("compute.tensor_slowdown", e.tensorSlowdown);
    scale("compute.communication_slowdown", e.communicationSlowdown);
    scale("compute.norm_rate", e.normForwardShare);
    scale("compute.norm_rate", e.normBackwardShare);
    scale("compute.rotary_passes", e.rotaryPasses);
    scale("compute.gated_passes", e.gatedPasses);
    scale("compute.unfused_norm_rate", e.unfusedNormShare);
    return e;
}

double effectivePeak(const AcceleratorSpec& accelerator, Precision precision) {
    // A recipe in a format the device lacks runs in the next wider one that it has.
    static constexpr std::array<Precision, 7> kWider = {Precision::fp32, Precision::fp32, Precision::bf16, Precision::fp16,
                                                        Precision::bf16, Precision::fp8,  Precision::fp8};
    auto wanted = precision;
    for (int step = 0; step < 3; ++step) {
        if (accelerator.peak(wanted) > 0) return accelerator.peak(wanted);
        wanted = kWider[static_cast<std::size_t>(wanted)];
    }
    const double sixteen = std::max(accelerator.peak(Precision::bf16), accelerator.peak(Precision::fp16));
    if (sixteen > 0) return sixteen;
    return std::max(1e9, *std::max_element(accelerator.peakFlopsPerS.begin(), accelerator.peakFlopsPerS.end()));
}

const GemmEfficiency& gemmEfficiency(const DeviceEfficiency& device, Precision precision) {
    switch (precision) {
        case Precision::fp8:
        case Precision::mxfp8: return device.gemm8;
        case Precision::nvfp4: return device.gemm4;
        case Precision::fp32:
        case Precision::tf32:
        case Precision::fp16:
        case Precision::bf16: break;
    }
    return device.gemm16;
}

}  // namespace trainyard
