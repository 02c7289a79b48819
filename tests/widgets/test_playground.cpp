#include <QComboBox>
#include <QPlainTextEdit>
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

    /// One's own schedule: begins as the one it replaces, is read as one types, and says what is wrong with it.
    void ownScheduleIsReadWhileTyping() {
        PlaygroundPanel panel;
        panel.resize(1200, 700);
        panel.show();
        PlaygroundSetup setup = panel.setup();
        setup.schedules = {"gpipe"};
        setup.devices = 2;
        setup.microBatches = 2;
        panel.setSetup(setup);
        auto* choice = panel.findChild<QComboBox*>();
        QVERIFY(choice != nullptr);
        choice->setCurrentIndex(choice->findData(QStringLiteral("own")));
        auto* editor = panel.findChild<QPlainTextEdit*>();
        QVERIFY(editor != nullptr && editor->isVisible());
        QCOMPARE(editor->toPlainText(), QStringLiteral("F0.0 F1.0 B0.0 B1.0\nF0.1 F1.1 B0.1 B1.1\n"));
        QTRY_VERIFY(!panel.isBusy());
        QCOMPARE(panel.ownVerdict(), QStringLiteral("Runs: 2 devices, 2 micro-batches, 8 actions"));
        QCOMPARE(panel.board().count(), 1);
        QCOMPARE(panel.board().entry(0).model->rows(), 2);

        editor->setPlainText(QStringLiteral("F0.0 F1.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1"));  // 1F1B
        QTRY_VERIFY(!panel.isBusy());
        QCOMPARE(panel.board().entry(0).model->makespan() * panel.board().entry(0).model->context().unit.perTick, 9.0);

        editor->moveCursor(QTextCursor::End);
        QTest::keyClicks(editor, QStringLiteral(" B7"));
        QTRY_VERIFY(!panel.isBusy());
        QVERIFY2(panel.ownVerdict().contains(QStringLiteral("line:2:21: `B7` is no action")), qPrintable(panel.ownVerdict()));
        QCOMPARE(panel.board().count(), 0);
        editor->setPlainText(QStringLiteral("F0.0 B0.0 F1.0 B1.0\nF1.1 B1.1 F0.1 B0.1"));
        QTRY_VERIFY(!panel.isBusy());
        QVERIFY2(
            panel.ownVerdict().contains(QStringLiteral("rank 0 is blocked at B0.0 (position 1), which waits for B0.1 on rank 1")),
            qPrintable(panel.ownVerdict()));
        // Beside a built-in one.
        editor->setPlainText(QStringLiteral("F0.0 F1.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1"));
        QTRY_VERIFY(!panel.isBusy());
        setup = panel.setup();
        setup.schedules.push_back("gpipe");
        panel.setSetup(setup);
        QCOMPARE(panel.board().count(), 2);
    }

    void torchCsvIsAnOwnScheduleToo() {
        PlaygroundSetup setup;
        setup.schedules = {kOwnSchedule};
        setup.ownText = "0F0,0F1,0I0,0W0,0I1,0W1\n1F0,1I0,1F1,1I1,1W0,1W1\n";
        const auto results = playTimelines(setup);
        QVERIFY2(results.front().model != nullptr, qPrintable(results.front().problem));
        QCOMPARE(results.front().model->rows(), 2);
    }

    void jitterAndCopiesAreSeen() {
        PlaygroundSetup setup;
        const double exact = playTimelines(setup).front().model->makespan();
        setup.jitter = 0.2;
        QVERIFY(playTimelines(setup).front().model->makespan() != exact);
        setup.jitter = 0;
        setup.schedules = {"bpipe", "pipe-sgd", "sppo"};
        setup.slices = 4;
        for (const PlaygroundResult& result : playTimelines(setup)) {
            QVERIFY2(result.model != nullptr, qPrintable(result.problem));
            QVERIFY2(!result.model->thinLanes().empty(), qPrintable(result.title));
        }
        // Replicas of different length side by side hold the whole model each: short ones have longer stages.
        setup.schedules = {"uneven-replicas"};
        setup.devices = 6;
        const auto replicas = playTimelines(setup);
        const Timeline& t = replicas.front().model->timeline();
        const auto length = [&](int rank) { return t.end[t.begin(rank, Lane::compute)] - t.start[t.begin(rank, Lane::compute)]; };
        QCOMPARE(length(5), 2 * length(0));
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
