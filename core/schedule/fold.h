#pragma once

#include <optional>

#include "core/schedule/timeline.h"

namespace trainyard {

/// The part of a step that repeats: from `begin`, `repeats` blocks of `period` ticks follow each other, each the one before with
/// every micro-batch number `microBatches` higher.
struct PeriodicPart {
    Ticks begin = 0;
    Ticks period = 0;
    int microBatches = 0;
    int repeats = 0;
    [[nodiscard]] Ticks end() const { return begin + period * repeats; }
};

/// The longest periodic part that has at least three blocks; empty if there is none. Spans of the compute lanes only: what goes
/// on beside them follows from those. Time: O(spans) for each period that is tried.
[[nodiscard]] std::optional<PeriodicPart> findPeriodicPart(const Timeline& timeline);

/// The timeline without all but the first and last block of the periodic part: what comes after is `removed` earlier. Spans that
/// reach over a cut end there.
struct FoldedTimeline {
    Timeline timeline;
    Ticks cut = 0;      ///< where the blocks were taken out
    Ticks removed = 0;  ///< time taken out
    int blocks = 0;     ///< blocks taken out
};
[[nodiscard]] FoldedTimeline foldTimeline(const Timeline& timeline, const PeriodicPart& part);

}  // namespace trainyard
