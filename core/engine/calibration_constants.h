#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trainyard {

/// One named constant of the engine that a scenario's `calibration` may change. Its value there is a factor on the built-in
/// figure: 1 leaves it alone.
struct CalibrationConstant {
    enum class Affects : std::uint8_t { time, memory };
    std::string_view name;     ///< key under `calibration`, e.g. `compute.gemm_rate`
    std::string_view meaning;  ///< what it multiplies, in words
    Affects affects = Affects::time;
    double lowest = 0.5;       ///< bounds of a fit; a value set by hand may lie outside
    double highest = 2;
    double spread = 0.2;       ///< how far from 1 it is expected, standard deviation of the logarithm
};

/// All of them, in the order in which they are shown.
[[nodiscard]] std::span<const CalibrationConstant> calibrationConstants();
[[nodiscard]] const CalibrationConstant* findCalibrationConstantOrNull(std::string_view name);

/// Key under `calibration` that says to how many measurements the constants were fitted. No constant; the engine ignores it.
inline constexpr std::string_view kCalibrationCount = "measurements";

/// To how many of the user's measurements these constants were fitted; nothing if they were set by hand or there are none.
[[nodiscard]] std::optional<int> calibratedMeasurements(const std::map<std::string, double>& calibration);

/// "calibrated to 12 measurements of yours: compute.gemm_rate x 0.93, ..."; empty without a calibration. With `briefly`
/// the constants are left out.
enum class CalibrationWords : std::uint8_t { briefly, withConstants };
[[nodiscard]] std::string calibrationSentence(const std::map<std::string, double>& calibration, CalibrationWords words);

}  // namespace trainyard
