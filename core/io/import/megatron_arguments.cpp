#include "core/io/import/megatron_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/plan/divisors.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

/// One reading of a set of arguments.
class Reader {
  public:
    Reader(const FlagSet& flags, const Launch& launch, ImportBuilder& builder) : flags_(flags), launch_(launch), out_(builder) {}

    void run() {
        readDegrees();
        readBatch();
        readModel();
        readPrecision();
        readOptimizerAndOverlap();
        readPipeline();
        readRecompute();
        readContext();
        deprecated();
        out_.settleDevices(launch_.nodes, launch_.perNode, launch_.accelerator, launch_.source);
        if (const auto world = flags_.integer("world-size");
            world && !launch_.nodes && *world >= 1 && *world <= limits::kDevices) {
            const Int perNode = *world % 8 == 0 ? 8 : *world;
            out_.erase("/plan/data_parallel");
            out_.settleDevices(*world / perNode, perNode, launch_.accelerator, "world_size");
        }
        readShardGroup();
        checkBatch();
        for (const auto& [variable, names] : hanging_) {
            const std::string plain = variable.starts_with("${") ? variable.substr(2, variable.size() - 3) : "NAME";
            out_.error("unknown-variable", fmt::format("{} hang{} on {}, which nothing sets; give it with --define {}=VALUE",
                                                       fmt::join(names, ", "), names.size() == 1 ? "s" : "", variable, plain));
        }
    }

  private:
    /// The first of several spellings that is there, as a number in range; a value that is none is an error.
    std::optional<Int> number(std::initializer_list<const char*> names, Int minimum, Int maximum, std::string_view pointer) {
        for (const char* name : names) {
            if (!flags_.has(name)) continue;
            const auto text = flags_.text(name);
            if (!text) continue;
            if (hasUnknown(*text)) {
                hanging_[readable(*text)].push_back(fmt::format("--{}", name));
                return std::nullopt;
            }
            const auto value = integerOf(*text);
            if (!value || *value < minimum || *value > maximum) {
                out_.error("wrong-value",
                           fmt::format("--{}: expected a whole number from {} to {}, found \"{}\"", name, minimum, maximum,
                                       text->substr(0, 60)),
                           std::string(pointer));
                return std::nullopt;
            }
            used_ = name;
            return value;
        }
        return std::nullopt;
    }
    bool take(std::initializer_list<const char*> names, Int minimum, Int maximum, std::string_view pointer) {
        const auto value = number(names, minimum, maximum, pointer);
        if (value) out_.take(pointer, *value, "--" + used_);
        return value.has_value();
    }
    void takeFlag(const char* name, std::string_view pointer, bool value = true) {
        if (flags_.on(name)) out_.take(pointer, value, fmt::format("--{}", name));
    }
    Int degree(const char* pointer) const { return std::max<Int>(1, out_.integer(pointer).value_or(1)); }

    void readDegrees() {
        take({"tensor-model-parallel-size", "model-parallel-size", "tensor-parallel-size", "tp"}, 1, limits::kDevices,
             "/plan/tensor_parallel");
        take({"pipeline-model-parallel-size", "pipeline-parallel-size", "pp"}, 1, limits::kDevices, "/plan/pipeline_parallel");
        take({"context-parallel-size", "cp"}, 1, limits::kDevices, "/plan/context_parallel");
        take({"expert-model-parallel-size", "expert-parallel-size", "ep"}, 1, limits::kDevices, "/plan/expert_parallel");
        for (const auto& [pointer, name] : {std::pair{"/plan/tensor_parallel", "tensor"},
                                            {"/plan/pipeline_parallel", "pipeline"},
                                            {"/plan/context_parallel", "context"}})
            if (!out_.has(pointer)) out_.assume(pointer, 1, fmt::format("Megatron's default: no {} parallelism", name));
        if (!take({"expert-tensor-parallel-size", "etp"}, 1, limits::kDevices, "/plan/expert_tensor_parallel") &&
            flags_.has("num-experts") && flags_.integer("num-experts").value_or(0) > 1 && degree("/plan/tensor_parallel") > 1)
            out_.assume("/plan/expert_tensor_parallel", degree("/plan/tensor_parallel"),
                        "Megatron's default: as tensor parallel");
        out_.scenario["plan"]["sequence_parallel"] = false;
        if (flags_.on("sequence-parallel")) {
            if (degree("/plan/tensor_parallel") > 1)
                out_.take("/plan/sequence_parallel", true, "--sequence-parallel");
            else
                out_.note("sequence-parallel-off",
                          "--sequence-parallel has no effect without tensor parallelism; Megatron turns it off",
                          "/plan/sequence_parallel");
        }
        if (flags_.on("use-tp-pp-dp-mapping"))
            out_.take("/plan/placement", json::array({"tensor", "context", "pipeline", "data"}), "--use-tp-pp-dp-mapping");
    }

    void readBatch() {
        take({"micro-batch-size", "batch-size"}, 1, limits::kGlobalBatchSize, "/plan/micro_batch_size");
        take({"global-batch-size"}, 1, limits::kGlobalBatchSize, "/workload/global_batch_size");
        take({"seq-length", "max-length", "encoder-seq-length", "seq-len"}, 1, limits::kSequenceLength,
             "/workload/sequence_length");
        const Int batch = out_.integer("/workload/global_batch_size").value_or(0),
                  sequence = out_.integer("/workload/sequence_length").value_or(0);
        if (flags_.has("rampup-batch-size")) {
            out_.note("rampup",
                      fmt::format("the batch grows up to {} (--rampup-batch-size {}); the full batch is planned", batch,
                                  fmt::join(flags_.values("rampup-batch-size"), " ")),
                      "/workload/global_batch_size");
        }
        if (batch < 1 || sequence < 1) return;
        if (const auto samples = flags_.integer("train-samples"); samples && *samples > 0 && *samples < Int{1} << 50)
            out_.take("/workload/tokens_total", static_cast<double>(*samples) * static_cast<double>(sequence),
                      "--train-samples x sequence length");
        else if (const auto steps = flags_.integer("train-iters"); steps && *steps > 0 && *steps < Int{1} << 40)
            out_.take("/workload/tokens_total",
                      static_cast<double>(*steps) * static_cast<double>(batch) * static_cast<double>(sequence),
                      "--train-iters x batch x sequence length");
    }

    void readModel() {
        const bool shaped = flags_.has("num-layers") || flags_.has("hidden-size");
        if (!shaped) {
            std::string names;
            for (const char* flag : {"model", "load", "model-name", "hf-model-path", "tokenizer-model", "model-type",
                                     "pretrained-checkpoint", "hf-checkpoint"})
                if (const auto text = flags_.text(flag)) names += *text + "\n";
            if (!names.empty() && out_.takeModelByName(names, "the model's name")) {
                out_.note("model-by-name", "the script gives no shape; the model was taken by its name", "/model");
                return;
            }
            if (!names.empty())
                out_.warn("model-unknown", "the script gives no shape of the model and its name is not known; choose the model",
                          "/model");
            return;
        }
        take({"num-layers", "encoder-num-layers"}, 1, limits::kLayers, "/model/layers");
        take({"hidden-size"}, 1, limits::kHiddenSize, "/model/hidden_size");
        take({"num-attention-heads"}, 1, limits::kHeads, "/model/attention_heads");
        const Int hidden = out_.integer("/model/hidden_size").value_or(0);
        if (flags_.on("group-query-attention") || flags_.has("num-query-groups")) {
            if (!take({"num-query-groups"}, 1, limits::kHeads, "/model/kv_heads") && flags_.on("group-query-attention"))
                out_.assume("/model/kv_heads", 1, "Megatron's default of --num-query-groups");
        }
        take({"kv-channels"}, 1, limits::kHiddenSize, "/model/head_dim");
        const bool gated = flags_.on("swiglu") || flags_.on("gated-linear-unit") || flags_.on("geglu");
        out_.take("/model/gated_mlp", gated, gated ? "--swiglu" : "no --swiglu");
        if (!take({"ffn-hidden-size"}, 1, limits::kHiddenSize, "/model/ffn_hidden_size") && hidden > 0)
            out_.assume("/model/ffn_hidden_size", gated ? (4 * hidden * 2 / 3) / 64 * 64 : 4 * hidden,
                        gated ? "Megatron's default with --swiglu: 8/3 hidden, a multiple of 64"
                              : "Megatron's default: four times hidden");
        const bool untied = flags_.on("untie-embeddings-and-output-weights");
        out_.take("/model/tied_embeddings", !untied,
                  untied ? "--untie-embeddings-and-output-weights" : "no --untie-embeddings-and-output-weights");
        const bool biases = !flags_.on("disable-bias-linear") && !flags_.off("add-bias-linear");
        out_.take("/model/biases", biases, biases ? "no --disable-bias-linear" : "--disable-bias-linear");
        takeFlag("add-qkv-bias", "/model/qkv_bias");
        takeFlag("qk-layernorm", "/model/qk_norm");
        const std::string norm = flags_.text("normalization").value_or("LayerNorm");
        out_.take("/model/norm", norm == "RMSNorm" ? "rmsnorm" : "layernorm",
                  flags_.has("normalization") ? "--normalization" : "Megatron's default");
        takeFlag("embed-layernorm", "/model/embedding_norm");
        takeFlag("embedding-layernorm", "/model/embedding_norm");
        if (const auto dropout = flags_.text("hidden-dropout")) {
            const bool none = *dropout == "0" || *dropout == "0.0" || *dropout == "0." || *dropout == "0.00";
            out_.take("/model/dropout", !none, "--hidden-dropout");
        }
        readPositions();
        readVocabulary();
        if (flags_.text("softmax-type").value_or("") == "learnable") out_.take("/model/attention_sinks", true, "--softmax-type");
        readWindow();
        if (flags_.on("multi-latent-attention")) {
            if (!take({"q-lora-rank"}, 0, limits::kHiddenSize, "/model/mla/q_lora_rank"))
                out_.assume("/model/mla/q_lora_rank", 0, "not given: queries are not compressed");
            const std::tuple<const char*, const char*, Int> parts[] = {{"kv-lora-rank", "/model/mla/kv_lora_rank", 32},
                                                                       {"qk-head-dim", "/model/mla/qk_nope_head_dim", 128},
                                                                       {"qk-pos-emb-head-dim", "/model/mla/qk_rope_head_dim", 64},
                                                                       {"v-head-dim", "/model/mla/v_head_dim", 128}};
            for (const auto& [flag, pointer, fallback] : parts)
                if (!take({flag}, 1, limits::kHiddenSize, pointer)) out_.assume(pointer, fallback, "Megatron's default");
        }
        readExperts();
        for (const char* pointer : {"/model/layers", "/model/hidden_size", "/model/attention_heads"})
            if (!out_.has(pointer) && hanging_.empty() && !hasErrors(out_.report()))
                out_.error("missing-argument", fmt::format("the script does not say {}", std::string_view(pointer).substr(7)),
                           pointer);
    }

    /// A list written as Python or in brackets as zeros and ones: `([0]*3+[1]*58)`, `[1,0,1,0]`; empty if it is none or too long.
    static std::vector<bool> bitList(const std::string& text) {
        std::vector<bool> bits, pending;
        const auto flush = [&](Int times) {
            for (Int n = 0; n < times && static_cast<Int>(bits.size()) <= limits::kLayers; ++n)
                bits.insert(bits.end(), pending.begin(), pending.end());
            pending.clear();
        };
        for (std::size_t i = 0; i < text.size();) {
            const char c = text[i++];
            if (c == '0' || c == '1') {
                pending.push_back(c == '1');
                if (pending.size() > static_cast<std::size_t>(limits::kLayers)) return {};
            } else if (c == '*') {
                Int times = 0;
                for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && times < limits::kLayers; ++i)
                    times = times * 10 + (text[i] - '0');
                flush(times);
            } else if (c == '[' || c == '+') {
                flush(1);
            }
        }
        flush(1);
        return bits;
    }

    void readWindow() {
        const auto text = flags_.text("window-size");
        if (!text) return;
        std::string first = text->substr(0, text->find(','));
        std::erase_if(first, [](char c) { return c == '(' || c == ' ' || c == ')'; });
        const auto window = integerOf(first);
        if (!window || *window < 1 || *window > limits::kSequenceLength) return;
        const auto frequency = flags_.text("window-attn-skip-freq");
        if (!frequency) {
            out_.take("/model/sliding_window", *window, "--window-size");
            return;
        }
        const Int layers = out_.integer("/model/layers").value_or(0);
        std::vector<bool> sliding;
        if (const auto every = integerOf(*frequency)) {
            for (Int i = 0; i<layers&& * every> 0; ++i) sliding.push_back((i + 1) % *every != 0);
        } else {
            sliding = bitList(*frequency);
        }
        if (static_cast<Int>(sliding.size()) != layers || flags_.integer("num-experts").value_or(0) > 1) {
            out_.warn("window-attn-skip-freq", "which layers have the sliding window could not be taken over",
                      "/model/sliding_window");
            return;
        }
        json kinds = json::array();
        for (std::size_t i = 0; i < sliding.size();) {
            std::size_t end = i;
            while (end < sliding.size() && sliding[end] == sliding[i]) ++end;
            json kind = {{"count", end - i}};
            if (sliding[i]) kind["sliding_window"] = *window;
            kinds.push_back(std::move(kind));
            i = end;
        }
        out_.take("/model/layer_kinds", std::move(kinds), "--window-size, --window-attn-skip-freq");
    }

    void readPositions() {
        std::string kind = flags_.text("position-embedding-type").value_or("learned_absolute");
        if (flags_.on("use-rotary-position-embeddings")) kind = "rope";
        if (flags_.off("add-position-embedding") && kind == "learned_absolute") kind = "none";
        const bool learned = kind == "learned_absolute";
        const std::string_view ours = learned ? "learned" : kind == "rope" || kind == "yarn" || kind == "mrope" ? "rope" : "none";
        out_.take("/model/position_embedding", std::string(ours),
                  flags_.has("position-embedding-type") ? "--position-embedding-type"
                  : kind == "rope"                      ? "--use-rotary-position-embeddings"
                                                        : "Megatron's default");
        if (learned)
            take({"max-position-embeddings"}, 1, limits::kSequenceLength, "/model/max_positions");
        else
            static_cast<void>(flags_.has("max-position-embeddings"));
        static_cast<void>(flags_.has("rotary-base") || flags_.has("rotary-percent") || flags_.has("rope-type"));
    }

    void readVocabulary() {
        if (take({"padded-vocab-size", "pad-vocab-size-to"}, 1, limits::kVocabSize, "/model/vocab_size")) return;
        if (const auto size = number({"vocab-size"}, 1, limits::kVocabSize - 1, "/model/vocab_size")) {
            const bool null = flags_.text("tokenizer-type").value_or("") == "NullTokenizer";
            out_.take("/model/vocab_size", null ? *size + 1 : *size,
                      null ? "--vocab-size and the null tokenizer's own token" : "--vocab-size");
            return;
        }
        const std::string tokenizer = flags_.text("tokenizer-type").value_or("");
        std::string names;
        for (const char* flag : {"tokenizer-model", "tokenizer-name-or-path", "tokenizer", "load"})
            if (const auto text = flags_.text(flag)) names += *text + "\n";
        Int size = 50257;
        std::string reason = "the script leaves it to the tokenizer; GPT-2's is taken";
        if (tokenizer == "Llama2Tokenizer") {
            size = 32000;
            reason = "the size of the Llama 2 tokenizer";
        } else if (tokenizer == "Llama3Tokenizer") {
            size = 128256;
            reason = "the size of the Llama 3 tokenizer";
        } else if (tokenizer == "GPT2BPETokenizer") {
            reason = "the size of the GPT-2 tokenizer";
        } else if (tokenizer == "TikTokenizer") {
            size = 131072;
            reason = "a common size of such tokenizers";
        } else if (const std::string id = modelIdFromText(*out_.context().presets, names); !id.empty()) {
            if (const auto text = out_.context().presets->text(PresetKind::models, id)) {
                const json preset = json::parse(*text, nullptr, false);
                if (preset.contains("architecture") && preset["architecture"].contains("vocab_size") &&
                    preset["architecture"]["vocab_size"].is_number_integer()) {
                    size = preset["architecture"]["vocab_size"].get<Int>();
                    reason = fmt::format("the vocabulary of {}, whose tokenizer the script names", id);
                }
            }
        }
        out_.assume("/model/vocab_size", size, std::move(reason));
        static_cast<void>(flags_.has("make-vocab-size-divisible-by") || flags_.has("vocab-file") || flags_.has("merge-file"));
    }

    void readExperts() {
        if (flags_.integer("num-experts").value_or(0) < 2) return;
        take({"num-experts"}, 2, limits::kExperts, "/model/moe/experts");
        if (!take({"moe-router-topk"}, 1, limits::kExperts, "/model/moe/top_k"))
            out_.assume("/model/moe/top_k", 2, "Megatron's default");
        if (!take({"moe-ffn-hidden-size"}, 1, limits::kHiddenSize, "/model/moe/expert_ffn_hidden_size") &&
            out_.has("/model/ffn_hidden_size"))
            out_.assume("/model/moe/expert_ffn_hidden_size", *out_.integer("/model/ffn_hidden_size"),
                        "Megatron's default: the width of the dense feed-forward");
        if (const auto shared =
                number({"moe-shared-expert-intermediate-size"}, 1, limits::kHiddenSize, "/model/moe/shared_experts")) {
            out_.take("/model/moe/shared_expert_ffn_hidden_size", *shared, "--moe-shared-expert-intermediate-size");
            const Int width = out_.integer("/model/moe/expert_ffn_hidden_size").value_or(1);
            out_.scenario["model"]["moe"]["shared_experts"] = std::max<Int>(1, *shared / std::max<Int>(1, width));
        }
        takeFlag("moe-router-enable-expert-bias", "/model/moe/router_bias");
        takeFlag("moe-shared-expert-gate", "/model/moe/shared_expert_gate");
        if (const auto text = flags_.text("moe-layer-freq")) readLayerFrequency(*text);
        if (flags_.integer("mtp-num-layers").value_or(0) > 0)
            out_.note("extra-prediction-layers", "layers for predicting further tokens (--mtp-num-layers) are not planned",
                      "/model/layers");
    }

    /// An integer, or a list written as Python: `([0]*3+[1]*58)`.
    void readLayerFrequency(const std::string& text) {
        const Int layers = out_.integer("/model/layers").value_or(0);
        std::vector<bool> routed;
        if (const auto every = integerOf(text)) {
            if (*every < 1) return;
            for (Int i = 0; i < layers; ++i) routed.push_back(i % *every == 0);
        } else {
            routed = bitList(text);
        }
        if (static_cast<Int>(routed.size()) != layers) {
            out_.warn("moe-layer-freq",
                      fmt::format("--moe-layer-freq describes {} layers, the model has {}", routed.size(), layers),
                      "/model/moe/dense_layers");
            return;
        }
        const auto first = std::find(routed.begin(), routed.end(), true);
        const Int dense = static_cast<Int>(first - routed.begin());
        out_.take("/model/moe/dense_layers", dense, "--moe-layer-freq");
        if (std::find(first, routed.end(), false) == routed.end()) return;
        json kinds = json::array();
        for (std::size_t i = 0; i < routed.size();) {
            std::size_t end = i;
            while (end < routed.size() && routed[end] == routed[i]) ++end;
            kinds.push_back({{"ffn", routed[i] ? "moe" : "dense"}, {"count", end - i}});
            i = end;
        }
        out_.scenario["model"]["layer_kinds"] = std::move(kinds);
    }

    void readPrecision() {
        const std::string recipe = flags_.text("fp8-recipe").value_or("");
        if (flags_.has("fp4-format") || flags_.has("fp4"))
            out_.take("/workload/precision", "nvfp4", "--fp4-format");
        else if (flags_.text("fp8-format") || flags_.text("fp8") || flags_.on("fp8-hybrid") || flags_.on("fp8-e4m3"))
            out_.take("/workload/precision", recipe == "mxfp8" ? "mxfp8" : "fp8",
                      recipe.empty() ? "--fp8-format" : "--fp8-recipe");
        else if (flags_.on("bf16") || flags_.text("torch-dtype").value_or("") == "bfloat16")
            out_.take("/workload/precision", "bf16", "--bf16");
        else if (flags_.on("fp16"))
            out_.take("/workload/precision", "fp16", "--fp16");
        else if (flags_.has("num-layers"))
            out_.assume("/workload/precision", "fp32", "Megatron's default without --bf16 or --fp16");
        else
            out_.assume("/workload/precision", "bf16", "not given; the usual precision");
        const std::string precision = out_.text("/workload/precision").value_or("bf16");
        if (flags_.on("grad-reduce-in-bf16"))
            out_.take("/workload/gradient_precision", "bf16", "--grad-reduce-in-bf16");
        else if (const auto main = flags_.text("main-grads-dtype"); main && *main == "bf16")
            out_.take("/workload/gradient_precision", "bf16", "--main-grads-dtype");
        else if (precision == "fp16" && !flags_.on("accumulate-allreduce-grads-in-fp32"))
            out_.assume("/workload/gradient_precision", "fp16",
                        "Megatron keeps fp16 gradients unless --accumulate-allreduce-grads-in-fp32");
        else
            out_.assume("/workload/gradient_precision", "fp32",
                        precision == "fp16" ? "--accumulate-allreduce-grads-in-fp32"
                                            : "Megatron's default: gradients accumulate in fp32");
        const std::string backend = flags_.text("attention-backend").value_or("");
        const bool local = flags_.text("transformer-impl").value_or("transformer_engine") == "local";
        if (backend == "unfused" || (local && !flags_.on("use-flash-attn") && backend.empty()))
            out_.take("/workload/attention", "unfused",
                      backend.empty() ? "--transformer-impl local without --use-flash-attn" : "--attention-backend unfused");
        else if (flags_.on("use-flash-attn") || !backend.empty())
            out_.take("/workload/attention", "flash2", backend.empty() ? "--use-flash-attn" : "--attention-backend");
        else
            out_.assume("/workload/attention", "flash2", "the transformer engine's fused attention");
    }

    void readOptimizerAndOverlap() {
        const std::string optimizer = flags_.text("optimizer").value_or("adam");
        const std::string momentum = flags_.text("sgd-momentum").value_or("0.9");
        std::string ours = "adamw";
        if (optimizer == "sgd") ours = momentum == "0" || momentum == "0.0" ? "sgd" : "sgd-momentum";
        if (optimizer == "muon" || optimizer == "dist_muon") ours = "muon";
        if (optimizer == "lion") ours = "lion";
        if (flags_.on("use-precision-aware-optimizer")) {
            const std::string moments = flags_.text("exp-avg-dtype").value_or("fp32");
            if (moments == "bf16" || moments == "fp16") ours = "adamw-bf16-moments";
            if (moments == "fp8") ours = "adamw-fp8-moments";
        }
        if (flags_.has("optimizer") || flags_.on("use-precision-aware-optimizer"))
            out_.take("/workload/optimizer", ours, "--optimizer");
        else
            out_.assume("/workload/optimizer", ours, "Megatron's default");
        readSharding();
        if (flags_.on("overlap-grad-reduce"))
            out_.take("/plan/overlap/data", true, "--overlap-grad-reduce");
        else
            out_.assume("/plan/overlap/data", false, "no --overlap-grad-reduce: Megatron reduces after the last backward");
        takeFlag("tp-comm-overlap", "/plan/overlap/tensor");
        takeFlag("overlap-moe-expert-parallel-comm", "/plan/overlap/expert");
        if (flags_.on("optimizer-cpu-offload")) {
            const auto text = flags_.text("optimizer-offload-fraction");
            double fraction = 1;
            if (text) {
                try {
                    fraction = std::stod(*text);
                } catch (const std::exception&) {
                    out_.error("wrong-value",
                               fmt::format("--optimizer-offload-fraction: expected a number from 0 to 1, found \"{}\"",
                                           text->substr(0, 60)),
                               "/plan/optimizer_offload_fraction");
                }
            }
            if (fraction >= 0 && fraction <= 1)
                out_.take("/plan/optimizer_offload_fraction", fraction, "--optimizer-cpu-offload");
        }
    }

    /// Copies of the sharded optimizer: the shard group is what is left of the replicas.
    void readShardGroup() {
        const auto copies = number({"num-distributed-optimizer-instances"}, 1, limits::kDevices, "/plan/shard_group");
        const auto data = out_.integer("/plan/data_parallel");
        if (!copies || *copies == 1) return;
        if (!data) {
            out_.warn(
                "shard-group",
                "the shard group follows from --num-distributed-optimizer-instances only where the number of devices is known",
                "/plan/shard_group");
            return;
        }
        const Int replicas = *data * degree("/plan/context_parallel");
        if (replicas % *copies == 0)
            out_.take("/plan/shard_group", replicas / *copies, "--num-distributed-optimizer-instances");
        else
            out_.error("shard-group", fmt::format("{} copies of the optimizer do not divide {} replicas", *copies, replicas),
                       "/plan/shard_group", divisors(replicas));
    }

    void readSharding() {
        if (const auto stage = number({"zero-stage"}, 0, 3, "/plan/zero_stage")) {
            out_.take("/plan/zero_stage", *stage, "--zero-stage");
            if (*stage == 0 && flags_.on("bf16") && flags_.on("deepspeed"))
                out_.note("bf16-optimizer-shards",
                          "Megatron-DeepSpeed's bf16 optimizer shards its states by itself, as ZeRO stage 1 does; set zero_stage "
                          "to 1 if that fork is used",
                          "/plan/zero_stage");
            return;
        }
        const std::string strategy = flags_.text("data-parallel-sharding-strategy").value_or("");
        if (flags_.on("use-torch-fsdp2"))
            out_.take("/plan/zero_stage", 3, "--use-torch-fsdp2");
        else if (flags_.on("use-megatron-fsdp") || flags_.on("use-custom-fsdp"))
            out_.take("/plan/zero_stage",
                      strategy == "optim"         ? 1
                      : strategy == "optim_grads" ? 2
                      : strategy == "no_shard"    ? 0
                                                  : 3,
                      "--use-megatron-fsdp");
        else if (flags_.on("use-distributed-optimizer"))
            out_.take("/plan/zero_stage", 1, "--use-distributed-optimizer");
        else
            out_.assume("/plan/zero_stage", 0, "no --use-distributed-optimizer: every replica keeps all optimizer states");
    }

    void readPipeline() {
        const Int pipeline = degree("/plan/pipeline_parallel");
        const Int layers = layerCount();
        Int chunks = 1;
        if (const auto value = number({"num-virtual-stages-per-pipeline-rank", "virtual-pipeline-model-parallel-size"}, 1,
                                      limits::kStages, "/plan/virtual_stages")) {
            chunks = *value;
            out_.take("/plan/virtual_stages", chunks, "--" + used_);
        } else if (const auto per =
                       number({"num-layers-per-virtual-pipeline-stage"}, 1, limits::kLayers, "/plan/virtual_stages")) {
            const Int stages = pipeline * *per;
            if (layers > 0 && layers % stages == 0) {
                chunks = layers / stages;
                out_.take("/plan/virtual_stages", chunks, "--num-layers-per-virtual-pipeline-stage");
            } else if (layers > 0) {
                out_.error("virtual-stages",
                           fmt::format("{} layers do not split into {} stages of chunks of {} layers", layers, pipeline, *per),
                           "/plan/virtual_stages");
            }
        }
        std::vector<Int> split;
        if (const auto layout = flags_.text("pipeline-model-parallel-layout")) {
            const auto stages = layersOfLayout(*layout, static_cast<std::size_t>(limits::kStages));
            if (!stages || static_cast<Int>(stages->size()) % pipeline != 0) {
                out_.error("layout",
                           stages ? fmt::format("the layout describes {} stages, no multiple of the {} pipeline ranks",
                                                stages->size(), pipeline)
                                  : fmt::format("the layout \"{}\" does not follow the grammar of E, t, m, L, |, *n and brackets",
                                                layout->substr(0, 60)),
                           "/plan/layers_per_stage");
            } else {
                chunks = static_cast<Int>(stages->size()) / pipeline;
                split = *stages;
                out_.take("/plan/virtual_stages", chunks, "--pipeline-model-parallel-layout");
            }
        } else {
            split = splitOf(layers, pipeline, chunks);
        }
        if (!split.empty()) {
            const Int sum = std::accumulate(split.begin(), split.end(), Int{0});
            if (layers > 0 && sum != layers)
                out_.error("layers-sum", fmt::format("the stages hold {} layers, the model has {}", sum, layers),
                           "/plan/layers_per_stage");
            out_.take("/plan/layers_per_stage", split, "the stages' layers");
        } else if (layers > 0 && pipeline > 1 && layers % (pipeline * chunks) != 0) {
            std::vector<Int> legal;
            for (const Int d : divisors(layers))
                if (d <= 512) legal.push_back(d);
            out_.error("pp-divides-layers",
                       fmt::format("{} layers are not divisible by {} pipeline stages{}; Megatron-LM stops unless "
                                   "--decoder-first-pipeline-num-layers, --decoder-last-pipeline-num-layers or a layout is given",
                                   layers, pipeline, chunks > 1 ? fmt::format(" x {} chunks", chunks) : ""),
                       "/plan/pipeline_parallel", legal);
        }
        if (chunks > 1) {
            out_.take("/plan/schedule", "interleaved-1f1b", "virtual stages");
            if (const auto group = number({"microbatch-group-size-per-virtual-pipeline-stage"}, 1, limits::kMicroBatches,
                                          "/plan/schedule_parameters/group"))
                out_.take("/plan/schedule_parameters/group", *group, "--microbatch-group-size-per-virtual-pipeline-stage");
        } else {
            out_.assume("/plan/schedule", "1f1b", "Megatron's schedule without virtual stages");
        }
        if (!out_.has("/plan/virtual_stages")) out_.scenario["plan"]["virtual_stages"] = 1;
    }

    Int layerCount() const {
        if (const auto layers = out_.integer("/model/layers")) return *layers;
        if (const auto preset = out_.text("/model/preset"))
            if (const auto text = out_.context().presets->text(PresetKind::models, *preset)) {
                const json document = json::parse(*text, nullptr, false);
                if (document.contains("architecture") && document["architecture"].contains("layers") &&
                    document["architecture"]["layers"].is_number_integer())
                    return document["architecture"]["layers"].get<Int>();
            }
        return 0;
    }

    /// Layers per stage in model order where the script makes the stages uneven; empty where it does not.
    std::vector<Int> splitOf(Int layers, Int pipeline, Int chunks) {
        if (layers < 1 || pipeline < 2 || pipeline * chunks > limits::kStages) return {};
        const auto first = number({"decoder-first-pipeline-num-layers", "num-layers-in-first-pipeline-stage"}, 0, layers,
                                  "/plan/layers_per_stage");
        const auto last = number({"decoder-last-pipeline-num-layers", "num-layers-in-last-pipeline-stage"}, 0, layers,
                                 "/plan/layers_per_stage");
        std::vector<Int> perRank;
        if (first || last) {
            const Int middleStages = pipeline - (first ? 1 : 0) - (last ? 1 : 0);
            const Int middle = layers - first.value_or(0) - last.value_or(0);
            if (middle < 0 || (middleStages == 0 ? middle != 0 : middle % middleStages != 0)) {
                out_.error("first-last-layers",
                           fmt::format("{} layers are left for {} middle stages; they do not split evenly", middle, middleStages),
                           "/plan/layers_per_stage");
                return {};
            }
            for (Int rank = 0; rank < pipeline; ++rank)
                perRank.push_back(rank == 0 && first             ? *first
                                  : rank == pipeline - 1 && last ? *last
                                  : middleStages > 0             ? middle / middleStages
                                                                 : 0);
            std::vector<Int> split;
            for (Int chunk = 0; chunk < chunks; ++chunk)
                for (Int rank = 0; rank < pipeline; ++rank) {
                    if (perRank[static_cast<std::size_t>(rank)] % chunks != 0) {
                        out_.error("first-last-layers",
                                   fmt::format("{} layers of pipeline rank {} do not split into {} chunks",
                                               perRank[static_cast<std::size_t>(rank)], rank, chunks),
                                   "/plan/layers_per_stage");
                        return {};
                    }
                    split.push_back(perRank[static_cast<std::size_t>(rank)] / chunks);
                }
            return split;
        }
        const std::string method = flags_.text("pp-partition-method").value_or("");
        const bool both = method.find("embedding") != std::string::npos;
        const Int embedding = flags_.on("account-for-embedding-in-pipeline-split") || both ? 1 : 0;
        const Int loss = flags_.on("account-for-loss-in-pipeline-split") || both ? 1 : 0;
        if (embedding + loss == 0) return {};
        const Int stages = pipeline * chunks;
        if ((layers + embedding + loss) % stages != 0) {
            out_.error("pp-divides-layers",
                       fmt::format("{} layers with {} more for embedding and loss are not divisible by {} stages", layers,
                                   embedding + loss, stages),
                       "/plan/pipeline_parallel");
            return {};
        }
        std::vector<Int> split(static_cast<std::size_t>(stages), (layers + embedding + loss) / stages);
        split.front() -= embedding;
        split.back() -= loss;
        return split;
    }

    void readRecompute() {
        const std::string granularity =
            flags_.text("recompute-granularity").value_or(flags_.text("activations-checkpoint-granularity").value_or(""));
        const bool oldFull = flags_.on("checkpoint-activations") || flags_.on("deepspeed-activation-checkpointing") ||
                             flags_.on("activations-checkpoint");
        if (granularity == "full" || (granularity.empty() && oldFull)) {
            out_.take("/plan/recompute", "full", granularity.empty() ? "--checkpoint-activations" : "--recompute-granularity");
            const std::string method = flags_.text("recompute-method").value_or("uniform");
            const auto count = number({"recompute-num-layers"}, 1, limits::kLayers, "/plan/recompute_layers");
            if (method == "block" && count) {
                const Int layers = layerCount();
                const Int wanted = *count * degree("/plan/pipeline_parallel") * degree("/plan/virtual_stages");
                out_.take("/plan/recompute_layers", layers > 0 ? std::min(layers, wanted) : wanted,
                          "--recompute-method block, --recompute-num-layers per stage");
            }
        } else if (granularity == "selective" || flags_.on("recompute-activations")) {
            out_.take("/plan/recompute", "selective",
                      granularity.empty() ? "--recompute-activations" : "--recompute-granularity");
            json modules = json::array();
            std::vector<std::string> unknown;
            for (const auto& module : flags_.values("recompute-modules")) {
                if (module == "layernorm" || module == "core_attn" || module == "mlp" || module == "moe" || module == "moe_act" ||
                    module == "mla_up_proj")
                    modules.push_back(module);
                else
                    unknown.push_back(module);
            }
            if (!modules.empty()) out_.take("/plan/recompute_modules", std::move(modules), "--recompute-modules");
            if (!unknown.empty())
                out_.warn("recompute-module", fmt::format("recomputation of {} is not modelled", fmt::join(unknown, ", ")),
                          "/plan/recompute_modules");
        } else if (!granularity.empty() && granularity != "none") {
            out_.error(
                "wrong-value",
                fmt::format("--recompute-granularity: expected full or selective, found \"{}\"", granularity.substr(0, 40)),
                "/plan/recompute");
        } else {
            out_.scenario["plan"]["recompute"] = "none";
        }
    }

    void readContext() {
        if (const auto type = flags_.text("cp-comm-type")) {
            const std::string ours = *type == "p2p"                                  ? "ring"
                                     : *type == "a2a"                                ? "ulysses"
                                     : *type == "a2a+p2p"                            ? "usp"
                                     : *type == "all_gather" || *type == "allgather" ? "all_gather"
                                                                                     : "";
            if (ours.empty())
                out_.warn("cp-comm-type", fmt::format("--cp-comm-type {} is not known", type->substr(0, 40)),
                          "/plan/context_method");
            else
                out_.take("/plan/context_method", ours, "--cp-comm-type");
        }
    }

    void deprecated() {
        for (const auto& [old, now] : {std::pair{"model-parallel-size", "--tensor-model-parallel-size"},
                                       {"batch-size", "--micro-batch-size"},
                                       {"checkpoint-activations", "--recompute-granularity"},
                                       {"enable-cuda-graph", "--cuda-graph-impl"},
                                       {"moe-layer-recompute", "--recompute-modules moe"},
                                       {"hybrid-override-pattern", "--hybrid-layer-pattern"},
                                       {"standalone-embedding-stage", "--pipeline-model-parallel-layout"},
                                       {"use-custom-fsdp", "--use-megatron-fsdp"}})
            if (flags_.has(old))
                out_.note("deprecated", fmt::format("--{} is gone from Megatron-LM; today it is {}", old, now), "");
    }

    void checkBatch() {
        const auto batch = out_.integer("/workload/global_batch_size"), micro = out_.integer("/plan/micro_batch_size"),
                   data = out_.integer("/plan/data_parallel");
        if (!batch || !micro || !data || *data < 1 || *micro < 1) return;
        if (*micro > limits::kGlobalBatchSize / *data || *batch % (*micro * *data) != 0) {
            const Int step = *micro > limits::kGlobalBatchSize / *data ? *batch : *micro * *data;
            out_.error("batch-divides",
                       fmt::format("the global batch {} is no multiple of micro-batch {} x data parallel {} = {}", *batch, *micro,
                                   *data, step),
                       "/workload/global_batch_size", {std::max<Int>(step, *batch / step * step), (*batch / step + 1) * step});
        }
    }

    const FlagSet& flags_;
    const Launch& launch_;
    ImportBuilder& out_;
    std::string used_;
    std::map<std::string, std::vector<std::string>> hanging_;  ///< unknown variable -> arguments that need it
};

}  // namespace

std::optional<std::vector<std::int64_t>> layersOfLayout(std::string_view layout, std::size_t maxStages) {
    // recursive descent: sequence = item*, item = (letter | '|' | '(' sequence ')') ['*' n]
    struct Parser {
        std::string_view text;
        std::size_t limit;
        std::size_t at = 0;
        bool bad = false;

        std::string sequence(int depth) {
            std::string out;
            while (at < text.size() && text[at] != ')' && !bad) {
                const char c = text[at];
                if (c == ',' || c == ' ' || c == '\'' || c == '"') {
                    ++at;
                    continue;
                }
                std::string item;
                if (c == '(') {
                    if (depth > 16) {
                        bad = true;
                        return out;
                    }
                    ++at;
                    item = sequence(depth + 1);
                    if (at >= text.size() || text[at] != ')') bad = true;
                    ++at;
                } else if (c == 'E' || c == 't' || c == 'm' || c == 'L' || c == '|') {
                    item = std::string(1, c);
                    ++at;
                } else {
                    bad = true;
                    return out;
                }
                std::size_t times = 1;
                if (at < text.size() && text[at] == '*') {
                    times = 0;
                    const std::size_t start = ++at;
                    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && times < 1'000'000; ++at)
                        times = times * 10 + static_cast<std::size_t>(text[at] - '0');
                    if (at == start) bad = true;
                }
                if (item.size() * times + out.size() > limit * 8 + 65536) {
                    bad = true;
                    return out;
                }
                for (std::size_t i = 0; i < times; ++i) out += item;
            }
            return out;
        }
    };
    if (layout.size() > 65536) return std::nullopt;
    Parser parser{layout, maxStages};
    const std::string flat = parser.sequence(0);
    if (parser.bad || parser.at != layout.size() || flat.empty()) return std::nullopt;
    std::vector<std::int64_t> stages{0};
    for (const char c : flat) {
        if (c == '|')
            stages.push_back(0);
        else if (c == 't')
            ++stages.back();
    }
    if (stages.size() > maxStages) return std::nullopt;
    return stages;
}

void readMegatronArguments(const FlagSet& flags, const Launch& launch, ImportBuilder& builder) {
    Reader(flags, launch, builder).run();
}

}  // namespace trainyard
