#pragma once

#include <string>

#include "core/calibrate/calibrate.h"

namespace trainyard {

/// The report for people: the constants with their range, what was left alone and why, every measurement before and after,
/// the totals.
[[nodiscard]] std::string calibrationText(const CalibrationReport& report);

/// "mean error 14.1 % before, 1.9 % after (worst 22.0 %, 4.1 %)".
[[nodiscard]] std::string errorSummaryText(const ErrorSummary& summary);
/// Why a constant was left alone, or that a bound stopped it; empty if it was simply fitted.
[[nodiscard]] std::string outcomeText(const FittedConstant& constant);

}  // namespace trainyard
