#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/schedule/action.h"
#include "core/schedule/placement.h"
#include "core/schedule/registry.h"

namespace trainyard {

/// Collects the actions of rank 0, then rank 1, ...: call beginRank() before the first action of each rank.
class ListBuilder {
  public:
    ListBuilder(const ScheduleRequest& request, StagePlacement placement)
        : ListBuilder(request, std::vector<StagePlacement>(1, std::move(placement))) {}

    /// Several pipes over the same ranks; `pipeOfMicroBatch` says which one a micro-batch takes.
    ListBuilder(const ScheduleRequest& request, std::vector<StagePlacement> placements,
                std::vector<std::uint8_t> pipeOfMicroBatch = {}) {
        for (const StagePlacement& placement : placements)
            lists_.stages = std::max(lists_.stages, static_cast<int>(placement.size()));
        lists_.microBatches = request.microBatches;
        lists_.slices = request.slices;
        lists_.rankOfStage = std::move(placements);
        lists_.pipeOfMicroBatch = std::move(pipeOfMicroBatch);
        lists_.rankBegin.reserve(static_cast<std::size_t>(request.ranks) + 1);
    }

    /// Room for this many actions in all.
    void reserve(std::size_t actions) { lists_.actions.reserve(actions); }
    /// Room for `perUnit` actions for each stage, micro-batch and slice.
    void reservePerUnit(std::size_t perUnit) {
        reserve(perUnit * static_cast<std::size_t>(lists_.stages) * static_cast<std::size_t>(lists_.microBatches) *
                static_cast<std::size_t>(lists_.slices));
    }

    void beginRank() { lists_.rankBegin.push_back(static_cast<std::uint32_t>(lists_.actions.size())); }

    void forward(int microBatch, int stage, int slice = 0) { add(ActionKind::forward, microBatch, stage, slice); }
    void backward(int microBatch, int stage, int slice = 0) { add(ActionKind::backward, microBatch, stage, slice); }
    void backwardInput(int microBatch, int stage, int slice = 0) { add(ActionKind::backwardInput, microBatch, stage, slice); }
    void backwardWeight(int microBatch, int stage, int slice = 0) { add(ActionKind::backwardWeight, microBatch, stage, slice); }
    void recompute(int microBatch, int stage, int slice = 0) { add(ActionKind::recompute, microBatch, stage, slice); }
    /// Marks the last two actions as one overlapped cell.
    void pairLastTwo() {
        const std::size_t n = lists_.actions.size();
        lists_.actions[n - 2].flags |= kPairHead;
        lists_.actions[n - 1].flags |= kPairTail;
    }
    void add(ActionKind kind, int microBatch, int stage, int slice = 0, Lane lane = Lane::compute) {
        Action action;
        action.kind = kind;
        action.lane = lane;
        action.stage = static_cast<std::uint16_t>(stage);
        action.slice = static_cast<std::uint16_t>(slice);
        action.microBatch = static_cast<std::uint32_t>(microBatch);
        action.pipe = lists_.pipeOfMicroBatch.empty() ? std::uint8_t{0} : lists_.pipeOfMicroBatch[action.microBatch];
        lists_.actions.push_back(action);
    }
    void add(const Action& action) { lists_.actions.push_back(action); }
    [[nodiscard]] Action& last() { return lists_.actions.back(); }
    [[nodiscard]] ActionLists& lists() { return lists_; }

    [[nodiscard]] ActionLists take() {
        lists_.rankBegin.push_back(static_cast<std::uint32_t>(lists_.actions.size()));
        return std::move(lists_);
    }

  private:
    ActionLists lists_;
};

}  // namespace trainyard
