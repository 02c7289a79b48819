#include <fmt/format.h>

#include "core/io/import/config_keys.h"
#include "core/io/import/importers.h"
#include "core/io/import/yaml_text.h"
#include "core/plan/limits.h"

// nanotron's YAML: all degrees and the model's shape stand in the file.

namespace trainyard {
namespace {

using nlohmann::json;
using Int = std::int64_t;

void readPlan(ConfigKeys& keys, ImportBuilder& out) {
    keys.take({"parallelism.tp"}, 1, limits::kDevices, "/plan/tensor_parallel");
    keys.take({"parallelism.pp"}, 1, limits::kDevices, "/plan/pipeline_parallel");
    keys.take({"parallelism.dp"}, 1, limits::kDevices, "/plan/data_parallel");
    keys.take({"parallelism.context_parallel_size"}, 1, limits::kDevices, "/plan/context_parallel");
    keys.take({"parallelism.expert_parallel_size"}, 1, limits::kDevices, "/plan/expert_parallel");
    for (const char* pointer : {"/plan/tensor_parallel", "/plan/pipeline_parallel", "/plan/data_parallel"})
        if (!out.has(pointer))
            out.error("missing-key",
                      fmt::format("parallelism has no {}; nanotron needs dp, pp and tp", std::string_view(pointer).substr(6)),
                      pointer);
    if (out.integer("/plan/context_parallel").value_or(1) > 1)
        out.assume("/plan/context_method", "ring", "nanotron splits sequences with ring attention");
    const std::string mode = keys.text("parallelism.tp_mode").value_or("");
    const bool sequence =
        mode.find("REDUCE_SCATTER") != std::string::npos && out.integer("/plan/tensor_parallel").value_or(1) > 1;
    if (!mode.empty())
        out.take("/plan/sequence_parallel", sequence, "parallelism.tp_mode");
    else
        out.assume("/plan/sequence_parallel", false, "nanotron's default tp_mode ALL_REDUCE");
    keys.takeFlag("parallelism.tp_linear_async_communication", "/plan/overlap/tensor");
    if (out.integer("/plan/pipeline_parallel").value_or(1) > 1) {
        const std::string engine = keys.text("parallelism.pp_engine").value_or("1f1b");
        if (engine == "1f1b" || engine == "afab")
            out.take("/plan/schedule", engine == "afab" ? "gpipe" : "1f1b", "parallelism.pp_engine");
        else
            out.error("wrong-value",
                      fmt::format("parallelism.pp_engine: expected 1f1b or afab, found \"{}\"", engine.substr(0, 40)),
                      "/plan/schedule");
        out.note("layer-split",
                 "nanotron balances the stages by its own estimate of each block's cost; the even split is planned",
                 "/plan/layers_per_stage");
    } else {
        keys.know({"parallelism.pp_engine"});
    }
    if (keys.flag("parallelism.recompute_layer").value_or(false))
        out.take("/plan/recompute", "full", "parallelism.recompute_layer");
    else
        out.assume("/plan/recompute", "none", "no parallelism.recompute_layer");
    keys.know({"parallelism.tp_recompute_allgather"});
    if (!keys.take({"optimizer.zero_stage"}, 0, 1, "/plan/zero_stage")) out.assume("/plan/zero_stage", 0, "nanotron's default");
}

void readWorkload(ConfigKeys& keys, ImportBuilder& out) {
    keys.take({"tokens.micro_batch_size"}, 1, limits::kGlobalBatchSize, "/plan/micro_batch_size");
    keys.take({"tokens.sequence_length"}, 1, limits::kSequenceLength, "/workload/sequence_length");
    const auto accumulation = keys.integer("tokens.batch_accumulation_per_replica", 1, limits::kMicroBatches);
    const auto micro = out.integer("/plan/micro_batch_size"), data = out.integer("/plan/data_parallel");
    if (accumulation && micro && data) {
        if (*micro <= limits::kGlobalBatchSize / *data && *accumulation <= limits::kGlobalBatchSize / (*micro * *data))
            out.take("/workload/global_batch_size", *micro * *accumulation * *data, "micro-batch x accumulation x dp");
        else
            out.error("wrong-value", "micro-batch x accumulation x dp is larger than any batch", "/workload/global_batch_size");
    }
    const auto steps = keys.integer("tokens.train_steps", 1, Int{1} << 40);
    const auto batch = out.integer("/workload/global_batch_size"), sequence = out.integer("/workload/sequence_length");
    if (steps && batch && sequence)
        out.take("/workload/tokens_total",
                 static_cast<double>(*steps) * static_cast<double>(*batch) * static_cast<double>(*sequence),
                 "tokens.train_steps x batch x sequence length");
    const std::string type = keys.text("model.dtype").value_or("");
    if (!type.empty())
        out.take("/workload/precision",
                 type == "bfloat16"                    ? "bf16"
                 : type == "float16"                   ? "fp16"
                 : type.find("8") != std::string::npos ? "fp8"
                                                       : "fp32",
                 "model.dtype");
    const auto wide = keys.flag("optimizer.accumulate_grad_in_fp32");
    if (wide)
        out.take("/workload/gradient_precision",
                 *wide || type == "float32" ? "fp32"
                 : type == "float16"        ? "fp16"
                                            : "bf16",
                 "optimizer.accumulate_grad_in_fp32");
    const std::string optimizer = keys.text("optimizer.optimizer_factory.name").value_or("adamW");
    out.take("/workload/optimizer", optimizer == "sgd" ? "sgd" : "adamw", "optimizer.optimizer_factory.name");
}

void readModel(ConfigKeys& keys, ImportBuilder& out) {
    if (!keys.has("model.model_config.hidden_size")) {
        out.warn("model-unknown", "model.model_config gives no shape; choose the model", "/model");
        return;
    }
    const std::string at = "model.model_config.";
    keys.take({at + "num_hidden_layers"}, 1, limits::kLayers, "/model/layers");
    keys.take({at + "hidden_size"}, 1, limits::kHiddenSize, "/model/hidden_size");
    keys.take({at + "num_attention_heads"}, 1, limits::kHeads, "/model/attention_heads");
    keys.take({at + "num_key_value_heads"}, 1, limits::kHeads, "/model/kv_heads");
    keys.take({at + "head_dim"}, 1, limits::kHiddenSize, "/model/head_dim");
    keys.take({at + "intermediate_size"}, 1, limits::kHiddenSize, "/model/ffn_hidden_size");
    keys.take({at + "vocab_size"}, 1, limits::kVocabSize, "/model/vocab_size");
    const bool starcoder = keys.flag(at + "is_starcoder2_config").value_or(false);
    out.take("/model/gated_mlp", !starcoder, starcoder ? "is_starcoder2_config" : "the gated feed-forward of nanotron's models");
    out.scenario["model"]["norm"] = starcoder ? "layernorm" : "rmsnorm";
    out.scenario["model"]["biases"] = starcoder;
    out.scenario["model"]["position_embedding"] = "rope";
    out.scenario["model"]["tied_embeddings"] = keys.flag(at + "tie_word_embeddings").value_or(false);
    if (keys.flag(at + "attention_bias").value_or(false)) out.take("/model/qkv_bias", true, at + "attention_bias");
    keys.take({at + "sliding_window_size"}, 1, limits::kSequenceLength, "/model/sliding_window");
    if (keys.has(at + "moe_config")) {
        keys.take({at + "moe_config.num_experts"}, 2, limits::kExperts, "/model/moe/experts");
        keys.take({at + "moe_config.top_k"}, 1, limits::kExperts, "/model/moe/top_k");
        keys.take({at + "moe_config.moe_intermediate_size"}, 1, limits::kHiddenSize, "/model/moe/expert_ffn_hidden_size");
        if (keys.flag(at + "moe_config.enable_shared_expert").value_or(false)) {
            out.scenario["model"]["moe"]["shared_experts"] = 1;
            keys.take({at + "moe_config.shared_expert_intermediate_size"}, 1, limits::kHiddenSize,
                      "/model/moe/shared_expert_ffn_hidden_size");
        }
    }
    keys.know({at + "is_llama_config", at + "is_qwen2_config", at + "hidden_act", at + "max_position_embeddings",
               at + "rope_theta", at + "rope_scaling", at + "rms_norm_eps", at + "initializer_range", at + "bos_token_id",
               at + "eos_token_id", at + "pad_token_id", at + "use_cache"});
}

Result<ImportResult> read(std::string_view text, const ImportContext& context) {
    const auto document = parseYaml(text, context.where);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() || !document->contains("parallelism"))
        return failure(Error::Kind::unreadable, "nanotron-unreadable", context.where,
                       "has no section parallelism; expected a nanotron configuration with parallelism, tokens and model");
    ImportBuilder builder("nanotron", context);
    ConfigKeys keys(*document, builder);
    readModel(keys, builder);
    readPlan(keys, builder);
    readWorkload(keys, builder);
    keys.reportIgnored();
    return builder.finish();
}

double likeness(std::string_view text) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("parallelism:") && (has("batch_accumulation_per_replica") || has("pp_engine") || has("tp_mode"))) return 0.97;
    return has("parallelism:") && has("tokens:") && has("model_config") ? 0.9 : 0;
}

}  // namespace

const Importer kNanotronImporter{"nanotron", "nanotron configuration (YAML)", "model, workload, plan", read, likeness};

}  // namespace trainyard
