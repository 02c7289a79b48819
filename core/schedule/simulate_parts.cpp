#include "core/schedule/simulate_parts.h"

#include <array>
#include <cmath>

namespace trainyard::simulation {

void ComputeDurations::fill(const ActionLists& lists, const StageTimes& times) {
    const std::size_t stages = static_cast<std::size_t>(lists.stages);
    slices = static_cast<std::size_t>(lists.slices);
    jitter = times.jitter;
    jitterSeed = times.jitterSeed;
    kindStride = stages * slices;
    pipeStride = times.pipeFactor.empty() ? 0 : kComputeKinds * kindStride;
    const std::size_t pipes = times.pipeFactor.empty() ? 1 : lists.rankOfStage.size();
    ticks.resize(pipes * kComputeKinds * kindStride);
    for (std::size_t pipe = 0; pipe < pipes; ++pipe)
        for (std::size_t stage = 0; stage < stages; ++stage) {
            const Ticks input = valueAt(times.backwardInput, stage);
            const Ticks weight = valueAt(times.backwardWeight, stage);
            std::array<Ticks, kComputeKinds> base{};
            base[static_cast<std::size_t>(ActionKind::forward)] = valueAt(times.forward, stage);
            base[static_cast<std::size_t>(ActionKind::backwardInput)] = input;
            base[static_cast<std::size_t>(ActionKind::backwardWeight)] = weight;
            base[static_cast<std::size_t>(ActionKind::backward)] =
                times.backward.empty() ? input + weight : valueAt(times.backward, stage);
            base[static_cast<std::size_t>(ActionKind::recompute)] =
                times.recompute.empty() ? valueAt(times.forward, stage) : valueAt(times.recompute, stage);
            const double pipeFactor = pipe < times.pipeFactor.size() ? times.pipeFactor[pipe] : 1.0;
            const bool exact = times.sliceWeight.empty() && times.pipeFactor.empty();
            for (std::size_t kind = 0; kind < kComputeKinds; ++kind)
                for (std::size_t slice = 0; slice < slices; ++slice) {
                    const double factor = pipeFactor * (slice < times.sliceWeight.size() ? times.sliceWeight[slice] : 1.0);
                    ticks[pipe * pipeStride + kind * kindStride + stage * slices + slice] =
                        exact ? base[kind] : static_cast<Ticks>(std::llround(static_cast<double>(base[kind]) * factor));
                }
        }
}

Ticks otherDuration(const Action& action, const StageTimes& times) {
    if (action.lane == Lane::context) return valueAt(times.contextExchange, action.stage);
    switch (action.kind) {
        case ActionKind::optimizer: return valueAt(times.optimizer, action.stage);
        case ActionKind::allGather: return valueAt(times.allGather, action.stage);
        case ActionKind::reduceScatter: return valueAt(times.reduceScatter, action.stage);
        case ActionKind::allReduce: return valueAt(times.allReduce, action.stage);
        case ActionKind::evict: return valueAt(times.evict, action.stage);
        case ActionKind::load: return valueAt(times.load, action.stage);
        case ActionKind::offload: return valueAt(times.offload, action.stage);
        case ActionKind::reload: return valueAt(times.reload, action.stage);
        case ActionKind::send:
            return valueAt((action.flags & kGradient) != 0 ? times.sendBackward : times.sendForward, action.stage);
        default: return 0;
    }
}

void Links::fill(const ActionLists& lists, const StageTimes& times) {
    const std::size_t stages = static_cast<std::size_t>(lists.stages);
    const std::size_t pipes = lists.rankOfStage.size();
    const std::size_t ranks = static_cast<std::size_t>(lists.ranks());
    forward.assign(pipes * stages, Link{});
    backward.assign(pipes * stages, Link{});
    free.clear();
    if (times.serializeLinks) indexOfPair.assign(ranks * ranks, kNobody);
    const auto connect = [&](std::size_t from, std::size_t to, Ticks occupied, Ticks latency) {
        Link link;
        if (from == to) return link;
        link.occupied = occupied;
        link.latency = latency;
        if (times.serializeLinks) {
            std::int32_t& index = indexOfPair[from * ranks + to];
            if (index == kNobody) {
                index = static_cast<std::int32_t>(free.size());
                free.push_back(0);
            }
            link.link = index;
        }
        return link;
    };
    for (std::size_t pipe = 0; pipe < pipes; ++pipe) {
        const std::vector<std::uint16_t>& rankOf = lists.rankOfStage[pipe];
        for (std::size_t stage = 0; stage < rankOf.size(); ++stage) {
            if (stage + 1 < rankOf.size())
                forward[pipe * stages + stage] = connect(rankOf[stage], rankOf[stage + 1], valueAt(times.sendForward, stage),
                                                         valueAt(times.latencyForward, stage));
            if (stage > 0)
                backward[pipe * stages + stage] = connect(rankOf[stage], rankOf[stage - 1], valueAt(times.sendBackward, stage),
                                                          valueAt(times.latencyBackward, stage));
        }
    }
}

}  // namespace trainyard::simulation
