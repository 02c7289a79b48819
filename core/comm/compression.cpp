#include "core/comm/compression.h"

#include <algorithm>
#include <cmath>

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<AccuracyRisk, 4> kRisks{
    {{AccuracyRisk::none, "none"}, {AccuracyRisk::watch, "watch"}, {AccuracyRisk::risky, "risky"}, {AccuracyRisk::changed, "changed"}}};

constexpr double kScaleGroup = 128;      ///< elements that share one 16-bit scale
constexpr double kSelectionPasses = 30;  ///< over memory that a selection of the largest elements takes in effect: several rounds, little parallel work
constexpr double kIndexBytes = 4;
constexpr double kZipfExponent = 0.64;   ///< distinct words among n words of a text (arXiv 1810.10045)
constexpr double kThinShare = 0.5;       ///< of a wide product's rate that one with a narrow side reaches

double thinProductS(const PricedDevice& device, double flops) { return flops / (kThinShare * std::max(1.0, device.peak16FlopsPerS)) * device.slowdown; }

}  // namespace

std::string_view name(AccuracyRisk risk) { return kRisks.name(risk); }

CompressedMessage compressedMessage(const BoundaryCompression& how, const MessageShape& shape, const PricedDevice& device) {
    CompressedMessage out;
    out.bytes = shape.bytes();
    const double elements = shape.rows * shape.columns;
    const double bits = 8 * shape.elementBytes;
    const bool summed = shape.workers > 1;
    const auto passes = [&](double bytes, double kernels) { return memoryBoundTime(device, bytes, kernels) * device.slowdown; };
    switch (how.codec) {
        case Codec::none: break;
        case Codec::quantize: {
            const double q = static_cast<double>(how.bits);
            out.ratio = (q + 16 / kScaleGroup) / bits;
            out.encodeS = passes(out.bytes * (2 + out.ratio), 2);
            out.decodeS = passes(out.bytes * (1 + out.ratio), 1);
            out.risk = q >= 8 ? AccuracyRisk::watch : q >= 4 ? (summed ? AccuracyRisk::watch : AccuracyRisk::risky) : AccuracyRisk::risky;
            break;
        }
        case Codec::top_k: {
            out.ratio = how.keep * (shape.elementBytes + kIndexBytes) / shape.elementBytes * (summed ? shape.workers / 2 : 1);
            out.encodeS = passes(out.bytes * kSelectionPasses, kSelectionPasses);
            out.decodeS = passes(out.bytes * (1 + 2 * out.ratio), 2);
            out.risk = summed ? AccuracyRisk::watch : AccuracyRisk::risky;
            break;
        }
        case Codec::low_rank: {
            const double r = std::min({static_cast<double>(how.rank), shape.rows, shape.columns});
            out.ratio = r * (shape.rows + shape.columns) / elements;
            out.encodeS = thinProductS(device, 4 * elements * r) + passes(2 * out.bytes, 4);
            out.decodeS = thinProductS(device, 2 * elements * r) + passes(out.bytes, 1);
            out.risk = summed ? AccuracyRisk::watch : AccuracyRisk::risky;
            break;
        }
        case Codec::subspace: {
            const double r = std::min(static_cast<double>(how.rank), shape.columns);
            out.ratio = r / shape.columns;
            out.encodeS = thinProductS(device, 2 * elements * r) + passes(out.bytes, 1);
            out.decodeS = out.encodeS;
            out.risk = AccuracyRisk::changed;
            out.applies = !summed;
            break;
        }
        case Codec::sparse: {
            const double d = std::clamp(how.keep, 1e-9, 1.0);
            const double all = 1 - std::pow(1 - d, std::max(1.0, shape.workers));
            out.ratio = summed ? (d + all) / 2 * (1 + 1 / (32 * d)) : d * (1 + 1 / (32 * d));
            out.encodeS = passes(out.bytes * (1 + d), 2);
            out.decodeS = passes(out.bytes * (1 + all), 2);
            out.risk = AccuracyRisk::none;
            break;
        }
        case Codec::unique_rows: {
            const double words = std::max(1.0, shape.workers * shape.touchedRows);
            const double distinct = std::min(shape.rows, std::pow(words, kZipfExponent));
            out.ratio = (words * kIndexBytes + distinct * shape.columns * shape.elementBytes) / out.bytes;
            out.encodeS = passes(words * kIndexBytes * kSelectionPasses + 2 * distinct * shape.columns * shape.elementBytes, kSelectionPasses);
            out.decodeS = passes(2 * distinct * shape.columns * shape.elementBytes, 1);
            out.risk = AccuracyRisk::none;
            out.applies = summed && shape.touchedRows > 0;
            break;
        }
    }
    // What grows is sent as it is.
    if (!out.applies || out.ratio >= 1) {
        out.applies = how.codec == Codec::none;
        out.ratio = 1;
        out.encodeS = out.decodeS = 0;
        out.risk = AccuracyRisk::none;
    }
    return out;
}

}  // namespace trainyard
