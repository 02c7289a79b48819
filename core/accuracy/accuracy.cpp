#include "core/accuracy/accuracy.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "core/engine/evaluate.h"

namespace trainyard {
namespace {

/// What is needed of one evaluation.
struct Answer {
    bool isThere = false;
    double stepS = 0;
    MemorySummary memory;
    bool outOfMemory = false;
    std::string problem;
};

Answer answerOf(const Result<Scenario>& scenario) {
    Answer answer;
    if (!scenario) {
        answer.problem = scenario.error().message;
        return answer;
    }
    const Evaluation e = evaluate(*scenario, Depth::simulated);
    if (!e.computed) {
        for (const Diagnostic& d : e.diagnostics)
            if (d.severity == Severity::error) answer.problem += (answer.problem.empty() ? "" : ", ") + d.code;
        return answer;
    }
    answer.isThere = true;
    answer.stepS = e.time.stepS;
    answer.memory = e.memory;
    answer.memory.stages.clear();
    answer.outOfMemory = e.memory.verdict == MemoryVerdict::out_of_memory;
    return answer;
}

double peakOf(const MemorySummary& memory, PeakKind kind) {
    return kind == PeakKind::allocated ? memory.peakAllocatedBytes : kind == PeakKind::reserved ? memory.peakReservedBytes : memory.peakDeviceBytes;
}

/// Signed relative error beyond the printed rounding, of the nearest kind, and the bytes of that kind.
std::pair<double, double> memoryError(const Answer& answer, const ValidationRun& run) {
    std::pair<double, double> best{1e300, 0};
    for (const PeakKind kind : run.peakKinds) {
        const double bytes = peakOf(answer.memory, kind);
        const double off = bytes / run.unitBytes - *run.peak;
        const double error = (std::abs(off) - std::min(std::abs(off), run.rounding)) / *run.peak * (off > 0 ? 1 : -1);
        if (std::abs(error) < std::abs(best.first)) best = {error, bytes};
    }
    return best;
}

const Answer* chooseOrNull(const std::vector<Answer>& answers, const ValidationRun& run) {
    std::vector<const Answer*> there;
    for (const Answer& answer : answers)
        if (answer.isThere) there.push_back(&answer);
    if (there.empty()) return nullptr;
    if (run.assumed == Assumed::nearer && run.peak)
        return *std::min_element(there.begin(), there.end(), [&](const Answer* a, const Answer* b) { return std::abs(memoryError(*a, run).first) < std::abs(memoryError(*b, run).first); });
    const auto fits = std::find_if(there.begin(), there.end(), [](const Answer* a) { return !a->outOfMemory; });
    return fits != there.end() ? *fits : there.back();
}

std::string planWords(const Scenario& s) {
    const Plan& p = s.plan;
    const auto devices = s.cluster->devices();
    std::string words = fmt::format("{} devices", devices);
    const auto add = [&words](const char* name, std::int64_t degree) {
        if (degree > 1) words += fmt::format(", {} {}", name, degree);
    };
    add("tensor", p.tensorParallel);
    add("pipeline", p.pipelineParallel);
    add("context", p.contextParallel);
    add("expert", p.expertParallel);
    add("ZeRO", p.zeroStage);
    return words + fmt::format(", micro-batch {}, {} tokens", p.microBatchSize, s.workload.sequenceLength);
}

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}
double meanAbsolute(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += std::abs(v);
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

/// One plan of a sweep: measured seconds (if it counts), predicted seconds, predicted to run out of memory.
struct SweepPoint {
    std::optional<double> measured;
    double predicted = 0;
    bool outOfMemory = false;
};

/// Kendall's tau (measured differences under 2 % ignored) with its number of pairs, and how much slower than the best the
/// plan is that would have been picked: the predicted fastest of those predicted to fit; 1 if it ran out of memory.
void rankSweep(const std::vector<SweepPoint>& points, SourceAccuracy& out) {
    std::vector<const SweepPoint*> timed;
    for (const auto& p : points)
        if (p.measured) timed.push_back(&p);
    if (timed.size() < 5) return;
    double agree = 0, best = 1e300;
    int pairs = 0;
    for (std::size_t i = 0; i < timed.size(); ++i) {
        best = std::min(best, *timed[i]->measured);
        for (std::size_t j = 0; j < i; ++j) {
            const double difference = *timed[i]->measured - *timed[j]->measured;
            if (std::abs(difference) <= .02 * std::min(*timed[i]->measured, *timed[j]->measured)) continue;
            const double sign = difference * (timed[i]->predicted - timed[j]->predicted);
            agree += sign > 0 ? 1 : sign < 0 ? -1 : 0;
            ++pairs;
        }
    }
    double first = 1e300;
    for (const auto& p : points)
        if (!p.outOfMemory) first = std::min(first, p.predicted);
    std::vector<double> losses;
    for (const auto& p : points)
        if (!p.outOfMemory && p.predicted <= first * (1 + 1e-9)) losses.push_back(p.measured ? *p.measured / best - 1 : 1);
    out.sweepRanks.emplace_back(pairs > 0 ? agree / pairs : 0, pairs);
    out.sweepLosses.push_back(losses.empty() ? 1 : mean(losses));
}

std::optional<double> tauOf(const std::vector<std::pair<double, int>>& ranks) {
    double sum = 0;
    int pairs = 0;
    for (const auto& [tau, n] : ranks) {
        sum += tau * n;
        pairs += n;
    }
    return pairs > 0 ? std::optional<double>(sum / pairs) : std::nullopt;
}

std::string signedPercent(double share) { return fmt::format("{:+.0f} %", 100 * share); }

/// The run with the largest error and where the errors of its source gather.
std::string worstSentence(const std::vector<const AccuracyRun*>& runs, const std::vector<double>& errors, const std::vector<const Scenario*>& scenarios) {
    if (runs.empty()) return {};
    const auto worst = static_cast<std::size_t>(std::max_element(errors.begin(), errors.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) - errors.begin());
    std::string out = runs[worst]->isScored ? fmt::format("{}: {} on {}, {}", signedPercent(errors[worst]), runs[worst]->model, runs[worst]->accelerator, runs[worst]->plan)
                                            : fmt::format("no answer: {}, {}", runs[worst]->model, runs[worst]->problem);
    if (runs[worst]->assumed == Assumed::recompute) out += "; its recomputation is not published";
    std::vector<ErrorAttribute> attributes;
    const auto add = [&](const char* name, auto valueOf) {
        ErrorAttribute attribute{name, {}};
        for (const Scenario* s : scenarios) attribute.values.push_back(s == nullptr ? 0 : static_cast<double>(valueOf(*s)));
        attributes.push_back(std::move(attribute));
    };
    add("tensor", [](const Scenario& s) { return s.plan.tensorParallel; });
    add("pipeline", [](const Scenario& s) { return s.plan.pipelineParallel; });
    add("context", [](const Scenario& s) { return s.plan.contextParallel; });
    add("expert", [](const Scenario& s) { return s.plan.expertParallel; });
    add("ZeRO", [](const Scenario& s) { return s.plan.zeroStage; });
    add("micro-batch", [](const Scenario& s) { return s.plan.microBatchSize; });
    add("devices", [](const Scenario& s) { return s.cluster->devices(); });
    add("sequence", [](const Scenario& s) { return s.workload.sequenceLength; });
    add("global batch", [](const Scenario& s) { return s.workload.globalBatchSize; });
    add("hidden size", [](const Scenario& s) { return s.model->hiddenSize; });
    add("layers", [](const Scenario& s) { return s.model->layers; });
    if (const std::string gather = whereErrorsGather(errors, attributes); !gather.empty()) out += "; errors gather at " + gather;
    return out;
}

SourceAccuracy compare(const ValidationSource& source, const std::vector<std::vector<Answer>>& answers) {
    SourceAccuracy out{source.name, source.title, source.licence, source.origin};
    out.skipped = source.skipped;
    out.runCount = static_cast<int>(source.runs.size());
    std::map<std::string, std::vector<SweepPoint>> sweeps;
    std::vector<double> times, memories;
    std::vector<std::size_t> timedRuns, weighedRuns;
    std::vector<const Scenario*> scenarios;
    for (std::size_t i = 0; i < source.runs.size(); ++i) {
        const ValidationRun& run = source.runs[i];
        const Answer* answer = chooseOrNull(answers[i], run);
        AccuracyRun row;
        row.id = run.id;
        row.model = run.modelName;
        row.accelerator = run.accelerator;
        const auto chosen = answer == nullptr ? std::size_t{0} : static_cast<std::size_t>(answer - answers[i].data());
        const Scenario* scenario = run.scenarios[chosen] ? &*run.scenarios[chosen] : nullptr;
        if (scenario != nullptr) row.plan = planWords(*scenario);
        row.assumed = run.assumed;
        row.isScored = answer != nullptr;
        row.outOfMemory = run.outOfMemory;
        row.ran = !run.outOfMemory && !run.failed && (run.stepS || run.peak);
        out.assumed += run.assumed == Assumed::recompute;
        out.fit.outOfMemory += row.outOfMemory;
        out.fit.ran += row.ran;
        if (run.isTimed) row.publishedStepS = run.stepS;
        if (run.isWeighed) row.publishedBytes = *run.peak * run.unitBytes;
        if (answer == nullptr) {
            row.problem = answers[i].front().problem;
            ++out.unscored[row.problem.substr(0, 120)];
            if (run.isWeighed) row.memoryError = -1;
            out.fit.ranRejected += row.ran;
        } else {
            row.predictedStepS = answer->stepS;
            row.predictedOutOfMemory = answer->outOfMemory;
            out.fit.outOfMemoryFound += row.outOfMemory && answer->outOfMemory;
            out.fit.ranRejected += row.ran && answer->outOfMemory;
            if (run.isTimed || run.outOfMemory) sweeps[run.sweep].push_back({row.publishedStepS, answer->stepS, answer->outOfMemory});
            if (run.isWeighed) {
                const auto [error, bytes] = memoryError(*answer, run);
                row.memoryError = error;
                row.predictedBytes = bytes;
            }
        }
        if (run.isTimed) {
            times.push_back(row.isScored ? *row.predictedStepS / *row.publishedStepS - 1 : 1);
            timedRuns.push_back(i);
        }
        if (row.memoryError) {
            memories.push_back(*row.memoryError);
            weighedRuns.push_back(i);
        }
        scenarios.push_back(scenario);
        out.runs.push_back(std::move(row));
    }
    for (const auto& [key, points] : sweeps) rankSweep(points, out);
    if (!times.empty()) {
        std::vector<double> sizes;
        for (const double t : times) sizes.push_back(std::abs(t));
        out.time = TimeAccuracy{static_cast<int>(times.size()), mean(sizes), percentile(sizes, .5), percentile(sizes, .9), mean(times), tauOf(out.sweepRanks),
                                out.sweepLosses.empty() ? std::nullopt : std::optional<double>(mean(out.sweepLosses))};
    }
    if (!memories.empty())
        out.memory = MemoryAccuracy{static_cast<int>(memories.size()), meanAbsolute(memories), *std::min_element(memories.begin(), memories.end()), mean(memories)};
    const auto sentence = [&](const std::vector<std::size_t>& which, const std::vector<double>& errors) {
        std::vector<const AccuracyRun*> runs;
        std::vector<const Scenario*> of;
        for (const std::size_t i : which) {
            runs.push_back(&out.runs[i]);
            of.push_back(scenarios[i]);
        }
        return worstSentence(runs, errors, of);
    };
    out.worstTime = sentence(timedRuns, times);
    out.worstMemory = sentence(weighedRuns, memories);
    return out;
}

}  // namespace

std::optional<double> AccuracyRun::timeError() const {
    if (!publishedStepS) return std::nullopt;
    return predictedStepS ? *predictedStepS / *publishedStepS - 1 : -1;
}

std::string whereErrorsGather(std::span<const double> errors, std::span<const ErrorAttribute> attributes) {
    constexpr std::size_t kLeastRuns = 8;    // below, any split explains something
    constexpr std::size_t kLeastSide = 3;
    constexpr double kLeastDifference = 0.03;
    constexpr double kLeastShare = 0.15;     // of the errors' variance
    const std::size_t n = errors.size();
    if (n < kLeastRuns) return {};
    const double average = mean({errors.begin(), errors.end()});
    double total = 0;
    for (const double e : errors) total += (e - average) * (e - average);
    double best = kLeastShare * total;
    std::string words;
    for (const ErrorAttribute& attribute : attributes) {
        std::vector<double> edges = attribute.values;
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        for (std::size_t k = 1; k < edges.size(); ++k) {
            std::vector<double> below, above;
            for (std::size_t i = 0; i < n; ++i) (attribute.values[i] < edges[k] ? below : above).push_back(errors[i]);
            if (below.size() < kLeastSide || above.size() < kLeastSide) continue;
            const double a = mean(below), b = mean(above);
            const double explained = static_cast<double>(below.size()) * (a - average) * (a - average) + static_cast<double>(above.size()) * (b - average) * (b - average);
            if (explained <= best || std::abs(a - b) < kLeastDifference) continue;
            best = explained;
            const bool isAbove = std::abs(b) >= std::abs(a);
            words = fmt::format("{} {} {:g} ({} in {} runs, others {})", attribute.name, isAbove ? "of at least" : "below", edges[k], signedPercent(isAbove ? b : a),
                                (isAbove ? above : below).size(), signedPercent(isAbove ? a : b));
        }
    }
    return words;
}

AccuracySummary summarise(std::span<const SourceAccuracy> sources) {
    AccuracySummary out;
    struct Mean {
        double sum = 0, weight = 0;
        void add(double value, int count) {
            const double w = std::min(1.0, count / 20.0);
            sum += w * value;
            weight += w;
        }
        [[nodiscard]] std::optional<double> value() const { return weight > 0 ? std::optional<double>(sum / weight) : std::nullopt; }
    };
    Mean time, median, ninetieth, memory;
    std::vector<double> memories, losses;
    std::vector<std::pair<double, int>> ranks;
    FitAccuracy fit;
    for (const SourceAccuracy& s : sources) {
        out.runs += s.runCount;
        for (const auto& [reason, count] : s.unscored) out.unscored += count;
        if (s.time) {
            time.add(s.time->meanAbsolute, s.time->count);
            median.add(s.time->median, s.time->count);
            ninetieth.add(s.time->ninetieth, s.time->count);
        }
        if (s.memory) memory.add(s.memory->meanAbsolute, s.memory->count);
        for (const AccuracyRun& run : s.runs)
            if (run.memoryError) memories.push_back(*run.memoryError);
        ranks.insert(ranks.end(), s.sweepRanks.begin(), s.sweepRanks.end());
        losses.insert(losses.end(), s.sweepLosses.begin(), s.sweepLosses.end());
        fit.outOfMemory += s.fit.outOfMemory;
        fit.outOfMemoryFound += s.fit.outOfMemoryFound;
        fit.ran += s.fit.ran;
        fit.ranRejected += s.fit.ranRejected;
    }
    out.timeMeanAbsolute = time.value();
    out.timeMedian = median.value();
    out.timeNinetieth = ninetieth.value();
    out.memoryMeanAbsolute = memory.value();
    if (!memories.empty()) {
        out.memoryWorstUnder = *std::min_element(memories.begin(), memories.end());
        out.memoryUnder95 = percentile(memories, .05);
    }
    if (fit.outOfMemory > 0) out.outOfMemoryRecall = static_cast<double>(fit.outOfMemoryFound) / fit.outOfMemory;
    if (fit.ran > 0) out.falseAlarms = static_cast<double>(fit.ranRejected) / fit.ran;
    out.rankAgreement = tauOf(ranks);
    if (!losses.empty()) out.pickLoss = mean(losses);
    return out;
}

AccuracyReport measureAccuracy(std::span<const ValidationSource> sources) {
    AccuracyReport report;
    for (const ValidationSource& source : sources) {
        std::vector<std::vector<Answer>> answers(source.runs.size());
        tbb::parallel_for(std::size_t{0}, source.runs.size(), [&](std::size_t i) {
            for (const auto& scenario : source.runs[i].scenarios) answers[i].push_back(answerOf(scenario));
        });
        report.sources.push_back(compare(source, answers));
    }
    report.summary = summarise(report.sources);
    return report;
}

}  // namespace trainyard
