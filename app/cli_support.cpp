#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/io/text_file.h"

namespace trainyard {

int exitStatusOf(const Error& error) {
    switch (error.kind) {
        case Error::Kind::unreadable: return 3;
        case Error::Kind::commandLine: return 2;
        case Error::Kind::invalid: return 1;
    }
    return 1;
}

void printError(const char* command, const Error& error) {
    fmt::print(stderr, "trainyard-cli {}: {}{}{}\n", command, error.where, error.where.empty() ? "" : ": ", error.message);
}

Result<nlohmann::json> loadDocument(const std::string& file) {
    const auto text = readTextFile(file);
    if (!text) return tl::unexpected<Error>(text.error());
    return scenarioDocument(*text, file);
}

Result<Scenario> scenarioOf(nlohmann::json document, const std::string& file, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || setting.front() != '/')
            return failure(Error::Kind::commandLine, "set-form", "--set " + setting,
                           "write --set POINTER=VALUE, for example --set /plan/tensor_parallel=4");
        if (!document.is_object()) break;  // the reader says what it is
        const auto set =
            setValue(document, std::string_view(setting).substr(0, equals), std::string_view(setting).substr(equals + 1));
        if (!set) return tl::unexpected<Error>(set.error());
    }
    return readScenarioJson(document, {.where = file, .folder = std::filesystem::path(file).parent_path().string()},
                            presetLibrary());
}

Result<Scenario> loadScenario(const std::string& file, const std::vector<std::string>& settings) {
    auto document = loadDocument(file);
    if (!document) return tl::unexpected<Error>(document.error());
    return scenarioOf(std::move(*document), file, settings);
}

}  // namespace trainyard
