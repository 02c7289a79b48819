#include "core/io/import/import_hf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/import/config_values.h"
#include "core/io/import/hf_families.h"
#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

tl::unexpected<Error> notAModel(const std::string& where, std::string code, std::string message) {
    return failure(Error::Kind::invalid, std::move(code), where, std::move(message));
}

/// The files people drop by mistake, each told apart by a key of its own.
std::optional<Error> knownMistake(const json& config, const std::string& where) {
    const auto error = [&](std::string code, std::string message) {
        return Error{Error::Kind::invalid, std::move(code), where, std::move(message)};
    };
    if (config.contains("peft_type")) {
        const json base = config.value("base_model_name_or_path", json());
        return error(
            "hf-adapter",
            fmt::format(
                "this is the adapter_config.json of a {} adapter, not a model; import the config.json of its base model{}",
                config["peft_type"].is_string() ? config["peft_type"].get<std::string>() : "PEFT",
                base.is_string() ? " (" + base.get<std::string>() + ")" : ""));
    }
    if (config.contains("weight_map"))
        return error("hf-weight-index",
                     "this is an index of weight files, which says how large a model is but not its shape; import the "
                     "config.json beside it");
    if (config.contains("zero_optimization") || config.contains("train_micro_batch_size_per_gpu"))
        return error("hf-deepspeed", "this is a DeepSpeed configuration, not a model; import it with kind deepspeed");
    if (config.contains("model") && config.contains("added_tokens"))
        return error("hf-tokenizer", "this is a tokenizer, not a model; import the config.json beside it");
    if (config.contains("tokenizer_class") && !config.contains("hidden_size") && !config.contains("n_embd") &&
        !config.contains("model_type"))
        return error("hf-tokenizer", "this is a tokenizer configuration, not a model; import the config.json beside it");
    if (config.contains("format") && config["format"] == "trainyard.scenario")
        return error("hf-scenario", "this is a Trainyard scenario already; open it, or evaluate it");
    return std::nullopt;
}

/// One import: fills a ModelSpec step by step and keeps the report.
class HfImport {
  public:
    HfImport(const json& root, std::string where)
        : root_(root), where_(std::move(where)), text_(languageModel(root)), values_(*text_, where_ + textPointer_) {}

    Result<ImportedModel> run() {
        findFamily();
        if (auto refusal = refuseUnsupported()) return tl::unexpected(std::move(*refusal));
        readShape();
        readBiasesAndNorms();
        readPositions();
        readMla();
        readMoe();
        readLayerPattern();
        readFamilyExtras();
        readEncoderDecoder();
        storageNotes();
        if (values_.error()) return tl::unexpected(*values_.error());
        if (auto missing = whatIsMissing()) return tl::unexpected(std::move(*missing));
        settleKinds();
        finishReport();
        return ImportedModel{std::move(model_), std::move(report_)};
    }

  private:
    // -- helpers -------------------------------------------------------------------------------------------------
    const json* languageModel(const json& root) {
        for (const char* key : {"text_config", "llm_config", "language_config", "thinker_config", "language_model_config"}) {
            const auto at = root.find(key);
            if (at == root.end() || !at->is_object()) continue;
            textPointer_ = fmt::format("#/{}", key);
            nested_ = key;
            if (at->contains("text_config") && (*at)["text_config"].is_object()) {
                textPointer_ += "/text_config";
                return &(*at)["text_config"];
            }
            return &*at;
        }
        return &root;
    }
    bool is(std::string_view type) const { return type_ == type; }
    template <class... Types>
    bool isAny(Types... types) const {
        return (is(types) || ...);
    }
    void assume(std::string field, std::string value, std::string reason) {
        report_.assumed.push_back({"/model/" + std::move(field), std::move(value), std::move(reason)});
    }
    void warn(std::string code, std::string message, std::string field = "") {
        report_.diagnostics.push_back(
            {Severity::warning, std::move(code), std::move(message), field.empty() ? "/model" : "/model/" + field, {}, ""});
    }
    void note(std::string code, std::string message, std::string field = "") {
        report_.diagnostics.push_back(
            {Severity::note, std::move(code), std::move(message), field.empty() ? "/model" : "/model/" + field, {}, ""});
    }
    std::optional<Int> size(std::initializer_list<std::string_view> keys, Int minimum = 1) {
        return values_.integer(keys, minimum, limits::kHiddenSize);
    }
    /// A key of the language model, else of the whole file.
    const json* anywhereOrNull(std::string_view key) {
        if (const json* value = values_.findOrNull({key})) return value;
        const auto at = root_.find(key);
        return at == root_.end() || at->is_null() ? nullptr : &*at;
    }
    LayerKind& kind(Int layer) {
        if (kinds_.empty()) kinds_.resize(static_cast<std::size_t>(model_.layers));
        return kinds_[static_cast<std::size_t>(layer)];
    }
    bool hasLayers() const { return model_.layers > 0; }

    // -- steps ---------------------------------------------------------------------------------------------------
    void findFamily() {
        std::string architecture;
        if (const json* list = anywhereOrNull("architectures");
            list != nullptr && list->is_array() && !list->empty() && (*list)[0].is_string())
            architecture = (*list)[0].get<std::string>();
        if (const auto type = values_.text({"model_type"})) type_ = *type;
        if (type_.empty() && architecture.starts_with("Llama")) type_ = "llama";
        if (type_.empty() && values_.has("dim") && values_.has("n_layers")) type_ = "llama";  // Meta's params.json
        if (isAny("RefinedWeb", "RefinedWebModel")) type_ = "falcon";
        family_ = findHfFamilyOrNull(type_);
        known_ = family_ != nullptr;
        if (known_) {
            model_.name = type_;
        } else {
            guessed_ = HfFamily{"", true, false, NormKind::rmsnorm, 2, PositionEmbedding::rope, HfBiases::none};
            if (const auto act = values_.text({"hidden_act", "hidden_activation", "activation_function"}))
                guessed_.gatedMlp = act->find("silu") != std::string::npos || act->find("swiglu") != std::string::npos ||
                                    act->find("glu") != std::string::npos;
            if (values_.has("layer_norm_eps") || values_.has("layer_norm_epsilon")) guessed_.norm = NormKind::layernorm;
            family_ = &guessed_;
            model_.name = type_.empty() ? architecture : type_;
            warn("hf-unknown-architecture",
                 fmt::format("the architecture \"{}\" is not known here; its shape was taken as a {} decoder, so the parameter "
                             "count is approximate",
                             type_.empty() ? (architecture.empty() ? "(not named)" : architecture) : type_,
                             family_->gatedMlp ? "Llama-like" : "GPT-like"));
        }
        if (!nested_.empty())
            report_.understood.push_back(fmt::format("the language model stands under {}", textPointer_.substr(1)));
        static_cast<void>(values_.findOrNull({"hidden_act", "hidden_activation", "activation_function"}));
    }

    std::optional<Error> refuseUnsupported() {
        if (isAny("mamba", "mamba2", "rwkv", "rwkv6", "rwkv7", "xlstm", "retnet", "falcon_mamba"))
            return Error{
                Error::Kind::invalid, "hf-no-attention", where_,
                fmt::format("\"{}\" has no attention layers; decoder-only transformers and hybrids with attention are supported "
                            "(llama, qwen, gemma, deepseek, gpt, jamba, nemotron_h and others)",
                            type_)};
        if (isAny("bert", "roberta", "distilbert", "vit", "clip", "siglip", "whisper", "wav2vec2", "stable-diffusion"))
            return Error{Error::Kind::invalid, "hf-no-decoder", where_,
                         fmt::format("\"{}\" is not a decoder language model; decoder-only transformers are supported", type_)};
        return std::nullopt;
    }

    void readShape() {
        const bool encoderDecoder = isAny("t5", "mt5");
        if (const auto layers = values_.integer(
                {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"}, 1, limits::kLayers))
            model_.layers = *layers;
        if (const auto hidden = size({"hidden_size", "n_embd", "n_embed", "d_model", "model_dim", "dim"}))
            model_.hiddenSize = *hidden;
        if (const json* heads = values_.findOrNull({"num_query_heads"}); heads != nullptr && heads->is_array()) {
            readHeadLists();
        } else if (const auto count =
                       values_.integer({"num_attention_heads", "n_head", "n_heads", "num_heads"}, 1, limits::kHeads)) {
            model_.attentionHeads = *count;
        }
        if (is("gemma3_text") || is("gemma3")) familyDefaults();
        readKvHeads();
        if (const auto dim = size({"head_dim", "d_kv", "kv_channels", "attention_head_dim"})) {
            model_.headDim = *dim;
        } else if (model_.headDim == 0 && model_.attentionHeads > 0 && model_.hiddenSize > 0) {
            model_.headDim = is("gemma") || is("gemma2") ? 256 : std::max<Int>(1, model_.hiddenSize / model_.attentionHeads);
            if (!encoderDecoder)
                assume("head_dim", fmt::format("{}", model_.headDim),
                       is("gemma") || is("gemma2") ? "not given; the family's default" : "not given; hidden size over heads");
        }
        readFfn();
        if (const auto vocabulary = values_.integer({"padded_vocab_size", "vocab_size"}, -1, limits::kVocabSize))
            model_.vocabSize = std::max<Int>(0, *vocabulary);
        model_.gatedMlp = family_->gatedMlp;
        if (const auto glu = values_.boolean({"ffn_with_glu", "use_glu"})) model_.gatedMlp = *glu;
        if (encoderDecoder)
            if (const auto projection = values_.text({"feed_forward_proj"}))
                model_.gatedMlp = projection->find("gated") != std::string::npos;
        model_.tiedEmbeddings = family_->tiedEmbeddings;
        const auto tied = values_.boolean({"tie_word_embeddings", "share_input_output_layers", "tie_embeddings"});
        if (tied) {
            model_.tiedEmbeddings = *tied;
        } else if (const auto at = root_.find("tie_word_embeddings"); text_ != &root_ && at != root_.end() && at->is_boolean()) {
            model_.tiedEmbeddings = at->get<bool>();
        } else {
            assume("tied_embeddings", model_.tiedEmbeddings ? "true" : "false", "not given; the default of the family");
        }
    }

    void readHeadLists() {  // OpenELM: one entry per layer
        const auto heads = values_.integers({"num_query_heads"}, static_cast<std::size_t>(limits::kLayers));
        const auto kv = values_.integers({"num_kv_heads"}, static_cast<std::size_t>(limits::kLayers));
        if (!heads || heads->empty() || !hasLayers()) return;
        const auto count = static_cast<std::size_t>(model_.layers);
        if (heads->size() != count || (kv && kv->size() != count)) {
            missing_ = fmt::format("num_query_heads has {} entries for {} layers", heads->size(), count);
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if ((*heads)[i] < 1 || (*heads)[i] > limits::kHeads || (kv && ((*kv)[i] < 1 || (*kv)[i] > limits::kHeads))) {
                missing_ = fmt::format("entry {} of num_query_heads or num_kv_heads is no head count", i);
                return;
            }
            kind(static_cast<Int>(i)).attentionHeads = (*heads)[i];
            kind(static_cast<Int>(i)).kvHeads = kv ? (*kv)[i] : (*heads)[i];
        }
        model_.attentionHeads = *std::max_element(heads->begin(), heads->end());
        model_.kvHeads = kv ? *std::max_element(kv->begin(), kv->end()) : model_.attentionHeads;
        report_.understood.push_back("heads differ per layer");
    }

    void familyDefaults() {
        struct Default {
            const char* field;
            Int* target;
            Int value;
        };
        Int vocabulary = values_.has("vocab_size") ? 1 : 0, ffn = values_.has("intermediate_size") ? 1 : 0;
        Int kv = values_.has("num_key_value_heads") ? 1 : 0, headDim = values_.has("head_dim") ? 1 : 0;
        for (const Default& item : {Default{"layers", &model_.layers, 26}, Default{"hidden_size", &model_.hiddenSize, 2304},
                                    Default{"attention_heads", &model_.attentionHeads, 8}, Default{"kv_heads", &kv, 4},
                                    Default{"head_dim", &headDim, 256}, Default{"vocab_size", &vocabulary, 262208},
                                    Default{"ffn_hidden_size", &ffn, 9216}}) {
            if (*item.target != 0) continue;
            *item.target = item.value;
            assume(item.field, fmt::format("{}", item.value), "not given; the default of the gemma3 family");
        }
        if (kv > 1) model_.kvHeads = kv;
        if (headDim > 1) model_.headDim = headDim;
        if (vocabulary > 1) model_.vocabSize = vocabulary;
        if (ffn > 1) model_.ffnHiddenSize = ffn;
    }

    void readKvHeads() {
        if (is("falcon")) {
            const bool modern = values_.boolean({"new_decoder_architecture"}).value_or(false);
            const bool multiQuery = values_.boolean({"multi_query"}).value_or(false);
            const auto kv = values_.integer({"num_kv_heads", "n_head_kv"}, 1, limits::kHeads);
            model_.kvHeads = modern ? kv.value_or(model_.attentionHeads) : multiQuery ? 1 : kv.value_or(model_.attentionHeads);
            if (modern && multiQuery)
                note("hf-multi-query-ignored", "multi_query has no effect with new_decoder_architecture", "kv_heads");
            const bool parallel = values_.boolean({"parallel_attn"}).value_or(true);
            model_.normsPerLayer = modern || !parallel ? 2 : 1;
            return;
        }
        if (is("chatglm")) {
            const auto groups = values_.integer({"multi_query_group_num"}, 1, limits::kHeads);
            model_.kvHeads = values_.boolean({"multi_query_attention"}).value_or(groups.has_value()) ? groups.value_or(1)
                                                                                                     : model_.attentionHeads;
            return;
        }
        if (is("gpt_bigcode")) {
            model_.kvHeads = values_.boolean({"multi_query"}).value_or(true) ? 1 : model_.attentionHeads;
            return;
        }
        if (model_.kvHeads > 0 && !values_.has("num_key_value_heads")) return;  // per-layer lists or family defaults
        const json* nested = values_.findOrNull({"attn_config"});
        if (const auto kv =
                values_.integer({"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv"}, 1, limits::kHeads)) {
            model_.kvHeads = *kv;
        } else if (nested != nullptr && nested->is_object() && nested->contains("kv_n_heads") &&
                   (*nested)["kv_n_heads"].is_number_integer()) {
            model_.kvHeads = std::clamp<Int>((*nested)["kv_n_heads"].get<Int>(), 1, limits::kHeads);
            report_.understood.push_back(fmt::format("attn_config.kv_n_heads {} -> /model/kv_heads", model_.kvHeads));
        } else {
            model_.kvHeads = model_.attentionHeads;
            if (text_->contains("num_key_value_heads")) {
                note("hf-null-kv-heads", "num_key_value_heads is null: as many key-value heads as attention heads", "kv_heads");
            }
            assume("kv_heads", fmt::format("{}", model_.kvHeads), "not given; every head has its own keys and values");
        }
    }

    void readFfn() {
        const Int hidden = model_.hiddenSize;
        if (const json* config = values_.findOrNull({"ffn_config"}); config != nullptr && config->is_object() &&
                                                                     config->contains("ffn_hidden_size") &&
                                                                     (*config)["ffn_hidden_size"].is_number_integer())
            model_.ffnHiddenSize = std::clamp<Int>((*config)["ffn_hidden_size"].get<Int>(), 1, limits::kHiddenSize);
        if (is("llama4_text") || is("llama4")) {
            const auto dense = size({"intermediate_size_mlp"});
            const auto expert = size({"intermediate_size"});
            model_.ffnHiddenSize = dense.value_or(expert.value_or(0));
            return;
        }
        if (const auto ffn = size({"intermediate_size", "ffn_dim", "n_inner", "d_ff", "ffn_hidden_size"})) {
            model_.ffnHiddenSize = *ffn;
            if (is("qwen")) model_.ffnHiddenSize = *ffn / 2;  // Qwen 1 counts both halves of the gate
            return;
        }
        if (const json* list = values_.findOrNull({"ffn_multipliers"}); list != nullptr && list->is_array()) {
            readFfnMultipliers(*list);
            return;
        }
        if (values_.has("dim") && values_.has("n_layers")) {  // Meta's params.json
            const double multiplier = values_.number({"ffn_dim_multiplier"}).value_or(1.0);
            const Int multiple = values_.integer({"multiple_of"}, 1, 1 << 20).value_or(256);
            Int width = 2 * 4 * hidden / 3;
            width = static_cast<Int>(std::clamp(multiplier, 0.01, 100.0) * static_cast<double>(width));
            model_.ffnHiddenSize = std::min<Int>(limits::kHiddenSize, (width + multiple - 1) / multiple * multiple);
            assume("ffn_hidden_size", fmt::format("{}", model_.ffnHiddenSize),
                   fmt::format("derived: {:g} x 2/3 x 4 x dim, rounded up to a multiple of {}", multiplier, multiple));
            return;
        }
        if (model_.ffnHiddenSize > 0) return;
        const auto ratio = values_.number({"expansion_ratio", "mlp_ratio"});
        if (ratio) {
            model_.ffnHiddenSize = static_cast<Int>(std::clamp(*ratio, 0.1, 64.0) * static_cast<double>(hidden));
        } else if (hidden > 0 && !isAny("t5", "mt5") && !values_.has("block_configs") && !values_.has("moe_intermediate_size")) {
            model_.ffnHiddenSize = 4 * hidden;
            assume("ffn_hidden_size", fmt::format("{}", 4 * hidden), "not given; four times the hidden size, as the family does");
        }
    }

    void readFfnMultipliers(const json& list) {
        const Int divisor = values_.integer({"ffn_dim_divisor"}, 1, 1 << 20).value_or(256);
        if (!hasLayers() || list.size() != static_cast<std::size_t>(model_.layers)) {
            missing_ = fmt::format("ffn_multipliers has {} entries for {} layers", list.size(), model_.layers);
            return;
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!list[i].is_number() || !(list[i].get<double>() > 0) || list[i].get<double>() > 64) {
                missing_ = fmt::format("entry {} of ffn_multipliers is no number", i);
                return;
            }
            // to the nearest multiple, but never more than a tenth below
            const double wanted = list[i].get<double>() * static_cast<double>(model_.hiddenSize);
            Int width = std::max(divisor, static_cast<Int>(wanted + static_cast<double>(divisor) / 2) / divisor * divisor);
            if (static_cast<double>(width) < 0.9 * wanted) width += divisor;
            kind(static_cast<Int>(i)).ffnHiddenSize = width;
            model_.ffnHiddenSize = std::max(model_.ffnHiddenSize, width);
        }
        report_.understood.push_back("feed-forward widths differ per layer");
    }

    void readBiasesAndNorms() {
        model_.norm = family_->norm;
        if (!is("falcon")) model_.normsPerLayer = family_->normsPerLayer;
        model_.qkNorm = family_->qkNorm;
        model_.qkNormFull = isAny("olmo2", "olmo3", "olmoe");
        model_.lmHeadBias = family_->lmHeadBias;
        model_.biases = family_->biases == HfBiases::all;
        if (family_->biases == HfBiases::queryKeyValue) model_.qkvBias = true;
        if (family_->biases == HfBiases::attention) {
            model_.qkvBias = true;
            model_.attentionOutputBias = true;
        }
        if (family_->biases == HfBiases::feedForward) model_.mlpBias = true;
        if (is("gpt_neo")) model_.attentionOutputBias = true;
        if (const auto bias = values_.boolean({"attention_bias", "use_qkv_bias", "add_qkv_bias", "qkv_bias"})) {
            if (isAny("glm4", "glm4_moe", "glm", "chatglm", "stablelm", "qwen2", "qwen2_moe")) {
                model_.qkvBias = *bias;
            } else if (!model_.biases || !*bias) {
                model_.qkvBias = *bias;
                model_.attentionOutputBias = *bias;
            }
        }
        if (const auto bias = values_.boolean({"attention_out_bias"})) model_.attentionOutputBias = *bias;
        if (const auto bias = values_.boolean({"mlp_bias"})) model_.mlpBias = *bias;
        if (const auto bias = values_.boolean({"lm_head_bias"})) model_.lmHeadBias = *bias;
        if (isAny("internlm", "internlm2", "internlm3")) {
            const bool bias = values_.boolean({"bias", "use_bias"}).value_or(is("internlm"));
            model_.qkvBias = bias;
            model_.attentionOutputBias = bias;
        } else if (const auto bias = values_.boolean({"bias", "use_bias", "add_bias_linear"})) {
            model_.biases = *bias;
        }
        if (values_.boolean({"no_bias"}).value_or(false) && is("mpt")) {
            model_.biases = false;
            model_.norm = NormKind::rmsnorm;  // LayerNorm without bias: as many parameters
        }
        if (const auto qkNorm = values_.boolean({"use_qk_norm", "qk_layernorm", "normalize_qk_projections"}))
            model_.qkNorm = *qkNorm;
        model_.embeddingNorm = is("bloom");
        if (const auto post = values_.boolean({"apply_residual_connection_post_layernorm"}); post) static_cast<void>(*post);
        if (is("gpt_neox")) static_cast<void>(values_.boolean({"use_parallel_residual"}));  // both forms keep two norms
        // RMSNorm in a family of LayerNorms, or the other way round
        if (!known_ && values_.has("rms_norm_eps")) model_.norm = NormKind::rmsnorm;
        static_cast<void>(values_.findOrNull({"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps"}));
    }

    void readPositions() {
        model_.positionEmbedding = family_->position;
        const auto positions = values_.integer(
            {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length", "max_context_length"},
            1, limits::kSequenceLength);
        if (model_.positionEmbedding == PositionEmbedding::learned) {
            bool alibi = false;
            if (const json* nested = values_.findOrNull({"attn_config"}); nested != nullptr && nested->is_object())
                alibi = nested->value("alibi", json(false)) == true || nested->value("rope", json(false)) == true;
            if (alibi) model_.positionEmbedding = PositionEmbedding::none;
        }
        if (values_.boolean({"alibi"}).value_or(false)) model_.positionEmbedding = PositionEmbedding::none;
        if (model_.positionEmbedding == PositionEmbedding::learned) {
            model_.maxPositions = positions.value_or(is("gpt2") || is("gpt_bigcode") ? 1024 : 2048) + (is("opt") ? 2 : 0);
            if (!positions)
                assume("max_positions", fmt::format("{}", model_.maxPositions), "not given; the default of the family");
        }
        if (const json* scaling = values_.findOrNull({"rope_scaling", "rope_parameters"});
            scaling != nullptr && scaling->is_object()) {
            const auto typeAt = scaling->contains("rope_type") ? scaling->find("rope_type") : scaling->find("type");
            report_.understood.push_back(
                fmt::format("rotary scaling {} (no effect on size)",
                            typeAt != scaling->end() && typeAt->is_string() ? typeAt->get<std::string>() : "without a type"));
        }
        static_cast<void>(values_.findOrNull({"rope_theta"}));
        static_cast<void>(values_.findOrNull({"partial_rotary_factor", "rotary_pct", "rotary_dim"}));
    }

    void readMla() {
        const auto kvRank = size({"kv_lora_rank"});
        if (!kvRank) return;
        MlaSpec mla;
        mla.kvLoraRank = *kvRank;
        mla.qLoraRank = size({"q_lora_rank"}, 0).value_or(0);
        mla.qkNopeHeadDim = size({"qk_nope_head_dim"}).value_or(128);
        mla.qkRopeHeadDim = size({"qk_rope_head_dim"}).value_or(64);
        mla.vHeadDim = size({"v_head_dim"}).value_or(128);
        model_.mla = mla;
        model_.headDim = mla.qkNopeHeadDim + mla.qkRopeHeadDim;
        if (values_.has("num_key_value_heads"))
            note("hf-mla-ignores-kv-heads",
                 "num_key_value_heads has no effect: latent attention stores one compressed vector per token", "kv_heads");
        model_.kvHeads = model_.attentionHeads;
        std::erase_if(report_.assumed,
                      [](const Assumption& item) { return item.field == "/model/head_dim" || item.field == "/model/kv_heads"; });
        if (const auto heads = values_.integer({"index_n_heads"}, 1, limits::kHeads)) {
            const Int dim = size({"index_head_dim"}).value_or(128);
            static_cast<void>(values_.findOrNull({"index_topk"}));
            const Int perLayer = mla.qLoraRank * *heads * dim + model_.hiddenSize * dim + 2 * dim + model_.hiddenSize * *heads;
            model_.extraParameters += perLayer * model_.layers;
            note("hf-sparse-attention", "the indexer of sparse attention is counted as parameters; attention is priced as full",
                 "mla");
        }
    }

    void readMoe() {
        std::optional<Int> experts =
            values_.integer({"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}, 0, limits::kExperts);
        std::optional<Int> topK = values_.integer({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                                                   "moe_topk", "moe_top_k", "moe_k", "num_selected_experts"},
                                                  1, limits::kExperts);
        if (const json* config = values_.findOrNull({"ffn_config"});
            config != nullptr && config->is_object() && config->contains("moe_num_experts")) {
            const auto whole = [&](const char* key) {
                const auto at = config->find(key);
                return at != config->end() && at->is_number_integer()
                           ? std::optional<Int>(std::clamp<Int>(at->get<Int>(), 0, limits::kExperts))
                           : std::nullopt;
            };
            experts = whole("moe_num_experts");
            topK = whole("moe_top_k");
        }
        if (!experts || *experts < 2) return;
        MoeSpec moe;
        moe.experts = *experts;
        moe.topK = std::min(topK.value_or(2), *experts);
        if (!topK) assume("moe/top_k", fmt::format("{}", moe.topK), "not given; two experts per token are common");
        const bool llama4 = isAny("llama4", "llama4_text");
        const auto width = size({"moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size"});
        const Int single = size({"intermediate_size"}).value_or(model_.ffnHiddenSize);
        moe.expertFfnHiddenSize = width.value_or(llama4 ? single : model_.ffnHiddenSize);
        if (model_.ffnHiddenSize == 0) model_.ffnHiddenSize = moe.expertFfnHiddenSize;
        moe.sharedExperts =
            values_
                .integer({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"}, 0,
                         limits::kExperts)
                .value_or(llama4 ? 1 : 0);
        if (const auto shared =
                size({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size"}, 0);
            shared && *shared > 0) {
            moe.sharedExpertFfnHiddenSize = *shared;
            moe.sharedExpertGate = isAny("qwen2_moe", "qwen3_next");
            if (moe.sharedExperts == 0) moe.sharedExperts = 1;
        }
        const auto method = values_.text({"topk_method"});
        moe.routerBias = (method ? *method == "noaux_tc" : isAny("deepseek_v3", "deepseek_v32", "kimi_k2")) ||
                         isAny("glm4_moe", "gpt_oss", "dots1", "minimax_m2");
        static_cast<void>(values_.findOrNull({"n_group"}));
        static_cast<void>(values_.findOrNull({"topk_group"}));
        static_cast<void>(values_.findOrNull({"scoring_func"}));
        model_.moe = moe;
        placeExperts();
    }

    /// Which layers have experts.
    void placeExperts() {
        if (!hasLayers()) return;
        std::vector<bool> routed(static_cast<std::size_t>(model_.layers), true);
        const auto layer = [&](Int index) { return static_cast<std::size_t>(index); };
        const Int firstDense =
            values_.integer({"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"}, 0, limits::kLayers)
                .value_or(0);
        const Int frequency = values_.integer({"moe_layer_freq"}, 1, limits::kLayers).value_or(1);
        const Int sparseStep = values_.integer({"decoder_sparse_step"}, 1, limits::kLayers).value_or(1);
        const Int interleave = values_.integer({"interleave_moe_layer_step"}, 1, limits::kLayers).value_or(1);
        const auto period = values_.integer({"expert_layer_period"}, 1, limits::kLayers);
        const Int offset = values_.integer({"expert_layer_offset"}, 0, limits::kLayers).value_or(0);
        for (Int i = 0; i < model_.layers; ++i)
            routed[layer(i)] = i >= firstDense && i % frequency == 0 && (i + 1) % sparseStep == 0 && (i + 1) % interleave == 0 &&
                               (!period || i % *period == offset);
        if (const auto dense = values_.integers({"mlp_only_layers"}, static_cast<std::size_t>(limits::kLayers)))
            for (const Int i : *dense)
                if (i >= 0 && i < model_.layers) routed[layer(i)] = false;
        if (const auto listed = values_.integers({"moe_layers"}, static_cast<std::size_t>(limits::kLayers));
            listed && !listed->empty()) {
            std::fill(routed.begin(), routed.end(), false);
            for (const Int i : *listed)
                if (i >= 0 && i < model_.layers) routed[layer(i)] = true;
        }
        const auto firstRouted = std::find(routed.begin(), routed.end(), true);
        model_.moe->denseLayers = static_cast<Int>(firstRouted - routed.begin());
        if (std::find(firstRouted, routed.end(), false) == routed.end() && kinds_.empty()) return;
        for (Int i = 0; i < model_.layers; ++i) kind(i).ffn = routed[layer(i)] ? FfnKind::moe : FfnKind::dense;
    }

    FfnKind usualFfn(Int layer) const {
        if (!kinds_.empty()) return kinds_[static_cast<std::size_t>(layer)].ffn;
        return model_.moe && layer >= model_.moe->denseLayers ? FfnKind::moe : FfnKind::dense;
    }
    /// Makes the per-layer list if there is none, with the feed-forward kinds of the model.
    void spellOutKinds() {
        if (!kinds_.empty() || !hasLayers()) return;
        std::vector<LayerKind> kinds(static_cast<std::size_t>(model_.layers));
        for (Int i = 0; i < model_.layers; ++i) kinds[static_cast<std::size_t>(i)].ffn = usualFfn(i);
        kinds_ = std::move(kinds);
    }

    void readLayerPattern() {
        if (!hasLayers()) return;
        const auto window = values_.integer({"sliding_window", "attention_chunk_size"}, 0, limits::kSequenceLength);
        const bool inUse = values_.boolean({"use_sliding_window"}).value_or(true);
        static_cast<void>(values_.findOrNull({"max_window_layers"}));
        const json* types = values_.findOrNull({"layer_types"});
        const auto pattern = values_.integer({"sliding_window_pattern", "_sliding_window_pattern"}, 1, limits::kLayers);
        readHybridPattern(types);
        readBlockConfigs();
        if (!window || *window == 0 || !inUse) return;
        if (isAny("qwen2", "qwen2_moe", "qwen3", "qwen3_moe") && !values_.has("use_sliding_window"))
            return;  // their default is off
        if (types != nullptr && types->is_array() && types->size() == static_cast<std::size_t>(model_.layers)) {
            spellOutKinds();
            for (Int i = 0; i < model_.layers; ++i) {
                const json& item = (*types)[static_cast<std::size_t>(i)];
                if (item == "sliding_attention" || item == "chunked_attention") kind(i).slidingWindow = *window;
            }
            return;
        }
        const Int every = pattern                                     ? *pattern
                          : isAny("gemma3_text", "gemma3")            ? 6
                          : is("gemma2") || is("gpt_oss")             ? 2
                          : isAny("llama4", "llama4_text", "cohere2") ? 4
                                                                      : 0;
        if (every > 1) {
            spellOutKinds();
            for (Int i = 0; i < model_.layers; ++i) {
                const bool global = is("gpt_oss") || is("gemma2") ? i % 2 == 1 : (i + 1) % every == 0;
                if (!global) kind(i).slidingWindow = *window;
            }
            return;
        }
        if (kinds_.empty()) {
            model_.slidingWindow = *window;
        } else {
            for (auto& item : kinds_) item.slidingWindow = *window;
        }
    }

    /// Layers whose mixer is linear (state space, gated delta) instead of attention.
    void readHybridPattern(const json* types) {
        bool hybrid = false;
        if (const auto text = values_.text({"hybrid_override_pattern"});
            text && text->size() == static_cast<std::size_t>(model_.layers)) {
            spellOutKinds();
            for (Int i = 0; i < model_.layers; ++i) {
                const char c = (*text)[static_cast<std::size_t>(i)];
                kind(i).mixer = c == 'M' ? MixerKind::linear : c == '*' ? MixerKind::attention : MixerKind::none;
                kind(i).ffn = c == '-' ? FfnKind::dense : c == 'E' && model_.moe ? FfnKind::moe : FfnKind::none;
            }
            hybrid = true;
        } else if (const auto period = values_.integer({"attn_layer_period"}, 1, limits::kLayers)) {
            const Int offset = values_.integer({"attn_layer_offset"}, 0, limits::kLayers).value_or(0);
            spellOutKinds();
            for (Int i = 0; i < model_.layers; ++i)
                kind(i).mixer = i % *period == offset % *period ? MixerKind::attention : MixerKind::linear;
            hybrid = true;
        } else if (const auto attention = values_.integers({"attn_layer_indices"}, static_cast<std::size_t>(limits::kLayers))) {
            spellOutKinds();
            for (auto& item : kinds_) item.mixer = MixerKind::linear;
            for (const Int i : *attention)
                if (i >= 0 && i < model_.layers) kind(i).mixer = MixerKind::attention;
            hybrid = true;
        } else if (types != nullptr && types->is_array() && types->size() == static_cast<std::size_t>(model_.layers)) {
            for (Int i = 0; i < model_.layers; ++i) {
                const json& item = (*types)[static_cast<std::size_t>(i)];
                if (item != "linear_attention" && item != "mamba" && item != "recurrent") continue;
                spellOutKinds();
                kind(i).mixer = MixerKind::linear;
                hybrid = true;
            }
        } else if (is("qwen3_next")) {
            const Int every = values_.integer({"full_attention_interval"}, 1, limits::kLayers).value_or(4);
            spellOutKinds();
            for (Int i = 0; i < model_.layers; ++i)
                if ((i + 1) % every != 0) kind(i).mixer = MixerKind::linear;
            hybrid = true;
        }
        if (!hybrid) return;
        if (const auto state = size({"mamba_d_state", "ssm_state_size", "state_size"})) model_.linearStateSize = *state;
        if (const auto expand = values_.integer({"mamba_expand", "expand"}, 1, 64)) model_.linearExpand = *expand;
        warn("hf-hybrid-approximate",
             "layers with a linear mixer are counted by their projections; the parameter count is approximate", "layer_kinds");
    }

    /// Architecture-search models: one block description per layer, some without attention or feed-forward.
    void readBlockConfigs() {
        const json* blocks = values_.findOrNull({"block_configs"});
        if (blocks == nullptr || !blocks->is_array()) return;
        if (blocks->size() != static_cast<std::size_t>(model_.layers)) {
            missing_ = fmt::format("block_configs has {} entries for {} layers", blocks->size(), model_.layers);
            return;
        }
        spellOutKinds();
        for (Int i = 0; i < model_.layers; ++i) {
            const json& block = (*blocks)[static_cast<std::size_t>(i)];
            LayerKind& item = kind(i);
            const auto part = [&](const char* key) {
                return block.is_object() && block.contains(key) && block[key].is_object() ? block[key] : json::object();
            };
            const json attention = part("attention"), ffn = part("ffn");
            const auto flag = [](const json& object, const char* key) { return object.contains(key) && object[key] == true; };
            if (flag(attention, "no_op") || flag(attention, "replace_with_linear")) item.mixer = MixerKind::none;
            if (flag(attention, "replace_with_linear")) model_.extraParameters += model_.hiddenSize * model_.hiddenSize;
            if (const auto group = attention.find("n_heads_in_group");
                group != attention.end() && group->is_number_integer() && group->get<Int>() > 0)
                item.kvHeads = std::max<Int>(1, model_.attentionHeads / group->get<Int>());
            if (flag(ffn, "no_op")) item.ffn = FfnKind::none;
            if (flag(ffn, "replace_with_linear")) {
                item.ffn = FfnKind::none;
                model_.extraParameters += model_.hiddenSize * model_.hiddenSize;
            }
            if (const auto multiplier = ffn.find("ffn_mult"); multiplier != ffn.end() && multiplier->is_number()) {
                const double wanted =
                    2 * std::clamp(multiplier->get<double>(), 0.0, 64.0) * static_cast<double>(model_.hiddenSize) / 3;
                item.ffnHiddenSize = std::max<Int>(256, (static_cast<Int>(wanted) + 255) / 256 * 256);
                model_.ffnHiddenSize = std::max(model_.ffnHiddenSize, *item.ffnHiddenSize);
            }
            if (item.kvHeads) widestKvHeads_ = std::max(widestKvHeads_, *item.kvHeads);
        }
        if (widestKvHeads_ > 0) model_.kvHeads = widestKvHeads_;
        std::erase_if(report_.assumed, [](const Assumption& item) {
            return item.field == "/model/kv_heads" || item.field == "/model/ffn_hidden_size";
        });
        report_.understood.push_back("block_configs: every layer has its own attention and feed-forward");
    }

    void readFamilyExtras() {
        model_.attentionSinks = is("gpt_oss");
        if (is("opt"))
            if (const auto projected = size({"word_embed_proj_dim"}); projected && *projected != model_.hiddenSize) {
                // the embedding is narrower; two projections lead in and out
                model_.extraParameters +=
                    2 * *projected * model_.hiddenSize - model_.vocabSize * (model_.hiddenSize - *projected);
                if (model_.extraParameters < 0) model_.extraParameters = 0;
                warn("hf-narrow-embedding",
                     "the embedding is narrower than the model (word_embed_proj_dim); the count is approximate", "vocab_size");
            }
        if (const auto extra = values_.integer({"num_nextn_predict_layers", "mtp_num_layers"}, 0, limits::kLayers);
            extra && *extra > 0)
            note("hf-extra-prediction-layers",
                 fmt::format("{} layer{} for predicting further tokens {} not counted among the {} layers and their parameters",
                             *extra, *extra == 1 ? "" : "s", *extra == 1 ? "is" : "are", model_.layers),
                 "layers");
        readVision();
    }

    void readVision() {
        for (const char* key : {"vision_config", "visual", "vit_config", "vision_tower_config"}) {
            const auto at = root_.find(key);
            if (at == root_.end() || !at->is_object()) continue;
            std::string heads;
            for (const char* name : {"num_attention_heads", "num_heads"})
                if (const auto found = at->find(name); found != at->end() && found->is_number_integer())
                    heads = fmt::format("; its {} attention heads are its own limit for tensor parallelism", found->get<Int>());
            warn("hf-vision-left-out",
                 fmt::format("the vision tower ({}) is left out: only the language model is planned{}", key, heads));
        }
        if (root_.contains("audio_config"))
            warn("hf-audio-left-out", "the audio tower (audio_config) is left out: only the language model is planned");
    }

    void readEncoderDecoder() {
        if (!isAny("t5", "mt5") || !hasLayers()) return;
        const Int decoder = values_.integer({"num_decoder_layers"}, 1, limits::kLayers).value_or(model_.layers);
        const Int encoder = model_.layers;
        const Int hidden = model_.hiddenSize, inner = model_.attentionHeads * model_.headDim;
        const Int buckets = values_.integer({"relative_attention_num_buckets"}, 1, 65536).value_or(32);
        model_.layers = encoder + decoder;
        // cross-attention with its norm in every decoder layer, the encoder's final norm, two tables of relative positions
        model_.extraParameters += decoder * (4 * hidden * inner + hidden) + hidden + 2 * buckets * model_.attentionHeads;
        if (!values_.has("tie_word_embeddings")) model_.tiedEmbeddings = !model_.gatedMlp;
        warn("hf-encoder-decoder",
             fmt::format(
                 "encoder and decoder were laid end to end as {} layers; parameters are exact, cross-attention is not priced",
                 model_.layers),
             "layers");
    }

    void storageNotes() {
        if (const json* quantization = anywhereOrNull("quantization_config");
            quantization != nullptr && quantization->is_object()) {
            const json method = quantization->value("quant_method", json("quantized"));
            const std::string how = method.is_string() ? method.get<std::string>() : "quantized";
            if (how == "fp8" || how == "mxfp4")
                warn("hf-quantized", fmt::format("the checkpoint is stored in {}; training keeps bf16 weights and the "
                                                 "optimizer's fp32 copies whatever the file holds",
                                                 how));
            else
                warn("hf-quantized", fmt::format("the checkpoint is quantized ({}); full training needs the unquantized model, "
                                                 "and its size is what is counted here",
                                                 how));
        }
        if (const json* type = anywhereOrNull("torch_dtype") != nullptr ? anywhereOrNull("torch_dtype") : anywhereOrNull("dtype");
            type != nullptr && type->is_string()) {
            std::string storage = type->get<std::string>();
            if (storage.starts_with("torch.")) storage.erase(0, 6);
            static_cast<void>(values_.findOrNull({"torch_dtype", "dtype"}));
            if (storage == "float32")
                note("hf-storage-dtype", "torch_dtype float32 is how the file is stored, not the training recipe");
            else
                report_.understood.push_back(fmt::format("stored as {} (does not choose the training precision)", storage));
        }
        if (values_.has("pretraining_tp")) {
            static_cast<void>(values_.findOrNull({"pretraining_tp"}));
            note("hf-pretraining-tp", "pretraining_tp says how the weights were once trained; it is not taken as a plan");
        }
    }

    std::optional<Error> whatIsMissing() const {
        const auto error = [&](std::string message) {
            return Error{Error::Kind::invalid, "hf-missing-key", where_ + textPointer_, std::move(message)};
        };
        if (!missing_.empty()) return error(missing_);
        std::vector<std::string> keys;
        if (model_.layers == 0) keys.push_back("num_hidden_layers");
        if (model_.hiddenSize == 0) keys.push_back("hidden_size");
        if (model_.attentionHeads == 0) keys.push_back("num_attention_heads");
        if (model_.ffnHiddenSize == 0) keys.push_back("intermediate_size");
        if (!keys.empty())
            return error(
                fmt::format("no transformer can be read from this: {} {} missing; expected the config.json of a language model",
                            fmt::join(keys, ", "), keys.size() == 1 ? "is" : "are"));
        return std::nullopt;
    }

    void settleKinds() {
        if (model_.vocabSize == 0) {
            report_.diagnostics.push_back({Severity::error,
                                           "hf-vocabulary-unknown",
                                           "the size of the vocabulary is not given; set model.vocab_size (the tokenizer's, "
                                           "rounded up as the trainer pads it)",
                                           "/model/vocab_size",
                                           {},
                                           ""});
        }
        if (kinds_.empty()) return;
        ModelSpec plain = model_;
        bool same = true;
        for (Int i = 0; i < model_.layers && same; ++i) same = layerKind(plain, i) == kinds_[static_cast<std::size_t>(i)];
        if (!same) model_.layerKinds = std::move(kinds_);
    }

    void finishReport() {
        for (const auto& text : values_.used()) report_.understood.push_back(text);
        for (const auto& text : values_.converted()) note("hf-converted", text);
        for (const auto& key : values_.unusedKeys())
            if (key != "architectures") report_.ignored.push_back(key);
        if (text_ != &root_)
            for (const auto& [key, value] : root_.items())
                if (key != nested_ && key != "architectures" && key != "model_type" && !key.starts_with("vision"))
                    report_.ignored.push_back(key);
    }

    const json& root_;
    std::string where_;
    std::string textPointer_;  ///< "#/text_config"; empty at the top
    std::string nested_;
    const json* text_;
    ConfigValues values_;
    std::string type_;
    bool known_ = true;
    HfFamily guessed_{};
    const HfFamily* family_ = nullptr;
    ModelSpec model_;
    std::vector<LayerKind> kinds_;
    Int widestKvHeads_ = 0;
    std::string missing_;
    ImportReport report_;
};

}  // namespace

Result<ImportedModel> importHfConfig(std::string_view text, const std::string& where) {
    std::vector<std::string> mended;
    auto config = parseJson(text, where, JsonDialect::tolerant, &mended);
    if (!config) return tl::unexpected(config.error());
    auto imported = importHfJson(*config, where);
    if (imported)
        for (const auto& what : mended)
            imported->report.diagnostics.push_back({Severity::note,
                                                    "hf-mended",
                                                    fmt::format("the file is not strict JSON: {} was read over", what),
                                                    "/model",
                                                    {},
                                                    ""});
    return imported;
}

Result<ImportedModel> importHfJson(const json& config, const std::string& where) {
    if (!config.is_object())
        return notAModel(where, "hf-wrong-type",
                         fmt::format("expected the object of a config.json, found {}", describeJson(config)));
    if (auto mistake = knownMistake(config, where)) return tl::unexpected(std::move(*mistake));
    return HfImport(config, where).run();
}

}  // namespace trainyard
