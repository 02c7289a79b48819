#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/error.h"
#include "core/engine/evaluation.h"
#include "core/explain/explanation.h"

namespace trainyard {

/// The evaluation in the form of the contract ("Evaluation"): SI units, absent instead of null, finite numbers only.
[[nodiscard]] nlohmann::json evaluationJson(const Evaluation& evaluation);
/// What stands in place of the evaluation of a file that cannot be read: `feasible` false, `failed` the sentence with its
/// place, `file`, and the same as a diagnostic.
[[nodiscard]] nlohmann::json failedEvaluationJson(const Error& error, const std::string& file);
[[nodiscard]] nlohmann::json diagnosticsJson(const std::vector<Diagnostic>& diagnostics);
/// `{"symbol", "name", "value", "unit", "formula", "source", "terms"}`; a leaf has neither formula nor terms.
[[nodiscard]] nlohmann::json explanationJson(const Explanation& explanation);

[[nodiscard]] std::string_view name(Severity severity);

}  // namespace trainyard
