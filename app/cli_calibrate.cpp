#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli_commands.h"

namespace trainyard {

void addCalibrateCommand(CLI::App& program, int& exitStatus) {
    CLI::App* command = program.add_subcommand("calibrate", "Fits the efficiency constants to your own measurements");
    command->allow_extras();
    command->callback([&exitStatus] {
        std::fputs("trainyard-cli calibrate: this command is not part of this version yet\n", stderr);
        exitStatus = 2;
    });
}

}  // namespace trainyard
