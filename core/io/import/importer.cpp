#include "core/io/import/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/io/import/importers.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"
#include "core/io/json/scenario_json.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr const Importer* kImporters[] = {
    // models
    &kHfImporter,
    // runs
    &kMegatronImporter,
    &kDeepspeedImporter,
    &kTorchtitanImporter,
    &kNemoImporter,
    &kNanotronImporter,
    &kAccelerateImporter,
    // clusters
    &kTopologyMatrixImporter,
    &kSlurmImporter,
    &kHostfileImporter,
    &kKubernetesImporter,
    &kHwlocImporter,
    &kNcclImporter,
    // what was measured or drawn elsewhere
    &kNcclTestsImporter,
    &kScheduleCsvImporter,
    &kTraceImporter,
};

}  // namespace

std::span<const Importer* const> allImporters() { return kImporters; }

const Importer* findImporterOrNull(std::string_view id) {
    for (const Importer* importer : kImporters)
        if (importer->id == id) return importer;
    return nullptr;
}

const Importer* likeliestImporterOrNull(std::string_view text) {
    const Importer* best = nullptr;
    double likeness = 0.25;
    const std::string_view head = text.substr(0, 65536);
    for (const Importer* importer : kImporters)
        if (const double found = importer->likeness(head); found > likeness) {
            best = importer;
            likeness = found;
        }
    return best;
}

Result<ImportResult> importText(std::string_view id, std::string_view text, const ImportContext& context) {
    if (id != "auto") {
        if (const Importer* importer = findImporterOrNull(id)) return importer->read(text, context);
        std::vector<std::string_view> names;
        for (const Importer* importer : kImporters) names.push_back(importer->id);
        names.push_back("auto");
        const auto near = nearestNames(id, names);
        return failure(
            Error::Kind::commandLine, "unknown-kind", "",
            fmt::format("\"{}\" is no kind of input{}; expected one of: {}", id,
                        near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near.front()), fmt::join(names, ", ")));
    }
    const Importer* const best = likeliestImporterOrNull(text);
    if (best == nullptr)
        return failure(
            Error::Kind::unreadable, "unknown-content", context.where,
            "its content is of no kind that can be imported; name the kind (`trainyard-cli import --help` lists them)");
    auto result = best->read(text, context);
    if (result)
        result->report.understood.insert(result->report.understood.begin(),
                                         fmt::format("by its content this is: {}", best->title));
    return result;
}

Result<Scenario> scenarioFromImport(const ImportResult& result, const Scenario& base, const PresetLibrary& presets) {
    json document = scenarioJson(base, &presets);
    const auto partial = parseJson(result.scenario, "import", JsonDialect::strict);
    if (!partial) return tl::unexpected<Error>(partial.error());
    for (const char* whole : {"name", "cluster", "model", "calibration"})
        if (partial->contains(whole)) document[whole] = (*partial)[whole];
    for (const char* part : {"workload", "plan"})
        if (partial->contains(part))
            for (const auto& [key, value] : (*partial)[part].items()) document[part][key] = value;
    if (partial->contains("plan") && partial->contains("model") && !(*partial)["plan"].contains("layers_per_stage"))
        document["plan"].erase("layers_per_stage");
    return readScenarioJson(document, {"import", ""}, presets);
}

std::string writeImportResult(const ImportResult& result) {
    nlohmann::ordered_json out = {{"kind", result.kind}};
    out["scenario"] = nlohmann::ordered_json::parse(result.scenario, nullptr, false);
    if (result.parameters)
        out["parameters"] = {{"total", result.parameters->total},
                             {"active", result.parameters->active},
                             {"embedding", result.parameters->embedding}};
    auto& report = out["report"];
    report["understood"] = result.report.understood;
    report["assumed"] = nlohmann::ordered_json::array();
    for (const auto& item : result.report.assumed) {
        auto value = nlohmann::ordered_json::parse(item.value, nullptr, false);
        if (value.is_discarded()) value = item.value;
        report["assumed"].push_back({{"field", item.field}, {"value", std::move(value)}, {"reason", item.reason}});
    }
    report["ignored"] = result.report.ignored;
    if (!result.report.diagnostics.empty())
        report["diagnostics"] = nlohmann::ordered_json::parse(compactJson(diagnosticsJson(result.report.diagnostics)));
    return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

bool hasErrors(const ImportReport& report) {
    for (const auto& item : report.diagnostics)
        if (item.severity == Severity::error) return true;
    return false;
}

}  // namespace trainyard
