#include <set>

#include "core/comm/collective_steps.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestCollectiveSteps : public QObject {
    Q_OBJECT
  private slots:
    void sizes_data() {
        QTest::addColumn<int>("n");
        for (const int n : {2, 3, 4, 8, 16}) QTest::addRow("%d members", n) << n;
    }
    void sizes() {
        QFETCH(int, n);
        QCOMPARE(collectiveSteps(CollectivePlay::allReduce, n).size(), static_cast<std::size_t>(1 + 2 * (n - 1)));
        QCOMPARE(collectiveSteps(CollectivePlay::allToAll, n).size(), static_cast<std::size_t>(n));
    }

    // Replays the transfers with sets of addends: at the end every member has the sum of all, for every part.
    void aRingAllReduceSumsEverythingEverywhere_data() { sizes_data(); }
    void aRingAllReduceSumsEverythingEverywhere() {
        QFETCH(int, n);
        std::vector<std::vector<std::set<int>>> has(static_cast<std::size_t>(n));
        for (int m = 0; m < n; ++m) has[static_cast<std::size_t>(m)].assign(static_cast<std::size_t>(n), {m});
        for (const CollectiveStep& step : collectiveSteps(CollectivePlay::allReduce, n)) {
            const auto before = has;
            for (const StepTransfer& t : step.transfers) {
                const auto& sent = before[static_cast<std::size_t>(t.from)][static_cast<std::size_t>(t.part)];
                auto& kept = has[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(t.part)];
                if (!t.adds) kept.clear();
                kept.insert(sent.begin(), sent.end());
            }
        }
        for (const auto& member : has)
            for (const auto& part : member) QCOMPARE(part.size(), static_cast<std::size_t>(n));
    }

    void ringAttentionSeesEveryBlockOnce() {
        const int n = 6;
        std::vector<std::set<int>> seen(n);
        std::vector<int> block(n);
        for (int m = 0; m < n; ++m) {
            block[static_cast<std::size_t>(m)] = m;
            seen[static_cast<std::size_t>(m)].insert(m);
        }
        for (const CollectiveStep& step : collectiveSteps(CollectivePlay::ringAttention, n)) {
            const auto before = block;
            for (const StepTransfer& t : step.transfers) {
                QCOMPARE(t.part, before[static_cast<std::size_t>(t.from)]);  // sends the block it has
                block[static_cast<std::size_t>(t.to)] = t.part;
                QVERIFY(seen[static_cast<std::size_t>(t.to)].insert(t.part).second);
            }
        }
        for (const auto& blocks : seen) QCOMPARE(blocks.size(), std::size_t{6});
    }

    void zeroFreesWhatItGathered() {
        const auto steps = collectiveSteps(CollectivePlay::zeroGather, 4);
        QCOMPARE(steps.back().holds, steps.front().holds);
        bool whole = false;
        for (const CollectiveStep& step : steps)
            if (step.phase == CollectiveStep::Phase::compute) {
                whole = true;
                for (const auto& member : step.holds)
                    for (const PartState part : member) QVERIFY(part != PartState::none);
            }
        QVERIFY(whole);
    }

    void allToAllReachesEveryPairOnce() {
        std::set<std::pair<int, int>> pairs;
        for (const CollectiveStep& step : collectiveSteps(CollectivePlay::allToAll, 8))
            for (const StepTransfer& t : step.transfers) QVERIFY(pairs.insert({t.from, t.to}).second);
        QCOMPARE(pairs.size(), std::size_t{56});
    }
};

TRAINYARD_CORE_TEST_MAIN(TestCollectiveSteps)
#include "test_collective_steps.moc"
