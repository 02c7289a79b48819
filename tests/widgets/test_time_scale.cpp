#include "tests/support/test_main.h"
#include "widgets/timeline/time_scale.h"
#include "widgets/timeline/time_text.h"

using namespace trainyard;

class TestTimeScale : public QObject {
    Q_OBJECT

  private slots:
    void mapsThereAndBack() {
        const TimeScale scale{{1000, 3000}, 100, 800};
        QCOMPARE(scale.toX(1000), 100.0);
        QCOMPARE(scale.toX(3000), 900.0);
        for (double x = 100; x <= 900; x += 37) QVERIFY(std::abs(scale.toX(scale.toTime(x)) - x) < 1e-9);
    }

    void zoomKeepsTheTimeUnderThePointer_data() {
        QTest::addColumn<double>("anchor");
        QTest::addColumn<double>("factor");
        QTest::newRow("closer at a third") << 33000.0 << 1.25;
        QTest::newRow("closer near the end") << 95000.0 << 4.0;
        QTest::newRow("farther in the middle") << 50000.0 << 0.8;
    }
    void zoomKeepsTheTimeUnderThePointer() {
        QFETCH(double, anchor);
        QFETCH(double, factor);
        const TimeLimits limits{100000, 10};
        const TimeRange before{20000, 96000};
        const TimeRange after = zoomRange(before, anchor, factor, limits);
        const TimeScale a{before, 0, 1000};
        const TimeScale b{after, 0, 1000};
        QVERIFY(std::abs(a.toX(anchor) - b.toX(anchor)) < 1e-6);
        QVERIFY(std::abs(before.length() / after.length() - factor) < 1e-9);
    }

    void zoomStopsAtTheLimits() {
        const TimeLimits limits{100000, 10};
        TimeRange range = wholeRange(limits.whole);
        for (int i = 0; i < 100; ++i) range = zoomRange(range, 50000, 2, limits);
        QCOMPARE(range.length(), 10.0);
        QVERIFY(range.contains(50000));
        for (int i = 0; i < 100; ++i) range = zoomRange(range, 50000, 0.5, limits);
        QCOMPARE(range.length(), 120000.0);
    }

    void panningNeverLosesTheStep() {
        const TimeLimits limits{100000, 10};
        TimeRange range{40000, 50000};
        for (int i = 0; i < 1000; ++i) range = panRange(range, 7000, limits);
        QCOMPARE(range.length(), 10000.0);
        QCOMPARE(range.end, 110000.0);
        for (int i = 0; i < 1000; ++i) range = panRange(range, -7000, limits);
        QCOMPARE(range.begin, -10000.0);
    }

    void stepsAreOneTwoFive_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("step");
        QTest::newRow("just one") << 1.0 << 1.0;
        QTest::newRow("above one") << 1.01 << 2.0;
        QTest::newRow("three") << 3.0 << 5.0;
        QTest::newRow("seven") << 7.0 << 10.0;
        QTest::newRow("small") << 0.0013 << 0.002;
        QTest::newRow("nothing") << 0.0 << 1.0;
    }
    void stepsAreOneTwoFive() {
        QFETCH(double, least);
        QFETCH(double, step);
        QCOMPARE(niceStep(least), step);
    }

    void rulerMarksShareOneUnit_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("step");
        QTest::addColumn<QString>("text");
        QTest::newRow("seconds") << 1.8 << 0.2 << QStringLiteral("1.8 s");
        QTest::newRow("whole seconds") << 20.0 << 5.0 << QStringLiteral("20 s");
        QTest::newRow("milliseconds") << 1.8 << 0.002 << QStringLiteral("1800 ms");
        QTest::newRow("microseconds") << 0.0018 << 0.000002 << QStringLiteral("1800 µs");
        QTest::newRow("before the start") << -0.2 << 0.2 << QStringLiteral("\u22120.2 s");
    }
    void rulerMarksShareOneUnit() {
        QFETCH(double, seconds);
        QFETCH(double, step);
        QFETCH(QString, text);
        const TimeUnit unit{1e-12, true};
        QString shown = rulerText(seconds * 1e12, step * 1e12, unit);
        shown.replace(QChar(0x202F), QLatin1Char(' '));
        QCOMPARE(shown, text);
    }

    void unitsOfThePlaygroundHaveNoUnit() {
        const TimeUnit unit{1e-3, false};
        QCOMPARE(durationText(33000, unit), QStringLiteral("33"));
        QCOMPARE(durationText(28500, unit), QStringLiteral("28.5"));
        QCOMPARE(rulerText(15000, 5000, unit), QStringLiteral("15"));
        QCOMPARE(rulerStep(1200, unit), 2000.0);
    }

    void amountsHaveNoNeedlessDecimals() {
        QCOMPARE(amountText(4), QStringLiteral("4"));
        QCOMPARE(amountText(5.5), QStringLiteral("5.5"));
        QCOMPARE(amountText(1.0 / 3), QStringLiteral("0.33"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestTimeScale)
#include "test_time_scale.moc"
