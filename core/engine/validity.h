#pragma once

#include "core/engine/evaluation.h"
#include "core/engine/step_time.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Whether the scenario lies within what the model was checked against, and in words where not.
void fillValidity(Evaluation& evaluation, const Scenario& scenario, const StepTime& step);

}  // namespace trainyard
