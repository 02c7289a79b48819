#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/engine/evaluation.h"
#include "core/io/teach/local_text.h"
#include "core/plan/scenario.h"

namespace trainyard {

class PresetLibrary;

/// One thing to do: a scenario, something said about it, an act, and a goal that the live evaluation decides.
struct LessonStep {
    LocalText title;
    LocalText text;        ///< Markdown
    std::string scenario;  ///< scenario preset; empty: goes on with the one of the step before
    std::vector<std::pair<std::string, std::string>> settings;  ///< pointer -> JSON text, laid over the scenario
    std::string focus;             ///< control or mark to point at: a pointer (`/plan/tensor_parallel`) or a view (`timeline`)
    std::string goal;              ///< expression over the evaluation and the scenario
    std::vector<LocalText> hints;  ///< graded: each says more
    std::vector<std::pair<std::string, std::string>> solution;  ///< one way to reach the goal; used by the checker
};

struct Lesson {
    std::string id;
    int order = 0;
    LocalText title;
    LocalText summary;
    std::vector<std::string> systems;  ///< papers and systems it shows
    std::vector<LessonStep> steps;
};

/// Reads one lesson file; errors name the place.
[[nodiscard]] Result<Lesson> readLesson(std::string_view text, const std::string& where);
/// The lessons that ship and the user's own, in teaching order; files that cannot be read are reported in `errors`.
struct LessonList {
    std::vector<Lesson> lessons;
    std::vector<Error> errors;
};
[[nodiscard]] LessonList lessons(const PresetLibrary& presets);

/// The scenario that a step starts from (`before`: the scenario of the step before it, as solved or as it stands).
[[nodiscard]] Result<Scenario> stepScenario(const LessonStep& step, const std::optional<Scenario>& before,
                                            const PresetLibrary& presets);
/// The scenario with the step's own solution applied.
[[nodiscard]] Result<Scenario> solved(const LessonStep& step, const Scenario& start, const PresetLibrary& presets);

/// True if the goal holds. Symbols are paths into the evaluation (`time.step_s`, `memory.stages.0.total_bytes`) and into
/// the scenario (`plan.tensor_parallel`, `workload.sequence_length`); the values that the step started with have `start.`
/// in front (`start.time.step_s`).
[[nodiscard]] Result<bool> goalHolds(std::string_view goal, const Scenario& scenario, const Evaluation& evaluation,
                                     const Scenario& startScenario, const Evaluation& startEvaluation);

struct LessonCheck {
    int lessons = 0;
    int goals = 0;
    std::vector<std::string> errors;
};
/// Runs every step: its scenario must be readable, its goal must not hold at the start and must hold after its solution.
[[nodiscard]] LessonCheck checkLessons(const PresetLibrary& presets);

}  // namespace trainyard
