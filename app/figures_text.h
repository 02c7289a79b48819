#pragma once

#include <QString>

#include "core/engine/evaluation.h"

namespace trainyard {

/// The figures of an evaluation as a table for the clipboard: name, value, unit, separated by tabs, SI units.
[[nodiscard]] QString figuresAsTable(const Evaluation& evaluation);

}  // namespace trainyard
