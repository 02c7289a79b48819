#include "core/schedule/infer_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/schedule/action_text.h"

namespace trainyard {

namespace {

constexpr std::int32_t kUnknown = -1;

bool isCompute(const Action& a) { return a.kind <= ActionKind::recompute; }

}  // namespace

Result<void> inferPlacement(ActionLists& lists) {
    lists.stages = lists.microBatches = 0;
    lists.slices = 1;
    for (const Action& a : lists.actions) {
        lists.stages = std::max(lists.stages, a.stage + 1);
        if (!isPerMicroBatch(a.kind)) continue;
        lists.microBatches = std::max(lists.microBatches, static_cast<int>(a.microBatch) + 1);
        lists.slices = std::max(lists.slices, a.slice + 1);
    }
    if (lists.microBatches == 0)
        return failure(Error::Kind::invalid, "schedule-empty", "", "the schedule has no forward or backward");
    const std::size_t stages = static_cast<std::size_t>(lists.stages);
    const std::size_t microBatches = static_cast<std::size_t>(lists.microBatches);
    if (stages * microBatches > static_cast<std::size_t>(256'000'000))
        return failure(Error::Kind::invalid, "schedule-too-large", "",
                       fmt::format("{} stages x {} micro-batches are too many", stages, microBatches));

    std::vector<std::int32_t> rankOf(stages * microBatches, kUnknown);
    for (int rank = 0; rank < lists.ranks(); ++rank)
        for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)];
             i < lists.rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
            const Action& a = lists.actions[i];
            if (!isCompute(a)) continue;
            std::int32_t& home = rankOf[a.microBatch * stages + a.stage];
            if (home == kUnknown) home = rank;
            if (home != rank)
                return failure(Error::Kind::invalid, "schedule-stage-on-two-ranks",
                               fmt::format("rank {}: {}", rank, actionText(a, lists.slices > 1)),
                               fmt::format("{} runs on rank {}, but stage {} of micro-batch {} is also on rank {}",
                                           actionText(a, lists.slices > 1), rank, a.stage, a.microBatch, home));
        }

    std::vector<std::vector<std::int32_t>> pipes;
    lists.pipeOfMicroBatch.assign(microBatches, 0);
    for (std::size_t mb = 0; mb < microBatches; ++mb) {
        const std::int32_t* const own = rankOf.data() + mb * stages;
        const auto fits = [&](const std::vector<std::int32_t>& pipe) {
            for (std::size_t stage = 0; stage < stages; ++stage)
                if (own[stage] != kUnknown && pipe[stage] != kUnknown && own[stage] != pipe[stage]) return false;
            return true;
        };
        auto pipe = std::find_if(pipes.begin(), pipes.end(), fits);
        if (pipe == pipes.end()) {
            if (pipes.size() == 255)
                return failure(Error::Kind::invalid, "schedule-too-many-pipes", fmt::format("micro-batch {}", mb),
                               "the micro-batches take more than 255 different ways over the ranks");
            pipes.emplace_back(stages, kUnknown);
            pipe = pipes.end() - 1;
        }
        for (std::size_t stage = 0; stage < stages; ++stage)
            if (own[stage] != kUnknown) (*pipe)[stage] = own[stage];
        lists.pipeOfMicroBatch[mb] = static_cast<std::uint8_t>(pipe - pipes.begin());
    }
    lists.rankOfStage.clear();
    for (const auto& pipe : pipes) {
        auto& placement = lists.rankOfStage.emplace_back();
        std::size_t used = stages;
        while (used > 1 && pipe[used - 1] == kUnknown) --used;  // a replica with fewer stages
        for (std::size_t stage = 0; stage < used; ++stage)
            placement.push_back(static_cast<std::uint16_t>(std::max(0, pipe[stage])));
    }
    if (pipes.size() == 1) lists.pipeOfMicroBatch.clear();
    for (Action& a : lists.actions) a.pipe = a.microBatch < microBatches ? lists.pipeOf(a.microBatch) : std::uint8_t{0};
    return {};
}

}  // namespace trainyard
