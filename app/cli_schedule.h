#pragma once

namespace CLI {
class App;
}

namespace trainyard {

/// Adds the command `schedule` to the program. When the user calls it, `exitStatus` becomes 0, 1 (not a legal schedule),
/// 2 (wrong command line) or 3 (a file could not be read).
void addScheduleCommand(CLI::App& program, int& exitStatus);

}  // namespace trainyard
