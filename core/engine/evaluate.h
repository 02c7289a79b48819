#pragma once

#include <memory>
#include <stop_token>

#include "core/engine/evaluation.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// How deep an evaluation goes.
enum class Depth : std::uint8_t {
    closedForm,        ///< for far drags and batches
    simulatedFigures,  ///< simulated, without what only views draw (timeline, traffic map)
    simulated,         ///< for what is shown
};

/// The one entry point of the engine: a pure function of its inputs; same input, same output. Never throws for a bad
/// scenario: what is wrong is in `diagnostics` and `computed` is false.
[[nodiscard]] Evaluation evaluate(const Scenario& scenario, Depth depth, std::stop_token stop = {});

}  // namespace trainyard
