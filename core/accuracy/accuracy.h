#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/validation_run.h"

namespace trainyard {

/// A published run beside what the engine says of it.
struct AccuracyRun {
    std::string id;
    std::string model;
    std::string accelerator;
    std::string plan;                        ///< "64 devices, tensor 8 x pipeline 2 x data 4, micro-batch 1"
    Assumed assumed = Assumed::nothing;
    bool isScored = false;                   ///< the engine gave an answer; false: it counts as 100 % wrong
    std::string problem;                     ///< why not
    std::optional<double> publishedStepS;    ///< of runs whose time counts
    std::optional<double> predictedStepS;    ///< also of runs whose time does not count
    std::optional<double> publishedBytes;    ///< of runs whose memory counts, in bytes
    std::optional<double> predictedBytes;    ///< of the kind that the source printed
    std::optional<double> memoryError;       ///< signed, beyond the printed rounding
    bool outOfMemory = false;                ///< the source says it ran out
    bool predictedOutOfMemory = false;
    bool ran = false;
    [[nodiscard]] std::optional<double> timeError() const;  ///< signed; -1 without an answer counts as absolute 1
};

/// Errors are shares (0.1 = 10 %).
struct TimeAccuracy {
    int count = 0;
    double meanAbsolute = 0, median = 0, ninetieth = 0, bias = 0;
    std::optional<double> rankAgreement;  ///< Kendall's tau inside sweeps of at least five timed runs
    std::optional<double> pickLoss;       ///< how much slower the plan is that would have been picked
};
struct MemoryAccuracy {
    int count = 0;
    double meanAbsolute = 0, worstUnder = 0, bias = 0;
};
struct FitAccuracy {
    int outOfMemory = 0, outOfMemoryFound = 0, ran = 0, ranRejected = 0;
};

struct SourceAccuracy {
    std::string name, title, licence, origin;
    int assumed = 0;                        ///< runs whose recomputation is not published
    std::map<std::string, int> skipped;     ///< reason -> rows
    std::map<std::string, int> unscored;    ///< reason -> runs without an answer
    std::vector<AccuracyRun> runs;
    int runCount = 0;                       ///< also where the runs themselves are not passed on
    std::optional<TimeAccuracy> time;
    std::optional<MemoryAccuracy> memory;
    FitAccuracy fit;
    std::string worstTime, worstMemory;     ///< one sentence on the largest error and where errors of the source gather
    // parts of the averages over all sources
    std::vector<std::pair<double, int>> sweepRanks;  ///< (tau, pairs) of each sweep
    std::vector<double> sweepLosses;
};

/// Averages over sources, each weighed by min(1, runs / 20).
struct AccuracySummary {
    int runs = 0, unscored = 0;
    std::optional<double> timeMeanAbsolute, timeMedian, timeNinetieth, memoryMeanAbsolute;
    std::optional<double> memoryWorstUnder, memoryUnder95;  ///< over all runs: the worst, and what 95 % stay above
    std::optional<double> outOfMemoryRecall, falseAlarms, rankAgreement, pickLoss;
};

struct AccuracyReport {
    std::vector<SourceAccuracy> sources;  ///< by name
    AccuracySummary summary;
};

/// Evaluates every run of every source (simulated depth, all cores) and compares. The definitions are those of the
/// published-run score: mean absolute percentage error per source; a run without an answer is 100 % wrong; what a source
/// left open is settled by the least recomputation that fits, or by the nearer memory.
[[nodiscard]] AccuracyReport measureAccuracy(std::span<const ValidationSource> sources);

/// Averages from the sources' figures.
[[nodiscard]] AccuracySummary summarise(std::span<const SourceAccuracy> sources);

/// Where the errors of one source gather: the one attribute whose two sides differ most ("tensor >= 8: -40 % in 12 runs, others
/// -6 %"); empty if none stands out.
struct ErrorAttribute {
    std::string name;
    std::vector<double> values;  ///< one per run
};
[[nodiscard]] std::string whereErrorsGather(std::span<const double> errors, std::span<const ErrorAttribute> attributes);

/// The table for people, as text.
[[nodiscard]] std::string accuracyText(const AccuracyReport& report);
/// The table as Markdown, for the README.
[[nodiscard]] std::string accuracyMarkdown(const AccuracyReport& report);

}  // namespace trainyard
