#include "core/io/json/calibration_json.h"

#include <nlohmann/json.hpp>

#include "core/calibrate/calibration_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

json figureJson(const FittedFigure& f) {
    return {{"measured", f.measured},
            {"before", f.before},
            {"after", f.after},
            {"error_before", f.errorBefore()},
            {"error_after", f.errorAfter()}};
}

json summaryJson(const ErrorSummary& s) {
    return {{"count", s.count},
            {"mean_before", s.meanBefore},
            {"mean_after", s.meanAfter},
            {"worst_before", s.worstBefore},
            {"worst_after", s.worstAfter}};
}

}  // namespace

json calibrationJson(const CalibrationReport& report) {
    json constants = json::array();
    for (const FittedConstant& c : report.constants) {
        json one{{"name", c.name}, {"meaning", c.meaning}, {"value", c.value}, {"start", c.start}, {"outcome", name(c.outcome)}};
        if (c.outcome == FittedConstant::Outcome::fitted || c.outcome == FittedConstant::Outcome::atBound)
            one["uncertainty"] = c.uncertainty;
        if (!c.with.empty()) one["with"] = c.with;
        if (const std::string reason = outcomeText(c); !reason.empty()) one["reason"] = reason;
        constants.push_back(std::move(one));
    }
    json measurements = json::array();
    for (const FittedMeasurement& m : report.measurements) {
        json one{{"name", m.name}, {"where", m.where}};
        if (m.step) one["step_s"] = figureJson(*m.step);
        if (m.peak) one["peak_bytes"] = figureJson(*m.peak);
        measurements.push_back(std::move(one));
    }
    json out{{"calibration", report.calibration},
             {"constants", constants},
             {"measurements", measurements},
             {"iterations", report.iterations},
             {"converged", report.converged}};
    if (report.time.count > 0) out["time"] = summaryJson(report.time);
    if (report.memory.count > 0) out["memory"] = summaryJson(report.memory);
    return out;
}

}  // namespace trainyard
