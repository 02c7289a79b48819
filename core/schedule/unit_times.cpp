#include "core/schedule/unit_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trainyard {

Result<UnitTimes> parseUnitTimes(std::string_view text) {
    std::vector<double> numbers;
    const char* place = text.data();
    const char* const finish = text.data() + text.size();
    while (place < finish) {
        double value = 0;
        const auto [next, error] = std::from_chars(place, finish, value);
        const bool ends = next == finish || (*next == ',' && next + 1 < finish);
        if (error != std::errc() || !std::isfinite(value) || value < 0 || !ends)
            return failure(Error::Kind::commandLine, "times", "--times",
                           fmt::format("`{}` is neither F,BI,BW[,COMM] with finite numbers of at least 0 nor a file", text));
        numbers.push_back(value);
        place = next + (next < finish ? 1 : 0);
    }
    if (numbers.size() < 3 || numbers.size() > 4)
        return failure(Error::Kind::commandLine, "times", "--times",
                       fmt::format("`{}` has {} numbers; F,BI,BW or F,BI,BW,COMM are expected", text, numbers.size()));
    UnitTimes times;
    times.forward = {numbers[0]};
    times.backwardInput = {numbers[1]};
    times.backwardWeight = {numbers[2]};
    if (numbers.size() == 4) times.latencyForward = times.latencyBackward = {numbers[3]};
    return times;
}

double ticksPerUnitFor(const UnitTimes& times, double actions) {
    double largest = 0;
    for (const auto* list :
         {&times.forward, &times.backwardInput, &times.backwardWeight, &times.backward, &times.recompute, &times.latencyForward,
          &times.latencyBackward, &times.sendForward, &times.sendBackward, &times.allGather, &times.reduceScatter,
          &times.allReduce, &times.optimizer, &times.evict, &times.load, &times.offload, &times.reload, &times.contextExchange})
        for (const double value : *list) largest = std::max(largest, value);
    for (const double weight : times.sliceWeight) largest = std::max(largest, largest * weight);
    double scale = 1e9;
    while (scale > 1e-6 && largest * 4 * actions * scale > 4e18) scale /= 10;
    return scale;
}

Result<StageTimes> toStageTimes(const UnitTimes& times, int stages, double ticksPerUnit) {
    StageTimes result;
    const std::size_t count = static_cast<std::size_t>(stages);
    struct Column {
        const char* name;
        const std::vector<double>& from;
        std::vector<Ticks>& to;
    };
    const Column columns[] = {
        {"forward", times.forward, result.forward},
        {"backward_input", times.backwardInput, result.backwardInput},
        {"backward_weight", times.backwardWeight, result.backwardWeight},
        {"backward", times.backward, result.backward},
        {"recompute", times.recompute, result.recompute},
        {"comm_forward", times.latencyForward, result.latencyForward},
        {"comm_backward", times.latencyBackward, result.latencyBackward},
        {"send_forward", times.sendForward, result.sendForward},
        {"send_backward", times.sendBackward, result.sendBackward},
        {"all_gather", times.allGather, result.allGather},
        {"reduce_scatter", times.reduceScatter, result.reduceScatter},
        {"all_reduce", times.allReduce, result.allReduce},
        {"optimizer", times.optimizer, result.optimizer},
        {"evict", times.evict, result.evict},
        {"load", times.load, result.load},
        {"offload", times.offload, result.offload},
        {"reload", times.reload, result.reload},
        {"context_exchange", times.contextExchange, result.contextExchange},
    };
    for (const Column& column : columns) {
        if (column.from.size() > 1 && column.from.size() != count)
            return failure(
                Error::Kind::invalid, "times", "--times",
                fmt::format("`{}` has {} entries; expected 1, or {} (one per stage)", column.name, column.from.size(), stages));
        if (column.from.empty()) continue;
        column.to.reserve(count);
        for (std::size_t stage = 0; stage < count; ++stage)
            column.to.push_back(
                static_cast<Ticks>(std::llround(column.from[column.from.size() == 1 ? 0 : stage] * ticksPerUnit)));
    }
    result.sliceWeight = times.sliceWeight;
    result.jitter = times.jitter;
    result.jitterSeed = times.jitterSeed;
    result.serializeLinks = times.serializeLinks;
    result.fusedPairFactor = times.fusedPairFactor;
    return result;
}

std::vector<double> pipeFactorsOf(const ActionLists& lists) {
    std::size_t longest = 0;
    bool differ = false;
    for (const auto& placement : lists.rankOfStage) {
        differ = differ || placement.size() != lists.rankOfStage[0].size();
        longest = std::max(longest, placement.size());
    }
    std::vector<double> factors;
    for (const auto& placement : lists.rankOfStage)
        if (differ) factors.push_back(static_cast<double>(longest) / static_cast<double>(placement.size()));
    return factors;
}

}  // namespace trainyard
