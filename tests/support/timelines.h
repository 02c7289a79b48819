#pragma once

#include <memory>

#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "widgets/timeline/timeline_model.h"

namespace trainyard::test {

/// A schedule with equal stages of F = I = W = 1000 ticks and free transfers, simulated.
inline std::shared_ptr<const Timeline> scheduleTimeline(const char* name, int ranks, int microBatches, int chunks = 1,
                                                        int slices = 1, Ticks latency = 0) {
    ScheduleRequest request;
    request.ranks = ranks;
    request.microBatches = microBatches;
    request.chunks = chunks;
    request.slices = slices;
    const auto lists = buildSchedule(name, request);
    if (!lists) return nullptr;
    const std::vector<Ticks> unit(static_cast<std::size_t>(lists->stages), 1000);
    StageTimes times;
    times.forward = times.backwardInput = times.backwardWeight = unit;
    if (latency > 0) times.latencyForward = times.latencyBackward = std::vector<Ticks>(unit.size(), latency);
    auto timeline = simulate(*lists, times);
    return timeline ? std::make_shared<const Timeline>(std::move(*timeline)) : nullptr;
}

/// Ready to draw: one tick is a millisecond.
inline std::shared_ptr<const TimelineModel> scheduleModel(const char* name, int ranks, int microBatches, int chunks = 1,
                                                          Ticks latency = 0) {
    const auto timeline = scheduleTimeline(name, ranks, microBatches, chunks, 1, latency);
    if (!timeline) return nullptr;
    TimelineContext context;
    context.unit = {1e-3, true};
    context.chunks = chunks;
    context.slices = 0;
    context.shortestVisibleTicks = 100;
    return std::make_shared<const TimelineModel>(timeline, context);
}

}  // namespace trainyard::test
