#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/engine/evaluation_detail.h"
#include "core/explain/explanation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// The tree behind one figure of the evaluation, built from the intermediates that the engine computed it from.
/// @param pointer  JSON pointer into the evaluation, e.g. `/time/step_s`, `/memory/stages/0/activations_bytes`
/// @return an error naming the pointer if the scenario is not feasible or there is no such figure
[[nodiscard]] Result<Explanation> explain(const Scenario& scenario, std::string_view pointer);
[[nodiscard]] Result<Explanation> explain(const Scenario& scenario, const EvaluationDetail& detail, std::string_view pointer);

/// Pointers of all figures of this evaluation that can be explained, in the order of the contract.
[[nodiscard]] std::vector<std::string> explainablePointers(const Evaluation& evaluation);

// One per part of the evaluation; `key` is the last member of the pointer.
[[nodiscard]] Result<Explanation> explainTime(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key);
[[nodiscard]] Result<Explanation> explainMemory(const Scenario& scenario, const EvaluationDetail& detail, std::string_view key);
[[nodiscard]] Result<Explanation> explainStageMemory(const Scenario& scenario, const EvaluationDetail& detail, std::size_t stage,
                                                     std::string_view key);
[[nodiscard]] Result<Explanation> explainThroughput(const Scenario& scenario, const EvaluationDetail& detail,
                                                    std::string_view key);
[[nodiscard]] Result<Explanation> explainCommunication(const Scenario& scenario, const EvaluationDetail& detail,
                                                       std::size_t index, std::string_view key);
[[nodiscard]] Result<Explanation> explainParameters(const Scenario& scenario, const EvaluationDetail& detail,
                                                    std::string_view key);
/// energy, cost, training and the device count.
[[nodiscard]] Result<Explanation> explainTotals(const Scenario& scenario, const EvaluationDetail& detail, std::string_view part,
                                                std::string_view key);

/// Replicas of their own shapes: the step is that of the slowest, memory that of the fullest device.
[[nodiscard]] Result<Explanation> explainReplicas(const Scenario& scenario, const EvaluationDetail& detail, std::string_view pointer);
/// `/compression/BOUNDARY/KEY`: what a codec does to one message, and the bandwidth below which it pays.
[[nodiscard]] Result<Explanation> explainCompression(const Scenario& scenario, const EvaluationDetail& detail, std::string_view boundary,
                                                     std::string_view key);

[[nodiscard]] tl::unexpected<Error> noSuchFigure(std::string_view key);

}  // namespace trainyard
