#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/plan/scenario.h"

namespace CLI {
class App;
}

namespace trainyard {

/// Exit status of an error (contract): 1 invalid, 2 command line, 3 unreadable.
[[nodiscard]] int exitStatusOf(const Error& error);
/// `trainyard-cli COMMAND: where: message` on standard error.
void printError(const char* command, const Error& error);

/// The JSON document of a scenario file or link; `-` reads standard input, which can be done once.
[[nodiscard]] Result<nlohmann::json> loadDocument(const std::string& file);
/// The scenario of a document that was read from a file, with `POINTER=VALUE` settings laid over it.
[[nodiscard]] Result<Scenario> scenarioOf(nlohmann::json document, const std::string& file,
                                          const std::vector<std::string>& settings = {});
/// The scenario of a file, with `POINTER=VALUE` settings laid over it.
[[nodiscard]] Result<Scenario> loadScenario(const std::string& file, const std::vector<std::string>& settings = {});

// Each adds one command to the program; when the user calls it, `exitStatus` becomes its exit status.
void addEvaluateCommand(CLI::App& program, int& exitStatus);
void addValidateCommand(CLI::App& program, int& exitStatus);
void addExplainCommand(CLI::App& program, int& exitStatus);
void addSearchCommand(CLI::App& program, int& exitStatus);
void addSweepCommand(CLI::App& program, int& exitStatus);
void addPartitionCommand(CLI::App& program, int& exitStatus);
void addPlaceCommand(CLI::App& program, int& exitStatus);
void addImportCommand(CLI::App& program, int& exitStatus);
void addExportCommand(CLI::App& program, int& exitStatus);
void addPresetsCommand(CLI::App& program, int& exitStatus);
void addLessonsCommand(CLI::App& program, int& exitStatus);
void addGlossaryCommand(CLI::App& program, int& exitStatus);
void addCalibrateCommand(CLI::App& program, int& exitStatus);
void addAccuracyCommand(CLI::App& program, int& exitStatus);

}  // namespace trainyard
