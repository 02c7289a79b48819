#include "core/io/import/hf_families.h"

namespace trainyard {
namespace {

constexpr auto kRms = NormKind::rmsnorm;
constexpr auto kLayer = NormKind::layernorm;
constexpr auto kRope = PositionEmbedding::rope;
constexpr auto kLearned = PositionEmbedding::learned;
constexpr auto kNone = PositionEmbedding::none;
constexpr bool kGated = true, kPlain = false, kTied = true, kUntied = false;

// Defaults of the public `transformers` configuration classes (and of the repositories that ship their own).
constexpr HfFamily kFamilies[] = {
    {"llama", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"llama4", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"llama4_text", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"mistral", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"ministral", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"mixtral", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"yi", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"aquila", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"baichuan", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"internlm", kGated, kUntied, kRms, 2, kRope, HfBiases::attention},
    {"internlm2", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"internlm3", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"exaone", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"exaone4", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"granite", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"granitemoe", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"smollm3", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"seed_oss", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"minicpm", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"minicpm3", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"apertus", kPlain, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"arcee", kPlain, kUntied, kRms, 2, kRope, HfBiases::none},
    {"phi", kPlain, kUntied, kLayer, 1, kRope, HfBiases::all, false, true},
    {"phi3", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"phimoe", kGated, kUntied, kLayer, 2, kRope, HfBiases::attention, false, true},
    {"qwen", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2_moe", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2_vl", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2_vl_text", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2_5_vl", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen2_5_vl_text", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"qwen3", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"qwen3_moe", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"qwen3_vl_text", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"qwen3_vl_moe_text", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"qwen3_next", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"gemma", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"gemma2", kGated, kTied, kRms, 4, kRope, HfBiases::none},
    {"gemma3", kGated, kTied, kRms, 4, kRope, HfBiases::none, true},
    {"gemma3_text", kGated, kTied, kRms, 4, kRope, HfBiases::none, true},
    {"glm", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"glm4", kGated, kUntied, kRms, 4, kRope, HfBiases::none},
    {"glm4_moe", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"glm4v_text", kGated, kUntied, kRms, 4, kRope, HfBiases::queryKeyValue},
    {"chatglm", kGated, kUntied, kRms, 2, kRope, HfBiases::queryKeyValue},
    {"olmo", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"olmo2", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"olmo3", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"olmoe", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"nemotron", kPlain, kUntied, kLayer, 2, kRope, HfBiases::none},
    {"nemotron_h", kPlain, kUntied, kRms, 1, kNone, HfBiases::none},
    {"nemotron-nas", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"deci", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"deepseek", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"deepseek_v2", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"deepseek_v3", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"deepseek_v32", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"kimi_k2", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"dots1", kGated, kUntied, kRms, 2, kRope, HfBiases::none, true},
    {"bailing_moe", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"ernie4_5", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"ernie4_5_moe", kGated, kTied, kRms, 2, kRope, HfBiases::none},
    {"minimax_m2", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"hunyuan_v1_dense", kGated, kTied, kRms, 2, kRope, HfBiases::none, true},
    {"gpt_oss", kGated, kUntied, kRms, 2, kRope, HfBiases::all},
    {"dbrx", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"jamba", kGated, kUntied, kRms, 2, kNone, HfBiases::none},
    {"bamba", kGated, kUntied, kRms, 2, kRope, HfBiases::none},
    {"cohere", kGated, kTied, kRms, 1, kRope, HfBiases::none},
    {"cohere2", kGated, kTied, kRms, 1, kRope, HfBiases::none},
    {"stablelm", kGated, kUntied, kLayer, 2, kRope, HfBiases::none},
    {"starcoder2", kPlain, kTied, kLayer, 2, kRope, HfBiases::all},
    {"gpt_bigcode", kPlain, kTied, kLayer, 2, kLearned, HfBiases::all},
    {"gpt2", kPlain, kTied, kLayer, 2, kLearned, HfBiases::all},
    {"gpt_neo", kPlain, kTied, kLayer, 2, kLearned, HfBiases::feedForward},
    {"gpt_neox", kPlain, kUntied, kLayer, 2, kRope, HfBiases::all},
    {"gptj", kPlain, kUntied, kLayer, 1, kRope, HfBiases::feedForward, false, true},
    {"codegen", kPlain, kUntied, kLayer, 1, kRope, HfBiases::feedForward, false, true},
    {"opt", kPlain, kTied, kLayer, 2, kLearned, HfBiases::all},
    {"bloom", kPlain, kTied, kLayer, 2, kNone, HfBiases::all},
    {"falcon", kPlain, kTied, kLayer, 2, kRope, HfBiases::none},
    {"mpt", kPlain, kTied, kLayer, 2, kLearned, HfBiases::all},
    {"openelm", kGated, kTied, kRms, 2, kRope, HfBiases::none, true},
    {"t5", kPlain, kTied, kRms, 2, kNone, HfBiases::none},
    {"mt5", kGated, kUntied, kRms, 2, kNone, HfBiases::none},
};

}  // namespace

const HfFamily* findHfFamilyOrNull(std::string_view modelType) {
    if (modelType == "RefinedWeb" || modelType == "RefinedWebModel") modelType = "falcon";
    if (modelType == "qwen3_omni_moe_text" || modelType == "qwen3_vl_moe") modelType = "qwen3_moe";
    for (const auto& family : kFamilies)
        if (family.type == modelType) return &family;
    return nullptr;
}

}  // namespace trainyard
