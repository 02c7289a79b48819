#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/accuracy/accuracy.h"
#include "core/io/json/accuracy_json.h"
#include "core/io/json/json_text.h"
#include "core/io/text_file.h"
#include "core/io/validation/validation_files.h"

namespace trainyard {
namespace {

struct AccuracyOptions {
    std::vector<std::string> folders;
    std::string format = "text";
    std::string points, limits, pack;
    bool json = false;
};

int fail(const Error& error) {
    printError("accuracy", error);
    return exitStatusOf(error);
}

/// Copies of the sources' rows that may be passed on, only what is needed.
Result<void> packSources(const std::vector<std::string>& folders, const std::string& target) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(target, error);
    for (const std::string& folder : folders)
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            if (it->path().extension() != ".json" || it->path().filename() == "index.json") continue;
            const auto text = readTextFile(it->path().string());
            if (!text) return tl::unexpected<Error>(text.error());
            const auto compact = compactValidationSource(*text, it->path().string(), it->path().stem().string());
            if (!compact) return tl::unexpected<Error>(compact.error());
            if (compact->empty()) continue;
            if (auto written = writeFileAtomically((fs::path(target) / it->path().filename()).string(), *compact); !written) return written;
        }
    return {};
}

int runAccuracy(AccuracyOptions options) {
    if (options.folders.empty())
        if (const char* named = std::getenv("TRAINYARD_VALIDATION_DIR"); named != nullptr && *named != 0) options.folders.emplace_back(named);
    if (options.folders.empty() && (!options.points.empty() || !options.limits.empty() || !options.pack.empty()))
        return fail({Error::Kind::commandLine, "no-data", "--data", "name the folder with the published runs, for example --data tests/golden/validation"});
    if (!options.pack.empty())
        if (const auto packed = packSources(options.folders, options.pack); !packed) return fail(packed.error());
    AccuracyReport report;
    if (options.folders.empty()) {
        report = shippedAccuracy();
    } else {
        const auto sources = readValidationFolders(options.folders, presetLibrary());
        if (!sources) return fail(sources.error());
        report = measureAccuracy(*sources);
    }
    const auto write = [](const std::string& path, const std::string& text) { return path.empty() ? Result<void>() : writeFileAtomically(path, text); };
    if (const auto written = write(options.points, options.points.empty() ? "" : writeAccuracy(report, AccuracyRuns::redistributable)); !written) return fail(written.error());
    if (!options.limits.empty()) {
        const auto previous = readTextFile(options.limits);
        if (const auto written = write(options.limits, writeAccuracyLimits(report, previous ? *previous : std::string())); !written) return fail(written.error());
    }
    if (options.json || options.format == "json") fmt::print("{}\n", compactJson(accuracyJson(report, AccuracyRuns::all)));
    else fmt::print("{}", options.format == "markdown" ? accuracyMarkdown(report) : accuracyText(report));
    return 0;
}

}  // namespace

void addAccuracyCommand(CLI::App& program, int& exitStatus) {
    const auto options = std::make_shared<AccuracyOptions>();
    CLI::App* command = program.add_subcommand("accuracy", "Predictions beside published, measured runs, and their errors");
    command->add_option("--data", options->folders, "folder of published runs, may be repeated (TRAINYARD_VALIDATION_DIR)")->allow_extra_args(false);
    command->add_flag("--json", options->json, "JSON, with every run");
    command->add_option("--format", options->format, "text, json or markdown")->check(CLI::IsMember({"text", "json", "markdown"}));
    command->add_flag_callback("--text", [options] { options->format = "text"; }, "a table (what is printed without this)");
    command->add_option("--write-figures", options->points, "writes what the window shows: resources/accuracy/accuracy.json");
    command->add_option("--write-limits", options->limits, "writes the limits of the accuracy test: tests/golden/accuracy_limits.json");
    command->add_option("--pack", options->pack, "writes the runs that may be passed on, without what is not needed, into a folder");
    command->footer(
        "Without a folder: the figures that ship with the program, from the day they were made; with one, every run in it is evaluated.\n"
        "Mean absolute percentage error per source; a run without an answer is 100 % wrong. What a source did not publish is settled by\n"
        "the least recomputation that fits. `tests/update_accuracy` renews the shipped figures, the limits and the README.");
    command->callback([options, &exitStatus] { exitStatus = runAccuracy(*options); });
}

}  // namespace trainyard
