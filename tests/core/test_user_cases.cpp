#include <QtTest>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/memory/memory_model.h"
#include "core/plan/resolve.h"

using namespace trainyard;
using nlohmann::json;

namespace {

double unitBytes(const std::string& unit) {
    if (unit == "MiB") return 1048576.0;
    if (unit == "GiB") return 1073741824.0;
    return unit == "GB" ? 1e9 : 1;
}

ModelSpec gpt(const json& c) {
    ModelSpec m;
    m.layers = 1;
    m.hiddenSize = c.value("hidden", std::int64_t{1280});
    m.attentionHeads = m.kvHeads = c.value("heads", std::int64_t{20});
    m.headDim = m.hiddenSize / m.attentionHeads;
    m.ffnHiddenSize = 4 * m.hiddenSize;
    m.vocabSize = c.value("vocabulary", std::int64_t{50304});
    m.biases = m.tiedEmbeddings = true;
    m.norm = NormKind::layernorm;
    m.positionEmbedding = PositionEmbedding::none;
    return m;
}

const Operator& find(const std::vector<Operator>& list, std::string_view name) {
    for (const Operator& op : list)
        if (op.name == name) return op;
    qFatal("no such operator");
}

double statesOf(const json& c) {
    auto accelerator = std::make_shared<AcceleratorSpec>();
    auto cluster = std::make_shared<ClusterSpec>();
    NodeSpec node;
    node.accelerators.push_back({accelerator, c.value("replicas", std::int64_t{1})});
    cluster->nodes.push_back(node);
    Scenario s;
    s.cluster = cluster;
    s.model = std::make_shared<ModelSpec>(gpt(c));
    s.workload.precision = *precisionFromName(c.at("precision").get<std::string>());
    s.workload.gradientPrecision = precisionFromName(c.at("gradients").get<std::string>());
    s.workload.optimizer = c.value("optimizer", std::string("adamw"));
    s.plan.zeroStage = c.value("zero", std::int64_t{0});
    const ResolvedPlan plan = resolve(s);
    ModelMemory model;
    model.kinds.resize(1);
    model.kinds[0].denseParameters = c.at("parameters").get<double>();
    model.runs = {{1, 0}};
    const std::vector<std::pair<std::int64_t, std::int64_t>> layers{{0, 1}};
    StageContents stage;
    stage.layers = layers;
    const MemoryBreakdown b = memoryBreakdown(model, stage, {}, statePlan(s.workload, s.plan, plan), s.workload, s.plan, plan);
    return b.weights + b.gradients + b.master + b.moments;
}

double figureOf(const json& c) {
    const auto kind = c.at("kind").get<std::string>();
    Workload work;
    work.sequenceLength = c.value("sequence", std::int64_t{2048});
    work.attention = AttentionKernel::unfused;
    Sharding shard;
    shard.microBatchSize = c.value("micro_batch", std::int64_t{1});
    shard.tensor = c.value("tensor", std::int64_t{1});
    shard.vocabDivisor = c.value("vocabulary", std::int64_t{50304}) % 128 == 0 ? 1 : 128;
    if (kind == "states") return statesOf(c);
    if (kind == "gathered") return c.at("parameters").get<double>() * storageBytes(Precision::bf16);
    const ModelSpec model = gpt(c);
    if (kind == "logits") return find(headOperators(model, work, shard), "cross-entropy").savedBytes;
    const auto layer = layerOperators(model, LayerKind{}, work, shard);
    const Operator& core = find(layer, "attention core");
    if (kind == "scores") return core.sequences * core.queryLength * core.keyLength * core.heads * 4;
    if (kind == "unfused_growth") {
        ModelSpec plain = model;
        plain.dropout = false;
        const auto without = layerOperators(plain, LayerKind{}, work, shard);
        const Operator& op = find(without, "attention core");
        return (op.savedBytes + op.workspaceBytes) / (op.queryLength * op.keyLength);
    }
    if (kind == "layer_parameters") {
        double sum = 0;
        for (const Operator& op : layer) sum += op.parameters;
        return sum;
    }
    if (kind == "embedding_parameters") return find(embeddingOperators(model, work, shard), "token embedding").parameters;
    if (kind == "boundary") return modelMemory(model, work, shard, 0).boundaryBytes;
    qFatal("unknown kind of case");
}

}  // namespace

class TestUserCases : public QObject {
    Q_OBJECT
private slots:
    void figures_data() {
        QTest::addColumn<QByteArray>("text");
        std::ifstream file(qEnvironmentVariable("TRAINYARD_SOURCE_DIR").toStdString() + "/tests/golden/user_cases_memory.json");
        QVERIFY(file.good());
        int n = 0;
        const json document = json::parse(file);
        for (const json& c : document.at("cases"))
            QTest::newRow(qPrintable(QString("%1 %2 #%3").arg(c.at("case").get<std::string>().c_str(), c.at("kind").get<std::string>().c_str()).arg(n++)))
                << QByteArray::fromStdString(c.dump());
        QVERIFY(n >= 20);
    }
    void figures() {
        QFETCH(QByteArray, text);
        const json c = json::parse(text.toStdString());
        const double value = figureOf(c) / unitBytes(c.at("unit").get<std::string>());
        const double expected = c.at("expected").get<double>();
        QVERIFY2(std::abs(value - expected) <= c.at("tolerance").get<double>() * expected, qPrintable(QString("%1 instead of %2").arg(value).arg(expected)));
    }

    // UC-094: context parallelism 2 with micro-batch 4 keeps what micro-batch 2 keeps.
    void contextParallelismTradesAgainstTheMicroBatch() {
        ModelSpec model = gpt(json{{"hidden", 512}, {"heads", 8}});
        model.layers = 4;
        Workload work;
        work.attention = AttentionKernel::flash3;
        Sharding split, small;
        split.context = 2;
        split.microBatchSize = 4;
        small.microBatchSize = 2;
        const ModelMemory a = modelMemory(model, work, split, 0), b = modelMemory(model, work, small, 0);
        QCOMPARE(a.kinds[0].none.bytes, b.kinds[0].none.bytes);
        QCOMPARE(a.head.lossPeak, b.head.lossPeak);
    }

    // UC-004: quadratic in the sequence length without flash attention, linear with it.
    void growthWithTheSequence() {
        const auto kept = [](std::int64_t sequence, AttentionKernel kernel) {
            Workload work;
            work.sequenceLength = sequence;
            work.attention = kernel;
            return modelMemory(gpt(json::object()), work, Sharding{}, 0).kinds[0].none.bytes;
        };
        const auto ratio = [&](AttentionKernel kernel) { return (kept(16384, kernel) - kept(8192, kernel)) / (kept(8192, kernel) - kept(4096, kernel)); };
        QVERIFY(std::abs(ratio(AttentionKernel::unfused) / 3.94 - 1) < 0.05);
        QCOMPARE(ratio(AttentionKernel::flash2), 2.0);
    }

    // UC-079: 1 to 4 GiB besides tensors, of which the context is 0.45 to 1.8.
    void overheadBesidesTensors() {
        for (const SoftwareStack stack : {SoftwareStack::fused, SoftwareStack::classic, SoftwareStack::eager, SoftwareStack::gathered, SoftwareStack::sharded}) {
            const double context = stackTraits(stack).contextBytes / 1073741824.0;
            QVERIFY(context >= 0.45 && context <= 1.8);
        }
        Plan plan;
        plan.tensorParallel = plan.pipelineParallel = 2;
        ResolvedPlan resolved;
        resolved.devices = 8;
        resolved.dataParallel = 2;
        resolved.layersOfStage = {1, 1};
        const ModelMemory model = modelMemory(gpt(json::object()), Workload{}, shardingOf(plan), 0);
        const std::vector<std::pair<std::int64_t, std::int64_t>> layers{{0, 1}};
        StageContents stage;
        stage.layers = layers;
        const MemoryBreakdown b = memoryBreakdown(model, stage, {}, statePlan(Workload{}, plan, resolved), Workload{}, plan, resolved);
        const double overhead = (b.context + b.communicators) / 1073741824.0;
        QVERIFY2(overhead >= 1 && overhead <= 4, qPrintable(QString::number(overhead)));
    }
};

QTEST_APPLESS_MAIN(TestUserCases)
#include "test_user_cases.moc"
