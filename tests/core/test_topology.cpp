#include <cmath>

#include "core/cluster/topology.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestTopology : public QObject {
    Q_OBJECT
  private slots:
    void devicesAreNumberedInFileOrder() {
        ClusterSpec cluster = test::star(2, 4);
        NodeSpec mixed;
        mixed.id = "mixed";
        mixed.accelerators = {{test::accelerator("big", 24), 2}, {test::accelerator("small", 16), 1}};
        cluster.nodes.push_back(mixed);
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        QCOMPARE(topology.devices(), 11);
        QCOMPARE(topology.nodes(), 3);
        QCOMPARE(topology.nodeOf(3), 0);
        QCOMPARE(topology.nodeOf(4), 1);
        QCOMPARE(topology.accelerator(9).id, std::string("big"));
        QCOMPARE(topology.accelerator(10).id, std::string("small"));
    }

    void insideANodeTheNodesOwnLinksCount() {
        const Topology topology(std::make_shared<ClusterSpec>(test::star(2, 8)));
        const Route route = topology.route(0, 7);
        QVERIFY(route.reachable && route.sameNode);
        QCOMPARE(route.bandwidthBytesPerS, 450e9);
        QVERIFY(std::isinf(topology.route(3, 3).bandwidthBytesPerS));
    }

    void betweenNodesOneFlowGetsOneNic() {
        const Topology topology(std::make_shared<ClusterSpec>(test::star(2, 8)));
        const Route route = topology.route(0, 8);
        QVERIFY(route.reachable && !route.sameNode);
        QCOMPARE(route.bandwidthBytesPerS, 50e9);
        QCOMPARE(route.latencyS, 3e-6);
        QCOMPARE(topology.networkBytesPerSPerDevice(0), 50e9);
        QCOMPARE(topology.networkBytesPerSPerNode(0), 400e9);
    }

    // DGX-1: 4 NICs of 100 Gb/s for 8 accelerators: 12.5 GB/s alone, 6.25 GB/s when all of them send.
    void fewerNicsThanDevices() {
        ClusterSpec cluster = test::star(2, 8);
        cluster.nodes[0].nics = {4, 12.5e9, 1.5e-6};
        cluster.links[0].bandwidthBytesPerS = 12.5e9;
        cluster.links[0].count = 4;
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        QCOMPARE(topology.route(0, 8).bandwidthBytesPerS, 12.5e9);
        QCOMPARE(topology.networkBytesPerSPerDevice(0), 6.25e9);
    }

    void oversubscriptionNarrowsTheSwitch() {
        ClusterSpec cluster = test::star(2, 8);
        cluster.switches[0].oversubscription = 16;
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        QCOMPARE(topology.route(0, 8).bandwidthBytesPerS, 25e9);
    }

    void theBottleneckOfAChainOfSwitchesCounts() {
        ClusterSpec cluster = test::star(1, 8);
        NodeSpec other = cluster.nodes[0];
        other.id = "far";
        cluster.nodes.push_back(other);
        SwitchSpec second;
        second.id = "second";
        cluster.switches.push_back(second);
        LinkSpec link = cluster.links[0];
        link.from = "far";
        link.to = "second";
        cluster.links.push_back(link);
        LinkSpec wan;
        wan.from = "fabric";
        wan.to = "second";
        wan.kind = LinkKind::wan;
        wan.bandwidthBytesPerS = 1.25e9;
        wan.latencyS = 10e-3;
        cluster.links.push_back(wan);
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        const Route route = topology.route(0, 8);
        QCOMPARE(route.bandwidthBytesPerS, 1.25e9);
        QCOMPARE(route.kind, LinkKind::wan);
        QCOMPARE(route.links, (std::vector<std::int32_t>{0, 2, 1}));
        QVERIFY(std::abs(route.latencyS - 10.003e-3) < 1e-9);
        QVERIFY(topology.connected());
    }

    void aBrokenLinkDisconnects() {
        ClusterSpec cluster = test::star(2, 8);
        cluster.links[0].broken = true;
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        QVERIFY(!topology.connected());
        QVERIFY(!topology.route(0, 8).reachable);
        QVERIFY(topology.route(0, 7).reachable);
    }

    void withoutPeerToPeerCopiesAreStaged() {
        ClusterSpec cluster = test::star(1, 4);
        cluster.nodes[0].intra.kind = LinkKind::pcie;
        cluster.nodes[0].intra.bandwidthBytesPerS = 30e9;
        cluster.nodes[0].intra.peerToPeer = false;
        const Topology topology(std::make_shared<ClusterSpec>(cluster));
        QCOMPARE(topology.route(0, 1).bandwidthBytesPerS, 15e9);
        QCOMPARE(topology.route(0, 1).kind, LinkKind::pcieHost);
    }

    void undrawnInsidesFollowTheAccelerator() {
        NodeSpec node;
        node.accelerators = {{test::accelerator("h100", 80), 8}};
        QCOMPARE(effectiveIntra(node).bandwidthBytesPerS, 450e9);
        QCOMPARE(effectiveIntra(node).kind, LinkKind::nvswitch);
        node.accelerators.push_back({test::accelerator("other", 24), 1});
        QCOMPARE(effectiveIntra(node).kind, LinkKind::pcie);
        QCOMPARE(effectiveIntra(node).bandwidthBytesPerS, 63e9);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestTopology)
#include "test_topology.moc"
