#include "core/io/json/accuracy_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/presets/embedded_presets.h"
#include "core/io/json/json_text.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "trainyard.accuracy";

void put(json& object, const char* key, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) object[key] = *value;
}
/// Six digits are more than any figure here deserves.
double brief(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}
std::optional<double> brief(const std::optional<double>& value) { return value ? std::optional<double>(brief(*value)) : std::nullopt; }
std::optional<double> number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? std::optional<double>(found->get<double>()) : std::nullopt;
}
int count(const json& object, const char* key) { return static_cast<int>(number(object, key).value_or(0)); }
std::string text(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool flag(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

bool mayPassOn(const SourceAccuracy& s) { return s.licence.find("-SA") == std::string::npos && s.licence.find("-NC") == std::string::npos; }

const char* assumedName(Assumed assumed) { return assumed == Assumed::recompute ? "recompute" : "nearer"; }

json pointJson(const AccuracyRun& run) {
    json out{{"id", run.id}, {"model", run.model}, {"accelerator", run.accelerator}, {"plan", run.plan}};
    put(out, "published_step_s", brief(run.publishedStepS));
    put(out, "predicted_step_s", brief(run.predictedStepS));
    put(out, "published_bytes", brief(run.publishedBytes));
    put(out, "predicted_bytes", brief(run.predictedBytes));
    put(out, "memory_error", brief(run.memoryError));
    if (run.assumed != Assumed::nothing) out["assumed"] = assumedName(run.assumed);
    if (run.outOfMemory) out["out_of_memory"] = true;
    if (run.predictedOutOfMemory) out["predicted_out_of_memory"] = true;
    if (run.ran) out["ran"] = true;
    if (!run.problem.empty()) out["problem"] = run.problem;
    return out;
}

json sourceJson(const SourceAccuracy& s) {
    json out{{"runs", s.runCount}, {"assumed", s.assumed}, {"skipped", s.skipped}, {"unscored", s.unscored}, {"title", s.title}, {"licence", s.licence}, {"origin", s.origin}};
    if (s.time) {
        json time{{"n", s.time->count}, {"mape", s.time->meanAbsolute}, {"median", s.time->median}, {"p90", s.time->ninetieth}, {"bias", s.time->bias}};
        put(time, "tau", s.time->rankAgreement);
        put(time, "best_loss", s.time->pickLoss);
        out["time"] = std::move(time);
    }
    if (s.memory) out["memory"] = {{"n", s.memory->count}, {"mape", s.memory->meanAbsolute}, {"worst_under", s.memory->worstUnder}, {"bias", s.memory->bias}};
    out["fit"] = {{"oom", s.fit.outOfMemory}, {"oom_found", s.fit.outOfMemoryFound}, {"ran", s.fit.ran}, {"ran_rejected", s.fit.ranRejected}};
    if (!s.worstTime.empty()) out["worst_time"] = s.worstTime;
    if (!s.worstMemory.empty()) out["worst_memory"] = s.worstMemory;
    return out;
}

json summaryJson(const AccuracySummary& a) {
    json out{{"runs", a.runs}, {"unscored", a.unscored}};
    put(out, "time_mape", a.timeMeanAbsolute);
    put(out, "time_median", a.timeMedian);
    put(out, "time_p90", a.timeNinetieth);
    put(out, "memory_mape", a.memoryMeanAbsolute);
    put(out, "memory_worst_under", a.memoryWorstUnder);
    put(out, "memory_under_p95", a.memoryUnder95);
    put(out, "oom_recall", a.outOfMemoryRecall);
    put(out, "false_alarms", a.falseAlarms);
    put(out, "tau", a.rankAgreement);
    put(out, "best_loss", a.pickLoss);
    return out;
}

bool isShown(const SourceAccuracy& s, AccuracyRuns runs) { return runs == AccuracyRuns::all || mayPassOn(s); }

AccuracyRun readPoint(const json& p) {
    AccuracyRun run;
    run.id = text(p, "id");
    run.model = text(p, "model");
    run.accelerator = text(p, "accelerator");
    run.plan = text(p, "plan");
    run.publishedStepS = number(p, "published_step_s");
    run.predictedStepS = number(p, "predicted_step_s");
    run.publishedBytes = number(p, "published_bytes");
    run.predictedBytes = number(p, "predicted_bytes");
    run.memoryError = number(p, "memory_error");
    run.assumed = text(p, "assumed") == "recompute" ? Assumed::recompute : text(p, "assumed") == "nearer" ? Assumed::nearer : Assumed::nothing;
    run.outOfMemory = flag(p, "out_of_memory");
    run.predictedOutOfMemory = flag(p, "predicted_out_of_memory");
    run.ran = flag(p, "ran");
    run.problem = text(p, "problem");
    run.isScored = run.predictedStepS.has_value();
    return run;
}

SourceAccuracy readSource(const std::string& name, const json& value) {
    SourceAccuracy s;
    s.name = name;
    s.title = text(value, "title");
    s.licence = text(value, "licence");
    s.origin = text(value, "origin");
    s.runCount = count(value, "runs");
    s.assumed = count(value, "assumed");
    s.worstTime = text(value, "worst_time");
    s.worstMemory = text(value, "worst_memory");
    const auto counts = [&value](const char* key) {
        std::map<std::string, int> out;
        if (const auto found = value.find(key); found != value.end() && found->is_object())
            for (const auto& [reason, n] : found->items())
                if (n.is_number()) out[reason] = n.get<int>();
        return out;
    };
    s.skipped = counts("skipped");
    s.unscored = counts("unscored");
    if (const auto t = value.find("time"); t != value.end() && t->is_object())
        s.time = TimeAccuracy{count(*t, "n"),
                              number(*t, "mape").value_or(0),
                              number(*t, "median").value_or(0),
                              number(*t, "p90").value_or(0),
                              number(*t, "bias").value_or(0),
                              number(*t, "tau"),
                              number(*t, "best_loss")};
    if (const auto m = value.find("memory"); m != value.end() && m->is_object())
        s.memory = MemoryAccuracy{count(*m, "n"), number(*m, "mape").value_or(0), number(*m, "worst_under").value_or(0), number(*m, "bias").value_or(0)};
    if (const auto f = value.find("fit"); f != value.end() && f->is_object()) s.fit = {count(*f, "oom"), count(*f, "oom_found"), count(*f, "ran"), count(*f, "ran_rejected")};
    if (const auto points = value.find("points"); points != value.end() && points->is_array())
        for (const json& point : *points)
            if (point.is_object()) s.runs.push_back(readPoint(point));
    return s;
}

}  // namespace

json accuracyJson(const AccuracyReport& report, AccuracyRuns runs) {
    json sources = json::object();
    for (const SourceAccuracy& s : report.sources) {
        json one = sourceJson(s);
        if (isShown(s, runs)) {
            one["points"] = json::array();
            for (const AccuracyRun& run : s.runs) one["points"].push_back(pointJson(run));
        }
        sources[s.name] = std::move(one);
    }
    return {{"format", kFormat}, {"version", 1}, {"sources", sources}, {"summary", summaryJson(report.summary)}};
}

std::string writeAccuracy(const AccuracyReport& report, AccuracyRuns runs) {
    const json document = accuracyJson(report, runs);
    std::string out = fmt::format("{{\n\"format\": \"{}\", \"version\": 1,\n\"summary\": {},\n\"sources\": {{\n", kFormat, compactJson(document["summary"]));
    bool first = true;
    for (const auto& [name, value] : document["sources"].items()) {
        json head = value;
        head.erase("points");
        std::string line = compactJson(head);
        out += fmt::format("{}\"{}\": ", first ? "" : ",\n", name);
        first = false;
        if (!value.contains("points")) {
            out += line;
            continue;
        }
        line.pop_back();
        out += line + ",\"points\": [\n";
        for (std::size_t i = 0; i < value["points"].size(); ++i) out += " " + compactJson(value["points"][i]) + (i + 1 < value["points"].size() ? ",\n" : "\n");
        out += "]}";
    }
    return out + "\n}}\n";
}

Result<AccuracyReport> readAccuracy(std::string_view content, const std::string& where) {
    const auto document = parseJson(content, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() || text(*document, "format") != kFormat || !document->contains("sources") || !(*document)["sources"].is_object())
        return failure(Error::Kind::invalid, "wrong-format", where + "#/format", fmt::format("expected \"{}\" with \"sources\"", kFormat));
    AccuracyReport report;
    for (const auto& [name, value] : (*document)["sources"].items()) report.sources.push_back(readSource(name, value));
    if (const auto s = document->find("summary"); s != document->end() && s->is_object())
        report.summary = {count(*s, "runs"),
                          count(*s, "unscored"),
                          number(*s, "time_mape"),
                          number(*s, "time_median"),
                          number(*s, "time_p90"),
                          number(*s, "memory_mape"),
                          number(*s, "memory_worst_under"),
                          number(*s, "memory_under_p95"),
                          number(*s, "oom_recall"),
                          number(*s, "false_alarms"),
                          number(*s, "tau"),
                          number(*s, "best_loss")};
    return report;
}

const AccuracyReport& shippedAccuracy() {
    static const AccuracyReport report = [] {
        for (const EmbeddedPreset& preset : embeddedPresets())
            if (preset.kind == "accuracy") {
                auto read = readAccuracy(preset.text, "accuracy.json");
                if (read) return std::move(*read);
            }
        return AccuracyReport{};
    }();
    return report;
}

std::string writeAccuracyLimits(const AccuracyReport& report, std::string_view previous) {
    // A tenth above what is reached, and half a point: room for a change of a constant elsewhere, none for rot.
    const auto above = [](double value) { return std::min(1.0, std::ceil((value * 1.1 + 0.005) * 1000) / 1000); };
    json sources = json::object();
    if (const auto old = parseJson(previous, "", JsonDialect::strict); old && old->is_object()) sources = old->value("sources", json::object());
    for (const SourceAccuracy& s : report.sources) {
        json one = json::object();
        if (s.time) one["time_mape"] = above(s.time->meanAbsolute);
        if (s.memory) {
            one["memory_mape"] = above(s.memory->meanAbsolute);
            one["memory_under"] = above(std::max(0.0, -s.memory->worstUnder));
        }
        if (s.fit.outOfMemory > 0) one["oom_missed"] = above(1 - static_cast<double>(s.fit.outOfMemoryFound) / s.fit.outOfMemory);
        if (s.fit.ran > 0) one["rejected"] = above(static_cast<double>(s.fit.ranRejected) / s.fit.ran);
        sources[s.name] = std::move(one);
    }
    return prettyJson({{"about", "Largest error allowed per source of published runs, as shares; a tenth above what was reached. Regenerate: tests/update_accuracy"}, {"sources", sources}});
}

Result<std::vector<std::string>> exceededLimits(const AccuracyReport& report, std::string_view content, const std::string& where) {
    const auto document = parseJson(content, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    const json limits = document->value("sources", json::object());
    std::vector<std::string> out;
    for (const SourceAccuracy& s : report.sources) {
        const auto found = limits.find(s.name);
        if (found == limits.end()) {
            out.push_back(fmt::format("{}: no limits in {}", s.name, where));
            continue;
        }
        const auto check = [&](const char* key, double value) {
            const auto limit = number(*found, key);
            if (!limit) out.push_back(fmt::format("{}: no limit {} in {}", s.name, key, where));
            else if (!(value <= *limit)) out.push_back(fmt::format("{}: {} is {:.1f} %, the limit is {:.1f} %", s.name, key, 100 * value, 100 * *limit));
        };
        if (s.time) check("time_mape", s.time->meanAbsolute);
        if (s.memory) {
            check("memory_mape", s.memory->meanAbsolute);
            check("memory_under", std::max(0.0, -s.memory->worstUnder));
        }
        if (s.fit.outOfMemory > 0) check("oom_missed", 1 - static_cast<double>(s.fit.outOfMemoryFound) / s.fit.outOfMemory);
        if (s.fit.ran > 0) check("rejected", static_cast<double>(s.fit.ranRejected) / s.fit.ran);
    }
    return out;
}

}  // namespace trainyard
