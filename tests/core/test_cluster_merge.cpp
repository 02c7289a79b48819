#include "core/cluster/topology.h"
#include "core/plan/cluster_merge.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestClusterMerge : public QObject {
    Q_OBJECT
  private slots:
    void twoDrawingsReachEachOther() {
        ClusterSpec other = test::star(3, 4);
        other.links[0].bandwidthBytesPerS = 12.5e9;
        const MergedCluster merged = mergedClusters(test::star(2, 8), other);
        QCOMPARE(merged.cluster.devices(), std::int64_t{2 * 8 + 3 * 4});
        QCOMPARE(merged.cluster.nodes.size(), std::size_t{2});
        QVERIFY(merged.cluster.nodes[0].id != merged.cluster.nodes[1].id);
        QVERIFY(merged.cluster.switches[0].id != merged.cluster.switches[1].id);
        QCOMPARE(merged.cluster.links.size(), std::size_t{3});
        QCOMPARE(merged.cluster.links.back().bandwidthBytesPerS, 50e9);
        QVERIFY(!merged.bridge.empty());
        QVERIFY(Topology(std::make_shared<ClusterSpec>(merged.cluster)).connected());
        // A third one comes beside the two.
        const MergedCluster three = mergedClusters(merged.cluster, test::star(1, 8));
        QCOMPARE(three.cluster.devices(), std::int64_t{36});
        QVERIFY(Topology(std::make_shared<ClusterSpec>(three.cluster)).connected());
    }
    void nothingAddsNothing() {
        QCOMPARE(mergedClusters(test::star(2, 8), {}).cluster, test::star(2, 8));
        QCOMPARE(mergedClusters({}, test::star(2, 8)).cluster, test::star(2, 8));
        QVERIFY(mergedClusters({}, test::star(2, 8)).bridge.empty());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestClusterMerge)
#include "test_cluster_merge.moc"
