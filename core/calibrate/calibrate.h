#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/plan/scenario.h"

namespace trainyard {

/// Which of the three peaks of a device was measured (see `MemorySummary`).
enum class MeasuredMemory : std::uint8_t { device, reserved, allocated };

/// One run of the user's own: what ran, and what it took. At least one of the two figures is there.
struct Measurement {
    std::string name;   ///< for reports
    std::string where;  ///< file and place it was read from, for messages
    Scenario scenario;
    std::optional<double> stepS;      ///< seconds of one optimizer step, > 0
    std::optional<double> peakBytes;  ///< fullest device, > 0
    MeasuredMemory peakKind = MeasuredMemory::device;
    double weight = 1;                ///< 2: counts as two such measurements
};

struct CalibrationOptions {
    std::vector<std::string> only;  ///< constants to fit; empty: all the engine knows
    /// Strength of the pull towards the values that the program ships: 1 weighs a constant's usual spread against the noise
    /// below, 0 takes the measurements at their word.
    double prior = 1;
    double noise = 0.03;            ///< relative error of one measurement, standard deviation
    int mostIterations = 60;
    std::stop_token stop;
};

/// One constant after the fit. All are factors on the built-in figure.
struct FittedConstant {
    enum class Outcome : std::uint8_t {
        fitted,
        atBound,      ///< fitted, and stopped by a bound: the measurements ask for more than is plausible
        noEffect,     ///< left alone: the measurements do not react to it
        inseparable,  ///< left alone: whatever it does, `with` does too in these measurements
    };
    std::string name;
    std::string meaning;
    double value = 1;
    double start = 1;
    Outcome outcome = Outcome::noEffect;
    double uncertainty = 0;         ///< relative, one standard deviation; of fitted ones
    std::string with;
};
[[nodiscard]] std::string_view name(FittedConstant::Outcome outcome);

/// A measured figure beside what the engine says before and after.
struct FittedFigure {
    double measured = 0;
    double before = 0;
    double after = 0;
    [[nodiscard]] double errorBefore() const { return before / measured - 1; }
    [[nodiscard]] double errorAfter() const { return after / measured - 1; }
};

struct FittedMeasurement {
    std::string name;
    std::string where;
    std::optional<FittedFigure> step;  ///< seconds
    std::optional<FittedFigure> peak;  ///< bytes
};

/// Over all measurements of one kind; relative.
struct ErrorSummary {
    int count = 0;
    double meanBefore = 0, meanAfter = 0;    ///< mean absolute
    double worstBefore = 0, worstAfter = 0;  ///< largest absolute
};

struct CalibrationReport {
    std::vector<FittedConstant> constants;         ///< in the order of `calibrationConstants()`
    std::vector<FittedMeasurement> measurements;   ///< in the order given
    ErrorSummary time, memory;
    std::map<std::string, double> calibration;     ///< what goes into the scenario; says how many measurements it rests on
    int iterations = 0;
    bool converged = false;
};

/// Fits the named constants of the engine to measurements: least squares of the logarithm of predicted over measured, in the
/// logarithm of the constants, with bounds and a pull towards the values that ship (Levenberg-Marquardt).
///
/// Constants whose effect the measurements do not show, or cannot tell from that of another (columns of the Jacobian that
/// are zero or depend on those already taken, QR with column pivoting), are left at their start and named in the report.
/// `start`: the scenario's calibration; constants set there by hand are where the fit starts and what it is pulled towards,
/// constants of an earlier fit (it says how many measurements) are forgotten.
/// Errors: no measurement, a constant nobody knows, a measured plan that is not feasible (with its place and reason).
[[nodiscard]] Result<CalibrationReport> calibrate(const std::map<std::string, double>& start, std::span<const Measurement> measurements,
                                                  const CalibrationOptions& options = {});

}  // namespace trainyard
