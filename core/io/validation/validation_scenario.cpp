#include "core/io/validation/validation_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace trainyard {
namespace {

using nlohmann::json;

/// As printed by the sources -> node preset, and the accelerator if it is not the preset's own.
struct AcceleratorName {
    std::string_view printed, node, accelerator;
};
constexpr AcceleratorName kAccelerators[] = {
    {"A100-80GB", "dgx-a100", ""},           {"A100", "dgx-a100", ""},
    {"A100-SXM4-80GB", "dgx-a100", ""},      {"Ampere (A100 class)", "dgx-a100", ""},
    {"A100-40GB", "dgx-a100", "a100-sxm4-40"}, {"A800-80GB", "dgx-a100", "a800-sxm4-80"},
    {"H100-80GB", "dgx-h100", ""},           {"H100", "dgx-h100", ""},
    {"H100 SXM", "dgx-h100", ""},            {"H800-80GB", "hgx-h800", ""},
    {"H200-141GB", "dgx-h200", ""},          {"B200", "dgx-b200", ""},
    {"B200-SXM", "dgx-b200", ""},            {"B300", "dgx-b300", ""},
    {"B300 SXM", "dgx-b300", ""},            {"GB200", "gb200-nvl72", ""},
    {"GB300", "gb300-nvl72", ""},            {"V100-16GB", "dgx1-v100", ""},
    {"V100-32GB", "dgx2", ""},               {"MI300X-192GB", "mi300x-8", ""},
    {"MI325X-256GB", "mi300x-8", "mi325x"},  {"MI355X-288GB", "mi355x-8", ""},
    {"H100-96GB-HBM2e-500W", "dgx-h100", "slow"},
};
/// The H100 of the torchtitan cluster: HBM2e and a lower power limit.
json slowH100() { return {{"base", "h100-sxm5-80"}, {"memory_bytes", 96e9}, {"memory_bandwidth_bytes_per_s", 2.4e12}, {"tdp_w", 500}}; }

std::int64_t nodeSize(std::string_view node) { return node == "gb200-nvl72" || node == "gb300-nvl72" ? 72 : node == "dgx2" ? 16 : 8; }

/// Gb/s per full node where a source states another network than the preset's; 0: the preset's.
struct NetworkOf {
    std::string_view source, accelerator;
    int gbps;
};
constexpr NetworkOf kNetworks[] = {{"llm_foundry", "A100-80GB", 1600}, {"llm_foundry", "A100-40GB", 1600}, {"fms_fsdp", "A100-80GB", 400}, {"fms_fsdp", "H100-80GB", 800},
                                   {"vtrain", "", 800},                {"bigscience_176b", "", 400},       {"megatron_kwai", "", 800},     {"internevo", "", 400},
                                   {"dlperf_v100", "", 100}};

template <std::size_t N>
bool isIn(const std::array<std::string_view, N>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}
constexpr std::array<std::string_view, 6> kUnfused = {"vtrain", "megatron_sc21", "korthikanti_recompute", "dlperf_v100", "bigscience_176b", "zero_bubble"};
/// Distributed optimizer, sequence parallelism with tensor parallelism.
constexpr std::array<std::string_view, 7> kSharded = {"megatron_bridge", "dgxc_benchmarking", "nemo_docs", "moe_recipes", "megatron_bridge_memory", "llama3_405b", "megatron_lm_readme"};
constexpr std::array<std::string_view, 4> kBf16Gradients = {"megatron_bridge", "dgxc_benchmarking", "nemo_docs", "megatron_bridge_memory"};
/// cuDNN attention: the fastest class on Hopper and later.
bool hasCudnn(std::string_view source) { return isIn(kSharded, source) || source == "simumax_b200" || source == "jax_toolbox"; }

constexpr std::array<std::string_view, 6> kNoTraining = {"component", "bubble_reference", "analytic_reference", "scaling_curve", "ablation", "lora"};
constexpr std::array<std::string_view, 7> kDoubtful = {"inconsistent", "do not score", "disagree", "fragmentation", "smoke run", "needs activation offloading", "step time printed as"};
constexpr std::array<const char*, 4> kOffload = {"activation_offload_fraction", "optimizer_offload", "activation_cpu_offload", "optimizer_cpu_offload_fraction"};
constexpr std::pair<std::string_view, std::string_view> kSchedules[] = {
    {"1F1B", "1f1b"},  {"1F1B interleaved", "interleaved-1f1b"}, {"Interleaved 1F1B", "interleaved-1f1b"}, {"1F1B-I", "interleaved-1f1b"},
    {"ZB-1p", "zb-h1"}, {"ZB-H1", "zb-h1"}, {"ZB-2p", "zb-h2"}, {"ZB-H2", "zb-h2"}, {"ZB-V", "zb-v"}, {"V-half", "v-half"}, {"V-min", "v-min"}};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return text;
}
bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Python's truth of a value that may be absent.
bool truthy(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return false;
    if (found->is_boolean()) return found->get<bool>();
    if (found->is_number()) return found->get<double>() != 0;
    return !found->empty() && !(found->is_string() && found->get_ref<const std::string&>().empty());
}
bool given(const json& object, const char* key) { return object.contains(key); }
std::int64_t integer(const json& object, const char* key, std::int64_t otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? static_cast<std::int64_t>(found->get<double>()) : otherwise;
}
double number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}
std::string text(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool boolean(const json& object, const char* key, bool otherwise) { return given(object, key) ? truthy(object, key) : otherwise; }

std::string precisionOf(const json& row) {
    const std::string t = truthy(row, "precision") ? lower(text(row, "precision")) : "bf16";
    const std::string gpu = text(row, "gpu");
    if (has(t, "nvfp4")) return "nvfp4";
    if (has(t, "mx") || (has(t, "finer") && (gpu.starts_with('B') || gpu.starts_with('G')))) return "mxfp8";
    if (has(t, "fp8") || has(t, "float8")) return "fp8";
    return has(t, "fp16") || has(t, "16-bit") ? "fp16" : "bf16";
}

std::string gradientsOf(const json& row, const std::string& source, const std::string& precision) {
    if (has(text(row, "precision"), "fp32 grad") || text(row, "fsdp_mixed_precision") == "DEFAULT" || source == "torchtitan") return "fp32";
    if (precision == "fp16") return "fp16";
    if (isIn(kBf16Gradients, source) || text(row, "fsdp_mixed_precision") == "PURE") return "bf16";
    return isIn(kSharded, source) || precision == "fp8" || precision == "mxfp8" || precision == "nvfp4" ? "fp32" : "bf16";
}

std::string attentionOf(const json& row, const std::string& source) {
    const std::string k = lower(text(row, "attention_kernel"));
    const std::string gpu = text(row, "gpu");
    const bool hopper = gpu.starts_with('H') || gpu.starts_with('B') || gpu.starts_with('G');
    if (k == "torch" || k == "fused" || has(k, "unfused") || (k.empty() && isIn(kUnfused, source)) || text(row["model"], "name") == "GPT-126M") return "unfused";
    if (hasCudnn(source)) return hopper ? "flash3" : "flash2";
    if (has(k, "-3") || has(k, "-4")) return "flash3";
    return has(k, "v1") || k == "flash_attention" || (source == "llm_foundry" && !hopper) ? "flash" : "flash2";
}

json modelOf(const json& m, std::int64_t tensor) {
    const std::string modelName = text(m, "name");
    const bool gpt = modelName.starts_with("GPT") && !truthy(m, "gated_mlp");
    json out{{"name", modelName},
             {"layers", m["layers"]},
             {"hidden_size", m["hidden"]},
             {"attention_heads", m["heads"]},
             {"kv_heads", m.contains("kv_heads") ? m["kv_heads"] : m["heads"]},
             {"ffn_hidden_size", m["ffn"]},
             {"gated_mlp", boolean(m, "gated_mlp", false)},
             {"vocab_size", m.contains("vocab") ? m["vocab"] : json(tensor == 1 ? 50304 : 51200)},
             {"tied_embeddings", boolean(m, "tied_embeddings", true)}};
    if (given(m, "head_dim")) out["head_dim"] = m["head_dim"];
    if (boolean(m, "biases", gpt)) out["biases"] = true;
    if ((given(m, "position_embedding") ? text(m, "position_embedding") : gpt ? "learned" : "") == "learned") out["position_embedding"] = "learned";
    if (given(m, "moe")) {
        const json& e = m["moe"];
        out["moe"] = {{"experts", e["experts"]},
                      {"top_k", e["top_k"]},
                      {"expert_ffn_hidden_size", e["expert_ffn"]},
                      {"shared_experts", integer(e, "shared_experts", 0)},
                      {"dense_layers", integer(e, "dense_layers", 0)}};
    }
    // DeepSeek-V2 and V3, Kimi K2; Moonlight has no query compression.
    if (const std::string attention = text(m, "attention"); attention.starts_with("MLA"))
        out["mla"] = {{"q_lora_rank", has(attention, "no q_lora") ? 0 : 1536}, {"kv_lora_rank", 512}, {"qk_nope_head_dim", 128}, {"qk_rope_head_dim", 64}, {"v_head_dim", 128}};
    return out;
}

/// Known uneven splits, one entry per virtual stage in model order; null: even, or the planner's own rule.
json layersPerStage(std::int64_t layers, std::int64_t stages, const std::string& modelName) {
    std::vector<std::int64_t> out;
    if (layers % stages == 0) return nullptr;
    if ((layers + 2) % stages == 0) {  // embedding and head count as a layer each (Megatron, Zero Bubble, BLOOM)
        const auto q = (layers + 2) / stages;
        out.assign(static_cast<std::size_t>(stages), q);
        out.front() = out.back() = q - 1;
        return out;
    }
    if (modelName.starts_with("DeepSeek") || modelName.starts_with("Kimi")) {  // published layouts: full stages first
        const auto q = (layers + stages - 1) / stages;
        out.assign(static_cast<std::size_t>(layers / q), q);
        out.push_back(layers % q);
        out.resize(static_cast<std::size_t>(stages), 0);
        return out;
    }
    return nullptr;
}

/// The plan entries for what the source says is recomputed; nothing if it does not say.
std::optional<json> recomputeOf(const json& row) {
    const auto found = row.find("recompute");
    if (found == row.end() || !found->is_string()) return std::nullopt;
    const std::string r = *found;
    const json& x = row["measured"];
    if (r.starts_with("full")) return json{{"recompute", "full"}};
    if (r == "none") return json{{"recompute", "none"}};
    if (has(r, "some blocks")) {  // FMS: the share of blocks follows from hfu / mfu = 1 + share / 3
        const double layers = number(row["model"], "layers");
        const double blocks = std::nearbyint(3 * (number(x, "hfu") / number(x, "mfu") - 1) * layers);
        return json{{"recompute", "full"}, {"recompute_layers", static_cast<std::int64_t>(std::min(layers, blocks))}};
    }
    if (text(row, "id").starts_with("torchtitan")) return json{{"recompute", "selective"}, {"recompute_modules", {"every_second_matmul"}}};
    if (r.starts_with("partial")) return json{{"recompute", "selective"}, {"recompute_modules", {"activation", "layernorm"}}};
    json modules = json::array();
    if (const auto colon = r.find(':'); colon != std::string::npos) {
        std::string name;
        for (const char c : r.substr(colon + 1) + ",") {
            if (c != '+' && c != ',') {
                name += c;
                continue;
            }
            const auto first = name.find_first_not_of(' ');
            if (first != std::string::npos) {
                const std::string clean = lower(name.substr(first, name.find_last_not_of(' ') - first + 1));
                modules.push_back(clean == "norm" || clean == "norms" ? "layernorm" : clean);
            }
            name.clear();
        }
    }
    json out{{"recompute", "selective"}};
    if (!modules.empty()) out["recompute_modules"] = modules;
    return out;
}

/// Why a row is no run that can be evaluated; empty if it can.
std::string refusal(const json& row, const std::string& source) {
    const std::string kind = text(row, "kind");
    if (isIn(kNoTraining, kind) || given(row, "component") || (kind == "sft" && source != "megatron_bridge_memory")) return "not a training run";
    const json m = row.contains("model") && row["model"].is_object() ? row["model"] : json::object();
    for (const char* key : {"layers", "hidden", "heads", "ffn", "seq"})
        if (!given(m, key) || !m[key].is_number()) return fmt::format("no {}", key);
    for (const char* key : {"gpu", "gpus", "tp", "pp", "micro_batch", "global_batch"})
        if (!truthy(row, key)) return fmt::format("no {}", key);
    for (const char* key : {"gpus", "tp", "pp", "micro_batch", "global_batch"})
        if (!row[key].is_number() || row[key].get<double>() < 1) return fmt::format("no {}", key);
    if (!row.contains("measured") || !row["measured"].is_object()) return "no measured";
    if (std::none_of(std::begin(kAccelerators), std::end(kAccelerators), [&](const auto& a) { return a.printed == text(row, "gpu"); }))
        return fmt::format("unknown accelerator {}", text(row, "gpu"));
    if (std::any_of(kOffload.begin(), kOffload.end(), [&](const char* key) { return truthy(row, key); })) return "offload";
    if (truthy(m, "variant") || given(m, "sliding_window")) return "model variant";
    if (given(row, "vocabulary_layer_method") && text(row, "vocabulary_layer_method") != "baseline") return "special vocabulary layer";
    const std::string note = text(row, "notes");
    if (std::any_of(kDoubtful.begin(), kDoubtful.end(), [&](std::string_view word) { return has(note, word); })) return "doubtful row";
    if (given(row, "tuned") && row["tuned"].is_boolean() && !row["tuned"].get<bool>()) return "support check";
    return {};
}

json clusterOf(const json& row, const std::string& source) {
    const std::string printed = text(row, "gpu");
    const std::string_view gpu = source == "torchtitan" && printed == "H100" ? "H100-96GB-HBM2e-500W" : std::string_view(printed);
    const auto& known = *std::find_if(std::begin(kAccelerators), std::end(kAccelerators), [&](const auto& a) { return a.printed == gpu; });
    const std::int64_t gpus = integer(row, "gpus", 1);
    std::int64_t size = std::min(nodeSize(known.node), gpus);
    while (gpus % size != 0) --size;
    json cluster{{"preset", known.node}, {"nodes", gpus / size}, {"accelerators_per_node", size}};
    if (known.accelerator == "slow") cluster["accelerator"] = slowH100();
    else if (!known.accelerator.empty()) cluster["accelerator"] = known.accelerator;
    for (const NetworkOf& network : kNetworks)
        if (network.source == source && (network.accelerator.empty() || network.accelerator == printed)) {
            if (gpus > size) cluster["network_gbps_per_node"] = network.gbps;
            break;
        }
    return cluster;
}

json planOf(const json& row, const std::string& source) {
    const json& m = row["model"];
    std::int64_t chunks = std::max<std::int64_t>(1, integer(row, "vpp", 1));
    std::string schedule = "1f1b";
    for (const auto& [printed, name] : kSchedules)
        if (printed == text(row, "schedule")) schedule = name;
    if (schedule == "zb-v" || schedule == "v-half" || schedule == "v-min") chunks = 2;
    if (schedule == "1f1b" && chunks > 1) schedule = "interleaved-1f1b";
    if (schedule == "interleaved-1f1b" && chunks == 1) schedule = "1f1b";
    const std::int64_t tensor = integer(row, "tp", 1), pipeline = integer(row, "pp", 1);
    const bool sharded = isIn(kSharded, source);
    const std::int64_t zero = given(row, "zero_stage") ? integer(row, "zero_stage", 0) : given(row, "fsdp") && text(row, "fsdp") != "off" ? 3 : sharded ? 1 : 0;
    json plan{{"tensor_parallel", tensor},
              {"pipeline_parallel", pipeline},
              {"context_parallel", std::max<std::int64_t>(1, integer(row, "cp", 1))},
              {"expert_parallel", std::max<std::int64_t>(1, integer(row, "ep", 1))},
              {"data_parallel", "auto"},
              {"virtual_stages", chunks},
              {"micro_batch_size", row["micro_batch"]},
              {"sequence_parallel", tensor > 1 && boolean(row, "sequence_parallel", sharded)},
              {"zero_stage", zero},
              {"schedule", schedule}};
    if (given(m, "moe") && (truthy(row, "etp") || sharded)) plan["expert_tensor_parallel"] = std::max<std::int64_t>(1, integer(row, "etp", 1));
    if (truthy(row, "zero_shard_group")) plan["shard_group"] = row["zero_shard_group"];
    if (json split = layersPerStage(integer(m, "layers", 1), pipeline * chunks, text(m, "name")); !split.is_null()) plan["layers_per_stage"] = std::move(split);
    if (source == "simumax_b200") plan["overlap"] = {{"tensor", false}, {"expert", false}, {"data", false}};
    else if (given(row, "ep_overlap")) plan["overlap"] = {{"expert", truthy(row, "ep_overlap")}};
    else if (given(row, "async_tp")) plan["overlap"] = {{"tensor", truthy(row, "async_tp")}};
    return plan;
}

}  // namespace

std::variant<RowScenarios, std::string> validationScenarios(const json& row, const std::string& source) {
    if (std::string reason = refusal(row, source); !reason.empty()) return reason;
    const std::string precision = precisionOf(row);
    json workload{{"sequence_length", row["model"]["seq"]},
                  {"global_batch_size", row["global_batch"]},
                  {"precision", precision},
                  {"gradient_precision", gradientsOf(row, source, precision)},
                  {"optimizer", "adamw"},
                  {"attention", attentionOf(row, source)}};
    if (source == "aleph_alpha_layouts" && !has(text(row, "attention_kernel"), "RMS kernel")) workload["fused_norm"] = false;
    json scenario{{"format", "trainyard.scenario"}, {"version", 1},           {"name", row.value("id", "")},    {"cluster", clusterOf(row, source)},
                  {"model", modelOf(row["model"], integer(row, "tp", 1))}, {"workload", workload}, {"plan", planOf(row, source)}};
    RowScenarios out;
    const auto recompute = recomputeOf(row);
    if (!recompute) {
        out.assumed = Assumed::recompute;
        for (const char* mode : {"none", "selective", "full"}) {
            scenario["plan"]["recompute"] = mode;
            out.scenarios.push_back(scenario);
        }
        return out;
    }
    scenario["plan"].update(*recompute);
    if (source == "ultrascale_playbook" && integer(row, "tp", 1) > 1) {
        out.assumed = Assumed::nearer;
        for (const bool sequenceParallel : {true, false}) {
            scenario["plan"]["sequence_parallel"] = sequenceParallel;
            out.scenarios.push_back(scenario);
        }
        return out;
    }
    out.scenarios.push_back(std::move(scenario));
    return out;
}

std::optional<double> publishedStep(const json& row) {
    const json &x = row["measured"], &m = row["model"];
    const double gpus = number(row, "gpus"), batch = number(row, "global_batch"), sequence = number(m, "seq");
    const double tokens = batch * sequence, h = number(m, "hidden"), n = number(m, "layers");
    if (truthy(x, "step_time_s")) return number(x, "step_time_s");
    if (truthy(x, "tokens_per_s")) return tokens / number(x, "tokens_per_s");
    if (truthy(x, "tokens_per_s_per_gpu")) return tokens / number(x, "tokens_per_s_per_gpu") / gpus;
    if (truthy(x, "samples_per_s")) return batch / number(x, "samples_per_s");
    if (truthy(x, "samples_per_s_per_gpu")) return batch / number(x, "samples_per_s_per_gpu") / gpus;
    const std::string id = text(row, "id");
    if (truthy(x, "hw_tflops_per_gpu") && id.starts_with("megatron_sc21"))  // the paper's own formula (arXiv 2104.04473, equation 3)
        return 96 * tokens * n * h * h * (1 + sequence / 6 / h + number(m, "vocab") / 16 / n / h) / (gpus * number(x, "hw_tflops_per_gpu") * 1e12);
    if (truthy(x, "mfu") && id.starts_with("vocab_parallel"))  // full attention, output layer counted once
        return (6 * (n * (4 * h * h + 2 * h * number(m, "ffn")) + number(m, "vocab") * h) + 12 * n * h * sequence) * tokens / (gpus * 312e12 * number(x, "mfu"));
    return std::nullopt;
}

}  // namespace trainyard
