#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/io/json/json_text.h"
#include "core/io/teach/lesson.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {
namespace {

int listLessons(bool json) {
    const LessonList list = lessons(presetLibrary());
    nlohmann::json out = nlohmann::json::array();
    for (const Lesson& lesson : list.lessons) {
        if (json)
            out.push_back({{"id", lesson.id},
                           {"title", lesson.title.english},
                           {"summary", lesson.summary.english},
                           {"steps", lesson.steps.size()}});
        else
            fmt::print("{:<28} {:>2} steps  {}\n", lesson.id, lesson.steps.size(), lesson.title.english);
    }
    if (json) fmt::print("{}\n", compactJson(out));
    for (const Error& error : list.errors) printError("lessons", error);
    return list.errors.empty() ? 0 : 1;
}

int check(bool json) {
    const LessonCheck result = checkLessons(presetLibrary());
    if (json)
        fmt::print("{}\n", compactJson({{"lessons", result.lessons}, {"goals", result.goals}, {"errors", result.errors}}));
    else
        fmt::print("{} lessons, {} goals hold\n", result.lessons, result.goals);
    for (const std::string& error : result.errors) fmt::print(stderr, "trainyard-cli lessons: {}\n", error);
    return result.errors.empty() ? 0 : 1;
}

}  // namespace

void addLessonsCommand(CLI::App& program, int& exitStatus) {
    const auto json = std::make_shared<bool>(false);
    CLI::App* command =
        program.add_subcommand("lessons", "The lessons that ship; `check` runs every goal against its own scenario");
    const auto action = std::make_shared<std::string>();
    command->add_option("ACTION", *action, "check")->check(CLI::IsMember({"check"}));
    command->add_flag("--json", *json, "JSON");
    command->callback([json, action, &exitStatus] { exitStatus = action->empty() ? listLessons(*json) : check(*json); });
}

}  // namespace trainyard
