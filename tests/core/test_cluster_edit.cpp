#include "core/plan/cluster_edit.h"

#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using test::accelerator;

class TestClusterEdit : public QObject {
    Q_OBJECT

    static Snapshot scenario(ClusterSpec cluster) {
        auto value = std::make_shared<Scenario>();
        value->cluster = std::make_shared<const ClusterSpec>(std::move(cluster));
        value->model = std::make_shared<const ModelSpec>(test::llama70b());
        return value;
    }

  private slots:
    void fourOddCardsMakeOneHostWithTwoGroups() {
        const auto big = accelerator("big", 24);
        const auto small = accelerator("small", 16);
        auto added = cluster_edit::addNode({}, cluster_edit::hostOf(big, 1));
        QCOMPARE(added.ids.size(), std::size_t{1});
        auto cluster = cluster_edit::addAccelerator(std::move(added.cluster), added.ids[0], big, 1);
        cluster = cluster_edit::addAccelerator(std::move(cluster), added.ids[0], small, 1);
        cluster = cluster_edit::addAccelerator(std::move(cluster), added.ids[0], small, 1);
        QCOMPARE(cluster.devices(), std::int64_t{4});
        QCOMPARE(cluster.nodes[0].accelerators.size(), std::size_t{2});
        QCOMPARE(cluster.nodes[0].accelerators[0].count, std::int64_t{2});
        QCOMPARE(cluster.nodes[0].accelerators[1].accelerator->id, std::string("small"));
        QCOMPARE(cluster.nodes[0].accelerators[1].count, std::int64_t{2});
    }

    void theFirstEditDropsThePresetForm() {
        auto cluster = test::star(4, 8);
        cluster.preset = ClusterPreset{};
        cluster.preset->id = "dgx-h100";
        const auto before = scenario(cluster);
        const auto after = cluster_edit::withCluster(before, cluster_edit::setCount(*before->cluster, "node", 8));
        QVERIFY(!after->cluster->preset);
        QVERIFY(before->cluster->preset);
        QCOMPARE(after->cluster->devices(), std::int64_t{64});
    }

    void anEditThatChangesNothingIsTheSameSnapshot() {
        const auto before = scenario(test::star(4, 8));
        QCOMPARE(cluster_edit::withCluster(before, cluster_edit::setCount(*before->cluster, "node", 4)), before);
        QCOMPARE(cluster_edit::withCluster(before, cluster_edit::setCount(*before->cluster, "no such block", 9)), before);
    }

    void dataDegreeFollowsTheDeviceCount() {
        auto start = std::make_shared<Scenario>(*scenario(test::star(4, 8)));
        start->plan.tensorParallel = 8;
        start->plan.dataParallel = 4;
        start->plan.deviceOfRank.assign(32, 0);
        const Snapshot before = start;
        const auto grown = cluster_edit::withCluster(before, cluster_edit::setCount(*before->cluster, "node", 8));
        QVERIFY(!grown->plan.dataParallel);  // automatic: 8 now
        QVERIFY(grown->plan.deviceOfRank.empty());
        const auto moved = cluster_edit::withCluster(before, cluster_edit::place(*before->cluster, std::vector<cluster_edit::Placed>{{"node", {8, 8}}}));
        QCOMPARE(*moved->plan.dataParallel, std::int64_t{4});
        QCOMPARE(moved->plan.deviceOfRank.size(), std::size_t{32});
    }

    void aSecondCableOfOneMakeJoinsTheBundle() {
        auto cluster = test::star(1, 8);
        const LinkSpec make = cluster.links[0];
        cluster = cluster_edit::connect(std::move(cluster), "node", "fabric", make);
        QCOMPARE(cluster.links.size(), std::size_t{1});
        QCOMPARE(cluster.links[0].count, std::int64_t{16});
        LinkSpec slower = make;
        slower.bandwidthBytesPerS /= 2;
        cluster = cluster_edit::connect(std::move(cluster), "fabric", "node", slower);
        QCOMPARE(cluster.links.size(), std::size_t{2});
        const auto same = cluster_edit::connect(cluster, "node", "node", make);
        QCOMPARE(same, cluster);
    }

    void removingABlockTakesItsCablesAlong() {
        const auto cluster = cluster_edit::remove(test::star(2, 8), std::vector<std::string>{"fabric"});
        QCOMPARE(cluster.nodes.size(), std::size_t{1});
        QVERIFY(cluster.switches.empty());
        QVERIFY(cluster.links.empty());
    }

    void aDuplicateHangsOnTheSameSwitch() {
        const auto result = cluster_edit::duplicate(test::star(2, 8), std::vector<std::string>{"node"}, {32, 32}, cluster_edit::OutsideLinks::keep);
        QCOMPARE(result.ids, std::vector<std::string>{"node-2"});
        QCOMPARE(result.cluster.links.size(), std::size_t{2});
        QCOMPARE(result.cluster.links[1].from, std::string("node-2"));
        QCOMPARE(result.cluster.links[1].to, std::string("fabric"));
        const auto again = cluster_edit::duplicate(result.cluster, result.ids, {32, 32}, cluster_edit::OutsideLinks::drop);
        QCOMPARE(again.ids, std::vector<std::string>{"node-3"});
        QCOMPARE(again.cluster.links.size(), std::size_t{2});
    }

    void pastedBlocksKeepTheCablesAmongThem() {
        const auto star = test::star(2, 8);
        const auto fragment = cluster_edit::extract(star, std::vector<std::string>{"node", "fabric"});
        const auto result = cluster_edit::insert(star, fragment, {100, 0});
        QCOMPARE(result.cluster.links.size(), std::size_t{2});
        QCOMPARE(result.cluster.links[1].from, std::string("node-2"));
        QCOMPARE(result.cluster.links[1].to, std::string("fabric-2"));
    }

    void slowingOneNodeOfManySplitsItOff() {
        const auto result = cluster_edit::slowOneNode(test::star(16, 8), "node", 1.2);
        QCOMPARE(result.cluster.nodes.size(), std::size_t{2});
        QCOMPARE(result.cluster.nodes[0].count, std::int64_t{15});
        QCOMPARE(result.cluster.nodes[0].slowdown, 1.0);
        QCOMPARE(result.cluster.nodes[1].count, std::int64_t{1});
        QCOMPARE(result.cluster.nodes[1].slowdown, 1.2);
        QCOMPARE(result.cluster.devices(), std::int64_t{128});
        QCOMPARE(result.cluster.links.size(), std::size_t{2});  // the slow node keeps its cables
    }

    void swappingAGenerationBringsItsOwnLinks() {
        auto cluster = test::star(2, 8);
        auto newer = std::make_shared<AcceleratorSpec>(*accelerator("b200", 180));
        newer->scaleUpBytesPerS = 900e9;
        cluster = cluster_edit::swapGeneration(std::move(cluster), "h100", newer);
        QCOMPARE(cluster.nodes[0].accelerators[0].accelerator->id, std::string("b200"));
        QCOMPARE(effectiveIntra(cluster.nodes[0]).bandwidthBytesPerS, 900e9);
    }

    void unknownKeysFollowTheirBlock() {
        auto start = std::make_shared<Scenario>(*scenario(test::star(2, 8)));
        auto two = cluster_edit::duplicate(*start->cluster, std::vector<std::string>{"node"}, {}, cluster_edit::OutsideLinks::keep).cluster;
        start->cluster = std::make_shared<const ClusterSpec>(two);
        start->unknownKeys = {{"/cluster/nodes/1/rack", "\"r7\""}, {"/cluster/nodes/0/rack", "\"r1\""}, {"/x", "1"}};
        const auto after = cluster_edit::withCluster(start, cluster_edit::remove(two, std::vector<std::string>{"node"}));
        const std::map<std::string, std::string> expected{{"/cluster/nodes/0/rack", "\"r7\""}, {"/x", "1"}};
        QCOMPARE(after->unknownKeys, expected);
    }

    void renamedIdsTakeTheCablesAlong() {
        auto cluster = test::star(2, 8);
        NodeSpec node = cluster.nodes[0];
        node.id = "rack";
        cluster = cluster_edit::setNode(std::move(cluster), "node", node);
        QCOMPARE(cluster.links[0].from, std::string("rack"));
        node.id = "fabric";  // taken
        cluster = cluster_edit::setNode(std::move(cluster), "rack", node);
        QCOMPARE(cluster.nodes[0].id, std::string("fabric-2"));
        QCOMPARE(cluster.links[0].from, std::string("fabric-2"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestClusterEdit)
#include "test_cluster_edit.moc"
