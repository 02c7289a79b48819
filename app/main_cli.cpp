#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli_commands.h"
#include "app/cli_schedule.h"
#include "core/io/json/object_reader.h"

int main(int argc, char** argv) {
    using namespace trainyard;
    CLI::App program("Trainyard: plans distributed training of large models", "trainyard-cli");
    program.set_version_flag("--version", std::string("trainyard ") + TRAINYARD_VERSION);
    program.require_subcommand(1);
    program.footer(
        "A scenario file describes cluster, model, workload and plan; `presets scenarios` lists some to start from.\n"
        "Exit status: 0 done, 1 not valid or not feasible, 2 wrong command line, 3 a file could not be read.");
    int exitStatus = 0;
    addEvaluateCommand(program, exitStatus);
    addValidateCommand(program, exitStatus);
    addExplainCommand(program, exitStatus);
    addScheduleCommand(program, exitStatus);
    addSearchCommand(program, exitStatus);
    addSweepCommand(program, exitStatus);
    addPartitionCommand(program, exitStatus);
    addPlaceCommand(program, exitStatus);
    addImportCommand(program, exitStatus);
    addExportCommand(program, exitStatus);
    addPresetsCommand(program, exitStatus);
    addLessonsCommand(program, exitStatus);
    addGlossaryCommand(program, exitStatus);
    addCalibrateCommand(program, exitStatus);
    addAccuracyCommand(program, exitStatus);

    std::vector<std::string> commands;
    for (CLI::App* command : program.get_subcommands({})) {
        command->set_version_flag("--version", std::string("trainyard ") + TRAINYARD_VERSION);
        commands.push_back(command->get_name());
    }
    if (argc > 1 && argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
        const auto near = nearestNames(argv[1], std::vector<std::string_view>(commands.begin(), commands.end()));
        fmt::print(stderr, "trainyard-cli: \"{}\" is no command{}; the commands are {}\n", argv[1],
                   near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near.front()), fmt::join(commands, ", "));
        return 2;
    }
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "trainyard-cli: {}\n", error.what());
        return std::ferror(stdout) != 0 ? 3 : 1;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {  // a full disk must not look like success
        fmt::print(stderr, "trainyard-cli: standard output could not be written\n");
        return 3;
    }
    return exitStatus;
}
