#include <nlohmann/json.hpp>

#include "core/io/import/import_hf.h"
#include "core/io/presets/model_preset.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

Result<ImportedModel> import(const char* config) { return importHfConfig(std::string_view(config), "config.json"); }

QString said(const Result<ImportedModel>& result) {
    return result ? QString() : QStringLiteral("%1: %2").arg(text(result.error().where), text(result.error().message));
}

bool has(const ImportReport& report, const char* code) {
    for (const auto& item : report.diagnostics)
        if (item.code == code) return true;
    return false;
}

bool assumed(const ImportReport& report, const char* field) {
    for (const auto& item : report.assumed)
        if (item.field == field) return true;
    return false;
}

}  // namespace

class TestImportHf : public QObject {
    Q_OBJECT

  private slots:
    /// The configuration of every shipped model gives the count written beside it, which is checked against publications.
    void everyShippedModel_data() {
        QTest::addColumn<QString>("id");
        const PresetLibrary presets;
        const auto ids = presets.ids(PresetKind::models);
        QVERIFY(ids.size() >= 65);
        for (const auto& id : ids) QTest::newRow(id.c_str()) << text(id);
    }
    void everyShippedModel() {
        QFETCH(QString, id);
        const PresetLibrary presets;
        const auto document = nlohmann::json::parse(*presets.text(PresetKind::models, id.toStdString()));
        const auto result = importHfJson(document.at("hf_config"), "config.json");
        QVERIFY2(result.has_value(), qPrintable(said(result)));
        const auto counts = countParameters(result->model, 4096);
        QCOMPARE(counts.total, document.at("parameters").at("total").get<std::int64_t>());
        if (document.at("published").value("match", "") == "exact")
            QCOMPARE(counts.total, document.at("published").at("total").get<std::int64_t>());
        if (document.at("parameters").contains("active"))
            QCOMPARE(counts.active, document.at("parameters").at("active").get<std::int64_t>());
        for (const auto& item : result->report.diagnostics)
            QVERIFY2(item.code != "hf-unknown-architecture", item.message.c_str());
        const auto preset = modelPreset(presets, id.toStdString());
        QVERIFY(preset.has_value());
        QCOMPARE(text((*preset)->preset), id);
    }

    void olderNames() {
        const auto gpt = import(
            R"({"model_type": "gpt2", "n_layer": 36, "n_embd": 1280, "n_head": 20, "n_inner": null, "n_positions": 1024, "vocab_size": 50257})");
        QVERIFY2(gpt.has_value(), qPrintable(said(gpt)));
        QCOMPARE(gpt->model.ffnHiddenSize, 5120);
        QVERIFY(gpt->model.tiedEmbeddings && gpt->model.biases && !gpt->model.gatedMlp);
        QCOMPARE(gpt->model.maxPositions, 1024);
        QCOMPARE(countParameters(gpt->model, 1).total, 774030080);  // GPT-2 large

        const auto falcon = import(
            R"({"model_type": "RefinedWebModel", "hidden_size": 4544, "n_layer": 32, "n_head": 71, "multi_query": true, "parallel_attn": true, "bias": false, "vocab_size": 65024})");
        QVERIFY2(falcon.has_value(), qPrintable(said(falcon)));
        QCOMPARE(falcon->model.kvHeads, 1);
        QCOMPARE(falcon->model.ffnHiddenSize, 18176);
        QCOMPARE(falcon->model.normsPerLayer, 1);

        const auto newer = import(
            R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8, "multi_query": true,
                                      "new_decoder_architecture": true, "vocab_size": 65024})");
        QVERIFY2(newer.has_value(), qPrintable(said(newer)));
        QCOMPARE(newer->model.kvHeads, 8);
        QVERIFY(has(newer->report, "hf-multi-query-ignored"));

        const auto mpt = import(
            R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "n_layers": 32, "expansion_ratio": 4, "no_bias": true, "attn_config": {"alibi": true}, "vocab_size": 50432})");
        QVERIFY2(mpt.has_value(), qPrintable(said(mpt)));
        QCOMPARE(countParameters(mpt->model, 1).total, 6649286656);  // MPT-7B
        QVERIFY(mpt->model.positionEmbedding == PositionEmbedding::none);

        const auto glm = import(
            R"({"model_type": "chatglm", "num_layers": 28, "hidden_size": 4096, "ffn_hidden_size": 13696, "num_attention_heads": 32, "multi_query_attention": true,
                                    "multi_query_group_num": 2, "kv_channels": 128, "padded_vocab_size": 65024, "add_qkv_bias": true, "add_bias_linear": false, "seq_length": 32768})");
        QVERIFY2(glm.has_value(), qPrintable(said(glm)));
        QCOMPARE(countParameters(glm->model, 1).total, 6243584000);  // ChatGLM3-6B
    }

    void metaParameterFile() {
        const auto result = import(
            R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": -1, "multiple_of": 1024, "ffn_dim_multiplier": 1.3})");
        QVERIFY2(result.has_value(), qPrintable(said(result)));
        QCOMPARE(result->model.ffnHiddenSize, 14336);
        QVERIFY(has(result->report, "hf-vocabulary-unknown"));
    }

    void nestedLanguageModel() {
        const auto gemma = import(
            R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024},
                                      "vision_config": {"num_attention_heads": 16}})");
        QVERIFY2(gemma.has_value(), qPrintable(said(gemma)));
        QCOMPARE(gemma->model.attentionHeads, 8);
        QCOMPARE(gemma->model.kvHeads, 4);
        QCOMPARE(gemma->model.headDim, 256);
        QCOMPARE(gemma->model.vocabSize, 262208);
        QVERIFY(assumed(gemma->report, "/model/attention_heads") && assumed(gemma->report, "/model/vocab_size"));
        QVERIFY(has(gemma->report, "hf-vision-left-out"));
        QCOMPARE(gemma->model.layerKinds.size(), std::size_t{34});
        QVERIFY(gemma->model.layerKinds[0].slidingWindow && !gemma->model.layerKinds[5].slidingWindow);

        const auto llama4 = import(
            R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_size": 5120, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
            "num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": 16, "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "vocab_size": 202048}})");
        QVERIFY2(llama4.has_value(), qPrintable(said(llama4)));
        QCOMPARE(llama4->model.moe->expertFfnHiddenSize, 8192);
        QCOMPARE(llama4->model.ffnHiddenSize, 16384);
        QCOMPARE(llama4->model.moe->sharedExperts, 1);
        QVERIFY(layerKind(llama4->model, 0).ffn == FfnKind::dense && layerKind(llama4->model, 1).ffn == FfnKind::moe);
    }

    void latentAttentionAndExperts() {
        const auto result = import(
            R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_nextn_predict_layers": 1,
            "num_attention_heads": 128, "num_key_value_heads": 128, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
            "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "topk_method": "noaux_tc", "vocab_size": 129280,
            "tie_word_embeddings": false, "quantization_config": {"quant_method": "fp8"}})");
        QVERIFY2(result.has_value(), qPrintable(said(result)));
        QCOMPARE(countParameters(result->model, 1).total, 671026419200);
        QCOMPARE(result->model.moe->denseLayers, 3);
        QVERIFY(has(result->report, "hf-quantized"));
        QVERIFY(has(result->report, "hf-mla-ignores-kv-heads"));
        QVERIFY(has(result->report, "hf-extra-prediction-layers"));
    }

    void layersThatDiffer() {
        const auto search = import(
            R"({"model_type": "nemotron-nas", "hidden_size": 8192, "intermediate_size": null, "num_attention_heads": 64, "num_key_value_heads": null, "num_hidden_layers": 3,
            "block_configs": [{"attention": {"n_heads_in_group": 8, "no_op": false}, "ffn": {"ffn_mult": 5.25, "no_op": false}},
                              {"attention": {"n_heads_in_group": null, "no_op": true}, "ffn": {"ffn_mult": 2.625}},
                              {"attention": {"n_heads_in_group": 16}, "ffn": {"ffn_mult": null, "no_op": true}}], "vocab_size": 128256})");
        QVERIFY2(search.has_value(), qPrintable(said(search)));
        QCOMPARE(search->model.layerKinds.size(), std::size_t{3});
        QCOMPARE(search->model.layerKinds[0].ffnHiddenSize.value_or(0), 28672);
        QCOMPARE(search->model.layerKinds[0].kvHeads.value_or(0), 8);
        QVERIFY(search->model.layerKinds[1].mixer == MixerKind::none);
        QVERIFY(search->model.layerKinds[2].ffn == FfnKind::none);

        const auto openelm = import(
            R"({"model_type": "openelm", "model_dim": 1280, "head_dim": 64, "num_transformer_layers": 2, "ffn_multipliers": [0.5, 4.0], "ffn_dim_divisor": 256,
            "num_query_heads": [12, 20], "num_kv_heads": [3, 5], "share_input_output_layers": true, "vocab_size": 32000})");
        QVERIFY2(openelm.has_value(), qPrintable(said(openelm)));
        QCOMPARE(layerKind(openelm->model, 0).attentionHeads.value_or(0), 12);
        QCOMPARE(layerKind(openelm->model, 0).ffnHiddenSize.value_or(0), 768);
        QCOMPARE(layerKind(openelm->model, 1).ffnHiddenSize.value_or(0), 5120);

        const auto jamba = import(
            R"({"model_type": "jamba", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 65536,
            "attn_layer_period": 8, "attn_layer_offset": 4, "expert_layer_period": 2, "expert_layer_offset": 1, "num_experts": 16, "num_experts_per_tok": 2, "mamba_d_state": 16})");
        QVERIFY2(jamba.has_value(), qPrintable(said(jamba)));
        QVERIFY(jamba->model.layerKinds[4].mixer == MixerKind::attention &&
                jamba->model.layerKinds[3].mixer == MixerKind::linear);
        QVERIFY(jamba->model.layerKinds[3].ffn == FfnKind::moe && jamba->model.layerKinds[4].ffn == FfnKind::dense);
        QVERIFY(has(jamba->report, "hf-hybrid-approximate"));
        QVERIFY(std::abs(static_cast<double>(countParameters(jamba->model, 1).total) / 51.6e9 - 1) < 0.05);  // Jamba v0.1: 52B
    }

    void unknownArchitectureByShape() {
        const auto result = import(
            R"({"model_type": "brandnew", "hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8, "intermediate_size": 4096, "vocab_size": 1000, "hidden_act": "silu"})");
        QVERIFY2(result.has_value(), qPrintable(said(result)));
        QVERIFY(has(result->report, "hf-unknown-architecture"));
        QVERIFY(result->model.gatedMlp);
        QCOMPARE(text(result->model.name), QStringLiteral("brandnew"));
    }

    void oddValues() {
        const auto result = import(
            "\xEF\xBB\xBF{\"model_type\": \"llama\", \"hidden_size\": \"4096\", \"num_hidden_layers\": 32.0, "
            "\"num_attention_heads\": \"32\", \"intermediate_size\": 11008.0,"
            "\"vocab_size\": \"32,000\", \"sliding_window\": \"None\", \"torch_dtype\": \"torch.bfloat16\", "
            "\"initializer_range\": NaN, \"time_step_limit\": [0.0, Infinity],}");
        QVERIFY2(result.has_value(), qPrintable(said(result)));
        QCOMPARE(countParameters(result->model, 1).total, 6738415616);
        QVERIFY(has(result->report, "hf-converted") && has(result->report, "hf-mended"));
        QVERIFY(!result->model.slidingWindow);

        const auto wrong = import(R"({"model_type": "llama", "hidden_size": "4k", "num_hidden_layers": 32})");
        QVERIFY(!wrong);
        QVERIFY2(said(wrong).contains(QStringLiteral("config.json#/hidden_size: expected a whole number")),
                 qPrintable(said(wrong)));
    }

    void refusals_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QString>("message");
        QTest::newRow("adapter") << QByteArray(R"({"peft_type": "LORA", "base_model_name_or_path": "base-model", "r": 16})")
                                 << "adapter_config.json of a LORA adapter";
        QTest::newRow("weight index") << QByteArray(R"({"metadata": {"total_size": 1}, "weight_map": {}})")
                                      << "index of weight files";
        QTest::newRow("no attention") << QByteArray(
                                             R"({"model_type": "mamba", "d_model": 2560, "n_layer": 64, "vocab_size": 50277})")
                                      << "has no attention layers";
        QTest::newRow("encoder") << QByteArray(R"({"model_type": "bert", "hidden_size": 768})")
                                 << "is not a decoder language model";
        QTest::newRow("nothing in it") << QByteArray("{}")
                                       << "num_hidden_layers, hidden_size, num_attention_heads, intermediate_size are missing";
        QTest::newRow("a list") << QByteArray("[1]") << "expected the object of a config.json, found a list of 1";
        QTest::newRow("deepspeed") << QByteArray(R"({"zero_optimization": {"stage": 2}})") << "kind deepspeed";
        QTest::newRow("enormous") << QByteArray(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 1e15})")
                                  << "#/num_hidden_layers: expected a whole number from 1 to 16384";
        QTest::newRow("cut off") << QByteArray("{\"model_type\": \"llama\",") << "is not JSON";
    }
    void refusals() {
        QFETCH(QByteArray, config);
        QFETCH(QString, message);
        const auto result = import(config.constData());
        QVERIFY(!result);
        QVERIFY2(said(result).contains(message), qPrintable(said(result)));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestImportHf)
#include "test_import_hf.moc"
