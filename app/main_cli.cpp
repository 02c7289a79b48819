#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "app/cli_commands.h"
#include "app/cli_schedule.h"

int main(int argc, char** argv) {
    using namespace trainyard;
    CLI::App program("Trainyard: plans distributed training of large models", "trainyard-cli");
    program.set_version_flag("--version", std::string("trainyard ") + TRAINYARD_VERSION);
    program.require_subcommand(1);
    int exitStatus = 0;
    addEvaluateCommand(program, exitStatus);
    addValidateCommand(program, exitStatus);
    addExplainCommand(program, exitStatus);
    addScheduleCommand(program, exitStatus);
    addSearchCommand(program, exitStatus);
    addSweepCommand(program, exitStatus);
    addPartitionCommand(program, exitStatus);
    addPresetsCommand(program, exitStatus);
    addLessonsCommand(program, exitStatus);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return program.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "trainyard-cli: {}\n", error.what());
        return 1;
    }
    return exitStatus;
}
