#pragma once

#include "widgets/style/figure_export.h"

namespace trainyard {

class PlanDocument;

/// Title, caption and scenario of any exported view: what was trained on what, how it was split, what came out.
[[nodiscard]] FigureText figureText(const PlanDocument& document);

}  // namespace trainyard
