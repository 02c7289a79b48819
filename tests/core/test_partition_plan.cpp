#include <algorithm>
#include <cmath>
#include <numeric>


#include "core/engine/evaluate.h"
#include "core/explain/explain.h"
#include "core/io/json/scenario_json.h"
#include "core/plan/validate.h"
#include "core/search/partition_plan.h"
#include "tests/support/preset_scenarios.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

double stepOf(const Scenario& scenario, const Plan& plan) {
    Scenario candidate = scenario;
    candidate.plan = plan;
    const Evaluation e = evaluate(candidate, Depth::simulated);
    return e.computed && e.memory.verdict != MemoryVerdict::out_of_memory ? e.time.stepS : 1e30;
}

std::string firstError(const Scenario& scenario) {
    for (const Diagnostic& one : validate(scenario))
        if (one.severity == Severity::error) return one.code;
    return {};
}

/// Llama 2 13B cut into equal replicas by hand, as the degrees of the plan would.
Plan equalReplicas(const Scenario& scenario, std::int64_t tensor, std::int64_t stages, std::int64_t replicas) {
    Plan plan = scenario.plan;
    const std::int64_t perStage = tensor * replicas;
    for (std::int64_t j = 0; j < replicas; ++j) {
        ReplicaPlan replica;
        replica.microBatches = scenario.workload.globalBatchSize / replicas;
        for (std::int64_t s = 0; s < stages; ++s) {
            ReplicaStage stage;
            stage.layers = scenario.model->layers / stages;
            for (std::int64_t t = 0; t < tensor; ++t) stage.devices.push_back(s * perStage + j * tensor + t);
            replica.stages.push_back(stage);
        }
        plan.replicas.push_back(replica);
    }
    return plan;
}

}  // namespace

class TestPartitionPlan : public QObject {
    Q_OBJECT
  private slots:
    // Replicas given one by one cost what the same plan costs by its degrees.
    void equalReplicasCostWhatDegreesCost() {
        Scenario s = test::scenario(4);
        s.workload.globalBatchSize = 32;
        s.plan.tensorParallel = 4;
        s.plan.pipelineParallel = 4;
        const Evaluation degrees = evaluate(s, Depth::simulated);
        QVERIFY(degrees.computed);
        Scenario replicas = s;
        replicas.plan = equalReplicas(s, 4, 4, 2);
        const Evaluation own = evaluate(replicas, Depth::simulated);
        QVERIFY2(own.computed, own.diagnostics.empty() ? "" : own.diagnostics[0].message.c_str());
        QVERIFY2(std::abs(own.time.stepS / degrees.time.stepS - 1) < 0.02,
                 qPrintable(QStringLiteral("%1 s, by degrees %2 s").arg(own.time.stepS).arg(degrees.time.stepS)));
        QVERIFY(std::abs(own.memory.peakBytes / degrees.memory.peakBytes - 1) < 0.01);
        QVERIFY(std::abs(own.throughput.mfu / degrees.throughput.mfu - 1) < 0.02);
        QCOMPARE(own.memory.stages.size(), std::size_t{8});
        const double parts = own.time.computeS + own.time.bubbleS + own.time.exposedTensorS + own.time.exposedContextS + own.time.exposedExpertS +
                             own.time.exposedPipelineS + own.time.exposedDataS + own.time.optimizerS + own.time.offloadS;
        QVERIFY(std::abs(parts / own.time.stepS - 1) < 1e-3);
        for (const char* pointer : {"/time/step_s", "/time/exposed_data_s", "/memory/peak_bytes"}) {
            const auto tree = explain(replicas, pointer);
            QVERIFY2(tree.has_value(), pointer);
            QVERIFY2(checkExplanation(*tree).has_value(), pointer);
        }
        QCOMPARE(explain(replicas, "/time/step_s")->value, own.time.stepS);
    }

    void replicasComeBackFromAFile() {
        Scenario s = test::presetScenario("mixed-a100-h100-13b");
        const PlanPartition found = partitionPlan(s, {.order = false, .tensor = true, .replicas = true, .shares = false});
        QVERIFY(found.found);
        QVERIFY(!found.plan.replicas.empty());
        s.plan = found.plan;
        const PresetLibrary library;
        const auto again = readScenario(writeScenario(s, &library), {"again", ""}, library);
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        QVERIFY(again->plan == found.plan);
        QCOMPARE(evaluate(*again, Depth::simulated).time.stepS, found.stepS);
    }

    void mistakesInReplicasAreNamed() {
        Scenario s = test::scenario(4);
        s.workload.globalBatchSize = 32;
        s.plan.replicas = equalReplicas(s, 4, 4, 2).replicas;
        QCOMPARE(firstError(s), std::string());
        const auto broken = [&](auto change) {
            Scenario other = s;
            change(other.plan);
            return firstError(other);
        };
        QCOMPARE(broken([](Plan& p) { p.replicas[1].microBatches = 5; }), std::string("replica-batch"));
        QCOMPARE(broken([](Plan& p) { --p.replicas[0].stages[0].layers; }), std::string("layers-per-stage-sum"));
        QCOMPARE(broken([](Plan& p) { p.replicas[0].stages[0].devices[0] = p.replicas[1].stages[0].devices[0]; }), std::string("replica-device"));
        QCOMPARE(broken([](Plan& p) { p.replicas[0].stages[0].devices[0] = 4711; }), std::string("replica-device"));
        QCOMPARE(broken([](Plan& p) { std::swap(p.replicas[0].stages[0].devices[0], p.replicas[0].stages[3].devices[0]); }),
                 std::string("replica-tensor-leaves-node"));
        QCOMPARE(broken([](Plan& p) { p.schedule = "chimera"; }), std::string("replica-schedule"));
        QCOMPARE(broken([](Plan& p) { p.zeroStage = 3; }), std::string("replica-zero-3"));
        QCOMPARE(broken([](Plan& p) { p.replicas[0].stages.clear(); }), std::string("replica-stages"));
        QCOMPARE(broken([](Plan& p) { p.replicas[0].stages[0].devices.clear(); }), std::string("replica-stage-empty"));
        QCOMPARE(broken([](Plan& p) { p.replicas[0].shard = 0.5; }), std::string("replica-shards"));
    }

    // Four kinds of nodes, two of them joined by a slow link: the best order of stages, against all of them.
    void theBestStageOrderIsFound() {
        Scenario s = test::scenario(1);
        ClusterSpec cluster;
        const double memory[] = {40, 80, 60, 80};
        const double speed[] = {1, 0.3, 0.6, 0.9};
        for (int i = 0; i < 4; ++i) {
            auto card = std::make_shared<AcceleratorSpec>(*test::accelerator("card", memory[i]));
            card->id = "card" + std::to_string(i);
            for (double& peak : card->peakFlopsPerS) peak *= speed[i];
            NodeSpec node;
            node.id = "n" + std::to_string(i);
            node.accelerators = {{card, 2}};
            cluster.nodes.push_back(node);
        }
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b) {
                LinkSpec link;
                link.from = "n" + std::to_string(a);
                link.to = "n" + std::to_string(b);
                link.bandwidthBytesPerS = a == 0 && b == 1 ? 1e8 : 1e9 * (a + b);
                cluster.links.push_back(link);
            }
        s.cluster = std::make_shared<ClusterSpec>(cluster);
        auto model = std::make_shared<ModelSpec>(*s.model);
        model->layers = 16;
        model->hiddenSize = 4096;
        model->attentionHeads = 32;
        model->ffnHiddenSize = 11008;
        s.model = model;
        s.workload.globalBatchSize = 16;
        s.workload.sequenceLength = 2048;
        s.plan.tensorParallel = 2;
        const PlanPartition found = partitionPlan(s, {.order = true, .tensor = false, .replicas = false, .shares = false});
        QVERIFY(found.found);
        QCOMPARE(stepOf(s, found.plan), found.stepS);
        std::vector<std::int64_t> order{0, 1, 2, 3};
        double best = 1e30;
        do {
            Scenario one = s;
            one.plan.layersPerStage.clear();
            one.plan.deviceOfRank.clear();
            for (const std::int64_t node : order)
                for (std::int64_t t = 0; t < 2; ++t) one.plan.deviceOfRank.push_back(2 * node + t);
            for (std::int64_t a = 0; a <= 16; ++a)
                for (std::int64_t b = 0; a + b <= 16; ++b)
                    for (std::int64_t c = 0; a + b + c <= 16; ++c) {
                        if ((a + 2 * b + c) % 3 != 0 && best < 1e30) continue;  // a third of the splits is proof enough
                        one.plan.layersPerStage = {a, b, c, 16 - a - b - c};
                        best = std::min(best, stepOf(one, one.plan));
                    }
        } while (std::next_permutation(order.begin(), order.end()));
        QVERIFY2(found.stepS <= best * (1 + 1e-9), qPrintable(QStringLiteral("%1 s, best %2 s").arg(found.stepS).arg(best)));
    }

    // Cephalo (arXiv 2411.01075): 1.2x to 10.8x over even shares on clusters of two and more generations.
    void unevenSharesBeatEvenOnes() {
        const Scenario s = test::presetScenario("odd-cards-llama-3b");
        double even = 1e30;
        for (const std::int64_t microBatch : {1, 2, 4, 8})
            for (const RecomputeMode mode : {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full}) {
                Plan plan = s.plan;
                plan.zeroStage = 3;
                plan.microBatchSize = microBatch;
                plan.recompute.mode = mode;
                even = std::min(even, stepOf(s, plan));
            }
        const PlanPartition found = partitionPlan(s, {.order = false, .tensor = false, .replicas = false, .shares = true});
        QVERIFY(found.found);
        QCOMPARE(found.how, std::string("uneven shares"));
        const double gain = even / found.stepS;
        qInfo("uneven shares: %.2f s, even %.2f s: %.2fx (published 1.2x to 10.8x)", found.stepS, even, gain);
        QVERIFY2(gain >= 1.2 && gain <= 10.8, qPrintable(QString::number(gain)));
        const auto& replicas = found.plan.replicas;
        QVERIFY(replicas.front().microBatchSize < replicas.back().microBatchSize);  // an RTX 3090 less than an RTX 5090
    }

    void replicasOfTheirOwnShapesBeatLayersAlone() {
        for (const char* file : {"mixed-a100-h100-13b", "default"}) {
            const Scenario s = test::presetScenario(file);
            const PlanPartition layers = partitionPlan(s, {});
            const PlanPartition free = partitionPlan(s, {.order = true, .tensor = true, .replicas = true, .shares = true});
            qInfo("%s: as it stands %.2f s, layers %.2f s, all free %.2f s (%s, bound %.2f s)", file, layers.nowStepS, layers.stepS, free.stepS,
                  free.how.c_str(), computeBoundS(s));
            QVERIFY(free.stepS < 0.9 * layers.stepS);
            QVERIFY(layers.stepS <= layers.nowStepS);
            QCOMPARE(stepOf(s, free.plan), free.stepS);
            QVERIFY(free.gap > 0 && free.gap < 0.5);
            QVERIFY(free.stepS > 0.999 * computeBoundS(s) / (1 + 0.5));
        }
    }

    void wordsOfFreedom() {
        const auto some = partitionFreedom("order,shares");
        QVERIFY(some && some->order && some->shares && !some->tensor && !some->replicas);
        QVERIFY(!partitionFreedom("order,colour").has_value());
        QVERIFY(!partitionFreedom("")->any());
    }

    void itStopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const PlanPartition found = partitionPlan(test::presetScenario("default"), {.order = true, .tensor = true, .replicas = true, .shares = true}, {},
                                                  stop.get_token());
        QVERIFY(found.stepS <= found.nowStepS);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPartitionPlan)
#include "test_partition_plan.moc"
