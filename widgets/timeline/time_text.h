#pragma once

#include <QString>

namespace trainyard {

/// How ticks are shown: seconds with a prefix that fits, or plain units where times have no unit (playground).
struct TimeUnit {
    double perTick = 1e-12;  ///< seconds (or units) per tick
    bool isSeconds = true;
};

/// Three significant digits and a unit: `12.4 ms`, `3.5` without one.
[[nodiscard]] QString durationText(double ticks, TimeUnit unit);

/// Label of a ruler whose marks are `stepTicks` apart: as many decimals as the step needs, all marks in one unit.
[[nodiscard]] QString rulerText(double ticks, double stepTicks, TimeUnit unit);

/// Distance of ruler marks in ticks: 1, 2 or 5 x 10^n of the unit, at least `leastTicks`.
[[nodiscard]] double rulerStep(double leastTicks, TimeUnit unit);

/// Share as percent with one decimal below ten: `8.6 %`, `54 %`.
[[nodiscard]] QString shareText(double share);

/// A count that may be fractional: `4`, `2.5`.
[[nodiscard]] QString amountText(double count);

}  // namespace trainyard
