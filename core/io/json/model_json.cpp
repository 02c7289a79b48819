#include "core/io/json/model_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::string_view kNorms[] = {"rmsnorm", "layernorm"};
constexpr std::string_view kPositions[] = {"rope", "learned", "none"};
constexpr std::string_view kMixers[] = {"attention", "linear", "none"};
constexpr std::string_view kFfns[] = {"dense", "moe", "none"};

template <class Enum, std::size_t Size>
std::optional<Enum> byName(const std::string_view (&names)[Size], std::string_view name) {
    for (std::size_t i = 0; i < Size; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

void takeOptional(ObjectReader& reader, std::string_view key, std::optional<std::int64_t>& target, std::int64_t minimum,
                  std::int64_t maximum) {
    if (const auto value = reader.integer(key, minimum, maximum)) target = value;
}
void takeOptional(ObjectReader& reader, std::string_view key, std::optional<bool>& target) {
    if (const auto value = reader.boolean(key)) target = value;
}

MoeSpec readMoe(const json& value, const std::string& pointer, ReadState& state, const MoeSpec* baseOrNull) {
    MoeSpec moe = baseOrNull != nullptr ? *baseOrNull : MoeSpec{};
    ObjectReader reader(value, pointer, state);
    reader.take("experts", moe.experts, 1, limits::kExperts);
    reader.take("top_k", moe.topK, 1, limits::kExperts);
    reader.take("expert_ffn_hidden_size", moe.expertFfnHiddenSize, 1, limits::kHiddenSize);
    reader.take("shared_experts", moe.sharedExperts, 0, limits::kExperts);
    takeOptional(reader, "shared_expert_ffn_hidden_size", moe.sharedExpertFfnHiddenSize, 1, limits::kHiddenSize);
    reader.take("dense_layers", moe.denseLayers, 0, limits::kLayers);
    reader.take("shared_expert_gate", moe.sharedExpertGate);
    reader.take("router_bias", moe.routerBias);
    if (const auto factor = reader.number("capacity_factor", 0.01, 1000)) moe.capacityFactor = factor;
    reader.finish();
    if (moe.experts == 0) reader.refuse("experts", "missing-key", "is missing; the number of routed experts is needed");
    if (moe.topK > moe.experts)
        reader.refuse("top_k", "out-of-range", fmt::format("is {}, more than the {} experts", moe.topK, moe.experts));
    return moe;
}

MlaSpec readMla(const json& value, const std::string& pointer, ReadState& state, const MlaSpec* baseOrNull) {
    MlaSpec mla = baseOrNull != nullptr ? *baseOrNull : MlaSpec{};
    ObjectReader reader(value, pointer, state);
    reader.take("q_lora_rank", mla.qLoraRank, 0, limits::kHiddenSize);
    reader.take("kv_lora_rank", mla.kvLoraRank, 1, limits::kHiddenSize);
    reader.take("qk_nope_head_dim", mla.qkNopeHeadDim, 1, limits::kHiddenSize);
    reader.take("qk_rope_head_dim", mla.qkRopeHeadDim, 1, limits::kHiddenSize);
    reader.take("v_head_dim", mla.vHeadDim, 1, limits::kHiddenSize);
    reader.finish();
    for (const auto& [key, present] : {std::pair<std::string_view, bool>{"kv_lora_rank", mla.kvLoraRank > 0},
                                       {"qk_nope_head_dim", mla.qkNopeHeadDim > 0},
                                       {"qk_rope_head_dim", mla.qkRopeHeadDim > 0},
                                       {"v_head_dim", mla.vHeadDim > 0}})
        if (!present) reader.refuse(key, "missing-key", "is missing; latent attention needs it");
    return mla;
}

void readLayerKinds(ObjectReader& reader, ModelSpec& model) {
    const json* list = reader.findOrNull("layer_kinds");
    if (list == nullptr) return;
    model.layerKinds.clear();
    if (!list->is_array() || list->size() > static_cast<std::size_t>(limits::kLayers)) {
        reader.refuse("layer_kinds", "wrong-type", fmt::format("expected a list of layer kinds, found {}", describeJson(*list)));
        return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        ObjectReader item((*list)[i], fmt::format("{}/{}", reader.pointerTo("layer_kinds"), i), reader.state());
        LayerKind kind;
        kind.ffn = model.moe ? FfnKind::moe : FfnKind::dense;
        if (const auto mixer = item.choice<MixerKind>("mixer", kMixers, mixerKindFromName)) kind.mixer = *mixer;
        if (const auto ffn = item.choice<FfnKind>("ffn", kFfns, ffnKindFromName)) kind.ffn = *ffn;
        takeOptional(item, "sliding_window", kind.slidingWindow, 1, limits::kSequenceLength);
        takeOptional(item, "attention_heads", kind.attentionHeads, 1, limits::kHeads);
        takeOptional(item, "kv_heads", kind.kvHeads, 1, limits::kHeads);
        takeOptional(item, "head_dim", kind.headDim, 1, limits::kHiddenSize);
        takeOptional(item, "ffn_hidden_size", kind.ffnHiddenSize, 1, limits::kHiddenSize);
        std::int64_t count = 1;
        item.take("count", count, 1, limits::kLayers);
        item.finish();
        if (kind.ffn == FfnKind::moe && !model.moe)
            item.refuse("ffn", "missing-key", "is \"moe\" but the model has no \"moe\" object");
        if (reader.state().error) return;
        if (static_cast<std::int64_t>(model.layerKinds.size()) + count > model.layers) {
            item.refuse("count", "out-of-range",
                        fmt::format("the kinds describe more than the {} layers of the model", model.layers));
            return;
        }
        model.layerKinds.insert(model.layerKinds.end(), static_cast<std::size_t>(count), kind);
    }
    if (static_cast<std::int64_t>(model.layerKinds.size()) != model.layers)
        reader.refuse("layer_kinds", "out-of-range",
                      fmt::format("describes {} layers, the model has {}", model.layerKinds.size(), model.layers));
}

json layerKindJson(const LayerKind& kind, bool hasMoe) {
    json out = json::object();
    if (kind.mixer != MixerKind::attention) out["mixer"] = name(kind.mixer);
    if (kind.ffn != (hasMoe ? FfnKind::moe : FfnKind::dense)) out["ffn"] = name(kind.ffn);
    if (kind.slidingWindow) out["sliding_window"] = *kind.slidingWindow;
    if (kind.attentionHeads) out["attention_heads"] = *kind.attentionHeads;
    if (kind.kvHeads) out["kv_heads"] = *kind.kvHeads;
    if (kind.headDim) out["head_dim"] = *kind.headDim;
    if (kind.ffnHiddenSize) out["ffn_hidden_size"] = *kind.ffnHiddenSize;
    return out;
}

}  // namespace

std::string_view name(NormKind norm) { return kNorms[static_cast<std::size_t>(norm)]; }
std::optional<NormKind> normKindFromName(std::string_view text) { return byName<NormKind>(kNorms, text); }
std::string_view name(PositionEmbedding embedding) { return kPositions[static_cast<std::size_t>(embedding)]; }
std::optional<PositionEmbedding> positionEmbeddingFromName(std::string_view text) {
    return byName<PositionEmbedding>(kPositions, text);
}
std::string_view name(MixerKind mixer) { return kMixers[static_cast<std::size_t>(mixer)]; }
std::optional<MixerKind> mixerKindFromName(std::string_view text) { return byName<MixerKind>(kMixers, text); }
std::string_view name(FfnKind ffn) { return kFfns[static_cast<std::size_t>(ffn)]; }
std::optional<FfnKind> ffnKindFromName(std::string_view text) { return byName<FfnKind>(kFfns, text); }

ModelSpec readArchitecture(ObjectReader& reader, const ModelSpec* baseOrNull) {
    ModelSpec model = baseOrNull != nullptr ? *baseOrNull : ModelSpec{};
    reader.take("name", model.name);
    const std::int64_t layersBefore = model.layers;
    reader.take("layers", model.layers, 1, limits::kLayers);
    if (model.layers != layersBefore) model.layerKinds.clear();
    const bool headsChange = reader.has("attention_heads") || reader.has("hidden_size");
    reader.take("hidden_size", model.hiddenSize, 1, limits::kHiddenSize);
    reader.take("attention_heads", model.attentionHeads, 0, limits::kHeads);
    if (headsChange) {  // what follows from them is derived anew unless it is given
        if (reader.has("attention_heads")) model.kvHeads = 0;
        model.headDim = 0;
    }
    reader.take("kv_heads", model.kvHeads, 0, limits::kHeads);
    reader.take("head_dim", model.headDim, 0, limits::kHiddenSize);
    reader.take("ffn_hidden_size", model.ffnHiddenSize, 1, limits::kHiddenSize);
    reader.take("gated_mlp", model.gatedMlp);
    reader.take("vocab_size", model.vocabSize, 1, limits::kVocabSize);
    reader.take("tied_embeddings", model.tiedEmbeddings);
    reader.take("biases", model.biases);
    takeOptional(reader, "qkv_bias", model.qkvBias);
    takeOptional(reader, "attention_output_bias", model.attentionOutputBias);
    takeOptional(reader, "mlp_bias", model.mlpBias);
    reader.take("lm_head_bias", model.lmHeadBias);
    reader.take("attention_sinks", model.attentionSinks);
    takeOptional(reader, "dropout", model.dropout);
    reader.take("qk_norm", model.qkNorm);
    reader.take("qk_norm_full", model.qkNormFull);
    if (const auto norm = reader.choice<NormKind>("norm", kNorms, normKindFromName)) model.norm = *norm;
    reader.take("norms_per_layer", model.normsPerLayer, 0, 8);
    reader.take("embedding_norm", model.embeddingNorm);
    if (const auto position = reader.choice<PositionEmbedding>("position_embedding", kPositions, positionEmbeddingFromName))
        model.positionEmbedding = *position;
    reader.take("max_positions", model.maxPositions, 0, limits::kSequenceLength);
    takeOptional(reader, "sliding_window", model.slidingWindow, 1, limits::kSequenceLength);
    reader.take("linear_state_size", model.linearStateSize, 1, limits::kHiddenSize);
    reader.take("linear_expand", model.linearExpand, 1, 64);
    reader.take("extra_parameters", model.extraParameters, 0, std::int64_t{1} << 50);
    if (const json* moe = reader.findOrNull("moe"))
        model.moe = readMoe(*moe, reader.pointerTo("moe"), reader.state(), model.moe ? &*model.moe : nullptr);
    if (const json* mla = reader.findOrNull("mla"))
        model.mla = readMla(*mla, reader.pointerTo("mla"), reader.state(), model.mla ? &*model.mla : nullptr);

    for (const auto& [key, present] : {std::pair<std::string_view, bool>{"layers", model.layers > 0},
                                       {"hidden_size", model.hiddenSize > 0},
                                       {"attention_heads", model.attentionHeads > 0 || reader.has("attention_heads")},
                                       {"vocab_size", model.vocabSize > 0}})
        if (!present) reader.refuse(key, "missing-key", "is missing; the architecture needs it (or name a \"preset\")");
    if (reader.state().error) return model;

    if (model.kvHeads == 0) model.kvHeads = model.attentionHeads;
    if (model.headDim == 0 && model.attentionHeads > 0) {
        model.headDim = model.mla ? model.mla->qkNopeHeadDim + model.mla->qkRopeHeadDim : model.hiddenSize / model.attentionHeads;
        if (!model.mla && model.headDim * model.attentionHeads != model.hiddenSize)
            reader.refuse("head_dim", "missing-key",
                          fmt::format("is missing and {} hidden is not divisible by {} heads; give the size of one head",
                                      model.hiddenSize, model.attentionHeads));
    }
    if (model.moe && model.moe->denseLayers > model.layers)
        reader.refuse("moe/dense_layers", "out-of-range",
                      fmt::format("is {}, more than the {} layers", model.moe->denseLayers, model.layers));
    if (model.moe && model.moe->expertFfnHiddenSize == 0) model.moe->expertFfnHiddenSize = model.ffnHiddenSize;
    if (model.ffnHiddenSize == 0 && model.moe) model.ffnHiddenSize = model.moe->expertFfnHiddenSize;
    readLayerKinds(reader, model);
    if (model.ffnHiddenSize == 0)
        reader.refuse("ffn_hidden_size", "missing-key", "is missing; the architecture needs it (or name a \"preset\")");
    return model;
}

json architectureJson(const ModelSpec& model) {
    json out = json::object();
    if (!model.name.empty()) out["name"] = model.name;
    out["layers"] = model.layers;
    out["hidden_size"] = model.hiddenSize;
    out["attention_heads"] = model.attentionHeads;
    out["kv_heads"] = model.kvHeads;
    out["head_dim"] = model.headDim;
    out["ffn_hidden_size"] = model.ffnHiddenSize;
    out["gated_mlp"] = model.gatedMlp;
    out["vocab_size"] = model.vocabSize;
    out["tied_embeddings"] = model.tiedEmbeddings;
    const ModelSpec defaults;
    if (model.biases) out["biases"] = true;
    if (model.qkvBias) out["qkv_bias"] = *model.qkvBias;
    if (model.attentionOutputBias) out["attention_output_bias"] = *model.attentionOutputBias;
    if (model.mlpBias) out["mlp_bias"] = *model.mlpBias;
    if (model.lmHeadBias) out["lm_head_bias"] = true;
    if (model.attentionSinks) out["attention_sinks"] = true;
    if (model.dropout) out["dropout"] = *model.dropout;
    if (model.qkNorm) out["qk_norm"] = true;
    if (model.qkNormFull) out["qk_norm_full"] = true;
    if (model.norm != defaults.norm) out["norm"] = name(model.norm);
    if (model.normsPerLayer != defaults.normsPerLayer) out["norms_per_layer"] = model.normsPerLayer;
    if (model.embeddingNorm) out["embedding_norm"] = true;
    if (model.positionEmbedding != defaults.positionEmbedding) out["position_embedding"] = name(model.positionEmbedding);
    if (model.maxPositions != 0) out["max_positions"] = model.maxPositions;
    if (model.slidingWindow) out["sliding_window"] = *model.slidingWindow;
    if (model.linearStateSize != defaults.linearStateSize) out["linear_state_size"] = model.linearStateSize;
    if (model.linearExpand != defaults.linearExpand) out["linear_expand"] = model.linearExpand;
    if (model.extraParameters != 0) out["extra_parameters"] = model.extraParameters;
    if (model.moe) {
        json moe = json::object();
        moe["experts"] = model.moe->experts;
        moe["top_k"] = model.moe->topK;
        moe["expert_ffn_hidden_size"] = model.moe->expertFfnHiddenSize;
        moe["shared_experts"] = model.moe->sharedExperts;
        if (model.moe->sharedExpertFfnHiddenSize) moe["shared_expert_ffn_hidden_size"] = *model.moe->sharedExpertFfnHiddenSize;
        moe["dense_layers"] = model.moe->denseLayers;
        if (model.moe->sharedExpertGate) moe["shared_expert_gate"] = true;
        if (model.moe->routerBias) moe["router_bias"] = true;
        if (model.moe->capacityFactor) moe["capacity_factor"] = *model.moe->capacityFactor;
        out["moe"] = std::move(moe);
    }
    if (model.mla) {
        out["mla"] = {{"q_lora_rank", model.mla->qLoraRank},
                      {"kv_lora_rank", model.mla->kvLoraRank},
                      {"qk_nope_head_dim", model.mla->qkNopeHeadDim},
                      {"qk_rope_head_dim", model.mla->qkRopeHeadDim},
                      {"v_head_dim", model.mla->vHeadDim}};
    }
    if (!model.layerKinds.empty()) {
        json kinds = json::array();
        for (std::size_t i = 0; i < model.layerKinds.size();) {
            std::size_t end = i + 1;
            while (end < model.layerKinds.size() && model.layerKinds[end] == model.layerKinds[i]) ++end;
            json kind = layerKindJson(model.layerKinds[i], model.moe.has_value());
            if (end - i > 1) kind["count"] = end - i;
            kinds.push_back(std::move(kind));
            i = end;
        }
        out["layer_kinds"] = std::move(kinds);
    }
    return out;
}

}  // namespace trainyard
