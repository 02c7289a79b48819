#include <random>

#include "tests/support/test_main.h"
#include "tests/support/timelines.h"
#include "widgets/timeline/row_layout.h"
#include "widgets/timeline/span_geometry.h"
#include "widgets/timeline/span_story.h"
#include "widgets/timeline/timeline_search.h"

using namespace trainyard;

namespace {

/// Busy ticks of one kind between two times, span by span.
double slowBusy(const Timeline& timeline, int row, SpanStyle style, double begin, double end) {
    double sum = 0;
    for (std::uint32_t span = timeline.begin(row, Lane::compute); span < timeline.finish(row, Lane::compute); ++span) {
        if (styleOf(timeline.action[span].kind) != style) continue;
        sum += std::max(0.0, std::min(end, static_cast<double>(timeline.end[span])) -
                                 std::max(begin, static_cast<double>(timeline.start[span])));
    }
    return sum;
}

}  // namespace

class TestSpanGeometry : public QObject {
    Q_OBJECT

  private slots:
    void sumsAreExactAnywhere() {
        const auto model = test::scheduleModel("zb-h1", 4, 37);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> time(-500, model->makespan() + 500);
        for (int round = 0; round < 400; ++round) {
            double begin = time(random);
            double end = time(random);
            if (end < begin) std::swap(begin, end);
            const int row = round % 4;
            const auto sums = model->lane(row, Lane::compute).busyBetween(begin, end);
            for (const SpanStyle style : kAllSpanStyles) {
                QVERIFY(std::abs(sums[static_cast<std::size_t>(style)] - slowBusy(model->timeline(), row, style, begin, end)) <
                        1e-6);
            }
        }
    }

    void columnsHoldAllTheWork() {
        const auto model = test::scheduleModel("1f1b", 4, 2000);
        const TimeScale scale{{0, model->makespan()}, 0, 500};
        LaneGeometry geometry;
        laneGeometry(*model, 1, Lane::compute, scale, geometry);
        QVERIFY(geometry.isColumns);
        QCOMPARE(geometry.columns.size(), std::size_t{500});
        double busy = 0;
        for (const auto& column : geometry.columns) {
            double sum = 0;
            for (const float share : column) sum += static_cast<double>(share);
            QVERIFY(sum <= 1.0001);
            busy += sum;
        }
        const double expected = static_cast<double>(model->timeline().busy[1]) / model->makespan() * 500;
        QVERIFY(std::abs(busy - expected) < 0.01 * expected);
        // In the steady state a third of the time is forward, two thirds backward (F = 1, B = 2).
        const auto& middle = geometry.columns[250];
        QVERIFY(std::abs(middle[static_cast<std::size_t>(SpanStyle::forward)] - 1.0F / 3) < 0.03F);
        QVERIFY(std::abs(middle[static_cast<std::size_t>(SpanStyle::backwardInput)] - 2.0F / 3) < 0.03F);
    }

    void workDependsOnPixelsNotOnActions_data() {
        QTest::addColumn<int>("microBatches");
        QTest::newRow("ten") << 10;
        QTest::newRow("thousand") << 1000;
        QTest::newRow("twenty thousand") << 20000;
    }
    void workDependsOnPixelsNotOnActions() {
        QFETCH(int, microBatches);
        const auto model = test::scheduleModel("zb-h1", 2, microBatches);
        for (const double share : {1.0, 0.3, 0.01, 0.0005}) {
            const TimeScale scale{{0.4 * model->makespan(), (0.4 + 0.6 * share) * model->makespan()}, 0, 800};
            LaneGeometry geometry;
            laneGeometry(*model, 0, Lane::compute, scale, geometry);
            QVERIFY(geometry.rects.size() <= 401);
            QVERIFY(geometry.columns.size() <= 800);
        }
    }

    void rectanglesAreCutOrderedAndApart() {
        const auto model = test::scheduleModel("1f1b", 4, 8);
        const TimeScale scale{{2500, 20500}, 100, 600};
        LaneGeometry geometry;
        laneGeometry(*model, 0, Lane::compute, scale, geometry);
        QVERIFY(!geometry.isColumns);
        QVERIFY(!geometry.rects.empty());
        double last = 100;
        for (const SpanRect& rect : geometry.rects) {
            QVERIFY(rect.x0 >= last - 1e-9);
            QVERIFY(rect.x1 <= 700 + 1e-9);
            QVERIFY(rect.x1 > rect.x0);
            last = rect.x1;
        }
        QCOMPARE(geometry.rects.front().x0, 100.0);  // the forward that runs at 2500 is cut at the border
    }

    void tinyNeighboursMergeAndCount() {
        // Few spans in a wide picture, but all within two pixels of it.
        const auto model = test::scheduleModel("1f1b", 1, 50);
        const double end = model->makespan();
        const TimeScale scale{{0, end * 400}, 0, 800};
        LaneGeometry geometry;
        laneGeometry(*model, 0, Lane::compute, scale, geometry);
        QVERIFY(!geometry.isColumns);
        QVERIFY(geometry.rects.size() <= 4);
        std::uint32_t members = 0;
        for (const SpanRect& rect : geometry.rects) members += rect.count;
        QCOMPARE(members, 100U);
    }

    void pointsHitSpans() {
        const auto model = test::scheduleModel("1f1b", 4, 8);
        const TimeScale scale{{0, model->makespan()}, 0, 1000};
        const auto hit = hitSpan(*model, 0, Lane::compute, scale, scale.toX(1500), 3);
        QVERIFY(hit.has_value());
        QCOMPARE(model->timeline().action[*hit].microBatch, 1U);
        QCOMPARE(model->timeline().action[*hit].kind, ActionKind::forward);
        QVERIFY(!hitSpan(*model, 0, Lane::compute, scale, scale.toX(6000), 3));  // the bubble after the warm-up
    }

    void inFlightCurveOf1F1B() {
        // 1F1B holds p - r micro-batches on rank r (catalogue, section 3.5).
        const auto model = test::scheduleModel("1f1b", 4, 8);
        for (int row = 0; row < 4; ++row) {
            QCOMPARE(model->inFlight(row).peak(), static_cast<float>(4 - row));
            QCOMPARE(static_cast<double>(model->inFlight(row).peak()),
                     model->timeline().peakInFlightB[static_cast<std::size_t>(row)]);
            QCOMPARE(model->inFlight(row).at(-1), 0.0F);
            QCOMPARE(model->inFlight(row).at(model->makespan() + 1), 0.0F);
        }
        QCOMPARE(model->inFlight(0).at(2500), 3.0F);
        QCOMPARE(model->inFlight(0).largestBetween(0, 1500), 2.0F);
    }

    void inFlightOfChunksCountsShares() {
        // Interleaved 1F1B, p = 4, v = 2: rank 0 holds 11 chunk activations, that is 5.5 micro-batches on its whole share.
        const auto model = test::scheduleModel("interleaved-1f1b", 4, 8, 2);
        QCOMPARE(model->inFlight(0).peak(), 5.5F);
    }

    void dependenciesOfAMicroBatch() {
        const auto model = test::scheduleModel("1f1b", 4, 8);
        const auto pairs = model->dependencies(3);
        QCOMPARE(pairs.size(), std::size_t{7});  // 3 forward steps, the turn, 3 backward steps
        for (const auto& [from, to] : pairs) {
            QVERIFY(model->timeline().end[from] <= model->timeline().start[to]);
            QCOMPARE(model->timeline().action[from].microBatch, 3U);
            QCOMPARE(model->timeline().action[to].microBatch, 3U);
        }
        QVERIFY(model->dependencies(99).empty());
    }

    void criticalPathReachesFromStartToEnd() {
        const auto model = test::scheduleModel("1f1b", 4, 8, 1, 150);
        const auto& path = model->criticalPath();
        QVERIFY(!path.empty());
        QCOMPARE(model->timeline().start[path.front()], Ticks{0});
        QCOMPARE(model->timeline().end[path.back()], model->timeline().makespan);
        for (std::size_t index = 1; index < path.size(); ++index) {
            const Ticks gap = model->timeline().start[path[index]] - model->timeline().end[path[index - 1]];
            QVERIFY(gap == 0 || gap == 150);  // nothing but transfers between its members
        }
    }

    void storiesSayWhyASpanWaits() {
        const auto model = test::scheduleModel("1f1b", 4, 8, 1, 150);
        // The first backward of stage 0 waits for that of stage 1.
        std::uint32_t span = model->timeline().begin(0, Lane::compute);
        while (model->timeline().action[span].kind != ActionKind::backward) ++span;
        const SpanStory story = spanStory(*model, span, 1);
        QVERIFY(story.title.contains(QStringLiteral("Backward")));
        QVERIFY(story.title.contains(QStringLiteral("micro-batch 0")));
        const QString all = story.lines.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(QStringLiteral("waits for backward 0 on stage 1")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("on the way")), qPrintable(all));
        const SpanStory idle = idleStory(*model, 0, static_cast<double>(model->timeline().start[span]) - 10);
        QVERIFY2(idle.title.startsWith(QStringLiteral("Idle for")), qPrintable(idle.title));
        QVERIFY(idle.lines.join(QLatin1Char(' ')).contains(QStringLiteral("backward 0 on stage 1")));
    }

    void sumsOfAMarkedStretch() {
        const auto model = test::scheduleModel("1f1b", 4, 8);
        // 1F1B, p = 4, m = 8: 27.3 % of device time idle ((p - 1) / (m + p - 1)).
        const QString text = rangeStory(*model, {0, model->makespan()});
        QVERIFY2(text.contains(QStringLiteral("idle 27.3")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("64 actions")), qPrintable(text));
    }

    void queriesAreUnderstood_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("hits");  // -1: not understood
        QTest::newRow("micro-batch") << QStringLiteral("6") << 8;
        QTest::newRow("kind and micro-batch") << QStringLiteral("F6") << 4;
        QTest::newRow("golden notation") << QStringLiteral("b3.1") << 1;
        QTest::newRow("row") << QStringLiteral("stage 2") << 16;
        QTest::newRow("kind on a row") << QStringLiteral("forward stage 2") << 8;
        QTest::newRow("word") << QStringLiteral("backward") << 32;
        QTest::newRow("out of range") << QStringLiteral("F77") << 0;
        QTest::newRow("nonsense") << QStringLiteral("zebra") << -1;
        QTest::newRow("empty") << QString() << -1;
    }
    void queriesAreUnderstood() {
        QFETCH(QString, text);
        QFETCH(int, hits);
        const auto model = test::scheduleModel("1f1b", 4, 8);
        const auto query = parseTimelineQuery(text);
        QCOMPARE(query.has_value(), hits >= 0);
        if (query) QCOMPARE(static_cast<int>(findSpans(*model, *query).total), hits);
    }

    void rowsFitTheirHeight_data() {
        QTest::addColumn<double>("height");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("thin");
        QTest::newRow("four tall") << 400.0 << 4 << 0;
        QTest::newRow("four with lanes") << 240.0 << 4 << 3;
        QTest::newRow("sixteen") << 300.0 << 16 << 1;
        QTest::newRow("sixty-four") << 500.0 << 64 << 2;
        QTest::newRow("one in a palace") << 2000.0 << 1 << 6;
    }
    void rowsFitTheirHeight() {
        QFETCH(double, height);
        QFETCH(int, rows);
        QFETCH(int, thin);
        const RowAnatomy anatomy = rowAnatomy(rowPitch(height, rows, thin, 1), thin);
        QVERIFY(anatomy.computeHeight >= 3);
        QVERIFY(anatomy.computeTop + anatomy.computeHeight <= anatomy.pitch);
        if (anatomy.curveHeight > 0) QVERIFY(anatomy.curveTop + anatomy.curveHeight <= anatomy.pitch + 0.5);
        if (anatomy.thinLanes > 0) {
            QVERIFY(anatomy.thinTop + anatomy.thinLanes * (anatomy.thinHeight + anatomy.thinGap) <=
                    anatomy.pitch + anatomy.thinGap + 0.5);
        }
        if (rows * kLeastRowPitch <= height) QVERIFY(anatomy.pitch * rows <= height + 1);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestSpanGeometry)
#include "test_span_geometry.moc"
