#include "core/engine/timeline_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace trainyard {
namespace {

struct Span {
    Ticks start = 0;
    Ticks end = 0;
    Action action;
    std::int32_t binding = -1;
};

/// Spans of one rank by lane, in order and without overlap.
class RankLanes {
  public:
    explicit RankLanes(double ticksPerSecond) : ticksPerSecond_(ticksPerSecond) {}

    void add(Lane lane, ActionKind kind, const Action& of, Ticks start, Ticks end) {
        auto& spans = lanes_[static_cast<std::size_t>(lane)];
        if (!spans.empty()) start = std::max(start, spans.back().end);
        if (end <= start) return;
        Span span{start, end, of, -1};
        span.action.kind = kind;
        span.action.lane = lane;
        span.action.flags = 0;
        spans.push_back(span);
    }
    void addCompute(const Span& span) { lanes_[0].push_back(span); }
    [[nodiscard]] const std::vector<Span>& lane(int index) const { return lanes_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] Ticks ticks(double seconds) const { return static_cast<Ticks>(std::llround(std::min(seconds * ticksPerSecond_, 4e18))); }

  private:
    std::array<std::vector<Span>, kLaneCount> lanes_;
    double ticksPerSecond_;
};

/// Exposed traffic of one action, drawn back to back at its end.
void addExposed(RankLanes& lanes, const Action& action, Ticks start, Ticks end, const PassCost& pass) {
    Ticks at = end;
    const auto place = [&](Lane lane, ActionKind kind, double seconds) {
        const Ticks length = std::min(lanes.ticks(seconds), at - start);
        if (length <= 0) return;
        lanes.add(lane, kind, action, at - length, at);
        at -= length;
    };
    place(Lane::tensor, ActionKind::allReduce, pass.tensorS);
    place(Lane::expert, ActionKind::allGather, pass.expertS);
    place(Lane::context, ActionKind::allGather, pass.contextS);
}

PassCost backwardOf(const StageCost& stage) {
    PassCost sum = stage.backwardInput;
    sum += stage.backwardWeight;
    sum += stage.recompute;
    return sum;
}

void decorate(RankLanes& lanes, const Action& action, Ticks start, Ticks end, const StageCost& stage, const StageCost* before) {
    switch (action.kind) {
        case ActionKind::forward:
            addExposed(lanes, action, start, end, stage.forward);
            if (stage.gatherForwardS > 0) lanes.add(Lane::data, ActionKind::allGather, action, start, std::min(end, start + lanes.ticks(stage.gatherForwardS)));
            if (stage.sendS > 0) lanes.add(Lane::pipeline, ActionKind::send, action, end, end + lanes.ticks(stage.sendS));
            break;
        case ActionKind::backward:
        case ActionKind::backwardInput:
            addExposed(lanes, action, start, end, action.kind == ActionKind::backward ? backwardOf(stage) : stage.backwardInput);
            if (stage.gatherBackwardS > 0) {
                const Ticks middle = std::min(end, start + lanes.ticks(stage.gatherBackwardS));
                lanes.add(Lane::data, ActionKind::allGather, action, start, middle);
                lanes.add(Lane::data, ActionKind::reduceScatter, action, middle, std::min(end, middle + lanes.ticks(stage.scatterS)));
            }
            if (before != nullptr && before->sendS > 0) lanes.add(Lane::pipeline, ActionKind::send, action, end, end + lanes.ticks(before->sendS));
            break;
        case ActionKind::backwardWeight: addExposed(lanes, action, start, end, stage.backwardWeight); break;
        case ActionKind::recompute: addExposed(lanes, action, start, end, stage.recompute); break;
        default: break;
    }
}

}  // namespace

std::shared_ptr<const Timeline> withTrafficLanes(const std::shared_ptr<const Timeline>& timeline, const StageCosts& costs, const StepTime& step) {
    if (!timeline || timeline->ranks != static_cast<int>(costs.ranks.size())) return timeline;
    const Timeline& from = *timeline;
    for (int rank = 0; rank < from.ranks; ++rank)
        if (from.finish(rank, Lane::compute) != from.begin(rank, Lane::host) || from.finish(rank, Lane::host) != from.begin(rank, Lane::host)) return timeline;

    auto out = std::make_shared<Timeline>();
    out->ranks = from.ranks;
    out->secondsPerTick = from.secondsPerTick;
    out->busy = from.busy;
    out->peakInFlightB = from.peakInFlightB;
    out->peakInFlightW = from.peakInFlightW;
    const double ticksPerSecond = 1 / from.secondsPerTick;
    out->makespan = std::max(from.makespan, static_cast<Ticks>(std::llround(step.level[0].stepS * ticksPerSecond)));
    out->laneBegin.reserve(from.laneBegin.size());
    const std::size_t guess = from.spans() * 3;
    out->start.reserve(guess);
    out->end.reserve(guess);
    out->action.reserve(guess);
    out->binding.reserve(guess);
    std::vector<std::uint32_t> newBegin(static_cast<std::size_t>(from.ranks));

    for (int rank = 0; rank < from.ranks; ++rank) {
        RankLanes lanes(ticksPerSecond);
        const RankCost& cost = costs.ranks[static_cast<std::size_t>(rank)];
        Ticks finish = 0;
        Action last;
        for (auto i = from.begin(rank, Lane::compute); i < from.finish(rank, Lane::compute); ++i) {
            const Action& action = from.action[i];
            lanes.addCompute({from.start[i], from.end[i], action, from.binding[i]});
            finish = std::max(finish, from.end[i]);
            last = action;
            if (action.stage >= costs.stages.size()) continue;
            decorate(lanes, action, from.start[i], from.end[i], costs.stages[action.stage], action.stage > 0 ? &costs.stages[action.stage - 1u] : nullptr);
        }
        // After the last backward: the reduction, of which the exposed part sticks out, then the optimizer, then the parameters.
        const double reduceOut = exposedReduceS(cost, costs, step.chunks);
        const double gatherOut = exposedGatherS(cost, costs);
        const Ticks reduced = finish + lanes.ticks(reduceOut + cost.tiedS);
        const auto kind = cost.reduceKind == CollectiveKind::allReduce ? ActionKind::allReduce : ActionKind::reduceScatter;
        lanes.add(Lane::data, kind, last, reduced - lanes.ticks(cost.reduceS + cost.tiedS), reduced);
        const Ticks updated = reduced + lanes.ticks(cost.optimizerS);
        Span update{reduced, updated, last, -1};
        update.action.kind = ActionKind::optimizer;
        update.action.flags = 0;
        if (updated > reduced) lanes.addCompute(update);
        if (cost.offloadS > 0) lanes.add(Lane::host, ActionKind::offload, last, updated, updated + lanes.ticks(cost.offloadS));
        lanes.add(Lane::data, ActionKind::allGather, last, updated + lanes.ticks(cost.offloadS), updated + lanes.ticks(cost.offloadS + gatherOut));

        for (int lane = 0; lane < kLaneCount; ++lane) {
            out->laneBegin.push_back(static_cast<std::uint32_t>(out->start.size()));
            if (lane == 0) newBegin[static_cast<std::size_t>(rank)] = out->laneBegin.back();
            for (const Span& span : lanes.lane(lane)) {
                out->start.push_back(span.start);
                out->end.push_back(span.end);
                out->action.push_back(span.action);
                out->binding.push_back(span.binding);
                out->makespan = std::max(out->makespan, span.end);
            }
        }
    }
    out->laneBegin.push_back(static_cast<std::uint32_t>(out->start.size()));

    // Bindings name spans of the old numbering, which had compute lanes only.
    for (auto& binding : out->binding) {
        if (binding < 0) continue;
        int rank = static_cast<int>(std::upper_bound(from.laneBegin.begin(), from.laneBegin.end(), static_cast<std::uint32_t>(binding)) - from.laneBegin.begin() - 1) / kLaneCount;
        rank = std::clamp(rank, 0, from.ranks - 1);
        binding = static_cast<std::int32_t>(newBegin[static_cast<std::size_t>(rank)] + static_cast<std::uint32_t>(binding) - from.begin(rank, Lane::compute));
    }
    return out;
}

}  // namespace trainyard
