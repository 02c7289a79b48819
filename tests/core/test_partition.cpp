#include <numeric>
#include <random>

#include "core/engine/evaluate.h"
#include "core/search/partition.h"
#include "core/search/search_plans.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using Split = std::vector<std::int64_t>;

namespace {

std::shared_ptr<const AcceleratorSpec> device(double gibibytes, double speed) {
    auto spec = std::make_shared<AcceleratorSpec>(*test::accelerator("card", gibibytes));
    for (double& peak : spec->peakFlopsPerS) peak *= speed;
    spec->memoryBandwidthBytesPerS *= speed;
    return spec;
}

/// One device per node and stage, joined by a switch.
Scenario unequal(std::mt19937& random, int stages, std::int64_t layers, bool tightMemory) {
    Scenario s;
    ClusterSpec cluster;
    SwitchSpec hub;
    hub.id = "s";
    cluster.switches.push_back(hub);
    for (int i = 0; i < stages; ++i) {
        NodeSpec node;
        node.id = std::string("n").append(std::to_string(i));
        const double speed = 0.1 + 0.9 * static_cast<double>(random() % 1000) / 1000;
        const double memory = tightMemory ? 10 + static_cast<double>(random() % 16) : 80;
        node.accelerators = {{device(memory, speed), 1}};
        cluster.nodes.push_back(node);
        LinkSpec link;
        link.from = node.id;
        link.to = "s";
        link.bandwidthBytesPerS = 12.5e9;
        link.latencyS = 5e-6;
        cluster.links.push_back(link);
    }
    s.cluster = std::make_shared<ClusterSpec>(cluster);
    ModelSpec model;
    model.name = "small";
    model.layers = layers;
    model.hiddenSize = 2048;
    model.attentionHeads = model.kvHeads = 16;
    model.headDim = 128;
    model.ffnHiddenSize = 8192;
    model.vocabSize = 32000;
    s.model = std::make_shared<ModelSpec>(model);
    s.workload.sequenceLength = 2048;
    s.workload.globalBatchSize = 16;
    s.plan.pipelineParallel = stages;
    s.plan.recompute.mode = RecomputeMode::full;
    return s;
}

void everySplit(std::int64_t layers, std::size_t stages, Split& split, const auto& visit) {
    if (split.size() + 1 == stages) {
        split.push_back(layers);
        visit(split);
        split.pop_back();
        return;
    }
    for (std::int64_t here = 0; here <= layers; ++here) {
        split.push_back(here);
        everySplit(layers - here, stages, split, visit);
        split.pop_back();
    }
}

}  // namespace

class TestPartition : public QObject {
    Q_OBJECT
  private slots:
    // Against every split, tried one by one through evaluate(); memory binds in half of the cases.
    void noSplitIsBetter_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 24; ++seed) QTest::addRow("seed %d", seed) << seed;
    }
    void noSplitIsBetter() {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const int stages = 2 + seed % 3;
        const std::int64_t layers = stages + 2 + static_cast<std::int64_t>(random() % 5);
        const Scenario scenario = unequal(random, stages, layers, seed % 2 == 1);
        const PartitionResult found = partitionLayers(scenario);
        QCOMPARE(std::accumulate(found.layersPerStage.begin(), found.layersPerStage.end(), std::int64_t{0}), layers);
        double best = 0;
        Split split;
        everySplit(layers, static_cast<std::size_t>(stages), split, [&](const Split& candidate) {
            Scenario one = scenario;
            one.plan.layersPerStage = candidate;
            const Evaluation e = evaluate(one, Depth::simulated);
            if (!e.computed || e.memory.verdict == MemoryVerdict::out_of_memory) return;
            if (best == 0 || e.time.stepS < best) best = e.time.stepS;
        });
        QCOMPARE(found.fits, best > 0);
        if (best == 0) return;
        QVERIFY(found.optimal);
        QVERIFY2(found.stepS <= best * (1 + 1e-9), qPrintable(QStringLiteral("%1 s, best %2 s").arg(found.stepS).arg(best)));
        QVERIFY2(found.stepS >= best * (1 - 1e-9), "the step is not the one that evaluate() gives");
    }

    // More kinds of devices in one plan than an evaluation keeps prices for.
    void aHundredKindsOfDevicesArePriced() {
        std::mt19937 random(7);
        const Scenario s = unequal(random, 100, 200, false);
        const Evaluation e = evaluate(s, Depth::closedForm);
        QVERIFY(e.computed);
        double slowest = 0;
        for (const NodeSpec& node : s.cluster->nodes) slowest = std::max(slowest, 1 / node.accelerators[0].accelerator->peak(Precision::bf16));
        QVERIFY(e.time.stepS > 16 * 2 * 6 * 2048.0 * 12 * 2048 * 2048 * slowest / 2);
        QCOMPARE(evaluate(s, Depth::closedForm).time.stepS, e.time.stepS);
    }

    void aSlowDeviceGetsFewerLayers() {
        std::mt19937 random(1);
        Scenario s = unequal(random, 2, 20, false);
        auto cluster = *s.cluster;
        cluster.nodes[0].accelerators[0].accelerator = device(80, 1.0);
        cluster.nodes[1].accelerators[0].accelerator = device(80, 0.25);
        s.cluster = std::make_shared<ClusterSpec>(cluster);
        const PartitionResult found = partitionLayers(s);
        QVERIFY(found.layersPerStage[0] > 2 * found.layersPerStage[1]);
        QVERIFY(found.stepS < found.evenSplitStepS);
    }

    void ifNothingFitsTheLeastOverflowIsSaid() {
        std::mt19937 random(1);
        Scenario s = unequal(random, 2, 40, false);
        auto cluster = *s.cluster;
        for (NodeSpec& node : cluster.nodes) node.accelerators[0].accelerator = device(6, 1.0);
        s.cluster = std::make_shared<ClusterSpec>(cluster);
        const PartitionResult found = partitionLayers(s);
        QVERIFY(!found.fits);
        QVERIFY(found.overflowBytes > 0);
        QCOMPARE(found.layersPerStage[0] + found.layersPerStage[1], 40);
    }

    void theSearchFindsAPlanThatEvaluatesAsItSays() {
        const Scenario s = test::scenario(4);
        const SearchResult result = searchPlans(s, {.objective = Objective::time, .top = 5, .limitS = 0, .threads = 1});
        QVERIFY(result.complete);
        QVERIFY(result.plans.size() >= 3 && result.plans.size() <= 5);
        QVERIFY(result.evaluated > 50);
        for (std::size_t i = 0; i < result.plans.size(); ++i) {
            Scenario one = s;
            one.plan = result.plans[i].plan;
            const Evaluation e = evaluate(one, Depth::simulated);
            QVERIFY(e.computed);
            QVERIFY(e.memory.verdict != MemoryVerdict::out_of_memory);
            QCOMPARE(e.time.stepS, result.plans[i].stepS);
            QVERIFY(i == 0 || result.plans[i].stepS >= result.plans[i - 1].stepS);
            QVERIFY(i == 0 || !result.plans[i].reason.empty());
        }
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPartition)
#include "test_partition.moc"
