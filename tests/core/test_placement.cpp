#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/engine/evaluate.h"
#include "core/io/import/bandwidth_table.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/validate.h"
#include "core/search/placement.h"
#include "core/search/placement_cost.h"
#include "tests/support/preset_scenarios.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

/// Equal nodes, two pairs of which measured at a tenth.
Scenario twoSlowPairs(std::int64_t nodes) {
    Scenario s = test::scenario(nodes);
    auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
    const auto n = static_cast<std::size_t>(nodes);
    cluster->measured.bytesPerS.assign(n * n, 400e9);
    for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{0, 1}, {2, 3}})
        cluster->measured.bytesPerS[a * n + b] = cluster->measured.bytesPerS[b * n + a] = 10e9;
    s.cluster = cluster;
    s.workload.globalBatchSize = 8 * nodes;
    s.workload.sequenceLength = 4096;
    s.plan.tensorParallel = 8;
    s.plan.pipelineParallel = 4;
    return s;
}

}  // namespace

class TestPlacement : public QObject {
    Q_OBJECT
  private slots:
    void measuredRatesOverrideTheDrawing() {
        const Scenario s = twoSlowPairs(8);
        const Topology topology(s.cluster);
        QVERIFY(topology.measured());
        QCOMPARE(topology.nodeToNodeBytesPerS(0, 1), 10e9);
        QCOMPARE(topology.nodeToNodeBytesPerS(0, 2), 400e9);
        QVERIFY(topology.route(0, 8).bandwidthBytesPerS < 0.1 * topology.route(0, 16).bandwidthBytesPerS);
        Scenario drawn = s;
        auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
        cluster->measured = {};
        drawn.cluster = cluster;
        QVERIFY(evaluate(s, Depth::simulated).time.stepS > 1.02 * evaluate(drawn, Depth::simulated).time.stepS);
        cluster = std::make_shared<ClusterSpec>(*s.cluster);
        cluster->measured.bytesPerS.resize(9);
        drawn.cluster = cluster;
        bool said = false;
        for (const Diagnostic& one : validate(drawn)) said = said || one.code == "measured-bandwidth-size";
        QVERIFY(said);
    }

    // Costs kept up to date under exchanges are those priced from nothing.
    void incrementalCostIsTheCost() {
        const Scenario s = twoSlowPairs(8);
        const Topology topology(s.cluster);
        PlacementCost cost(s, topology);
        std::mt19937 random(1);
        for (int i = 0; i < 300; ++i) {
            const std::pair<std::int32_t, std::int32_t> pair{static_cast<std::int32_t>(random() % 64), static_cast<std::int32_t>(random() % 64)};
            if (pair.first == pair.second) continue;
            const double before = cost.totalS();
            cost.exchange({&pair, 1});
            if (i % 3 == 0) {
                cost.exchange({&pair, 1});
                QCOMPARE(cost.totalS(), before);
            }
        }
        Scenario moved = s;
        moved.plan.deviceOfRank.assign(cost.devices().begin(), cost.devices().end());
        QVERIFY(std::abs(PlacementCost(moved, topology).totalS() / cost.totalS() - 1) < 0.3);  // volumes are priced anew
        for (std::int32_t rank = 0; rank < 64; ++rank) QCOMPARE(cost.rankOnDevice(cost.devices()[static_cast<std::size_t>(rank)]), rank);
    }

    // Pipette (arXiv 2405.18093): placement by measured links beats the naive order.
    void slowPairsAreKeptApart() {
        const Scenario s = twoSlowPairs(16);
        double lastShare = 0;
        const PlacementResult found = placeRanks(s, {.proposals = 40'000, .seed = 7}, [&](double share, double) { lastShare = share; });
        QVERIFY(!found.best.empty() && found.best.size() <= 10);
        QVERIFY(found.complete);
        QCOMPARE(lastShare, 1.0);
        qInfo("naive %.3f s, placed %.3f s, %lld of %lld kept, %.2f s", found.naive.stepS, found.best[0].stepS, static_cast<long long>(found.accepted),
              static_cast<long long>(found.proposals), found.annealingSeconds);
        QVERIFY(found.best[0].stepS < 0.97 * found.naive.stepS);
        for (std::size_t i = 0; i < found.best.size(); ++i) {
            Scenario one = s;
            one.plan.deviceOfRank = found.best[i].deviceOfRank;
            const Evaluation e = evaluate(one, Depth::simulated);
            QVERIFY(e.computed);
            QCOMPARE(e.time.stepS, found.best[i].stepS);
            QVERIFY(i == 0 || found.best[i].stepS >= found.best[i - 1].stepS);
            std::vector<std::int64_t> sorted = found.best[i].deviceOfRank;
            std::sort(sorted.begin(), sorted.end());
            for (std::size_t d = 0; d < sorted.size(); ++d) QCOMPARE(sorted[d], static_cast<std::int64_t>(d));
        }
        const PlacementResult again = placeRanks(s, {.proposals = 40'000, .seed = 7});
        QCOMPARE(again.best[0].deviceOfRank, found.best[0].deviceOfRank);
    }

    void anEvenClusterStaysAsItIs() {
        Scenario s = test::scenario(4);
        const PlacementResult found = placeRanks(s, {.proposals = 2'000});
        QVERIFY(!found.best.empty());
        QVERIFY(found.best[0].stepS <= found.naive.stepS);
    }

    void itStopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const PlacementResult found = placeRanks(twoSlowPairs(8), {}, {}, stop.get_token());
        QVERIFY(!found.complete);
        QCOMPARE(found.proposals, 0);
    }

    // 512 ranks, 100,000 exchanges: 10 s on one core are allowed; a loaded machine gets all of them here.
    void fiveHundredRanksAreQuick() {
        Scenario s = twoSlowPairs(64);
        s.plan.pipelineParallel = 8;
        const PlacementResult found = placeRanks(s, {.proposals = 100'000, .seed = 1, .top = 1});
        qInfo("512 ranks, 100,000 proposals: %.2f s; naive %.3f s, placed %.3f s", found.annealingSeconds, found.naive.stepS, found.best[0].stepS);
        QCOMPARE(found.proposals, 100'000);
        QVERIFY(found.annealingSeconds < 10);
    }

    void tablesAreRead_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("where");
        QTest::newRow("plain") << "0 10\n20 0\n" << "";
        QTest::newRow("csv with names") << "node,a,b\na,-,10\nb,20,-\n" << "";
        QTest::newRow("tabs, windows lines") << "X\t10\r\n20\tX\r\n" << "";
        QTest::newRow("comment and blank line") << "# GB/s\n\n0;10\n20;0" << "";
        QTest::newRow("too few rows") << "0 10\n" << "line 1, column 1";
        QTest::newRow("too many rows") << "0 10\n20 0\n1 2\n" << "line 3, column 1";
        QTest::newRow("a row too short") << "0 10\n20\n" << "line 2, column 1";
        QTest::newRow("a word") << "0 10\nfast 0\n" << "line 2, column 1";
        QTest::newRow("negative") << "0 -3\n20 0\n" << "line 1, column 2";
        QTest::newRow("nothing") << "" << "line 0, column 1";
    }
    void tablesAreRead() {
        QFETCH(QString, table);
        QFETCH(QString, where);
        const auto read = parseBandwidthTable(table.toStdString(), 2);
        QCOMPARE(read.has_value(), where.isEmpty());
        if (!read) {
            QCOMPARE(QString::fromStdString(read.error().where), where);
            QVERIFY(!read.error().message.empty());
            return;
        }
        QCOMPARE(read->bytesPerS, (std::vector<double>{0, 10e9, 20e9, 0}));
        QCOMPARE(parseBandwidthTable(table.toStdString(), 2, true)->bytesPerS[1], 1.25e9);
    }

    void measurementsComeBackFromAFile() {
        Scenario s = test::presetScenario("dgx-a100-llama-2-13b");
        auto cluster = std::make_shared<ClusterSpec>(*s.cluster);
        const auto nodes = static_cast<std::size_t>(cluster->nodeInstances());
        cluster->measured.source = "nccl-tests";
        for (std::size_t i = 0; i < nodes * nodes; ++i) cluster->measured.bytesPerS.push_back(1e9 * static_cast<double>(i));
        s.cluster = cluster;
        const PresetLibrary library;
        const auto again = readScenario(writeScenario(s, &library), {"again", ""}, library);
        QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
        QVERIFY(again->cluster->measured == s.cluster->measured);
        const auto broken = readScenario(
            R"({"format":"trainyard.scenario","version":1,"cluster":{"preset":"dgx-a100","nodes":2,"measured_bandwidth":{"bytes_per_s":[[0,1],[2]]}},"model":{"preset":"gpt-2"}})",
            {"broken", ""}, library);
        QVERIFY(!broken.has_value());
        QVERIFY(broken.error().where.find("/cluster/measured_bandwidth/bytes_per_s/1") != std::string::npos);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPlacement)
#include "test_placement.moc"
