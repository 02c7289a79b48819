#include "core/schedule/slice_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

std::vector<std::int64_t> equalSlices(std::int64_t tokens, int slices, std::int64_t multiple) {
    const std::int64_t length = tokens / slices / multiple * multiple;
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(slices), length);
    lengths[0] = tokens - length * (slices - 1);
    return lengths;
}

std::vector<std::int64_t> balancedSlices(std::int64_t tokens, int slices, std::int64_t multiple, const SliceCost& cost) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(slices), 0);
    const double share = cost.of(0, tokens) / slices;
    std::int64_t end = tokens;
    for (int slice = slices - 1; slice > 0; --slice) {
        // cost.of(end - x, x) = share: a x^2 - b x + share = 0 with a = perPair / 2, b = perToken + perPair (end + 1/2).
        const double a = cost.perPair / 2;
        const double b = cost.perToken + cost.perPair * (static_cast<double>(end) + 0.5);
        const double x = a > 0 ? 2 * share / (b + std::sqrt(std::max(0.0, b * b - 4 * a * share))) : share / b;
        const std::int64_t rounded = static_cast<std::int64_t>(x) / multiple * multiple;
        // Every earlier slice must keep at least one multiple.
        const std::int64_t length = std::clamp(rounded, multiple, std::max(multiple, end - slice * multiple));
        lengths[static_cast<std::size_t>(slice)] = length;
        end -= length;
    }
    lengths[0] = end;
    return lengths;
}

std::vector<double> sliceWeights(const std::vector<std::int64_t>& lengths, const SliceCost& cost) {
    std::vector<double> weights;
    std::int64_t prefix = 0;
    for (const std::int64_t length : lengths) {
        weights.push_back(cost.of(prefix, length));
        prefix += length;
    }
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
    for (double& weight : weights) weight /= mean;
    return weights;
}

}  // namespace trainyard
