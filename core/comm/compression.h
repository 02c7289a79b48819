#pragma once

#include <cstdint>
#include <string_view>

#include "core/compute/kernel_time.h"
#include "core/plan/traffic_plan.h"

namespace trainyard {

/// What compression does to what is trained.
enum class AccuracyRisk : std::uint8_t {
    none,      ///< the same values arrive
    watch,     ///< close in published runs; compare the loss
    risky,     ///< published runs lose accuracy with it
    changed,   ///< another training problem: constraints or staleness
};
[[nodiscard]] std::string_view name(AccuracyRisk risk);

/// A message of `rows` x `columns` elements.
struct MessageShape {
    double rows = 1;
    double columns = 1;
    double elementBytes = 2;
    double workers = 1;     ///< that sum it: replicas of a gradient; 1: handed from one device to another
    double touchedRows = 0; ///< unique_rows: tokens per step and worker
    [[nodiscard]] double bytes() const { return rows * columns * elementBytes; }
};

/// One message with its codec, named terms. Bian et al., arXiv 2301.02654: t = t_enc + alpha + bytes x ratio / B + t_dec.
struct CompressedMessage {
    double bytes = 0;            ///< before
    double ratio = 1;            ///< of what goes over the wire, against the uncompressed exchange
    double encodeS = 0;          ///< on the sending device
    double decodeS = 0;
    AccuracyRisk risk = AccuracyRisk::none;
    bool applies = true;         ///< false: this codec cannot shrink this message; it is sent as it is
    [[nodiscard]] double codecS() const { return encodeS + decodeS; }
    [[nodiscard]] double savedBytes() const { return bytes * (1 - ratio); }
    /// Bandwidth below which the codec pays: where the saved bytes take as long as the codec. 0: never.
    [[nodiscard]] double paysBelowBytesPerS() const { return savedBytes() <= 0 ? 0 : codecS() > 0 ? savedBytes() / codecS() : 1e30; }
};

/// Ratios and codec cost.
/// quantize: q bits and one 16-bit scale per 128 elements; two passes over memory (AccEPT arXiv 2311.05827: q/32 of fp32).
/// top_k: values and 32-bit places; a selection of the largest in thirty passes; a sum of n workers is gathered, not reduced: n/2 times as much.
/// low_rank: r (rows + columns) elements, three thin products (PowerSGD); may be summed in the ring.
/// subspace: r of `columns` coordinates per row, one product each side (Protocol Models, arXiv 2506.01260).
/// sparse: (d + d_n) kappa / 2 of a dense ring, d the share one worker touches, d_n = 1 - (1 - d)^n the share all touch together,
/// kappa = 1 + 1/(32 d) for the bitmap (Zen, arXiv 2309.13254).
/// unique_rows: U = (n k)^0.64 rows instead of all of the table, and 4 bytes for each of n k places (arXiv 1810.10045).
[[nodiscard]] CompressedMessage compressedMessage(const BoundaryCompression& how, const MessageShape& shape, const PricedDevice& device);

}  // namespace trainyard
