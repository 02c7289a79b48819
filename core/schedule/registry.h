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

// Qt's keyword macro of the same name must not eat the member below; code that sees the macro calls buildSchedule().
#pragma push_macro("emit")
#undef emit

namespace trainyard {

/// What a schedule is asked for: p ranks, m micro-batches, v chunks per rank, k sequence slices.
struct ScheduleRequest {
    int ranks = 1;
    int microBatches = 1;
    int chunks = 1;
    int slices = 1;
    std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< group, pipes, limit, ...
    StageTimes times;                                              ///< used by searched schedules only; unit times if empty

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
    std::string_view id;  ///< e.g. `interleaved-1f1b`
    std::string_view title;
    std::string_view summary;                   ///< one sentence
    std::string_view reference;                 ///< paper, arXiv id, year
    std::span<const std::string_view> aliases;  ///< other accepted names, e.g. of golden files
    std::span<const ScheduleParameter> parameters;
    ScheduleSemantics semantics = ScheduleSemantics::synchronous;
    int fixedChunks = 0;          ///< 2 for V shapes; 0: as asked
    bool splitsBackward = false;  ///< uses I and W instead of B
    bool searched = false;        ///< found by a heuristic, depends on times
    bool takesSlices = false;     ///< works on slices of a sequence; others refuse more than one
    bool needsChunks = false;     ///< meaningless with v = 1

    /// Empty if the request is legal, else what is wrong and what would be legal, in the user's words.
    std::vector<std::string> (*check)(const ScheduleRequest&);
    /// Ordered actions of every rank. Precondition: check() is empty.
    ActionLists (*emit)(const ScheduleRequest&);
    /// Idle time per rank for equal stages and no communication, in units of one rank's whole share: forward f, backward
    /// b (= input + weight) of one micro-batch; null where no closed form is known.
    double (*idleClosedForm)(const ScheduleRequest&, double f, double backwardInput, double backwardWeight) = nullptr;
    /// Peak activations of a rank in micro-batches on one rank's whole share (bidirectional: on one stage); null where
    /// unknown.
    double (*peakClosedForm)(const ScheduleRequest&, int rank) = nullptr;
    /// Makespan with F = I = W = 1 on every stage, free transfers and cells of two run one after the other, where it is known
    /// for this request but does not follow from idleClosedForm; see unitMakespan().
    std::optional<std::int64_t> (*unitMakespanClosedForm)(const ScheduleRequest&) = nullptr;
};

/// Puts a schedule into allSchedules(); each schedule file holds one object of this. `order` is the place in menus.
struct ScheduleRegistration {
    ScheduleRegistration(int order, const ScheduleDefinition& definition);
};

/// All schedules, in a stable order for menus.
[[nodiscard]] std::span<const ScheduleDefinition* const> allSchedules();
/// By id or alias, where `_` reads as `-` and capitals as small letters; null if unknown.
[[nodiscard]] const ScheduleDefinition* findScheduleOrNull(std::string_view name);

/// Chunks per rank that the schedule will really use for this request (2 for V shapes, whatever was asked).
[[nodiscard]] int effectiveChunks(const ScheduleDefinition& definition, const ScheduleRequest& request);
/// What is common to all schedules (counts, known parameters and their ranges, size), then the schedule's own rules.
/// Empty if the request is legal.
[[nodiscard]] std::vector<std::string> checkSchedule(const ScheduleDefinition& definition, const ScheduleRequest& request);
/// Closed form of the makespan with F = I = W = 1 on every stage and free transfers; empty where none is known.
/// Precondition: the request is legal.
[[nodiscard]] std::optional<std::int64_t> unitMakespan(const ScheduleDefinition& definition, const ScheduleRequest& request);
/// `stale weights`, `local losses`, or empty for synchronous training.
[[nodiscard]] std::string_view semanticsBadge(ScheduleSemantics semantics);
/// Checks, then emits. Errors: unknown name (with near names), or the first broken rule.
[[nodiscard]] Result<ActionLists> buildSchedule(std::string_view name, const ScheduleRequest& request);

/// Most actions that one schedule may have; beyond it memory, not time, is the limit: 16 bytes per action
/// in the lists, 36 in the timeline, 11 to 16 while it is simulated.
inline constexpr std::int64_t kMaximumActions = 64'000'000;

}  // namespace trainyard

#pragma pop_macro("emit")
