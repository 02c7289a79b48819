#include "core/cluster/topology.h"
#include "core/plan/cluster_patterns.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestClusterPatterns : public QObject {
    Q_OBJECT

    static ClusterSpec draw(ClusterPattern pattern, double oversubscription = 1) {
        PatternRequest request;
        const auto star = test::star(1, 8);
        request.pattern = pattern;
        request.node = star.nodes[0];
        request.cable = star.links[0];
        request.wide.kind = LinkKind::wan;
        request.wide.bandwidthBytesPerS = 1.25e9;
        request.wide.latencyS = 10e-3;
        request.oversubscription = oversubscription;
        for (const auto& info : allPatterns())
            if (info.pattern == pattern) {
                request.groups = info.groups;
                request.nodesPerGroup = info.nodesPerGroup;
            }
        return drawPattern(request);
    }

  private slots:
    void everyPatternIsConnected_data() {
        QTest::addColumn<int>("pattern");
        QTest::addColumn<int>("devices");
        const int devices[] = {256, 128, 256, 8, 8, 32, 64, 128};
        for (const auto& info : allPatterns())
            QTest::newRow(std::string(info.id).c_str()) << static_cast<int>(info.pattern) << devices[static_cast<int>(info.pattern)];
    }
    void everyPatternIsConnected() {
        QFETCH(int, pattern);
        QFETCH(int, devices);
        const auto cluster = draw(static_cast<ClusterPattern>(pattern));
        QCOMPARE(cluster.devices(), std::int64_t{devices});
        const Topology topology(std::make_shared<const ClusterSpec>(cluster));
        QVERIFY(topology.connected());
        for (const auto& link : cluster.links) QVERIFY(link.bandwidthBytesPerS > 0 && link.count >= 1);
    }

    void anOversubscribedFatTreeHasFewerUplinks() {
        const auto full = draw(ClusterPattern::fatTree);
        const auto thin = draw(ClusterPattern::fatTree, 4);
        // Pods of 8 nodes with 8 cables each: 64 down, 64 or 16 up.
        QCOMPARE(full.links.back().count, std::int64_t{64});
        QCOMPARE(thin.links.back().count, std::int64_t{16});
        QCOMPARE(thin.switches.front().oversubscription, 4.0);
    }

    void railsTakeOnePortEach() {
        const auto cluster = draw(ClusterPattern::railOptimized);
        QCOMPARE(cluster.nodes.size(), std::size_t{1});
        QCOMPARE(cluster.switches.size(), std::size_t{9});  // 8 rails and the spine
        for (std::size_t i = 0; i < 8; ++i) QCOMPARE(cluster.links[i].count, std::int64_t{1});
    }

    void twoSitesMeetOnlyOverTheWan() {
        const auto cluster = draw(ClusterPattern::twoSites);
        const Topology topology(std::make_shared<const ClusterSpec>(cluster));
        const auto across = topology.route(0, 64);
        QCOMPARE(across.kind, LinkKind::wan);
        QVERIFY(across.latencyS >= 10e-3);
        QCOMPARE(cluster.nodes[0].site, std::string("Site 1"));
        QCOMPARE(cluster.nodes[1].site, std::string("Site 2"));
    }

    void aRingOfEightHasEightCables() {
        QCOMPARE(draw(ClusterPattern::ring).links.size(), std::size_t{8});
        QCOMPARE(draw(ClusterPattern::fullMesh).links.size(), std::size_t{6});
    }
};

TRAINYARD_CORE_TEST_MAIN(TestClusterPatterns)
#include "test_cluster_patterns.moc"
