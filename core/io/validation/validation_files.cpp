#include "core/io/validation/validation_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/text_file.h"
#include "core/io/validation/validation_scenario.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// What a source printed as memory: kinds (the nearer counts if it does not say), bytes of its unit, half the last digit.
struct PrintedMemory {
    std::string_view source;
    std::vector<PeakKind> kinds;
    double unit = 1e9;
    double rounding = 0;
};
PrintedMemory printedMemory(std::string_view source) {
    constexpr double gib = 1073741824.0;
    using K = PeakKind;
    const PrintedMemory all[] = {{"bigscience_176b", {K::device}, gib, .5},      {"internevo", {K::allocated, K::reserved}, gib, .5},
                                 {"ultrascale_playbook", {K::allocated, K::reserved}, gib, .05},
                                 {"zero_bubble", {K::allocated}, gib, .5},       {"megatron_kwai", {K::allocated}, gib, 0},
                                 {"simumax_b200", {K::allocated}, gib, 0},       {"megatron_bridge_memory", {K::allocated}, 1e9, .05},
                                 {"vocab_parallel", {K::reserved}, gib, 0},      {"torchtitan", {K::reserved}, gib, .05},
                                 {"primus_amd", {K::device}, 1e9, 0},            {"h200_b200_misc", {K::reserved}, gib, 0}};
    for (const PrintedMemory& each : all)
        if (each.source == source) return each;
    return {source, {K::device}, 1e9, 0};
}

bool flag(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && ((found->is_boolean() && found->get<bool>()) || (found->is_number() && found->get<double>() != 0) ||
                                     (found->is_string() && !found->get_ref<const std::string&>().empty()));
}
std::string text(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The newest measurement of each configuration that a source repeats over releases.
std::vector<json> newest(const json& rows) {
    std::vector<json> out;
    std::map<std::string, json> best;
    for (const json& row : rows) {
        if (!row.is_object() || !row.contains("release")) {
            out.push_back(row);
            continue;
        }
        json key = row;
        for (const char* part : {"id", "measured", "release", "source_file", "notes", "grad_accum", "inferred"}) key.erase(part);
        const auto [found, isNew] = best.emplace(compactJson(key), row);
        if (!isNew && text(found->second, "release") < text(row, "release")) found->second = row;
    }
    for (auto& [key, row] : best) out.push_back(std::move(row));
    return out;
}

Result<json> readRows(std::string_view content, const std::string& where) {
    auto document = parseJson(content, where, JsonDialect::strict);
    if (!document) return document;
    if (!document->is_object() || !document->contains("rows") || !(*document)["rows"].is_array())
        return failure(Error::Kind::invalid, "no-rows", where + "#", "expected an object with \"source\" and a list \"rows\" of published runs");
    if ((*document)["rows"].size() > 100'000) return failure(Error::Kind::invalid, "too-many-rows", where + "#/rows", "holds more than 100000 rows");
    return document;
}

/// Passing rows on is not allowed for everybody's use.
bool isRestricted(const std::string& licence) { return licence.find("-SA") != std::string::npos || licence.find("-NC") != std::string::npos; }

ValidationRun runOf(const json& row, const std::string& name, RowScenarios scenarios, const std::string& where, const PresetLibrary& presets) {
    ValidationRun run;
    const json& x = row["measured"];
    run.id = text(row, "id");
    run.assumed = scenarios.assumed;
    for (const json& each : scenarios.scenarios) run.scenarios.push_back(readScenarioJson(each, {fmt::format("{}, {}", where, run.id), ""}, presets));
    run.outOfMemory = flag(x, "oom");
    run.failed = flag(x, "failed");
    run.stepS = publishedStep(row);
    run.isTimed = run.stepS && !run.outOfMemory && (!x.contains("mfu") || !x["mfu"].is_number() || x["mfu"].get<double>() >= .05);
    if (flag(x, "peak_mem_gb") && x["peak_mem_gb"].is_number()) run.peak = x["peak_mem_gb"].get<double>();
    const std::string metric = text(row, "memory_metric");
    run.isWeighed = run.peak && run.assumed != Assumed::recompute && !metric.starts_with("printed mem_allocated");
    const PrintedMemory printed = printedMemory(name);
    run.peakKinds = printed.kinds;
    run.unitBytes = metric.starts_with("GiB") ? 1073741824.0 : printed.unit;
    run.rounding = printed.rounding;
    const json& m = row["model"];
    run.modelName = text(m, "name");
    run.accelerator = text(row, "gpu");
    run.sweep = compactJson(json::array({run.modelName, m["layers"], m["hidden"], m["seq"], row["gpus"], row["gpu"], row.contains("precision") ? row["precision"] : json(), row["global_batch"]}));
    return run;
}

}  // namespace

Result<ValidationSource> readValidationSource(std::string_view content, const std::string& where, const std::string& name, const PresetLibrary& presets) {
    const auto document = readRows(content, where);
    if (!document) return tl::unexpected<Error>(document.error());
    ValidationSource out;
    out.name = name;
    if (document->contains("source") && (*document)["source"].is_object()) {
        const json& source = (*document)["source"];
        out.title = text(source, "title");
        out.licence = text(source, "licence");
        out.origin = source.contains("repo") ? text(source, "repo") : "arXiv " + text(source, "arxiv");
    }
    for (const json& row : newest((*document)["rows"])) {
        if (!row.is_object()) {
            ++out.skipped["no object"];
            continue;
        }
        auto scenarios = validationScenarios(row, name);
        if (const auto* reason = std::get_if<std::string>(&scenarios)) ++out.skipped[*reason];
        else out.runs.push_back(runOf(row, name, std::get<RowScenarios>(std::move(scenarios)), where, presets));
    }
    return out;
}

Result<std::vector<ValidationSource>> readValidationFolders(const std::vector<std::string>& folders, const PresetLibrary& presets) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> files;
    for (const std::string& folder : folders) {
        std::error_code error;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
            if (it->path().extension() == ".json" && it->path().filename() != "index.json") files.emplace(it->path().stem().string(), it->path().string());
        if (error) return failure(Error::Kind::unreadable, "no-folder", folder, fmt::format("cannot be read as a folder of measurement files: {}", error.message()));
    }
    std::vector<ValidationSource> sources;
    for (const auto& [name, path] : files) {
        const auto content = readTextFile(path);
        if (!content) return tl::unexpected<Error>(content.error());
        auto source = readValidationSource(*content, path, name, presets);
        if (!source) return tl::unexpected<Error>(source.error());
        if (!source->runs.empty()) sources.push_back(std::move(*source));
    }
    if (sources.empty()) return failure(Error::Kind::invalid, "no-runs", folders.empty() ? "" : folders.front(), "holds no published run that can be evaluated");
    return sources;
}

Result<std::string> compactValidationSource(std::string_view content, const std::string& where, const std::string& name) {
    static const std::set<std::string> kRowKeys = {"id", "model", "gpu", "gpus", "tp", "pp", "cp", "ep", "etp", "vpp", "micro_batch", "global_batch", "precision", "fsdp_mixed_precision",
                                                   "attention_kernel", "recompute", "zero_stage", "fsdp", "zero_shard_group", "schedule", "sequence_parallel", "ep_overlap", "async_tp",
                                                   "kind", "memory_metric", "measured"};
    static const std::set<std::string> kModelKeys = {"name", "layers", "hidden", "heads", "kv_heads", "ffn", "seq", "gated_mlp", "vocab", "tied_embeddings", "head_dim", "biases", "position_embedding", "moe", "attention"};
    static const std::set<std::string> kMeasuredKeys = {"mfu", "hfu", "step_time_s", "tokens_per_s", "tokens_per_s_per_gpu", "samples_per_s", "samples_per_s_per_gpu", "hw_tflops_per_gpu", "peak_mem_gb", "oom", "failed"};
    const auto keep = [](const json& object, const std::set<std::string>& keys) {
        json out = json::object();
        for (const auto& [key, value] : object.items())
            if (keys.contains(key)) out[key] = value;
        return out;
    };
    const auto document = readRows(content, where);
    if (!document) return tl::unexpected<Error>(document.error());
    const json source = document->value("source", json::object());
    if (isRestricted(text(source, "licence"))) return std::string();
    std::vector<json> rows;
    for (const json& row : newest((*document)["rows"])) {
        if (!row.is_object() || !std::holds_alternative<RowScenarios>(validationScenarios(row, name))) continue;
        json slim = keep(row, kRowKeys);
        slim["model"] = keep(row["model"], kModelKeys);
        slim["measured"] = keep(row["measured"], kMeasuredKeys);
        rows.push_back(std::move(slim));
    }
    if (rows.empty()) return std::string();
    std::string out = "{\n \"source\": " + compactJson(keep(source, {"title", "year", "repo", "commit", "arxiv", "files", "licence", "sampling"})) + ",\n \"rows\": [\n";
    for (std::size_t i = 0; i < rows.size(); ++i) out += "  " + compactJson(rows[i]) + (i + 1 < rows.size() ? ",\n" : "\n");
    return out + " ]\n}\n";
}

}  // namespace trainyard
