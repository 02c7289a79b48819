#include "core/io/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/io/csv_table.h"
#include "core/io/json/json_text.h"
#include "core/io/json/object_reader.h"
#include "core/io/text_file.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// One run as JSON, and where it stands.
struct Entry {
    json value;
    std::string where;  ///< file and line, or file and JSON pointer
};

std::string folderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

tl::unexpected<Error> tooMany(const std::string& where) {
    return failure(Error::Kind::invalid, "too-many-measurements", where, fmt::format("holds more than {} measurements; leave some out", kMaxMeasurements));
}

Result<std::vector<Entry>> entriesOfJson(std::string_view text, const std::string& where) {
    auto document = parseJson(text, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    std::string pointer;
    const json* list = &*document;
    if (document->is_object()) {
        const auto found = document->find("measurements");
        if (found == document->end())
            return failure(Error::Kind::invalid, "no-measurements", where + "#", "expected a list of measurements, or an object with one under \"measurements\"");
        list = &*found;
        pointer = "/measurements";
    }
    if (!list->is_array())
        return failure(Error::Kind::invalid, "wrong-type", where + "#" + pointer, fmt::format("expected a list of measurements, found {}", describeJson(*list)));
    if (list->size() > kMaxMeasurements) return tooMany(where);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < list->size(); ++i) entries.push_back({(*list)[i], fmt::format("{}#{}/{}", where, pointer, i)});
    return entries;
}

Result<std::vector<Entry>> entriesOfCsv(std::string_view text, const std::string& where) {
    const auto table = readCsvTable(text, where);
    if (!table) return tl::unexpected<Error>(table.error());
    if (table->rows.size() > kMaxMeasurements) return tooMany(where);
    std::vector<Entry> entries;
    for (const CsvTable::Row& row : table->rows) {
        Entry entry{json::object(), fmt::format("{}:{}", where, row.line)};
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            const std::string& column = table->heading[c];
            if (row.cells[c].empty() || column.empty()) continue;
            auto parsed = parseJson(row.cells[c], "", JsonDialect::strict);
            const bool isText = column == "name" || column == "scenario" || !parsed;
            json value = isText ? json(row.cells[c]) : std::move(*parsed);
            if (column.front() == '/') entry.value["set"][column] = std::move(value);
            else entry.value[column] = std::move(value);
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

/// An error found inside a measured scenario, at the place of the measurement.
Error at(const Entry& entry, const Error& error) {
    return {error.kind == Error::Kind::commandLine ? Error::Kind::invalid : error.kind, error.code, entry.where,
            error.where.empty() ? error.message : fmt::format("{}: {}", error.where, error.message)};
}

Result<Scenario> scenarioOf(const Entry& entry, const json* scenario, const json* settings, const ScenarioOrigin& origin, const json& base,
                            const ScenarioOrigin& baseOrigin, const PresetLibrary& presets) {
    json document = base;
    ScenarioOrigin from = baseOrigin;
    from.where = entry.where;
    if (scenario != nullptr && scenario->is_string()) {
        const auto file = scenario->get<std::string>();
        const std::string path = file.starts_with('/') || origin.folder.empty() ? file : origin.folder + "/" + file;
        const auto text = readTextFile(path);
        if (!text) return tl::unexpected<Error>(at(entry, text.error()));
        auto parsed = parseJson(*text, path, JsonDialect::strict);
        if (!parsed) return tl::unexpected<Error>(at(entry, parsed.error()));
        document = std::move(*parsed);
        from = {path, folderOf(path)};
    } else if (scenario != nullptr && scenario->is_object()) {
        if (scenario->contains("format")) document = *scenario;
        else document.merge_patch(*scenario);
        from.folder = origin.folder;
    } else if (scenario != nullptr) {
        return failure(Error::Kind::invalid, "wrong-type", entry.where, fmt::format("\"scenario\" is {}; expected a file name or an object", describeJson(*scenario)));
    }
    if (settings != nullptr) {
        if (!settings->is_object())
            return failure(Error::Kind::invalid, "wrong-type", entry.where,
                           fmt::format("\"set\" is {}; expected an object such as {{\"/plan/tensor_parallel\": 4}}", describeJson(*settings)));
        for (const auto& [pointer, value] : settings->items())
            if (const auto set = setValue(document, pointer, compactJson(value)); !set) return tl::unexpected<Error>(at(entry, set.error()));
    }
    auto read = readScenarioJson(document, from, presets);
    if (!read) return tl::unexpected<Error>(from.where == entry.where ? read.error() : at(entry, read.error()));
    return read;
}

Result<Measurement> measurementOf(const Entry& entry, const ScenarioOrigin& origin, const json& base, const ScenarioOrigin& baseOrigin,
                                  const PresetLibrary& presets, std::vector<std::string>& remarks) {
    ReadState state;
    state.where = entry.where;
    ObjectReader reader(entry.value, "", state);
    Measurement out;
    out.where = entry.where;
    if (!reader.valid()) return tl::unexpected<Error>(*state.error);
    reader.take("name", out.name);
    reader.take("weight", out.weight, 0, 1e6);
    out.stepS = reader.number("step_s", 1e-9, 1e9);
    const auto tokensPerS = reader.number("tokens_per_s", 1e-9, 1e15);
    constexpr std::pair<const char*, MeasuredMemory> kPeaks[] = {
        {"peak_allocated_bytes", MeasuredMemory::allocated}, {"peak_reserved_bytes", MeasuredMemory::reserved}, {"peak_bytes", MeasuredMemory::device}};
    for (const auto& [key, kind] : kPeaks)
        if (const auto bytes = reader.number(key, 1, 1e15)) {
            out.peakBytes = bytes;
            out.peakKind = kind;
        }
    const json* scenario = reader.findOrNull("scenario");
    const json* settings = reader.findOrNull("set");
    reader.finish();
    if (state.error) return tl::unexpected<Error>(*state.error);
    std::string unknown;
    for (const auto& [pointer, ignored] : state.unknownKeys) unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", pointer.substr(1));
    if (!out.stepS && !tokensPerS && !out.peakBytes)
        return failure(Error::Kind::invalid, "nothing-measured", entry.where,
                       fmt::format("has none of step_s, tokens_per_s, peak_bytes, peak_reserved_bytes, peak_allocated_bytes{}",
                                   unknown.empty() ? "" : "; it has " + unknown));
    if (!unknown.empty()) remarks.push_back(fmt::format("{}: not known and ignored: {}", entry.where, unknown));
    auto read = scenarioOf(entry, scenario, settings, origin, base, baseOrigin, presets);
    if (!read) return tl::unexpected<Error>(read.error());
    out.scenario = std::move(*read);
    if (!out.stepS && tokensPerS)
        out.stepS = static_cast<double>(out.scenario.workload.globalBatchSize) * static_cast<double>(out.scenario.workload.sequenceLength) / *tokensPerS;
    return out;
}

}  // namespace

Result<std::vector<Measurement>> readMeasurements(std::string_view text, const ScenarioOrigin& origin, const json& base, const ScenarioOrigin& baseOrigin,
                                                  const PresetLibrary& presets, std::vector<std::string>& remarks) {
    const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool isJson = first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
    const auto entries = isJson ? entriesOfJson(text, origin.where) : entriesOfCsv(text, origin.where);
    if (!entries) return tl::unexpected<Error>(entries.error());
    std::vector<Measurement> out;
    for (const Entry& entry : *entries) {
        auto measurement = measurementOf(entry, origin, base, baseOrigin, presets, remarks);
        if (!measurement) return tl::unexpected<Error>(measurement.error());
        if (measurement->name.empty()) measurement->name = fmt::format("run {}", out.size() + 1);
        out.push_back(std::move(*measurement));
    }
    if (out.empty()) return failure(Error::Kind::invalid, "no-measurements", origin.where, "holds no measurement; expected at least one with step_s or peak_bytes");
    return out;
}

Result<std::vector<Measurement>> readMeasurementFile(const Scenario& base, const std::string& folder, const std::string& measurementsFile,
                                                     const PresetLibrary& presets, std::vector<std::string>& remarks) {
    const auto text = readTextFile(measurementsFile);
    if (!text) return tl::unexpected<Error>(text.error());
    return readMeasurements(*text, {measurementsFile, folderOf(measurementsFile)}, scenarioJson(base, &presets), {base.name, folder}, presets, remarks);
}

Result<std::vector<Measurement>> readMeasurementFiles(const std::string& scenarioFile, const std::string& measurementsFile, const PresetLibrary& presets,
                                                      std::vector<std::string>& remarks) {
    const auto scenario = readTextFile(scenarioFile);
    if (!scenario) return tl::unexpected<Error>(scenario.error());
    const auto base = parseJson(*scenario, scenarioFile, JsonDialect::strict);
    if (!base) return tl::unexpected<Error>(base.error());
    const auto text = readTextFile(measurementsFile);
    if (!text) return tl::unexpected<Error>(text.error());
    return readMeasurements(*text, {measurementsFile, folderOf(measurementsFile)}, *base, {scenarioFile, folderOf(scenarioFile)}, presets, remarks);
}

}  // namespace trainyard
