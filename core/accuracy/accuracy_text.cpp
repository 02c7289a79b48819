#include <fmt/format.h>

#include "core/accuracy/accuracy.h"

namespace trainyard {
namespace {

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.1f}", 100 * *share) : std::string("-"); }

std::string ratio(int part, int whole) { return whole > 0 ? fmt::format("{}/{}", part, whole) : std::string("-"); }

}  // namespace

std::string accuracyText(const AccuracyReport& report) {
    std::string out = fmt::format("{:<26} {:>5} | {:>5} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6} {:>6} | {:>8} {:>8}\n", "source", "runs", "timed", "mean", "median", "p90", "bias",
                                  "memory", "mean", "under", "OOM", "rejected");
    for (const SourceAccuracy& s : report.sources) {
        const TimeAccuracy* t = s.time ? &*s.time : nullptr;
        const MemoryAccuracy* m = s.memory ? &*s.memory : nullptr;
        out += fmt::format("{:<26} {:>5} | {:>5} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6} {:>6} | {:>8} {:>8}\n", s.name, s.runCount, t ? t->count : 0,
                           t ? percent(t->meanAbsolute) : "-", t ? percent(t->median) : "-", t ? percent(t->ninetieth) : "-", t ? percent(t->bias) : "-", m ? m->count : 0,
                           m ? percent(m->meanAbsolute) : "-", m ? percent(m->worstUnder) : "-", ratio(s.fit.outOfMemoryFound, s.fit.outOfMemory),
                           ratio(s.fit.ranRejected, s.fit.ran));
    }
    const AccuracySummary& a = report.summary;
    out += fmt::format("\nerrors in %; averages weigh a source of n runs by min(1, n / 20)\n"
                       "  step time    mean {} median {} p90 {}; order inside sweeps {} (Kendall), the plan picked loses {}\n"
                       "  peak memory  mean {}; under-estimates: 95 % above {}, worst {}\n"
                       "  out of memory found {}, runs wrongly rejected {}\n"
                       "  {} runs, {} without an answer\n",
                       percent(a.timeMeanAbsolute), percent(a.timeMedian), percent(a.timeNinetieth), percent(a.rankAgreement), percent(a.pickLoss), percent(a.memoryMeanAbsolute),
                       percent(a.memoryUnder95), percent(a.memoryWorstUnder), percent(a.outOfMemoryRecall), percent(a.falseAlarms), a.runs, a.unscored);
    out += "\nlargest errors\n";
    for (const SourceAccuracy& s : report.sources) {
        if (!s.worstTime.empty()) out += fmt::format("  {:<26} time    {}\n", s.name, s.worstTime);
        if (!s.worstMemory.empty()) out += fmt::format("  {:<26} memory  {}\n", s.name, s.worstMemory);
    }
    return out;
}

std::string accuracyMarkdown(const AccuracyReport& report) {
    std::string out =
        "| source | runs | step time: mean | p90 | bias | peak memory: mean | worst under-estimate | out of memory found |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n";
    const auto cell = [](std::optional<double> share) { return share ? percent(share) + " %" : std::string(); };
    for (const SourceAccuracy& s : report.sources) {
        const std::string title = s.title.empty() ? s.name : s.title.substr(0, s.title.find(" ("));
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", title, s.runCount,
                           cell(s.time ? std::optional(s.time->meanAbsolute) : std::nullopt), cell(s.time ? std::optional(s.time->ninetieth) : std::nullopt),
                           cell(s.time ? std::optional(s.time->bias) : std::nullopt), cell(s.memory ? std::optional(s.memory->meanAbsolute) : std::nullopt),
                           !s.memory ? "" : s.memory->worstUnder < 0 ? cell(s.memory->worstUnder) : "none",
                           s.fit.outOfMemory > 0 ? ratio(s.fit.outOfMemoryFound, s.fit.outOfMemory) : "");
    }
    const AccuracySummary& a = report.summary;
    out += fmt::format("| **average, sources weighed by min(1, runs / 20)** | **{}** | **{}** | **{}** | | **{}** | **{}** | **{}** |\n", a.runs, cell(a.timeMeanAbsolute),
                       cell(a.timeNinetieth), cell(a.memoryMeanAbsolute), cell(a.memoryWorstUnder), cell(a.outOfMemoryRecall));
    return out;
}

}  // namespace trainyard
