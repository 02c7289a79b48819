#include "core/calibrate/calibrate.h"

#include <fmt/ranges.h>
#include <tbb/parallel_for.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/engine/calibration_constants.h"
#include "core/engine/evaluator.h"

namespace trainyard {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Outcome = FittedConstant::Outcome;

constexpr double kDifference = 1e-4;       ///< step of the forward difference, in the logarithm of a constant
constexpr double kDeterminedFrom = 1;      ///< a constant's usual spread must move the measurements by so many of their errors
constexpr double kDependentBelow = 0.02;   ///< share of a constant's effect that the constants already taken do not explain

/// One row of the fit: a measured figure.
struct Row {
    std::size_t measurement = 0;
    bool isTime = true;
    double measured = 0;
    double scale = 1;  ///< sqrt(weight) / noise
};

double peakOf(const MemorySummary& memory, MeasuredMemory kind) {
    switch (kind) {
        case MeasuredMemory::device: return memory.peakDeviceBytes;
        case MeasuredMemory::reserved: return memory.peakReservedBytes;
        case MeasuredMemory::allocated: return memory.peakAllocatedBytes;
    }
    return memory.peakDeviceBytes;
}

/// What the engine predicts for every measurement, with given constants.
class Model {
  public:
    Model(std::span<const Measurement> measurements, std::vector<Row> rows, std::map<std::string, double> fixed)
        : measurements_(measurements), rows_(std::move(rows)), fixed_(std::move(fixed)) {}

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

    /// Logarithm of the predicted figure of every row; a plan that does not compute gives NaN.
    [[nodiscard]] VectorXd predict(const std::vector<std::string>& names, const VectorXd& logarithms) const {
        std::map<std::string, double> calibration = fixed_;
        for (std::size_t j = 0; j < names.size(); ++j) calibration[names[j]] = std::exp(logarithms[static_cast<Eigen::Index>(j)]);
        VectorXd out(static_cast<Eigen::Index>(rows_.size()));
        std::vector<std::size_t> firstRow(measurements_.size(), rows_.size());
        for (std::size_t r = rows_.size(); r-- > 0;) firstRow[rows_[r].measurement] = r;
        tbb::parallel_for(std::size_t{0}, measurements_.size(), [&](std::size_t m) {
            Scenario scenario = measurements_[m].scenario;
            scenario.calibration = calibration;
            const Evaluation e = evaluate(scenario, Depth::simulated);
            for (std::size_t r = firstRow[m]; r < rows_.size() && rows_[r].measurement == m; ++r) {
                const double figure = !e.computed ? std::nan("") : rows_[r].isTime ? e.time.stepS : peakOf(e.memory, measurements_[m].peakKind);
                out[static_cast<Eigen::Index>(r)] = std::log(figure);
            }
        });
        return out;
    }

    /// Scaled residuals of predictions.
    [[nodiscard]] VectorXd residuals(const VectorXd& predicted) const {
        VectorXd out = predicted;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            double& value = out[static_cast<Eigen::Index>(r)];
            value = (value - std::log(rows_[r].measured)) * rows_[r].scale;
        }
        return out;
    }

    /// Derivatives of the scaled residuals with respect to the logarithms of the constants.
    [[nodiscard]] MatrixXd jacobian(const std::vector<std::string>& names, const VectorXd& at, const VectorXd& predicted) const {
        MatrixXd out(predicted.size(), at.size());
        for (Eigen::Index j = 0; j < at.size(); ++j) {
            VectorXd moved = at;
            moved[j] += kDifference;
            out.col(j) = (predict(names, moved) - predicted) / kDifference;
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) out.row(static_cast<Eigen::Index>(r)) *= rows_[r].scale;
        return out;
    }

  private:
    std::span<const Measurement> measurements_;
    std::vector<Row> rows_;
    std::map<std::string, double> fixed_;
};

/// Which constants the measurements determine: greedy column pivoting on the Jacobian, each column in units of its usual
/// spread. What is left of a column after those taken says how well it can be told apart from them.
std::vector<std::size_t> determined(const MatrixXd& jacobian, const VectorXd& spreads, double threshold, std::vector<FittedConstant>& constants) {
    MatrixXd rest = jacobian * spreads.asDiagonal();
    const MatrixXd whole = rest;
    std::vector<std::size_t> taken;
    std::vector<bool> isTaken(constants.size(), false);
    while (static_cast<Eigen::Index>(taken.size()) < rest.rows()) {
        Eigen::Index best = -1;
        double most = 0;
        for (Eigen::Index j = 0; j < rest.cols(); ++j) {
            const double left = rest.col(j).norm();
            if (isTaken[static_cast<std::size_t>(j)] || left < threshold || left < kDependentBelow * whole.col(j).norm()) continue;
            if (left > most) {
                most = left;
                best = j;
            }
        }
        if (best < 0) break;
        const VectorXd direction = rest.col(best) / most;
        taken.push_back(static_cast<std::size_t>(best));
        isTaken[static_cast<std::size_t>(best)] = true;
        rest -= direction * (direction.transpose() * rest);
    }
    for (std::size_t j = 0; j < constants.size(); ++j) {
        const VectorXd column = whole.col(static_cast<Eigen::Index>(j));
        if (isTaken[j]) {
            constants[j].outcome = Outcome::fitted;
        } else if (column.norm() < threshold) {
            constants[j].outcome = Outcome::noEffect;
        } else {
            constants[j].outcome = Outcome::inseparable;
            double alike = -1;
            for (const std::size_t k : taken) {
                const VectorXd other = whole.col(static_cast<Eigen::Index>(k));
                const double cosine = std::abs(column.dot(other)) / (column.norm() * other.norm());
                if (cosine > alike) {
                    alike = cosine;
                    constants[j].with = constants[k].name;
                }
            }
        }
    }
    std::sort(taken.begin(), taken.end());
    return taken;
}

struct Problem {
    std::vector<std::string> names;
    VectorXd start, lowest, highest, precision;  ///< logarithms; precision of the prior
};

struct Solution {
    VectorXd at;
    MatrixXd curvature;  ///< of half the cost, prior included
    int iterations = 0;
    bool converged = false;
};

/// Levenberg-Marquardt with bounds: constants that a bound holds back are frozen for a step.
Solution solve(const Model& model, const Problem& problem, const CalibrationOptions& options) {
    Solution s;
    s.at = problem.start;
    VectorXd predicted = model.predict(problem.names, s.at);
    const auto costOf = [&](const VectorXd& residuals, const VectorXd& at) {
        return residuals.squaredNorm() + (at - problem.start).cwiseAbs2().dot(problem.precision);
    };
    VectorXd residuals = model.residuals(predicted);
    double cost = costOf(residuals, s.at);
    double damping = 1e-3;
    const Eigen::Index n = s.at.size();
    for (; s.iterations < options.mostIterations && !s.converged && !options.stop.stop_requested(); ++s.iterations) {
        const MatrixXd jacobian = model.jacobian(problem.names, s.at, predicted);
        VectorXd gradient = jacobian.transpose() * residuals + problem.precision.cwiseProduct(s.at - problem.start);
        s.curvature = jacobian.transpose() * jacobian;
        s.curvature.diagonal() += problem.precision;
        MatrixXd curvature = s.curvature;
        for (Eigen::Index j = 0; j < n; ++j) {
            const bool isHeld = (s.at[j] <= problem.lowest[j] && gradient[j] > 0) || (s.at[j] >= problem.highest[j] && gradient[j] < 0);
            if (!isHeld) continue;
            curvature.row(j).setZero();
            curvature.col(j).setZero();
            curvature(j, j) = 1;
            gradient[j] = 0;
        }
        bool improved = false;
        for (int attempt = 0; attempt < 12 && !improved; ++attempt) {
            MatrixXd damped = curvature;
            damped.diagonal() += damping * curvature.diagonal();
            const VectorXd next = (s.at - damped.ldlt().solve(gradient)).cwiseMax(problem.lowest).cwiseMin(problem.highest);
            const double moved = (next - s.at).lpNorm<Eigen::Infinity>();
            if (moved < 1e-9) break;
            const VectorXd nextPredicted = model.predict(problem.names, next);
            const VectorXd nextResiduals = model.residuals(nextPredicted);
            const double nextCost = costOf(nextResiduals, next);
            if (std::isfinite(nextCost) && nextCost < cost) {
                improved = true;
                s.converged = moved < 1e-7 || cost - nextCost < 1e-12 * cost;
                s.at = next;
                predicted = nextPredicted;
                residuals = nextResiduals;
                cost = nextCost;
                damping = std::max(1e-12, damping / 10);
            } else {
                damping *= 10;
            }
        }
        if (!improved) s.converged = true;
    }
    return s;
}

void add(ErrorSummary& summary, const FittedFigure& figure) {
    const double before = std::abs(figure.errorBefore()), after = std::abs(figure.errorAfter());
    summary.meanBefore += before;
    summary.meanAfter += after;
    summary.worstBefore = std::max(summary.worstBefore, before);
    summary.worstAfter = std::max(summary.worstAfter, after);
    ++summary.count;
}

void finish(ErrorSummary& summary) {
    if (summary.count == 0) return;
    summary.meanBefore /= summary.count;
    summary.meanAfter /= summary.count;
}

Result<std::vector<FittedConstant>> candidates(const std::map<std::string, double>& start, const CalibrationOptions& options) {
    std::vector<std::string_view> known;
    for (const auto& each : calibrationConstants()) known.push_back(each.name);
    for (const std::string& wanted : options.only)
        if (findCalibrationConstantOrNull(wanted) == nullptr)
            return failure(Error::Kind::commandLine, "unknown-constant", wanted,
                           fmt::format("is no constant of the engine; known: {}", fmt::join(known, ", ")));
    std::vector<FittedConstant> out;
    for (const auto& each : calibrationConstants()) {
        if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), each.name) == options.only.end()) continue;
        FittedConstant constant;
        constant.name = each.name;
        constant.meaning = each.meaning;
        if (const auto found = start.find(constant.name); found != start.end())
            constant.start = std::clamp(found->second, each.lowest, each.highest);
        constant.value = constant.start;
        out.push_back(std::move(constant));
    }
    return out;
}

}  // namespace

std::string_view name(FittedConstant::Outcome outcome) {
    switch (outcome) {
        case Outcome::fitted: return "fitted";
        case Outcome::atBound: return "at_bound";
        case Outcome::noEffect: return "no_effect";
        case Outcome::inseparable: return "inseparable";
    }
    return "no_effect";
}

Result<CalibrationReport> calibrate(const std::map<std::string, double>& given, std::span<const Measurement> measurements,
                                    const CalibrationOptions& options) {
    std::map<std::string, double> start = given;
    if (calibratedMeasurements(given))
        for (const CalibrationConstant& constant : calibrationConstants()) start.erase(std::string(constant.name));

    std::vector<Row> rows;
    for (std::size_t m = 0; m < measurements.size(); ++m) {
        const Measurement& each = measurements[m];
        const double scale = std::sqrt(std::max(0.0, each.weight)) / options.noise;
        if (each.stepS) rows.push_back({m, true, *each.stepS, scale});
        if (each.peakBytes) rows.push_back({m, false, *each.peakBytes, scale});
    }
    if (rows.empty())
        return failure(Error::Kind::invalid, "no-measurements", "", "there is no measurement to fit to; expected at least one with step_s or peak_bytes");
    auto constants = candidates(start, options);
    if (!constants) return tl::unexpected<Error>(constants.error());

    // Every measured plan must compute, else its residual means nothing.
    const Model model(measurements, rows, start);
    std::vector<std::string> names;
    VectorXd at(static_cast<Eigen::Index>(constants->size())), spreads = at;
    for (std::size_t j = 0; j < constants->size(); ++j) {
        names.push_back((*constants)[j].name);
        at[static_cast<Eigen::Index>(j)] = std::log((*constants)[j].start);
        spreads[static_cast<Eigen::Index>(j)] = findCalibrationConstantOrNull(names.back())->spread;
    }
    const VectorXd before = model.predict(names, at);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (std::isfinite(before[static_cast<Eigen::Index>(r)])) continue;
        const Measurement& bad = measurements[rows[r].measurement];
        std::string reason = "the plan cannot be computed";
        for (const Diagnostic& d : evaluate(bad.scenario, Depth::closedForm).diagnostics)
            if (d.severity == Severity::error) {
                reason = fmt::format("{} ({})", d.message, d.pointer);
                break;
            }
        return failure(Error::Kind::invalid, "measured-plan-not-feasible", bad.where, fmt::format("the measured plan is not feasible: {}", reason));
    }

    CalibrationReport report;
    report.constants = std::move(*constants);
    const MatrixXd whole = model.jacobian(names, at, before);
    const std::vector<std::size_t> chosen = determined(whole, spreads, options.prior > 0 ? kDeterminedFrom : 1e-3, report.constants);

    Problem problem;
    const auto n = static_cast<Eigen::Index>(chosen.size());
    problem.start = problem.lowest = problem.highest = problem.precision = VectorXd(n);
    for (Eigen::Index k = 0; k < n; ++k) {
        const std::size_t j = chosen[static_cast<std::size_t>(k)];
        const CalibrationConstant& constant = *findCalibrationConstantOrNull(names[j]);
        problem.names.push_back(names[j]);
        problem.start[k] = at[static_cast<Eigen::Index>(j)];
        problem.lowest[k] = std::log(constant.lowest);
        problem.highest[k] = std::log(constant.highest);
        problem.precision[k] = options.prior / (constant.spread * constant.spread);
    }
    const Solution solution = solve(model, problem, options);
    report.iterations = solution.iterations;
    report.converged = solution.converged;
    const VectorXd after = model.predict(problem.names, solution.at);
    const MatrixXd covariance = n > 0 ? solution.curvature.ldlt().solve(MatrixXd::Identity(n, n)).eval() : MatrixXd();
    report.calibration = start;
    for (Eigen::Index k = 0; k < n; ++k) {
        FittedConstant& constant = report.constants[chosen[static_cast<std::size_t>(k)]];
        constant.value = std::round(std::exp(solution.at[k]) * 1e6) / 1e6;  // more digits would only look exact
        constant.uncertainty = std::sqrt(std::max(0.0, covariance(k, k)));
        if (solution.at[k] <= problem.lowest[k] || solution.at[k] >= problem.highest[k]) constant.outcome = Outcome::atBound;
        report.calibration[constant.name] = constant.value;
    }
    report.calibration[std::string(kCalibrationCount)] = static_cast<double>(measurements.size());

    for (const Measurement& each : measurements) report.measurements.push_back({each.name, each.where, std::nullopt, std::nullopt});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto i = static_cast<Eigen::Index>(r);
        const FittedFigure figure{rows[r].measured, std::exp(before[i]), std::exp(after[i])};
        (rows[r].isTime ? report.measurements[rows[r].measurement].step : report.measurements[rows[r].measurement].peak) = figure;
        add(rows[r].isTime ? report.time : report.memory, figure);
    }
    finish(report.time);
    finish(report.memory);
    return report;
}

}  // namespace trainyard
