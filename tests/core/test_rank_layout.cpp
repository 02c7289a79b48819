#include <set>

#include "core/plan/rank_layout.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestRankLayout : public QObject {
    Q_OBJECT
  private slots:
    void ranksAndCoordinatesAreInverse() {
        const RankLayout layout(2, 3, 4, 5, {});
        QCOMPARE(layout.ranks(), 120);
        for (std::int32_t rank = 0; rank < layout.ranks(); ++rank) QCOMPARE(layout.rank(layout.coordinates(rank)), rank);
    }

    void everyDeviceHoldsOneRank_data() {
        QTest::addColumn<QList<int>>("order");
        QTest::newRow("default") << QList<int>{};
        QTest::newRow("pipeline inside") << QList<int>{static_cast<int>(Dimension::pipeline),
                                                       static_cast<int>(Dimension::tensor)};
        QTest::newRow("data innermost") << QList<int>{static_cast<int>(Dimension::data), static_cast<int>(Dimension::context),
                                                      static_cast<int>(Dimension::tensor), static_cast<int>(Dimension::pipeline)};
    }
    void everyDeviceHoldsOneRank() {
        QFETCH(QList<int>, order);
        Plan plan;
        for (const int dimension : order) plan.placementOrder.push_back(static_cast<Dimension>(dimension));
        const RankLayout layout(2, 1, 4, 3, plan);
        std::set<std::int32_t> devices;
        for (std::int32_t rank = 0; rank < layout.ranks(); ++rank) {
            devices.insert(layout.device(rank));
            QCOMPARE(layout.rankOnDevice(layout.device(rank)), rank);
        }
        QCOMPARE(static_cast<int>(devices.size()), 24);
        QCOMPARE(*devices.begin(), 0);
        QCOMPARE(*devices.rbegin(), 23);
    }

    // Megatron-LM: with tensor 8 on nodes of 8, a tensor group fills one node.
    void tensorGroupsAreNeighbours() {
        const RankLayout layout(8, 1, 4, 4, {});
        QCOMPARE(layout.groupDevices(Dimension::tensor, 8), (std::vector<std::int32_t>{8, 9, 10, 11, 12, 13, 14, 15}));
        QCOMPARE(layout.groupDevices(Dimension::data, 0), (std::vector<std::int32_t>{0, 8, 16, 24}));
        QCOMPARE(layout.groupDevices(Dimension::pipeline, 3), (std::vector<std::int32_t>{3, 35, 67, 99}));
    }

    void anExplicitPlacementIsObeyed() {
        Plan plan;
        plan.deviceOfRank = {3, 2, 1, 0};
        const RankLayout layout(2, 1, 2, 1, plan);
        QCOMPARE(layout.device(0), 3);
        QCOMPARE(layout.rankOnDevice(3), 0);
        QCOMPARE(layout.groupDevices(Dimension::tensor, 0), (std::vector<std::int32_t>{3, 2}));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestRankLayout)
#include "test_rank_layout.moc"
