#include "core/compute/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

struct Tile {
    double m, n;
    double rate;  ///< of the largest tile: smaller tiles reuse operands less
};
constexpr Tile kTiles[] = {{256, 128, 1.0}, {128, 128, 0.92}, {128, 64, 0.75}, {64, 64, 0.5}};

double bitsPerElement(Precision precision) {
    switch (precision) {
        case Precision::fp32:
        case Precision::tf32: return 32;
        case Precision::fp16:
        case Precision::bf16: return 16;
        case Precision::fp8:
        case Precision::mxfp8: return 8;
        case Precision::nvfp4: return 4.5;
    }
    return 16;
}

double attentionShare(const DeviceEfficiency& e, AttentionKernel kernel) {
    switch (kernel) {
        case AttentionKernel::unfused:
        case AttentionKernel::flash: return e.attentionShareFlash1;
        case AttentionKernel::flash2: return e.attentionShareFlash2;
        case AttentionKernel::flash3: return e.attentionShareFlash3;
    }
    return e.attentionShareFlash2;
}

AttentionTime flashTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& s, double flopsPerScore, double rateFactor) {
    const auto& e = device.efficiency;
    AttentionTime t;
    const double square = s.sequences * s.heads * s.queryLength * s.keyLength;
    // The kernel skips the masked half.
    t.flops = flopsPerScore * square * (s.headDim + s.valueDim) * (s.causal ? 0.5 : 1.0);
    if (t.flops <= 0) return t;
    const double dim = (s.headDim + s.valueDim) / 2;
    // Linear through the rates at 64 and 128; wider heads gain about a tenth.
    const double dimFactor = std::clamp(1 - (1 - e.attentionDim64Share) * (128 - dim) / 64, 0.3, 1.1);
    const double length = std::max(1.0, std::min(s.queryLength, s.keyLength));
    const double ramp = length / (length + e.attentionHalfLength);
    t.rateFlopsPerS = attentionShare(e, kernel) * dimFactor * ramp * rateFactor * device.peak16FlopsPerS;
    t.mathS = t.flops / t.rateFlopsPerS * device.slowdown;
    return t;
}

/// Whole square, as batched products, with the scores through memory. `products`: pairs of (scores, weighted sum).
AttentionTime unfusedTime(const PricedDevice& device, const AttentionShape& s, double products, double bytesPerScore) {
    AttentionTime t;
    const double batch = s.sequences * s.heads;
    const double scores = batch * s.queryLength * s.keyLength;
    t.flops = 2 * products * scores * (s.headDim + s.valueDim);
    if (t.flops <= 0) return t;
    t.mathS = products * (gemmTime(device, Precision::bf16, s.queryLength, s.keyLength, s.headDim, batch).totalS() +
                          gemmTime(device, Precision::bf16, s.queryLength, s.valueDim, s.keyLength, batch).totalS());
    // Scores, probabilities and dropout mask are read and written by softmax, dropout and their gradients; the products'
    // own reads and writes are in their time.
    t.memoryS = scores * bytesPerScore / (device.efficiency.memoryShare * device.memoryBytesPerS) * device.slowdown;
    t.rateFlopsPerS = t.flops / t.totalS();
    return t;
}

}  // namespace

GemmTime gemmTime(const PricedDevice& device, Precision precision, double m, double n, double k, double batch) {
    GemmTime t;
    if (m <= 0 || n <= 0 || k <= 0 || batch <= 0) return t;
    const auto& e = gemmEfficiency(device.efficiency, precision);
    const double peak = precision == Precision::bf16 || precision == Precision::fp16 ? device.peak16FlopsPerS : device.peakFlopsPerS;
    const double units = device.efficiency.multiprocessors;
    // Rows of whole 128 bytes are best, of whole 16 bytes good.
    const auto aligned = [](double x) { return std::fmod(x, 64) == 0 ? 1.0 : std::fmod(x, 8) == 0 ? 0.95 : 0.68; };
    const double alignment = std::min(aligned(k), aligned(n));
    double best = INFINITY;
    for (const auto& tile : kTiles) {
        const double tiles = std::ceil(m / tile.m) * std::ceil(n / tile.n) * batch;
        const double share = tiles / units;
        const double waves = e.waveRounding * std::ceil(share) + (1 - e.waveRounding) * std::max(1.0, share);
        const double seconds = waves * 2 * tile.m * tile.n * (k + e.kRamp) / (peak / units * e.burstShare * tile.rate * alignment);
        if (seconds < best) {
            best = seconds;
            t.waves = waves;
        }
    }
    const double bits = bitsPerElement(precision);
    const double memory = device.efficiency.memoryShare * device.memoryBytesPerS;
    t.burstS = best * device.slowdown;
    t.sustainedS = 2 * m * n * k * batch / (peak * e.sustainedShare) * device.slowdown;
    const double burst4 = t.burstS * t.burstS * t.burstS * t.burstS;
    const double sustained4 = t.sustainedS * t.sustainedS * t.sustainedS * t.sustainedS;
    t.mathS = std::sqrt(std::sqrt(std::sqrt(burst4 * burst4 + sustained4 * sustained4)));
    t.memoryS = batch * ((m * k + n * k) * bits / 8 + 2 * m * n) / memory * device.slowdown;
    if (bits < 16) t.castS = batch * (m * k) * (2 + 2 * bits / 8) / memory * device.slowdown;
    t.overheadS = e.overheadS;
    t.efficiency = 2 * m * n * k * batch / (t.totalS() * peak);
    return t;
}

AttentionTime attentionForwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape) {
    return kernel == AttentionKernel::unfused ? unfusedTime(device, shape, 1, 9) : flashTime(device, kernel, shape, 2, 1);
}

AttentionTime attentionBackwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape) {
    return kernel == AttentionKernel::unfused ? unfusedTime(device, shape, 2, 13)
                                              : flashTime(device, kernel, shape, 5, device.efficiency.attentionBackwardShare);
}

double memoryBoundTime(const PricedDevice& device, double bytes, double kernels) {
    if (bytes <= 0) return 0;
    return (bytes / (device.efficiency.memoryShare * device.memoryBytesPerS) + kernels * device.efficiency.kernelS) * device.slowdown;
}

}  // namespace trainyard
