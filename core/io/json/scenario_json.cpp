#include "core/io/json/scenario_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/json/cluster_json.h"
#include "core/io/import/import_hf.h"
#include "core/io/json/json_text.h"
#include "core/io/json/model_json.h"
#include "core/io/presets/model_preset.h"
#include "core/io/json/object_reader.h"
#include "core/io/json/plan_json.h"
#include "core/io/json/scenario_link.h"
#include "core/io/json/scenario_migrations.h"
#include "core/io/text_file.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// An error of another reader as one of this document, at the pointer that led there.
void adopt(ReadState& state, const std::string& pointer, const Error& error) {
    if (state.error) return;
    state.error = Error{error.kind, error.code, fmt::format("{}#{}", state.where, pointer),
                        error.where.empty() ? error.message : fmt::format("{}: {}", error.where, error.message)};
}

std::shared_ptr<const ModelSpec> readModel(const json& value, const std::string& pointer, ReadState& state,
                                           const ScenarioOrigin& origin, const PresetLibrary& presets) {
    ObjectReader reader(value, pointer, state);
    if (!reader.valid()) return nullptr;
    ModelSpec base;
    bool hasBase = false;
    if (const auto preset = reader.text("preset")) {
        auto found = modelPreset(presets, *preset);
        if (!found) {
            reader.refuse("preset", found.error().code, found.error().message);
            return nullptr;
        }
        if (value.size() == 1) return *found;
        base = **found;
        hasBase = true;
    } else if (const json* config = reader.findOrNull("hf_config")) {
        auto imported = importHfJson(*config, "");
        if (!imported) {
            adopt(state, reader.pointerTo("hf_config"), imported.error());
            return nullptr;
        }
        base = std::move(imported->model);
        hasBase = true;
    } else if (const auto file = reader.text("hf_config_file")) {
        const bool absolute = file->starts_with('/');
        const std::string path = absolute || origin.folder.empty() ? *file : origin.folder + "/" + *file;
        auto text = readTextFile(path);
        auto imported = text ? importHfConfig(std::string_view(*text), path) : tl::unexpected<Error>(text.error());
        if (!imported) {
            adopt(state, reader.pointerTo("hf_config_file"), imported.error());
            return nullptr;
        }
        base = std::move(imported->model);
        hasBase = true;
    }
    const ModelSpec before = base;
    ModelSpec model = readArchitecture(reader, hasBase ? &base : nullptr);
    reader.finish();
    if (state.error) return nullptr;
    const std::string name = model.name;
    model.name = before.name;
    const bool changed = model != before;
    model.name = name;
    if (changed) model.preset.clear();
    return std::make_shared<const ModelSpec>(std::move(model));
}

json modelJson(const ModelSpec& model) {
    if (!model.preset.empty()) return {{"preset", model.preset}};
    return architectureJson(model);
}

std::map<std::string, double> readCalibration(const json& value, const std::string& pointer, ReadState& state) {
    std::map<std::string, double> constants;
    ObjectReader reader(value, pointer, state);
    if (!reader.valid()) return constants;
    for (const auto& [key, ignored] : value.items())
        if (const auto number = reader.number(key, -1e12, 1e12)) constants[key] = *number;
    return constants;
}

/// Splits `/a/b~1c` into its steps. Nothing for a text that is no pointer.
std::optional<std::vector<std::string>> pointerSteps(std::string_view pointer) {
    std::vector<std::string> steps;
    if (pointer.empty()) return steps;
    if (pointer.front() != '/') return std::nullopt;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        const char c = pointer[i];
        if (c == '/') {
            steps.emplace_back();
        } else if (c == '~' && i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
            steps.back() += pointer[i + 1] == '0' ? '~' : '/';
            ++i;
        } else {
            steps.back() += c;
        }
    }
    return steps;
}

std::optional<std::size_t> listIndex(const std::string& step) {
    if (step.empty() || step.size() > 9 || step.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return static_cast<std::size_t>(std::stoul(step));
}

/// The value that the steps lead to, or null.
json* followOrNull(json& document, const std::vector<std::string>& steps, std::size_t count) {
    json* at = &document;
    for (std::size_t i = 0; i < count; ++i) {
        if (at->is_array()) {
            const auto index = listIndex(steps[i]);
            if (!index || *index >= at->size()) return nullptr;
            at = &(*at)[*index];
        } else if (at->is_object()) {
            const auto found = at->find(steps[i]);
            if (found == at->end()) return nullptr;
            at = &*found;
        } else {
            return nullptr;
        }
    }
    return at;
}

void restoreUnknownKeys(json& document, const std::map<std::string, std::string>& unknownKeys) {
    for (const auto& [pointer, text] : unknownKeys) {
        const auto steps = pointerSteps(pointer);
        if (!steps || steps->empty()) continue;
        json* parent = followOrNull(document, *steps, steps->size() - 1);
        if (parent == nullptr || !parent->is_object() || parent->contains(steps->back())) continue;
        auto value = parseJson(text, pointer, JsonDialect::strict);
        if (value) (*parent)[steps->back()] = std::move(*value);
    }
}

}  // namespace

Result<Scenario> readScenarioJson(const json& document, const ScenarioOrigin& origin, const PresetLibrary& presets) {
    ReadState state;
    state.where = origin.where;
    Scenario scenario;
    ObjectReader reader(document, "", state);
    if (reader.valid()) {
        const json* format = reader.findOrNull("format");
        if (format == nullptr || *format != kScenarioFormat)
            reader.refuse("format", "wrong-format",
                          fmt::format("expected \"{}\", {}; this is not a scenario file", kScenarioFormat,
                                      format == nullptr ? "the key is missing" : "found " + describeJson(*format)));
        const auto version = reader.integer("version", 1, 1'000'000);
        if (!version && !state.error)
            reader.refuse("version", "missing-key", fmt::format("is missing; expected {}", kScenarioVersion));
        if (version && *version > kScenarioVersion)
            reader.refuse("version", "newer-version",
                          fmt::format("is {}, written by a newer program; this one reads up to {}. Install a newer Trainyard",
                                      *version, kScenarioVersion));
    }
    reader.take("name", scenario.name);
    reader.take("description", scenario.description);
    const auto part = [&](std::string_view key) -> const json* {
        const json* value = state.error ? nullptr : reader.findOrNull(key);
        if (value == nullptr) reader.refuse(key, "missing-key", "is missing; a scenario has cluster, model, workload and plan");
        return state.error ? nullptr : value;
    };
    if (const json* value = part("cluster")) scenario.cluster = readCluster(*value, "/cluster", state, presets);
    if (const json* value = part("model")) scenario.model = readModel(*value, "/model", state, origin, presets);
    if (const json* value = part("workload")) scenario.workload = readWorkload(*value, "/workload", state);
    if (const json* value = part("plan")) scenario.plan = readPlan(*value, "/plan", state);
    if (const json* value = reader.findOrNull("calibration"); value != nullptr && !state.error)
        scenario.calibration = readCalibration(*value, "/calibration", state);
    reader.finish();
    if (state.error) return tl::unexpected<Error>(std::move(*state.error));
    scenario.unknownKeys = std::move(state.unknownKeys);
    return scenario;
}

Result<json> scenarioDocument(std::string_view text, const std::string& where) {
    std::string linked;
    if (holdsScenarioLink(text)) {
        auto inside = scenarioTextOfLink(text, where);
        if (!inside) return tl::unexpected<Error>(inside.error());
        linked = *std::move(inside);
        text = linked;
    }
    auto document = parseJson(text, where, JsonDialect::strict);
    if (document) migrate(*document, scenarioMigrations(), kScenarioVersion);
    return document;
}

Result<Scenario> readScenario(std::string_view text, const ScenarioOrigin& origin, const PresetLibrary& presets) {
    auto document = scenarioDocument(text, origin.where);
    if (!document) return tl::unexpected<Error>(document.error());
    return readScenarioJson(*document, origin, presets);
}

Result<Scenario> readScenarioFile(const std::string& path, const PresetLibrary& presets) {
    auto text = readTextFile(path);
    if (!text) return tl::unexpected<Error>(text.error());
    const auto slash = path.rfind('/');
    return readScenario(std::string_view(*text),
                        {path, slash == std::string::npos ? ""
                               : slash == 0               ? "/"
                                                          : path.substr(0, slash)},
                        presets);
}

json scenarioJson(const Scenario& scenario, const PresetLibrary* presetsOrNull) {
    json out = json::object();
    out["format"] = kScenarioFormat;
    out["version"] = kScenarioVersion;
    if (!scenario.name.empty()) out["name"] = scenario.name;
    if (!scenario.description.empty()) out["description"] = scenario.description;
    if (scenario.cluster) out["cluster"] = clusterJson(*scenario.cluster, presetsOrNull);
    if (scenario.model) out["model"] = modelJson(*scenario.model);
    out["workload"] = workloadJson(scenario.workload);
    out["plan"] = planJson(scenario.plan);
    if (!scenario.calibration.empty()) out["calibration"] = scenario.calibration;
    restoreUnknownKeys(out, scenario.unknownKeys);
    return out;
}

std::string writeScenario(const Scenario& scenario, const PresetLibrary* presetsOrNull) {
    return prettyJson(scenarioJson(scenario, presetsOrNull));
}

Result<void> setValue(json& document, std::string_view pointer, std::string_view value) {
    const auto refuse = [&](std::string message) {
        return failure(Error::Kind::commandLine, "bad-pointer", fmt::format("--set {}={}", pointer, value), std::move(message));
    };
    const auto steps = pointerSteps(pointer);
    if (!steps || steps->empty()) return refuse("expected a JSON pointer such as /plan/tensor_parallel before the equals sign");
    json* at = &document;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        const std::string& step = (*steps)[i];
        if (at->is_null()) *at = json::object();
        if (at->is_object()) {
            at = &(*at)[step];
            continue;
        }
        if (!at->is_array()) return refuse(fmt::format("\"{}\" is inside {}, not in an object or list", step, describeJson(*at)));
        const auto index = step == "-" ? std::optional<std::size_t>(at->size()) : listIndex(step);
        if (!index || *index > at->size()) return refuse(fmt::format("\"{}\" is no place in a list of {}", step, at->size()));
        if (*index == at->size()) at->push_back(nullptr);
        at = &(*at)[*index];
    }
    auto parsed = parseJson(value, "", JsonDialect::strict);
    *at = parsed ? std::move(*parsed) : json(std::string(value));
    return {};
}

}  // namespace trainyard
