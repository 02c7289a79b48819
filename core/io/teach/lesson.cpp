#include "core/io/teach/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/expression.h"
#include "core/engine/evaluate.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {
namespace {

using nlohmann::json;
using Settings = std::vector<std::pair<std::string, std::string>>;

tl::unexpected<Error> wrong(const std::string& where, std::string_view pointer, std::string message) {
    return failure(Error::Kind::invalid, "lesson", fmt::format("{}#{}", where, pointer), std::move(message));
}

Result<Settings> settings(const json& object, const char* key, const std::string& where, const std::string& pointer) {
    Settings found;
    const auto at = object.find(key);
    if (at == object.end()) return found;
    if (!at->is_object()) return wrong(where, pointer + "/" + key, "expected an object of JSON pointers and values");
    for (const auto& [name, value] : at->items()) {
        if (name.empty() || name.front() != '/')
            return wrong(where, pointer + "/" + key, fmt::format("\"{}\" is no JSON pointer; it starts with /", name));
        found.emplace_back(name, compactJson(value));
    }
    return found;
}

std::string word(const json& object, const char* key) {
    return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

Result<LessonStep> readStep(const json& object, const std::string& where, const std::string& pointer) {
    if (!object.is_object()) return wrong(where, pointer, "expected a step as an object");
    LessonStep step;
    auto title = readLocalText(object, "title", Presence::required, where, pointer);
    if (!title) return tl::unexpected<Error>(title.error());
    step.title = std::move(*title);
    auto text = readLocalText(object, "text", Presence::required, where, pointer);
    if (!text) return tl::unexpected<Error>(text.error());
    step.text = std::move(*text);
    step.scenario = word(object, "scenario");
    step.focus = word(object, "focus");
    step.goal = word(object, "goal");
    if (step.goal.empty()) return wrong(where, pointer + "/goal", "a step needs a goal, for example \"memory.verdict is fits\"");
    if (const auto symbols = expressionSymbols(step.goal); !symbols)
        return wrong(where, pointer + "/goal", symbols.error().message);
    for (const auto& [key, target] : {std::pair{"set", &step.settings}, std::pair{"solution", &step.solution}}) {
        auto found = settings(object, key, where, pointer);
        if (!found) return tl::unexpected<Error>(found.error());
        *target = std::move(*found);
    }
    if (object.contains("hints") && object.at("hints").is_array())
        for (const json& hint : object.at("hints")) {
            const json holder{{"hint", hint}};
            auto read = readLocalText(holder, "hint", Presence::required, where, pointer + "/hints");
            if (!read) return tl::unexpected<Error>(read.error());
            step.hints.push_back(std::move(*read));
        }
    return step;
}

/// Numbers and texts of a document by dotted path.
void flatten(const json& value, const std::string& path, std::unordered_map<std::string, double>& out) {
    if (value.is_object())
        for (const auto& [key, member] : value.items()) flatten(member, path.empty() ? key : path + "." + key, out);
    else if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) flatten(value[i], fmt::format("{}.{}", path, i), out);
    else if (value.is_number())
        out[path] = value.get<double>();
    else if (value.is_boolean())
        out[path] = value.get<bool>() ? 1 : 0;
    else if (value.is_string())
        out[path] = textValue(value.get<std::string>());
}

void addFigures(const Scenario& scenario, const Evaluation& evaluation, const std::string& prefix,
                std::unordered_map<std::string, double>& out) {
    std::unordered_map<std::string, double> figures;
    flatten(evaluationJson(evaluation), "", figures);
    flatten(scenarioJson(scenario), "", figures);
    figures["plan.data_parallel"] = static_cast<double>(evaluation.plan.dataParallel);
    figures["plan.shard_group"] = static_cast<double>(evaluation.plan.shardGroup);
    figures["plan.micro_batches"] = static_cast<double>(evaluation.plan.microBatches);
    for (auto& [key, value] : figures) out[prefix + key] = value;
}

Result<Scenario> withSettings(json document, const Settings& settings, const std::string& where, const PresetLibrary& presets) {
    for (const auto& [pointer, value] : settings)
        if (const auto set = setValue(document, pointer, value); !set) return tl::unexpected<Error>(set.error());
    return readScenarioJson(document, {.where = where, .folder = {}}, presets);
}

}  // namespace

Result<Lesson> readLesson(std::string_view text, const std::string& where) {
    auto document = parseJson(text, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() || word(*document, "format") != "trainyard.lesson")
        return wrong(where, "/format", "expected \"trainyard.lesson\"");
    if (!document->contains("version") || document->at("version") != 1)
        return wrong(where, "/version", "this program reads lessons of version 1");
    Lesson lesson;
    lesson.id = word(*document, "id");
    if (lesson.id.empty()) return wrong(where, "/id", "a lesson needs an id");
    if (document->contains("order") && document->at("order").is_number_integer()) lesson.order = document->at("order").get<int>();
    auto title = readLocalText(*document, "title", Presence::required, where, "");
    if (!title) return tl::unexpected<Error>(title.error());
    lesson.title = std::move(*title);
    auto summary = readLocalText(*document, "summary", Presence::optional, where, "");
    if (!summary) return tl::unexpected<Error>(summary.error());
    lesson.summary = std::move(*summary);
    if (document->contains("systems") && document->at("systems").is_array())
        for (const json& system : document->at("systems"))
            if (system.is_string()) lesson.systems.push_back(system.get<std::string>());
    if (!document->contains("steps") || !document->at("steps").is_array() || document->at("steps").empty())
        return wrong(where, "/steps", "expected a list of steps");
    for (std::size_t i = 0; i < document->at("steps").size(); ++i) {
        auto step = readStep(document->at("steps")[i], where, fmt::format("/steps/{}", i));
        if (!step) return tl::unexpected<Error>(step.error());
        lesson.steps.push_back(std::move(*step));
    }
    if (lesson.steps.front().scenario.empty()) return wrong(where, "/steps/0/scenario", "the first step needs a scenario preset");
    return lesson;
}

LessonList lessons(const PresetLibrary& presets) {
    LessonList list;
    for (const std::string& id : presets.ids(PresetKind::lessons)) {
        const auto text = presets.text(PresetKind::lessons, id);
        if (!text) continue;
        auto lesson = readLesson(*text, fmt::format("lessons/{}.json", id));
        if (lesson)
            list.lessons.push_back(std::move(*lesson));
        else
            list.errors.push_back(lesson.error());
    }
    std::stable_sort(list.lessons.begin(), list.lessons.end(),
                     [](const Lesson& a, const Lesson& b) { return a.order < b.order; });
    return list;
}

Result<Scenario> stepScenario(const LessonStep& step, const std::optional<Scenario>& before, const PresetLibrary& presets) {
    if (step.scenario.empty()) {
        if (!before)
            return failure(Error::Kind::invalid, "lesson", step.title.english,
                           "the step goes on with the scenario before it, but there is none");
        return withSettings(scenarioJson(*before), step.settings, step.title.english, presets);
    }
    const auto text = presets.text(PresetKind::scenarios, step.scenario);
    if (!text)
        return failure(Error::Kind::invalid, "lesson", step.title.english,
                       fmt::format("there is no scenario preset '{}'", step.scenario));
    auto document = parseJson(*text, step.scenario, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    return withSettings(std::move(*document), step.settings, step.scenario, presets);
}

Result<Scenario> solved(const LessonStep& step, const Scenario& start, const PresetLibrary& presets) {
    return withSettings(scenarioJson(start), step.solution, step.title.english, presets);
}

Result<bool> goalHolds(std::string_view goal, const Scenario& scenario, const Evaluation& evaluation,
                       const Scenario& startScenario, const Evaluation& startEvaluation) {
    std::unordered_map<std::string, double> figures;
    addFigures(scenario, evaluation, "", figures);
    addFigures(startScenario, startEvaluation, "start.", figures);
    const auto value = evaluateExpression(goal, [&](std::string_view symbol) -> std::optional<double> {
        if (const auto at = figures.find(std::string(symbol)); at != figures.end()) return at->second;
        for (const std::string_view word :
             {"fits",       "tight", "out_of_memory", "none",  "selective", "full",  "ring", "ulysses",
              "all_gather", "usp",   "fp32",          "tf32",  "fp16",      "bf16",  "fp8",  "mxfp8",
              "nvfp4",      "gpipe", "unfused",       "flash", "flash2",    "flash3"})
            if (symbol == word) return textValue(word);
        // What an infeasible plan lacks is not a number: no comparison with it holds.
        if (!evaluation.computed || !startEvaluation.computed) return std::numeric_limits<double>::quiet_NaN();
        return std::nullopt;
    });
    if (!value) return tl::unexpected<Error>(value.error());
    return *value == 1;
}

LessonCheck checkLessons(const PresetLibrary& presets) {
    LessonCheck check;
    const LessonList list = lessons(presets);
    for (const Error& error : list.errors) check.errors.push_back(fmt::format("{}: {}", error.where, error.message));
    for (const Lesson& lesson : list.lessons) {
        ++check.lessons;
        std::optional<Scenario> before;
        for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
            const LessonStep& step = lesson.steps[i];
            const std::string where = fmt::format("lesson {} step {}", lesson.id, i + 1);
            const auto start = stepScenario(step, before, presets);
            if (!start) {
                check.errors.push_back(fmt::format("{}: {}: {}", where, start.error().where, start.error().message));
                break;
            }
            const auto end = solved(step, *start, presets);
            if (!end) {
                check.errors.push_back(fmt::format("{}: {}: {}", where, end.error().where, end.error().message));
                break;
            }
            const Evaluation first = evaluate(*start, Depth::simulated);
            const Evaluation last = evaluate(*end, Depth::simulated);
            const auto already = goalHolds(step.goal, *start, first, *start, first);
            const auto reached = goalHolds(step.goal, *end, last, *start, first);
            if (!already || !reached)
                check.errors.push_back(fmt::format("{}: {}", where, (already ? reached : already).error().message));
            else if (*already)
                check.errors.push_back(fmt::format("{}: the goal '{}' holds before anything is done", where, step.goal));
            else if (!*reached)
                check.errors.push_back(fmt::format(
                    "{}: the solution does not reach '{}'{}", where, step.goal,
                    last.feasible ? std::string()
                                  : fmt::format(" ({})", last.diagnostics.empty() ? "" : last.diagnostics.front().message)));
            else
                ++check.goals;
            before = *end;
        }
    }
    return check;
}

}  // namespace trainyard
