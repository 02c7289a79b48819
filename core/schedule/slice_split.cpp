#include "core/schedule/slice_split.h"

#include <fmt/format.h>

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

std::vector<std::string> checkSliceParameters(const ScheduleRequest& request) {
    const std::int64_t sequence = request.parameter("sequence").value_or(0);
    const std::int64_t multiple = request.parameter("multiple").value_or(1);
    if (sequence == 0) {
        if (request.parameter("balanced").value_or(0) == 0) return {};
        return {"balanced slices need the length of a sequence: set the parameter `sequence`"};
    }
    if (sequence < multiple * request.slices)
        return {fmt::format("a sequence of {} tokens has no room for {} slices of at least {}; {} tokens do", sequence,
                            request.slices, multiple, multiple * request.slices)};
    return {};
}

namespace {

SliceCost costOf(const ScheduleRequest& request) {
    return {6.0 * static_cast<double>(request.parameter("hidden").value_or(4096)), 1.0};
}

}  // namespace

std::vector<std::int64_t> sliceLengthsOf(const ScheduleRequest& request) {
    const std::int64_t sequence = request.parameter("sequence").value_or(0);
    if (sequence == 0) return {};
    const std::int64_t multiple = request.parameter("multiple").value_or(1);
    return request.parameter("balanced").value_or(0) == 1 ? balancedSlices(sequence, request.slices, multiple, costOf(request))
                                                          : equalSlices(sequence, request.slices, multiple);
}

std::vector<double> sliceWeightsOf(const ScheduleRequest& request) {
    const std::vector<std::int64_t> lengths = sliceLengthsOf(request);
    return lengths.empty() ? std::vector<double>{} : sliceWeights(lengths, costOf(request));
}

}  // namespace trainyard
