#include "core/io/import/import_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/json/json_text.h"
#include "core/io/json/model_json.h"
#include "core/io/presets/model_preset.h"
#include "core/plan/divisors.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;

std::string folded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c >= 'A' && c <= 'Z')
            out += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.')
            out += c;
    }
    return out;
}

json::json_pointer at(std::string_view pointer) { return json::json_pointer(std::string(pointer)); }

}  // namespace

ImportBuilder::ImportBuilder(std::string kind, const ImportContext& context) : kind_(std::move(kind)), context_(context) {}

void ImportBuilder::take(std::string_view pointer, json value, std::string_view source) {
    report_.understood.push_back(fmt::format("{} -> {} {}", source, pointer, compactJson(value)));
    scenario[at(pointer)] = std::move(value);
}

void ImportBuilder::assume(std::string_view pointer, json value, std::string reason) {
    report_.assumed.push_back({std::string(pointer), compactJson(value), std::move(reason)});
    scenario[at(pointer)] = std::move(value);
}

void ImportBuilder::understand(std::string text) { report_.understood.push_back(std::move(text)); }
void ImportBuilder::ignore(std::string text) {
    if (std::find(report_.ignored.begin(), report_.ignored.end(), text) == report_.ignored.end())
        report_.ignored.push_back(std::move(text));
}

void ImportBuilder::add(Severity severity, std::string code, std::string message, std::string pointer,
                        std::vector<std::int64_t> legalValues) {
    report_.diagnostics.push_back(
        {severity, std::move(code), std::move(message), std::move(pointer), std::move(legalValues), ""});
}
void ImportBuilder::error(std::string code, std::string message, std::string pointer, std::vector<std::int64_t> legalValues) {
    add(Severity::error, std::move(code), std::move(message), std::move(pointer), std::move(legalValues));
}
void ImportBuilder::warn(std::string code, std::string message, std::string pointer) {
    add(Severity::warning, std::move(code), std::move(message), std::move(pointer), {});
}
void ImportBuilder::note(std::string code, std::string message, std::string pointer) {
    add(Severity::note, std::move(code), std::move(message), std::move(pointer), {});
}

bool ImportBuilder::has(std::string_view pointer) const { return scenario.contains(at(pointer)); }
std::optional<std::int64_t> ImportBuilder::integer(std::string_view pointer) const {
    if (!has(pointer)) return std::nullopt;
    return exactInteger(scenario.at(at(pointer)));
}
std::optional<std::string> ImportBuilder::text(std::string_view pointer) const {
    if (!has(pointer) || !scenario.at(at(pointer)).is_string()) return std::nullopt;
    return scenario.at(at(pointer)).get<std::string>();
}
bool ImportBuilder::flag(std::string_view pointer) const { return has(pointer) && scenario.at(at(pointer)) == true; }
void ImportBuilder::erase(std::string_view pointer) {
    if (!has(pointer)) return;
    const auto place = at(pointer);
    scenario.at(place.parent_pointer()).erase(place.back());
}

void ImportBuilder::settleDevices(std::optional<std::int64_t> nodes, std::optional<std::int64_t> perNode,
                                  const std::string& accelerator, std::string_view source) {
    if (!nodes || !perNode || *nodes < 1 || *perNode < 1 || *nodes > limits::kDevices || *perNode > limits::kDevicesPerNode ||
        *nodes * *perNode > limits::kDevices) {
        if (!has("/plan/data_parallel")) assume("/plan/data_parallel", "auto", "the number of devices is not given");
        return;
    }
    understand(fmt::format("{}: {} node{} of {} accelerator{}, {} devices", source, *nodes, *nodes == 1 ? "" : "s", *perNode,
                           *perNode == 1 ? "" : "s", *nodes * *perNode));
    std::string id = accelerator.empty() ? "" : acceleratorIdFromName(*context_.presets, accelerator);
    if (!accelerator.empty() && id.empty())
        warn("unknown-accelerator", fmt::format("the accelerator \"{}\" is not known; choose one in the cluster", accelerator),
             "/cluster");
    const bool known = !id.empty();
    if (!known) id = "h100-sxm5-80";
    json cluster = clusterOf(*context_.presets, id, *nodes, *perNode);
    if (known)
        take("/cluster", std::move(cluster), source);
    else
        assume("/cluster", std::move(cluster), "the input does not name the accelerator; H100 is taken");
    settleDataParallel(*nodes * *perNode, source);
}

void ImportBuilder::settleDataParallel(std::int64_t devices, std::string_view source) {
    if (has("/plan/data_parallel") && scenario["plan"]["data_parallel"].is_number()) return;
    const std::int64_t tensor = integer("/plan/tensor_parallel").value_or(1),
                       pipeline = integer("/plan/pipeline_parallel").value_or(1),
                       context = integer("/plan/context_parallel").value_or(1);
    if (tensor < 1 || pipeline < 1 || context < 1 || tensor > limits::kDevices || pipeline > limits::kDevices ||
        context > limits::kDevices)
        return;
    if (devices % tensor == 0 && devices / tensor % pipeline == 0 && devices / tensor / pipeline % context == 0 &&
        devices / tensor / pipeline / context > 0) {
        take("/plan/data_parallel", devices / tensor / pipeline / context, source);
        return;
    }
    assume("/plan/data_parallel", "auto", "the degrees do not divide the number of devices");
    error("world-size",
          fmt::format("tensor {} x pipeline {} x context {} = {} does not divide the {} devices that are started; a multiple of "
                      "{} is needed",
                      tensor, pipeline, context, tensor * pipeline * context, devices, tensor * pipeline * context),
          "/plan/tensor_parallel", divisors(devices));
}

bool ImportBuilder::takeModelByName(std::string_view name, std::string_view source) {
    const std::string id = modelIdFromText(*context_.presets, name);
    if (id.empty()) return false;
    take("/model", json{{"preset", id}}, source);
    return true;
}

ImportResult ImportBuilder::finish() {
    ImportResult result;
    result.kind = kind_;
    if (scenario.contains("model") && scenario["model"].is_object()) {
        const json& model = scenario["model"];
        const std::int64_t sequence = integer("/workload/sequence_length").value_or(4096);
        if (model.contains("preset") && model["preset"].is_string()) {
            if (const auto preset = modelPreset(*context_.presets, model["preset"].get<std::string>())) {
                result.parameters = countParameters(**preset, sequence);
                // the shape stands beside the name, so that nobody needs the preset to read it
                scenario["model"] = architectureJson(**preset);
            }
        } else {
            ReadState state;
            ObjectReader reader(model, "/model", state);
            const ModelSpec spec = readArchitecture(reader, nullptr);
            if (!state.error) {
                result.parameters = countParameters(spec, sequence);
                scenario["model"] = architectureJson(spec);  // what follows from the rest is spelled out
            }
        }
    }
    result.scenario = compactJson(scenario);
    result.report = std::move(report_);
    return result;
}

std::string acceleratorIdFromName(const PresetLibrary& presets, std::string_view name) {
    while (!name.empty() && (name.back() == ' ' || name.back() == '\r')) name.remove_suffix(1);
    if (name.empty()) return {};
    if (presets.text(PresetKind::accelerators, name)) return std::string(name);
    if (const auto exact = presets.accelerator(name)) return (*exact)->id;
    struct Row {
        std::string_view part;
        std::string_view id;
    };
    // first match wins, so the particular stand before the general
    static constexpr Row kRows[] = {
        {"gb300", "gb300-288"},
        {"gb200", "gb200-186"},
        {"gh200", "gh200-96"},
        {"b300", "b300-sxm-288"},
        {"b200", "b200-sxm-180"},
        {"h200nvl", "h200-nvl-141"},
        {"h200", "h200-sxm-141"},
        {"h100nvl", "h100-nvl-94"},
        {"h100pcie", "h100-pcie-80"},
        {"h100", "h100-sxm5-80"},
        {"h800", "h800-sxm5-80"},
        {"h20", "h20-96"},
        {"a800", "a800-sxm4-80"},
        {"a100pcie40", "a100-pcie-40"},
        {"a100pcie", "a100-pcie-80"},
        {"a10040", "a100-sxm4-40"},
        {"a100sxm440", "a100-sxm4-40"},
        {"a100", "a100-sxm4-80"},
        {"v100pcie", "v100-pcie-32"},
        {"v10032", "v100-sxm2-32"},
        {"v100sxm232", "v100-sxm2-32"},
        {"v100sxm332", "v100-sxm2-32"},
        {"v100", "v100-sxm2-16"},
        {"rtxpro6000", "rtx-pro-6000"},
        {"a6000", "rtx-a6000"},
        {"5090", "rtx-5090"},
        {"4090", "rtx-4090"},
        {"3090", "rtx-3090"},
        {"l40s", "l40s"},
        {"l4", "l4"},
        {"a10g", "a10g"},
        {"a40", "a40"},
        {"a30", "a30"},
        {"t4", "t4"},
        {"mi355", "mi355x"},
        {"mi325", "mi325x"},
        {"mi300", "mi300x"},
        {"mi250", "mi250x"},
        {"mi210", "mi210"},
        {"gaudi3", "gaudi3"},
        {"gaudi2", "gaudi2"},
        {"trn2", "trainium2"},
        {"trainium2", "trainium2"},
    };
    std::string key;
    for (const char c : folded(name))
        if (c != '.') key += c;
    for (const auto& row : kRows)
        if (key.find(row.part) != std::string::npos && presets.text(PresetKind::accelerators, row.id)) return std::string(row.id);
    return {};
}

std::string modelIdFromText(const PresetLibrary& presets, std::string_view text) {
    const std::string wanted = folded(text.substr(0, 4096));
    std::string best;
    std::size_t longest = 3;
    for (const auto& id : presets.ids(PresetKind::models)) {
        const std::string key = folded(id);
        const auto found = wanted.find(key);
        if (key.size() <= longest || found == std::string::npos) continue;
        // `llama-2-7b` must not be read out of `llama-2-70b`, nor `glm-4.5` out of `glm-4.55`
        const std::size_t end = found + key.size();
        const bool digitGoesOn =
            end < wanted.size() && key.back() >= '0' && key.back() <= '9' && wanted[end] >= '0' && wanted[end] <= '9';
        if (digitGoesOn) continue;
        best = id;
        longest = key.size();
    }
    return best;
}

json clusterOf(const PresetLibrary& presets, const std::string& acceleratorId, std::int64_t nodes, std::int64_t perNode) {
    std::string best;
    std::int64_t bestCount = 0;
    bool bestExact = false;
    for (const auto& preset : presets.nodes()) {
        if (preset.node.accelerators.size() != 1 || preset.node.accelerators[0].accelerator->id != acceleratorId) continue;
        const std::int64_t count = preset.node.devicesPerNode();
        const bool exact = count == perNode;
        const bool plain = preset.node.preset.starts_with("dgx") ||
                           preset.node.preset.find(acceleratorId.substr(0, acceleratorId.find('-'))) != std::string::npos;
        if (count < perNode) continue;
        if (best.empty() || (exact && !bestExact) || (exact == bestExact && plain && !best.starts_with("dgx"))) {
            best = preset.node.preset;
            bestCount = count;
            bestExact = exact;
        }
    }
    if (!best.empty()) {
        json cluster = {{"preset", best}, {"nodes", nodes}};
        if (bestCount != perNode) cluster["accelerators_per_node"] = perNode;
        return cluster;
    }
    json node = {
        {"id", "node"}, {"count", nodes}, {"accelerators", json::array({{{"accelerator", acceleratorId}, {"count", perNode}}})}};
    json cluster = {{"nodes", json::array({std::move(node)})}};
    if (nodes > 1) {
        cluster["switches"] = json::array({{{"id", "network"}}});
        cluster["links"] =
            json::array({{{"from", "node"}, {"to", "network"}, {"kind", "ethernet"}, {"bandwidth_bytes_per_s", 12.5e9}}});
    }
    return cluster;
}

}  // namespace trainyard
