#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/accuracy/accuracy.h"

namespace trainyard {

/// Whether the single runs are written: of all sources, or of those whose licence lets their figures be passed on.
enum class AccuracyRuns : std::uint8_t { all, redistributable };

/// `{"format": "trainyard.accuracy", "version": 1, "sources": {name: {"runs", "assumed", "skipped", "unscored", "time", "memory",
/// "fit", "title", "licence", "origin", "worst_time", "worst_memory", "points": [...]}}, "summary": {...}}`. Errors are
/// shares. A point: `id`, `model`, `accelerator`, `plan`, `published_step_s`, `predicted_step_s`, `published_bytes`,
/// `predicted_bytes`, `memory_error`, `out_of_memory`, `predicted_out_of_memory`, `assumed`.
[[nodiscard]] nlohmann::json accuracyJson(const AccuracyReport& report, AccuracyRuns runs);
/// The same as text with one point a line, for files that are kept.
[[nodiscard]] std::string writeAccuracy(const AccuracyReport& report, AccuracyRuns runs);
[[nodiscard]] Result<AccuracyReport> readAccuracy(std::string_view text, const std::string& where);

/// The figures that ship with the program: made by `trainyard-cli accuracy --update` over all published runs.
[[nodiscard]] const AccuracyReport& shippedAccuracy();

/// Upper limits for the figures of each source, a little above what is reached. Sources of `previous` (a text of this form,
/// may be empty) that are not in the report keep theirs.
[[nodiscard]] std::string writeAccuracyLimits(const AccuracyReport& report, std::string_view previous);
/// What is worse than its limit, one sentence each; sources without limits are named too.
[[nodiscard]] Result<std::vector<std::string>> exceededLimits(const AccuracyReport& report, std::string_view limits, const std::string& where);

}  // namespace trainyard
