#include <QComboBox>
#include <QSignalSpy>
#include <QSpinBox>

#include "core/schedule/registry.h"
#include "tests/support/test_main.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/playground_panel.h"
#include "widgets/timeline/timeline_board.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;

class TestPlayground : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::apply(*qApp, ThemeKind::dark); }

    void sameWorkForEverySchedule() {
        // F = I = W = 1 for a micro-batch on a device: 24 units of work on every device whatever the chunks or slices.
        PlaygroundSetup setup;
        setup.schedules = {"1f1b", "interleaved-1f1b", "zb-v", "seq1f1b"};
        for (const PlaygroundResult& result : playTimelines(setup)) {
            QVERIFY2(result.model != nullptr, qPrintable(result.problem));
            const Timeline& timeline = result.model->timeline();
            for (int rank = 0; rank < timeline.ranks; ++rank) {
                QCOMPARE(static_cast<double>(timeline.busy[static_cast<std::size_t>(rank)]) * timeline.secondsPerTick, 24.0);
            }
        }
    }

    void knownMakespans_data() {
        // Unit times, p = 4, m = 8, v = 2: 3 m + 3 (p - 1) units for 1F1B and GPipe, bubble over v for interleaved, and 3 m + p -
        // 1 for ZB-H1.
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<double>("makespan");
        QTest::newRow("gpipe") << QByteArray("gpipe") << 33.0;
        QTest::newRow("1f1b") << QByteArray("1f1b") << 33.0;
        QTest::newRow("interleaved") << QByteArray("interleaved-1f1b") << 28.5;
        QTest::newRow("zb-h1") << QByteArray("zb-h1") << 27.0;
    }
    void knownMakespans() {
        QFETCH(QByteArray, schedule);
        QFETCH(double, makespan);
        PlaygroundSetup setup;
        setup.schedules = {schedule.toStdString()};
        const auto results = playTimelines(setup);
        QVERIFY(results.front().model != nullptr);
        QCOMPARE(results.front().model->makespan() * results.front().model->context().unit.perTick, makespan);
    }

    void everyScheduleIsPlayedOrSaysWhyNot() {
        for (const ScheduleDefinition* definition : allSchedules()) {
            PlaygroundSetup setup;
            setup.schedules = {std::string(definition->id)};
            const auto results = playTimelines(setup);
            QCOMPARE(results.size(), std::size_t{1});
            QVERIFY2(results.front().model != nullptr || results.front().problem.size() > 10, definition->id.data());
        }
    }

    void slowStageLengthensTheStep() {
        PlaygroundSetup setup;
        const double even = playTimelines(setup).front().model->makespan();
        setup.slowDevice = 2;
        setup.slowFactor = 2;
        QVERIFY(playTimelines(setup).front().model->makespan() > 1.5 * even);
    }

    void controlsAndPicturesFollow() {
        PlaygroundPanel panel;
        panel.resize(1200, 700);
        panel.show();
        QCOMPARE(panel.board().count(), 3);
        auto* devices = panel.findChild<QSpinBox*>();
        QVERIFY(devices != nullptr);
        PlaygroundSetup setup = panel.setup();
        setup.devices = 6;
        setup.schedules = {"gpipe", "1f1b"};
        panel.setSetup(setup);
        QTRY_VERIFY(!panel.isBusy());
        QCOMPARE(panel.board().count(), 2);
        QCOMPARE(panel.board().entry(0).model->rows(), 6);
        // A micro-batch chosen in one picture is shown in all.
        TimelineView& view = panel.board().view(0);
        panel.grab();
        const auto layout = view.pictureLayout();
        const double time = 1.5 / view.model()->context().unit.perTick;
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          QPointF(view.timeScale().toX(time), layout.computeLane(0).center().y()).toPoint());
        QCOMPARE(panel.board().view(0).selectedMicroBatch(), std::optional<int>(1));
        QCOMPARE(panel.board().view(1).selectedMicroBatch(), std::optional<int>(1));
    }

    void impossibleOnesAreExplainedAndTheOthersStay() {
        PlaygroundPanel panel;
        PlaygroundSetup setup = panel.setup();
        setup.schedules = {"1f1b", "slimpipe"};
        setup.slices = 3;  // no multiple of 4 devices
        panel.setSetup(setup);
        QTRY_VERIFY(!panel.isBusy());
        QCOMPARE(panel.board().count(), 1);
        QVERIFY(panel.results()[1].model == nullptr);
        QVERIFY(panel.results()[1].problem.contains(QStringLiteral("slices")));
    }

    void longSetupsDoNotBlock() {
        PlaygroundPanel panel;
        PlaygroundSetup setup = panel.setup();
        setup.schedules = {"1f1b", "zb-h1"};
        setup.devices = 32;
        setup.microBatches = 200;
        QSignalSpy played(&panel, &PlaygroundPanel::played);
        panel.setSetup(setup);
        QVERIFY(panel.isBusy());
        setup.microBatches = 220;
        panel.setSetup(setup);  // waits for the running one
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy() && played.count() >= 2, 20000);
        QCOMPARE(panel.board().entry(0).model->microBatches(), 220);
    }
};

TRAINYARD_GUI_TEST_MAIN(TestPlayground)
#include "test_playground.moc"
