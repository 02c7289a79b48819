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
        case AttentionKernel::unfused: return e.attentionShareUnfused;
        case AttentionKernel::flash: return e.attentionShareFlash1;
        case AttentionKernel::flash2: return e.attentionShareFlash2;
        case AttentionKernel::flash3: return e.attentionShareFlash3;
    }
    return e.attentionShareFlash2;
}

AttentionTime attentionTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& s, double flopsPerScore, double bytesPerScore,
                            double rateFactor) {
    const auto& e = device.efficiency;
    AttentionTime t;
    const bool unfused = kernel == AttentionKernel::unfused;
    const double square = s.sequences * s.heads * s.queryLength * s.keyLength;
    // Fused kernels skip the masked half; unfused ones compute the whole square.
    t.flops = flopsPerScore * square * (s.headDim + s.valueDim) * (s.causal && !unfused ? 0.5 : 1.0);
    if (t.flops <= 0) return t;
    if (unfused) {
        t.rateFlopsPerS = e.attentionShareUnfused * device.peak16FlopsPerS;
        // 16-bit scores, probabilities and dropout mask are read and written by softmax, dropout and their gradients.
        t.memoryS = square * bytesPerScore / (e.memoryShare * device.memoryBytesPerS);
    } else {
        const double dim = (s.headDim + s.valueDim) / 2;
        const double dimFactor = std::min(1.1, 0.55 + 0.45 * dim / 128);
        const double length = std::max(1.0, std::min(s.queryLength, s.keyLength));
        const double ramp = length / (length + e.attentionHalfLength);
        t.rateFlopsPerS = attentionShare(e, kernel) * dimFactor * ramp * rateFactor * device.peak16FlopsPerS;
    }
    t.mathS = t.flops / t.rateFlopsPerS * device.slowdown;
    t.memoryS *= device.slowdown;
    return t;
}

}  // namespace

GemmTime gemmTime(const PricedDevice& device, Precision precision, double m, double n, double k, double batch) {
    GemmTime t;
    if (m <= 0 || n <= 0 || k <= 0 || batch <= 0) return t;
    const auto& e = gemmEfficiency(device.efficiency, precision);
    const double peak = precision == Precision::bf16 || precision == Precision::fp16 ? device.peak16FlopsPerS : device.peakFlopsPerS;
    const double units = device.efficiency.multiprocessors;
    double best = INFINITY;
    for (const auto& tile : kTiles) {
        const double tiles = std::ceil(m / tile.m) * std::ceil(n / tile.n) * batch;
        const double share = tiles / units;
        const double waves = e.waveRounding * std::ceil(share) + (1 - e.waveRounding) * std::max(1.0, share);
        const double seconds = waves * 2 * tile.m * tile.n * (k + e.kRamp) / (peak / units * e.sustainedShare * tile.rate);
        if (seconds < best) {
            best = seconds;
            t.waves = waves;
        }
    }
    const double bits = bitsPerElement(precision);
    const double memory = device.efficiency.memoryShare * device.memoryBytesPerS;
    t.mathS = best * device.slowdown;
    t.memoryS = batch * ((m * k + n * k) * bits / 8 + 2 * m * n) / memory * device.slowdown;
    if (bits < 16) t.castS = batch * (m * k) * (2 + 2 * bits / 8) / memory * device.slowdown;
    t.overheadS = e.overheadS;
    t.efficiency = 2 * m * n * k * batch / (t.totalS() * peak);
    return t;
}

AttentionTime attentionForwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape) {
    return attentionTime(device, kernel, shape, 2.0, 13.0, 1.0);
}

AttentionTime attentionBackwardTime(const PricedDevice& device, AttentionKernel kernel, const AttentionShape& shape) {
    const bool unfused = kernel == AttentionKernel::unfused;
    return attentionTime(device, kernel, shape, unfused ? 4.0 : 5.0, 19.0, unfused ? 1.0 : device.efficiency.attentionBackwardShare);
}

double memoryBoundTime(const PricedDevice& device, double bytes, double kernels) {
    if (bytes <= 0) return 0;
    return (bytes / (device.efficiency.memoryShare * device.memoryBytesPerS) + kernels * device.efficiency.kernelS) * device.slowdown;
}

}  // namespace trainyard
