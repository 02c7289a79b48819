#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/schedule/action.h"
#include "core/schedule/timeline.h"

namespace trainyard {

/// What a schedule is asked for: p ranks, m micro-batches, v chunks per rank, k sequence slices.
struct ScheduleRequest {
    int ranks = 1;
    int microBatches = 1;
    int chunks = 1;
    int slices = 1;
    std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< group, pipes, limit, ...
    StageTimes times;  ///< used by searched schedules only; unit times if empty

    [[nodiscard]] std::optional<std::int64_t> parameter(std::string_view key) const;
};

struct ScheduleParameter {
    std::string_view key;
    std::string_view help;
    std::int64_t minimum;
    std::int64_t maximum;
    std::int64_t fallback;  ///< 0: chosen by the schedule
};

/// Facts that change what is trained, shown as a badge.
enum class ScheduleSemantics : std::uint8_t { synchronous, staleWeights, localLosses };

/// One pipeline schedule. Each lives in its own file under schedules/ and registers itself.
struct ScheduleDefinition {
    std::string_view id;                       ///< e.g. `interleaved-1f1b`
    std::string_view title;
    std::string_view summary;                  ///< one sentence
    std::string_view reference;                ///< paper, arXiv id, year
    std::span<const std::string_view> aliases; ///< other accepted names, e.g. of golden files
    std::span<const ScheduleParameter> parameters;
    ScheduleSemantics semantics = ScheduleSemantics::synchronous;
    int fixedChunks = 0;                       ///< 2 for V shapes; 0: as asked
    bool splitsBackward = false;               ///< uses I and W instead of B
    bool searched = false;                     ///< found by a heuristic, depends on times
    bool needsChunks = false;                  ///< meaningless with v = 1

    /// Empty if the request is legal, else what is wrong and what would be legal, in the user's words.
    std::vector<std::string> (*check)(const ScheduleRequest&);
    /// Ordered actions of every rank. Precondition: check() is empty.
    ActionLists (*emit)(const ScheduleRequest&);
    /// Idle time per rank for equal stages and no communication, in units of one rank's whole share: forward f, backward
    /// b (= input + weight) of one micro-batch; null where no closed form is known.
    double (*idleClosedForm)(const ScheduleRequest&, double f, double backwardInput, double backwardWeight) = nullptr;
    /// Peak activations of a rank in micro-batches on one rank's whole share; null where unknown.
    double (*peakClosedForm)(const ScheduleRequest&, int rank) = nullptr;
};

/// All schedules, in a stable order for menus.
[[nodiscard]] std::span<const ScheduleDefinition* const> allSchedules();
/// By id or alias; null if unknown.
[[nodiscard]] const ScheduleDefinition* findScheduleOrNull(std::string_view name);

}  // namespace trainyard
