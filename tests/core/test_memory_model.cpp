#include <QtTest>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/memory/memory_model.h"
#include "core/memory/software_stack.h"
#include "core/plan/resolve.h"

using namespace trainyard;

namespace {

constexpr double kGiB = 1073741824.0;

std::shared_ptr<const ClusterSpec> cluster(std::int64_t nodes, const char* architecture = "Ampere") {
    auto accelerator = std::make_shared<AcceleratorSpec>();
    accelerator->id = "test";
    accelerator->architecture = architecture;
    accelerator->memoryBytes = 80e9;
    NodeSpec node;
    node.id = "n";
    node.count = nodes;
    node.accelerators.push_back({accelerator, 8});
    auto spec = std::make_shared<ClusterSpec>();
    spec->nodes.push_back(node);
    return spec;
}

ModelSpec llama8b() {
    ModelSpec m;
    m.layers = 32;
    m.hiddenSize = 4096;
    m.attentionHeads = 32;
    m.kvHeads = 8;
    m.headDim = 128;
    m.ffnHiddenSize = 14336;
    m.gatedMlp = true;
    m.vocabSize = 128256;
    return m;
}

Scenario scenario(std::int64_t tensor, std::int64_t pipeline, std::int64_t nodes = 8) {
    Scenario s;
    s.cluster = cluster(nodes);
    s.model = std::make_shared<ModelSpec>(llama8b());
    s.workload.attention = AttentionKernel::flash3;
    s.workload.gradientPrecision = Precision::fp32;
    s.plan.tensorParallel = tensor;
    s.plan.pipelineParallel = pipeline;
    s.plan.sequenceParallel = tensor > 1;
    s.plan.zeroStage = 1;
    return s;
}

/// Breakdown of one pipeline rank of a plain 1F1B schedule.
MemoryBreakdown breakdown(const Scenario& s, int rank, InFlight inFlight = {}) {
    const ResolvedPlan plan = resolve(s);
    const ModelMemory model = modelMemory(*s.model, s.workload, shardingOf(s), s.plan.recompute.modules);
    std::int64_t first = 0;
    for (int i = 0; i < rank; ++i) first += plan.layersOfStage[static_cast<std::size_t>(i)];
    const std::vector<std::pair<std::int64_t, std::int64_t>> layers{{first, plan.layersOfStage[static_cast<std::size_t>(rank)]}};
    StageContents stage;
    stage.pipelineRank = rank;
    stage.layers = layers;
    stage.embedding = rank == 0;
    stage.head = rank + 1 == s.plan.pipelineParallel;
    if (inFlight.untilInput == 1 && !inFlight.splitBackward) inFlight.untilInput = inFlight.untilWeight = static_cast<double>(s.plan.pipelineParallel - rank);
    return memoryBreakdown(model, stage, inFlight, statePlan(s.workload, s.plan, plan), s.workload, s.plan, plan);
}

double states(const MemoryBreakdown& b) { return b.weights + b.gradients + b.master + b.moments; }
bool near(double value, double expected, double tolerance) { return std::abs(value / expected - 1) <= tolerance; }

}  // namespace

class TestMemoryModel : public QObject {
    Q_OBJECT
private slots:
    // Rajbhandari et al., arXiv 1910.02054, figure 1: 7.5 billion parameters on 64 devices, K = 12, in 10^9 bytes.
    void zeroTable_data() {
        QTest::addColumn<int>("stage");
        QTest::addColumn<double>("gigabytes");
        QTest::newRow("no sharding") << 0 << 120.0;
        QTest::newRow("optimizer") << 1 << 31.4;
        QTest::newRow("optimizer and gradients") << 2 << 16.6;
        QTest::newRow("everything") << 3 << 1.88;
    }
    void zeroTable() {
        QFETCH(int, stage);
        QFETCH(double, gigabytes);
        Scenario s = scenario(1, 1);
        s.workload.gradientPrecision = Precision::bf16;
        s.plan.zeroStage = stage;
        const ResolvedPlan plan = resolve(s);
        QCOMPARE(plan.dataParallel, std::int64_t{64});
        ModelMemory model;
        model.kinds.resize(1);
        model.kinds[0].denseParameters = 7.5e9;
        model.runs = {{1, 0}};
        const std::vector<std::pair<std::int64_t, std::int64_t>> layers{{0, 1}};
        StageContents contents;
        contents.layers = layers;
        const MemoryBreakdown b = memoryBreakdown(model, contents, {}, statePlan(s.workload, s.plan, plan), s.workload, s.plan, plan);
        QVERIFY2(near(states(b), gigabytes * 1e9, 0.005), qPrintable(QString::number(states(b))));
    }

    // Megatron-LM README: 18 bytes a parameter with fp32 gradients, 6 + 12 / d with a distributed optimizer.
    void recipes() {
        const auto bytes = [](const char* id, Precision compute, Precision gradients) { return stateBytes(optimizerRecipe(id), compute, gradients, false).total(); };
        QCOMPARE(bytes("adamw", Precision::bf16, Precision::fp32), 18.0);
        QCOMPARE(bytes("adamw", Precision::bf16, Precision::bf16), 16.0);
        QCOMPARE(bytes("adamw", Precision::fp16, Precision::fp16), 16.0);
        QCOMPARE(bytes("adamw", Precision::fp32, Precision::fp32), 16.0);
        QCOMPARE(bytes("sgd", Precision::bf16, Precision::fp32), 10.0);
        QCOMPARE(bytes("adamw-bf16", Precision::bf16, Precision::bf16), 8.0);
        QVERIFY(bytes("adamw-8bit", Precision::bf16, Precision::fp32) < 12.1);
        QVERIFY(findOptimizerRecipeOrNull("no such recipe") == nullptr);
        for (const OptimizerRecipe& recipe : optimizerRecipes()) QCOMPARE(findOptimizerRecipeOrNull(recipe.id), &recipe);
    }

    void distributedOptimizer() {
        const Scenario s = scenario(2, 1, 2);  // data parallel 8
        const MemoryBreakdown b = breakdown(s, 0);
        QVERIFY(near(states(b), b.denseParameters * (6 + 12.0 / 8), 1e-12));
    }

    void hybridShardGroup() {
        Scenario s = scenario(1, 1);
        s.plan.zeroStage = 3;
        s.plan.shardGroup = 8;
        QVERIFY(near(states(breakdown(s, 0)), breakdown(s, 0).denseParameters * 16 / 8, 1e-12));
        s.plan.shardGroup.reset();
        QVERIFY(near(states(breakdown(s, 0)), breakdown(s, 0).denseParameters * 16 / 64, 1e-12));
    }

    void expertsAreShardedByTheirOwnGroup() {
        Scenario s = scenario(1, 1, 1);
        ModelSpec m = llama8b();
        MoeSpec moe;
        moe.experts = 8;
        moe.topK = 2;
        moe.expertFfnHiddenSize = 14336;
        m.moe = moe;
        s.model = std::make_shared<ModelSpec>(m);
        s.plan.expertParallel = 8;
        const MemoryBreakdown b = breakdown(s, 0);
        // Every expert lives on one device only: nothing to share its optimizer with.
        QVERIFY(near(states(b), b.denseParameters * (6 + 12.0 / 8) + b.expertParameters * 18, 1e-12));
        QCOMPARE(b.expertParameters, 32.0 * 3 * 4096 * 14336);
    }

    // Megatron-LM's own estimate (report_theoretical_memory) with sequence parallelism and selective recomputation:
    // s b h (18 + 4 f / h) / t per layer of a plain feed-forward.
    void megatronEstimate() {
        Scenario s = scenario(8, 1);
        ModelSpec m;
        m.layers = 96;
        m.hiddenSize = 12288;
        m.attentionHeads = m.kvHeads = 96;
        m.headDim = 128;
        m.ffnHiddenSize = 49152;
        m.vocabSize = 51200;
        m.biases = m.tiedEmbeddings = true;
        m.positionEmbedding = PositionEmbedding::learned;
        s.model = std::make_shared<ModelSpec>(m);
        s.workload.sequenceLength = 2048;
        s.workload.attention = AttentionKernel::unfused;
        s.plan.recompute.mode = RecomputeMode::selective;
        const MemoryBreakdown b = breakdown(s, 0);
        const double layers = 96 * 2048.0 * 12288 * (18 + 4 * 4) / 8;
        const double embedding = 8 * 2048.0 + 2048.0 * 12288 / 8;  // ids and dropout
        QVERIFY2(near(b.kept, layers + embedding, 0.02), qPrintable(QString("%1 instead of %2").arg(b.kept).arg(layers + embedding)));
    }

    void categoriesAddUp() {
        for (const int zero : {0, 1, 2, 3})
            for (const std::int64_t pipeline : {1, 4})
                for (int rank = 0; rank < pipeline; ++rank) {
                    Scenario s = scenario(2, pipeline);
                    s.plan.zeroStage = zero;
                    const MemoryBreakdown b = breakdown(s, rank);
                    QVERIFY(near(std::accumulate(b.category.begin(), b.category.end(), 0.0), b.deviceBytes, 1e-12));
                    double terms = 0;
                    for (const MemoryTerm& term : memoryTerms(b)) {
                        QVERIFY(term.bytes > 0);
                        terms += term.bytes;
                    }
                    QVERIFY(near(terms, b.deviceBytes, 1e-12));
                    QVERIFY(b.allocatedBytes <= b.reservedBytes && b.reservedBytes <= b.deviceBytes);
                    const StageMemory stage = stageMemory(b, rank, 0, *s.cluster->nodes[0].accelerators[0].accelerator);
                    QVERIFY(near(stage.parametersBytes + stage.gradientsBytes + stage.optimizerBytes + stage.activationsBytes + stage.logitsBytes +
                                     stage.temporaryBytes + stage.communicationBytes + stage.frameworkBytes,
                                 stage.totalBytes, 1e-12));
                }
    }

    void moreShardingNeverCostsMemory() {
        double before = 1e300;
        for (const int zero : {0, 1, 2}) {
            Scenario s = scenario(2, 1);
            s.plan.zeroStage = zero;
            QVERIFY(breakdown(s, 0).deviceBytes < before);
            before = breakdown(s, 0).deviceBytes;
        }
        before = 1e300;
        for (const std::int64_t tensor : {1, 2, 4, 8}) {
            Scenario s = scenario(tensor, 1, 1);
            s.plan.zeroStage = 0;
            QVERIFY(breakdown(s, 0).deviceBytes < before);
            before = breakdown(s, 0).deviceBytes;
        }
    }

    void recomputationOrder() {
        const auto kept = [](RecomputeMode mode, std::uint16_t modules, std::optional<std::int64_t> layers = {}) {
            Scenario s = scenario(1, 1);
            s.plan.recompute = {mode, modules, layers, {}};
            return breakdown(s, 0);
        };
        const auto bits = [](RecomputeModule m) { return static_cast<std::uint16_t>(m); };
        const MemoryBreakdown none = kept(RecomputeMode::none, 0);
        const MemoryBreakdown policy = kept(RecomputeMode::selective, bits(RecomputeModule::every_second_matmul));
        const MemoryBreakdown half = kept(RecomputeMode::full, 0, 16);
        const MemoryBreakdown full = kept(RecomputeMode::full, 0);
        QVERIFY(none.kept > half.kept && half.kept > full.kept);
        QVERIFY(none.kept > policy.kept && policy.kept > full.kept);
        QVERIFY(near(half.kept - full.kept, (none.kept - full.kept) / 2, 1e-9));
        // The layer's input of every layer, 16 bit, and the token ids.
        QCOMPARE(full.kept, 32.0 * 4096 * 4096 * 2 + 4096 * 8);
        QVERIFY(full.deviceBytes < none.deviceBytes);
        Scenario stages = scenario(1, 2);
        stages.plan.recompute.perStage = {{RecomputeMode::full, {}}, {RecomputeMode::none, {}}};
        QCOMPARE(breakdown(stages, 0).keptPerMicroBatch, 16.0 * 4096 * 4096 * 2 + 4096 * 8);
        QVERIFY(breakdown(stages, 1).keptPerMicroBatch > 10 * breakdown(stages, 0).keptPerMicroBatch);
    }

    void earlierStagesHoldMoreMicroBatches() {
        const Scenario s = scenario(2, 4);
        for (int rank = 1; rank < 4; ++rank) {
            QCOMPARE(breakdown(s, rank - 1).inFlightMicroBatches - breakdown(s, rank).inFlightMicroBatches, 1.0);
            QVERIFY(breakdown(s, rank - 1).kept > breakdown(s, rank).kept);
        }
        QCOMPARE(breakdown(s, 1).kept, 3 * breakdown(s, 1).keptPerMicroBatch);
    }

    void splitBackwardKeepsInputsAndOutputGradients() {
        const Scenario s = scenario(2, 4);
        InFlight split;
        split.untilInput = 4;
        split.untilWeight = 6;
        split.splitBackward = true;
        const MemoryBreakdown waiting = breakdown(s, 1, split);
        QCOMPARE(waiting.kept, 4 * waiting.keptPerMicroBatch);
        QVERIFY(waiting.waitingForWeight > 0);
        split.untilWeight = 4;
        QCOMPARE(breakdown(s, 1, split).waitingForWeight, 0.0);
    }

    void tiedHeadHasASecondCopyOnTheLastStage() {
        Scenario s = scenario(1, 2);
        ModelSpec m = llama8b();
        m.tiedEmbeddings = true;
        s.model = std::make_shared<ModelSpec>(m);
        QCOMPARE(breakdown(s, 0).denseParameters + 4096, breakdown(s, 1).denseParameters);  // the final norm
        s.plan.pipelineParallel = 1;
        QCOMPARE(breakdown(s, 0).denseParameters, 8030261248.0 - 128256.0 * 4096);
    }

    void offloadMovesBytesToTheHost() {
        Scenario s = scenario(2, 4);
        const MemoryBreakdown on = breakdown(s, 0);
        s.plan.activationOffloadFraction = 0.25;
        s.plan.optimizerOffloadFraction = 0.5;
        const MemoryBreakdown off = breakdown(s, 0);
        QVERIFY(near(off.kept, 0.75 * on.kept, 1e-12));
        QVERIFY(near(off.master + off.moments, 0.5 * (on.master + on.moments), 1e-12));
        QVERIFY(off.deviceBytes < on.deviceBytes);
    }

    void eightBitWeightsAreKeptBesideTheirSource() {
        Scenario s = scenario(1, 1);
        const MemoryBreakdown wide = breakdown(s, 0);
        s.workload.precision = Precision::fp8;
        const MemoryBreakdown narrow = breakdown(s, 0);
        QCOMPARE(narrow.weights, wide.weights);
        QCOMPARE(narrow.weightCaches, 2 * narrow.matrixParameters);
        QVERIFY(narrow.kept < wide.kept);
    }

    void verdictFollowsUsableMemory() {
        AcceleratorSpec card;
        card.memoryBytes = 80e9;
        QCOMPARE(usableBytes(card), 0.985 * 80 * kGiB);
        card.memoryUsableBytes = 81559.0 * 1048576;
        QCOMPARE(usableBytes(card), 81559.0 * 1048576);
        const auto verdict = [](double used) {
            StageMemory stage;
            stage.totalBytes = used;
            stage.capacityBytes = 100;
            return memorySummary({stage}).verdict;
        };
        QVERIFY(verdict(80) == MemoryVerdict::fits);
        QVERIFY(verdict(80.1) == MemoryVerdict::tight);
        QVERIFY(verdict(100) == MemoryVerdict::tight);
        QVERIFY(verdict(100.1) == MemoryVerdict::out_of_memory);
        StageMemory large, small;
        large.totalBytes = 90;
        large.capacityBytes = 200;
        small.stage = 1;
        small.totalBytes = 50;
        small.capacityBytes = 60;
        const MemorySummary mixed = memorySummary({large, small});
        QCOMPARE(mixed.peakStage, 1);  // the fullest by share
        QCOMPARE(mixed.capacityBytes, 60.0);
        QCOMPARE(mixed.peakBytes, 90.0);
    }

    void softwareIsInferred() {
        Scenario s = scenario(2, 1);
        QVERIFY(softwareStack(s) == SoftwareStack::fused);
        s.workload.attention = AttentionKernel::flash2;
        QVERIFY(softwareStack(s) == SoftwareStack::fused);  // on Ampere the fastest there is
        s.cluster = cluster(8, "Hopper");
        QVERIFY(softwareStack(s) == SoftwareStack::eager);
        s.plan.contextParallel = 2;
        QVERIFY(softwareStack(s) == SoftwareStack::fused);
        s.workload.gradientPrecision = Precision::bf16;
        QVERIFY(softwareStack(s) == SoftwareStack::gathered);
        s.plan.zeroStage = 3;
        QVERIFY(softwareStack(s) == SoftwareStack::sharded);
        s.workload.stack = SoftwareStack::classic;
        QVERIFY(softwareStack(s) == SoftwareStack::classic);
        for (const char* id : {"fused", "classic", "eager", "gathered", "sharded"}) QCOMPARE(name(*softwareStackFromName(id)), std::string_view(id));
    }

    // SimuMax B200 validation set (release v1.2, Apache-2.0): torch max allocated per rank, Megatron-LM with Transformer Engine.
    void measuredPeaksPerRank_data() {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<int>("pipeline");
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("mebibytes");
        QTest::newRow("tensor 1, pipeline 2, first") << 1 << 2 << 0 << 68149.2;
        QTest::newRow("tensor 1, pipeline 2, last") << 1 << 2 << 1 << 64479.5;
        QTest::newRow("tensor 2") << 2 << 1 << 0 << 62136.4;
        QTest::newRow("tensor 4") << 4 << 1 << 0 << 40009.8;
        QTest::newRow("tensor 8") << 8 << 1 << 0 << 28965.4;
    }
    void measuredPeaksPerRank() {
        QFETCH(int, tensor);
        QFETCH(int, pipeline);
        QFETCH(int, rank);
        QFETCH(double, mebibytes);
        Scenario s = scenario(tensor, pipeline, 1);
        ModelSpec m;  // Llama 3 70B, 12 layers
        m.layers = 12;
        m.hiddenSize = 8192;
        m.attentionHeads = 64;
        m.kvHeads = 8;
        m.headDim = 128;
        m.ffnHiddenSize = 28672;
        m.gatedMlp = true;
        m.vocabSize = 128256;
        s.model = std::make_shared<ModelSpec>(m);
        const double predicted = breakdown(s, rank).allocatedBytes / 1048576;
        QVERIFY2(near(predicted, mebibytes, 0.01), qPrintable(QString("%1 MiB, measured %2").arg(predicted).arg(mebibytes)));
    }
};

QTEST_APPLESS_MAIN(TestMemoryModel)
#include "test_memory_model.moc"
