#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

/// What a sequence slice costs under a causal mask: `perToken` for each of its tokens (projections, feed-forward) and
/// `perPair` for each pair of a token and one that it may attend to (itself and all before).
struct SliceCost {
    double perToken = 1;
    double perPair = 0;

    /// Cost of `length` tokens that follow `prefix` earlier ones.
    [[nodiscard]] double of(std::int64_t prefix, std::int64_t length) const {
        const double x = static_cast<double>(length);
        return perToken * x + perPair * (x * static_cast<double>(prefix) + x * (x + 1) / 2);
    }
};

/// Equal lengths, multiples of `multiple` (tensor-parallel ranks) except the first, which takes what is left.
[[nodiscard]] std::vector<std::int64_t> equalSlices(std::int64_t tokens, int slices, std::int64_t multiple);

/// Lengths whose costs are as equal as multiples of `multiple` allow: later slices, which attend to more, are shorter. Found
/// from the last slice to the first, which takes what is left. (Seq1F1B, arXiv 2406.03488; after TeraPipe, 2102.07988.)
/// Precondition: slices x multiple <= tokens.
[[nodiscard]] std::vector<std::int64_t> balancedSlices(std::int64_t tokens, int slices, std::int64_t multiple,
                                                       const SliceCost& cost);

/// Cost of each slice over the mean cost, for StageTimes::sliceWeight of a schedule whose stage times are those of a mean
/// slice.
[[nodiscard]] std::vector<double> sliceWeights(const std::vector<std::int64_t>& lengths, const SliceCost& cost);

}  // namespace trainyard
