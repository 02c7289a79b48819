#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/schedule/registry.h"

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

/// What schedules over slices of a sequence take besides their own parameters.
inline constexpr std::array<ScheduleParameter, 4> kSliceParameters{{
    {"sequence", "tokens of a sequence; stated, each slice costs what it costs under a causal mask (default: all the same)", 1,
     1'000'000'000, 0},
    {"hidden", "hidden size of the model, which weighs attention against the rest (default 4096)", 1, 1'000'000, 4096},
    {"balanced", "1: later slices are shorter so that all cost about the same; 0: slices of equal length (default 0)", 0, 1, 0},
    {"multiple", "slice lengths but the first are multiples of this, e.g. the tensor-parallel ranks (default 1)", 1, 65536, 1},
}};

/// A schedule's own parameters followed by kSliceParameters.
template <std::size_t N>
[[nodiscard]] constexpr std::array<ScheduleParameter, N + 4> withSliceParameters(const ScheduleParameter (&own)[N]) {
    std::array<ScheduleParameter, N + 4> all{};
    for (std::size_t i = 0; i < N; ++i) all[i] = own[i];
    for (std::size_t i = 0; i < kSliceParameters.size(); ++i) all[N + i] = kSliceParameters[i];
    return all;
}

/// What is wrong with the slice parameters of a request; empty if nothing.
[[nodiscard]] std::vector<std::string> checkSliceParameters(const ScheduleRequest& request);
/// Tokens of each slice; empty where the request states no sequence. Precondition: checkSliceParameters() is empty.
[[nodiscard]] std::vector<std::int64_t> sliceLengthsOf(const ScheduleRequest& request);
/// For StageTimes::sliceWeight: the causal cost of each slice over the mean; empty where the request states no sequence. A
/// layer does 24 h^2 operations per token and 4 h per pair of tokens (h: hidden size).
[[nodiscard]] std::vector<double> sliceWeightsOf(const ScheduleRequest& request);

}  // namespace trainyard
