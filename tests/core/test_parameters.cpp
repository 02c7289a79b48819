#include <QtTest>

#include "core/model/model_spec.h"

using namespace trainyard;

namespace {

ModelSpec decoder(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t kvHeads, std::int64_t headDim, std::int64_t ffn,
                  std::int64_t vocabulary, bool tied) {
    ModelSpec m;
    m.layers = layers;
    m.hiddenSize = hidden;
    m.attentionHeads = heads;
    m.kvHeads = kvHeads;
    m.headDim = headDim;
    m.ffnHiddenSize = ffn;
    m.gatedMlp = true;
    m.vocabSize = vocabulary;
    m.tiedEmbeddings = tied;
    return m;
}

/// GPT-2 family: layer norms, biases, plain feed-forward, learned positions.
ModelSpec gpt2(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
    ModelSpec m = decoder(layers, hidden, heads, heads, hidden / heads, 4 * hidden, 50257, true);
    m.gatedMlp = false;
    m.biases = true;
    m.norm = NormKind::layernorm;
    m.positionEmbedding = PositionEmbedding::learned;
    m.maxPositions = 1024;
    return m;
}

ModelSpec with(ModelSpec m, const MoeSpec& moe) {
    m.moe = moe;
    return m;
}

ModelSpec deepseekV3() {
    ModelSpec m = decoder(61, 7168, 128, 128, 128, 18432, 129280, false);
    m.mla = MlaSpec{1536, 512, 128, 64, 128};
    MoeSpec moe;
    moe.experts = 256;
    moe.topK = 8;
    moe.expertFfnHiddenSize = 2048;
    moe.sharedExperts = 1;
    moe.denseLayers = 3;
    moe.routerBias = true;
    m.moe = moe;
    return m;
}

}  // namespace

class TestParameters : public QObject {
    Q_OBJECT
private slots:
    void publishedTotals_data() {
        QTest::addColumn<ModelSpec>("model");
        QTest::addColumn<qint64>("total");
        QTest::newRow("Llama 2 7B") << decoder(32, 4096, 32, 32, 128, 11008, 32000, false) << qint64{6738415616};
        QTest::newRow("Llama 3.1 405B") << decoder(126, 16384, 128, 8, 128, 53248, 128256, false) << qint64{405853388800};
        ModelSpec m = decoder(24, 896, 14, 2, 64, 4864, 151936, true);
        m.qkvBias = true;
        QTest::newRow("Qwen2.5 0.5B: query-key-value bias") << m << qint64{494032768};
        m = decoder(28, 1024, 16, 8, 128, 3072, 151936, true);
        m.qkNorm = true;
        QTest::newRow("Qwen3 0.6B: query and key norm") << m << qint64{596049920};
        QTest::newRow("Mixtral 8x7B") << with(decoder(32, 4096, 32, 8, 128, 14336, 32000, false), MoeSpec{8, 2, 14336, 0, {}, 0, false, false})
                                      << qint64{46702792704};
        m = with(decoder(24, 2048, 16, 16, 128, 5632, 151936, false), MoeSpec{60, 4, 1408, 4, 5632, 0, true, false});
        m.qkvBias = true;
        QTest::newRow("Qwen1.5 MoE A2.7B: gated shared expert") << m << qint64{14315784192};
        m = with(decoder(94, 4096, 64, 4, 128, 12288, 151936, false), MoeSpec{128, 8, 1536, 0, {}, 0, false, false});
        m.qkNorm = true;
        QTest::newRow("Qwen3 235B A22B") << m << qint64{235093634560};
        m = decoder(26, 2304, 8, 4, 256, 9216, 256000, true);
        m.normsPerLayer = 4;
        QTest::newRow("Gemma 2 2B: four norms") << m << qint64{2614341888};
        m = decoder(26, 1152, 4, 1, 256, 6912, 262144, true);
        m.normsPerLayer = 4;
        m.qkNorm = true;
        QTest::newRow("Gemma 3 1B") << m << qint64{999885952};
        QTest::newRow("DeepSeek V3: MLA and experts") << deepseekV3() << qint64{671026419200};
        QTest::newRow("GPT-2") << gpt2(12, 768, 12) << qint64{124439808};
        QTest::newRow("GPT-2 XL") << gpt2(48, 1600, 25) << qint64{1557611200};
        m = gpt2(32, 4096, 32);
        m.positionEmbedding = PositionEmbedding::rope;
        m.vocabSize = 50432;
        m.tiedEmbeddings = false;
        QTest::newRow("Pythia 6.9B") << m << qint64{6857302016};
        m = gpt2(70, 14336, 112);
        m.positionEmbedding = PositionEmbedding::none;
        m.vocabSize = 250880;
        m.embeddingNorm = true;
        QTest::newRow("BLOOM 176B: embedding norm") << m << qint64{176247271424};
        m = with(decoder(36, 2880, 64, 8, 64, 2880, 201088, false), MoeSpec{128, 4, 2880, 0, {}, 0, false, true});
        m.biases = true;
        m.attentionSinks = true;
        QTest::newRow("gpt-oss 120B: biases, sinks") << m << qint64{116829156672};
        m = decoder(32, 4096, 32, 32, 128, 11008, 100352, false);
        m.qkNorm = m.qkNormFull = true;
        QTest::newRow("OLMo 2 7B: norms over all heads") << m << qint64{7298617344};
        m = decoder(96, 18432, 96, 8, 192, 73728, 256000, false);
        m.gatedMlp = false;
        m.norm = NormKind::layernorm;
        QTest::newRow("Nemotron 4 340B") << m << qint64{341029195776};
    }
    void publishedTotals() {
        QFETCH(ModelSpec, model);
        QFETCH(qint64, total);
        QCOMPARE(qint64{countParameters(model, 4096).total}, total);
    }

    void activeLeavesUnusedExpertsOut() {
        const ModelSpec mixtral = with(decoder(32, 4096, 32, 8, 128, 14336, 32000, false), MoeSpec{8, 2, 14336, 0, {}, 0, false, false});
        const ParameterCounts counts = countParameters(mixtral, 4096);
        QCOMPARE(counts.total - counts.active, std::int64_t{32} * 6 * 3 * 4096 * 14336);
        QCOMPARE(counts.embedding, std::int64_t{2} * 32000 * 4096);
        const ParameterCounts v3 = countParameters(deepseekV3(), 4096);
        QVERIFY2(std::abs(static_cast<double>(v3.active) / 37.55e9 - 1) < 0.001, qPrintable(QString::number(v3.active)));
        QCOMPARE(countParameters(gpt2(12, 768, 12), 4096).active, countParameters(gpt2(12, 768, 12), 4096).total);
    }

    void tiedHeadIsCountedOnce() {
        ModelSpec m = gpt2(12, 768, 12);
        const std::int64_t tied = countParameters(m, 1024).total;
        m.tiedEmbeddings = false;
        QCOMPARE(countParameters(m, 1024).total - tied, std::int64_t{50257} * 768);
    }

    void learnedPositionsFollowTheSequenceIfNotGiven() {
        ModelSpec m = gpt2(12, 768, 12);
        m.maxPositions = 0;
        QCOMPARE(countParameters(m, 4096).total - countParameters(m, 2048).total, std::int64_t{2048} * 768);
    }

    void layerKindsOfMoeModels() {
        const ModelSpec m = deepseekV3();
        QVERIFY(layerKind(m, 2).ffn == FfnKind::dense);
        QVERIFY(layerKind(m, 3).ffn == FfnKind::moe);
        ModelSpec hybrid = m;
        hybrid.layerKinds.assign(61, LayerKind{});
        hybrid.layerKinds[7].mixer = MixerKind::linear;
        QVERIFY(layerKind(hybrid, 7).mixer == MixerKind::linear);
    }
};

QTEST_APPLESS_MAIN(TestParameters)
#include "test_parameters.moc"
