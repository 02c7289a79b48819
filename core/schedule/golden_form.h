#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// `linear`, `looped`, `v`, `wave`, `bidirectional`, `replicas` (pipes that share no rank), else `custom`.
[[nodiscard]] std::string_view placementName(const ActionLists& lists);

/// Chunks that a rank holds, over all pipes; of the fullest rank.
[[nodiscard]] int chunksPerRank(const ActionLists& lists);

/// What the written forms say about a schedule besides its lists.
struct ScheduleHeading {
    std::string name;
    int chunks = 1;
    double ticksPerUnit = 1;                                        ///< times are written in these units
    std::string_view semantics = {};                                ///< what the schedule changes about training; empty: nothing
    std::optional<std::int64_t> closedFormMakespan = std::nullopt;  ///< in units, where one is known for these times
};

/// Time in units: whole numbers without a point, otherwise the shortest text that reads back the same.
void appendUnits(fmt::memory_buffer& out, Ticks ticks, double ticksPerUnit);

/// One cell per action, a pair as one cell `{F7.0|B3.7}`: calls visit(first, count) for each cell of the rank.
template <class Visit>
void forEachCell(const ActionLists& lists, int rank, Visit visit) {
    const std::uint32_t finish = lists.rankBegin[static_cast<std::size_t>(rank) + 1];
    for (std::uint32_t i = lists.rankBegin[static_cast<std::size_t>(rank)]; i < finish;) {
        const bool pair = (lists.actions[i].flags & kPairHead) != 0 && i + 1 < finish;
        visit(i, pair ? 2u : 1u);
        i += pair ? 2u : 1u;
    }
}
void appendCell(fmt::memory_buffer& out, const ActionLists& lists, std::uint32_t first, std::uint32_t count);

/// The golden form (catalogue section 6) as JSON text: lists, starts, makespan, three bubbles, both peaks.
/// Precondition: `timeline` is the simulation of `lists`.
[[nodiscard]] fmt::memory_buffer goldenForm(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);
/// For people: a few lines of figures as `#` comments, then one line per rank of `cell@start`.
[[nodiscard]] fmt::memory_buffer timedText(const ActionLists& lists, const Timeline& timeline, const ScheduleHeading& heading);

}  // namespace trainyard
