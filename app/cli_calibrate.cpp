#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/calibrate/calibrate.h"
#include "core/calibrate/calibration_text.h"
#include "core/engine/calibration_constants.h"
#include "core/io/json/calibration_json.h"
#include "core/io/json/json_text.h"
#include "core/io/measurements.h"
#include "core/io/text_file.h"

namespace trainyard {
namespace {

struct CalibrateOptions {
    std::string file;
    std::string measurements;
    std::string output;
    bool inPlace = false;
    bool json = false;
    CalibrationOptions fit;
};

int fail(const Error& error) {
    printError("calibrate", error);
    return exitStatusOf(error);
}

int runCalibrate(const CalibrateOptions& options) {
    auto scenario = loadScenario(options.file);
    if (!scenario) return fail(scenario.error());
    std::vector<std::string> remarks;
    const auto measurements = readMeasurementFiles(options.file, options.measurements, presetLibrary(), remarks);
    for (const std::string& remark : remarks) fmt::print(stderr, "trainyard-cli calibrate: {}\n", remark);
    if (!measurements) return fail(measurements.error());
    const auto report = calibrate(scenario->calibration, *measurements, options.fit);
    if (!report) return fail(report.error());

    scenario->calibration = report->calibration;
    const std::string target = options.inPlace ? options.file : options.output;
    if (!target.empty())
        if (const auto written = writeFileAtomically(target, writeScenario(*scenario, &presetLibrary())); !written) return fail(written.error());
    if (options.json) {
        fmt::print("{}\n", compactJson(calibrationJson(*report)));
        return 0;
    }
    fmt::print("{}", calibrationText(*report));
    if (target.empty())
        fmt::print("\n  nothing was written; -o FILE writes the scenario with these constants, --in-place changes {}\n", options.file);
    else
        fmt::print("\n  wrote {}\n", target);
    return 0;
}

}  // namespace

void addCalibrateCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<CalibrateOptions>();
    CLI::App* command = program.add_subcommand("calibrate", "Fits the efficiency constants to your own measurements");
    command->add_option("FILE", options->file, "scenario file: what the measurements are laid over, and what takes the constants")->required();
    command->add_option("MEASUREMENTS", options->measurements, "your runs, JSON or CSV; - reads standard input")->required();
    CLI::Option* output = command->add_option("-o,--output", options->output, "writes the scenario with the fitted constants under \"calibration\"");
    command->add_flag("--in-place", options->inPlace, "writes them into FILE")->excludes(output);
    command->add_option("--fit", options->fit.only, "only these constants, separated by commas")->delimiter(',')->allow_extra_args(false);
    command->add_option("--prior", options->fit.prior, "pull towards the built-in values: 1, 0 for none")->check(CLI::Range(0.0, 1e6));
    command->add_option("--noise", options->fit.noise, "relative error of one measurement (0.03)")->check(CLI::Range(1e-6, 1.0));
    command->add_flag("--json", options->json, "JSON");
    std::string constants;
    for (const CalibrationConstant& each : calibrationConstants())
        constants += fmt::format("  {:<34} {} ({:g} to {:g})\n", each.name, each.meaning, each.lowest, each.highest);
    command->footer(
        "MEASUREMENTS, JSON: [{\"name\": \"run 1\", \"set\": {\"/plan/tensor_parallel\": 4}, \"step_s\": 12.3, \"peak_bytes\": 61e9}, ...]\n"
        "  scenario  a scenario file (relative to MEASUREMENTS), a whole scenario, or an object laid over FILE; absent: FILE itself\n"
        "  set       values laid over it, by JSON pointer\n"
        "  step_s or tokens_per_s; peak_bytes (nvidia-smi), peak_reserved_bytes or peak_allocated_bytes (torch); weight (1)\n"
        "CSV: a heading with the same names and one line a run; a column that starts with / is a JSON pointer.\n\n"
        "Every constant is a factor on the built-in figure, kept between bounds. Few measurements move it only as far as they\n"
        "show; constants they do not show, or cannot tell apart, are left alone and named. Constants of an earlier fit in FILE\n"
        "are forgotten; those you set by hand are where the fit starts. Without -o or --in-place nothing is written.\n\n"
        "Constants:\n" + constants);
    command->callback([options, &exitStatus] { exitStatus = runCalibrate(*options); });
}

}  // namespace trainyard
