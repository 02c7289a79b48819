#include "core/calibrate/calibration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/format_quantity.h"

namespace trainyard {
namespace {

using Outcome = FittedConstant::Outcome;

std::string signedPercent(double share) {
    return std::abs(share) < 0.0005 ? std::string("0.0 %") : fmt::format("{:+.1f} %", 100 * share);
}

void addFigure(std::string& out, const std::string& label, const FittedFigure& figure, bool isTime) {
    const auto text = [&](double value) { return isTime ? secondsText(value).joined() : bytesText(value).joined(); };
    out += fmt::format("  {:<40} {:>10}  {:>10} {:>8}  {:>10} {:>8}\n", label, text(figure.measured), text(figure.before), signedPercent(figure.errorBefore()),
                       text(figure.after), signedPercent(figure.errorAfter()));
}

}  // namespace

std::string errorSummaryText(const ErrorSummary& s) {
    return fmt::format("mean error {:.1f} % before, {:.1f} % after (worst {:.1f} %, {:.1f} %)", 100 * s.meanBefore, 100 * s.meanAfter, 100 * s.worstBefore,
                       100 * s.worstAfter);
}

std::string outcomeText(const FittedConstant& constant) {
    switch (constant.outcome) {
        case Outcome::fitted: return {};
        case Outcome::atBound: return "stopped at its bound: the measurements ask for more than is plausible";
        case Outcome::noEffect: return "these measurements do not show it";
        case Outcome::inseparable: return fmt::format("not to be told apart from {} in these measurements", constant.with);
    }
    return {};
}

std::string calibrationText(const CalibrationReport& report) {
    std::string out = fmt::format("{} measurement{}: {} step time{}, {} memory peak{}\n\n", report.measurements.size(), report.measurements.size() == 1 ? "" : "s",
                                  report.time.count, report.time.count == 1 ? "" : "s", report.memory.count, report.memory.count == 1 ? "" : "s");
    const auto isFitted = [](const FittedConstant& c) { return c.outcome == Outcome::fitted || c.outcome == Outcome::atBound; };
    if (std::any_of(report.constants.begin(), report.constants.end(), isFitted)) {
        out += fmt::format("  {:<34} {:>7}  {:>9}  {}\n", "constant", "factor", "", "on");
        for (const FittedConstant& c : report.constants)
            if (isFitted(c))
                out += fmt::format("  {:<34} {:>7.4g}  {:>9}  {}{}\n", c.name, c.value, fmt::format("± {:.1f} %", 100 * c.uncertainty), c.meaning,
                                   c.outcome == Outcome::atBound ? "; " + outcomeText(c) : "");
    } else {
        out += "  no constant could be determined: the measurements show the effect of none\n";
    }
    std::string left;
    for (const FittedConstant& c : report.constants)
        if (!isFitted(c)) left += fmt::format("    {:<34} {}\n", c.name, outcomeText(c));
    if (!left.empty()) out += "\n  left alone\n" + left;

    out += fmt::format("\n  {:<40} {:>10}  {:>10} {:>8}  {:>10} {:>8}\n", "run", "measured", "before", "", "after", "");
    for (const FittedMeasurement& m : report.measurements) {
        if (m.step) addFigure(out, m.name, *m.step, true);
        if (m.peak) addFigure(out, m.name, *m.peak, false);
    }
    out += "\n";
    if (report.time.count > 0) out += fmt::format("  step time  {}\n", errorSummaryText(report.time));
    if (report.memory.count > 0) out += fmt::format("  memory     {}\n", errorSummaryText(report.memory));
    if (!report.converged) out += "  the fit had not settled when it was stopped\n";
    return out;
}

}  // namespace trainyard
