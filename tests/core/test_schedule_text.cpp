// Schedules that come from outside: notation, native JSON, torch CSV; what is wrong with them is named.

#include <QTest>
#include <string>

#include "core/io/json/schedule_json.h"
#include "core/schedule/golden_form.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/text_form.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/unit_times.h"
#include "core/schedule/validate_lists.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

StageTimes unitTimes(int stages) {
    StageTimes times;
    times.forward = times.backwardInput = times.backwardWeight = std::vector<Ticks>(static_cast<std::size_t>(stages), 1);
    return times;
}

/// The first finding about a schedule in the notation, as `where: message`.
QString finding(const char* notation) {
    const auto lists = parseScheduleText(notation, "own.txt");
    if (!lists) return text(lists.error().where + ": " + lists.error().message);
    const std::vector<Error> errors = validateLists(*lists);
    return errors.empty() ? QString("fine") : text(errors[0].where + ": " + errors[0].message);
}

}  // namespace

class TestScheduleText : public QObject {
    Q_OBJECT

  private slots:
    void notation() {
        const auto lists = parseScheduleText(
            "# two ranks, two micro-batches\n"
            "rank 0: F0.0 F1.0 B0.0 B1.0\n"
            "rank 1: F0.1@1, B0.1 - F1.1 B1.1   # a comment\n",
            "own.txt");
        QVERIFY2(lists, lists ? "" : lists.error().message.c_str());
        QCOMPARE(lists->ranks(), 2);
        QCOMPARE(lists->stages, 2);
        QCOMPARE(lists->microBatches, 2);
        QVERIFY(validateLists(*lists).empty());
        QCOMPARE(simulate(*lists, unitTimes(2))->makespan, Ticks{9});  // 3 (m + p - 1)
        QCOMPARE(text(fmt::to_string(orderText(*lists))), QString("F0.0 F1.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1\n"));
    }

    /// Every built-in schedule survives writing and reading, in the notation and as JSON, with pairs, slices and opposite pipes.
    void roundTrip_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < allSchedules().size(); ++i)
            QTest::newRow(allSchedules()[i]->id.data()) << static_cast<int>(i);
    }
    void roundTrip() {
        QFETCH(int, index);
        const ScheduleDefinition& definition = *allSchedules()[static_cast<std::size_t>(index)];
        ScheduleRequest request;
        request.ranks = 4;
        request.microBatches = 8;
        request.chunks = definition.needsChunks ? 2 : 1;
        request.slices = definition.takesSlices ? 4 : 1;
        const auto lists = buildSchedule(definition.id, request);
        QVERIFY2(lists, lists ? "" : lists.error().message.c_str());
        const StageTimes times = unitTimes(lists->stages);
        const auto timeline = simulate(*lists, times);
        const ScheduleHeading heading{std::string(definition.id), chunksPerRank(*lists), 1};

        const auto read = parseScheduleText(fmt::to_string(orderText(*lists)), "own.txt");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(fmt::to_string(orderText(*read)), fmt::to_string(orderText(*lists)));
        QVERIFY(validateLists(*read).empty());

        const std::string json = fmt::to_string(goldenForm(*lists, *timeline, heading));
        const auto document = parseAnySchedule(json, "own.json");
        QVERIFY2(document, document ? "" : document.error().message.c_str());
        QCOMPARE(document->name, std::string(definition.id));
        QCOMPARE(document->lists.rankOfStage, lists->rankOfStage);
        QCOMPARE(document->lists.pipeOfMicroBatch, lists->pipeOfMicroBatch);
        QCOMPARE(fmt::to_string(orderText(document->lists)), fmt::to_string(orderText(*lists)));
        if (definition.id == "slimpipe" || definition.id == "pipe-sgd" || definition.semantics == ScheduleSemantics::localLosses)
            return;  // lanes, local losses are not in the notation
        QCOMPARE(simulate(document->lists, times)->makespan, timeline->makespan);
    }

    void findings_data() {
        QTest::addColumn<QString>("notation");
        QTest::addColumn<QString>("expected");
        QTest::newRow("no action") << "F0.0 X1.0"
                                   << "own.txt:1:6: `X1.0` is no action; expected for example F3.2, I0:1.4, {F7.0|B3.7} or OPT";
        QTest::newRow("half a pair")
            << "F0.0\n{F0.0|B1.0"
            << "own.txt:2:1: `{F0.0|B1.0` is no action; expected for example F3.2, I0:1.4, {F7.0|B3.7} or OPT";
        QTest::newRow("no stage") << "F0"
                                  << "own.txt:1:1: `F0` is no action; expected for example F3.2, I0:1.4, {F7.0|B3.7} or OPT";
        QTest::newRow("huge number")
            << "F99999999999999999999.0"
            << "own.txt:1:1: `F99999999999999999999.0` is no action; expected for example F3.2, I0:1.4, {F7.0|B3.7} or OPT";
        QTest::newRow("empty") << "# nothing\n"
                               << "own.txt: there is no line with actions; expected one line per rank";
        QTest::newRow("stage on two ranks")
            << "F0.0 B0.0\nF0.0"
            << "own.txt: rank 1: F0.0: F0.0 runs on rank 1, but stage 0 of micro-batch 0 is also on rank 0";
        QTest::newRow("missing forward") << "F0.0 B0.0 F1.0 B1.0\nF0.1 B0.1 B1.1"
                                         << "rank 1: B1.1: B1.1 stands before its forward on rank 1";
        QTest::newRow("missing backward") << "F0.0 B0.0 F1.0 B1.0\nF0.1 B0.1 F1.1"
                                          << "rank 1: B1.1: B1.1 is missing on rank 1";
        QTest::newRow("twice") << "F0.0 F0.0 B0.0"
                               << "rank 0: F0.0: F0.0 stands twice";
        QTest::newRow("whole and split")
            << "F0.0 B0.0 I0.0 W0.0"
            << "rank 0: B0.0: B0.0 stands beside the input gradient of the same micro-batch and stage; only one of the two may";
        QTest::newRow("weight first") << "F0.0 W0.0 I0.0"
                                      << "rank 0: W0.0: W0.0 stands before its input gradient on rank 0";
        QTest::newRow("missing weight gradient") << "F0.0 I0.0"
                                                 << "rank 0: W0.0: W0.0 is missing on rank 0";
        QTest::newRow("recompute too late") << "F0.0 B0.0 R0.0"
                                            << "rank 0: B0.0: B0.0 stands before its recompute on rank 0";
        QTest::newRow("deadlock") << "F0.0 B0.0 F1.0 B1.0\nF1.1 F0.1 B0.1 B1.1"
                                  << "rank 0: B0.0: deadlock: rank 0 is blocked at B0.0 (position 1), which waits for B0.1 on "
                                     "rank 1; rank 1 is blocked at F1.1 (position 0), which waits for F1.0 on rank 0";
        QTest::newRow("sound") << "F0.0 F1.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1"
                               << "fine";
    }
    void findings() {
        QFETCH(QString, notation);
        QFETCH(QString, expected);
        QCOMPARE(finding(notation.toUtf8().constData()), expected);
    }

    /// Files from before the letters changed: B is the input gradient, BW the whole backward; without BW, by B beside W.
    void torchDialects() {
        const auto old = parseTorchCsv("0F0,0F1,0BW0,0BW1\n1F0,1B0,1W0,1F1,1BW1\n", "old.csv");
        QVERIFY2(old, old ? "" : old.error().message.c_str());
        QCOMPARE(old->dialect, TorchDialect::old);
        QCOMPARE(text(fmt::to_string(orderText(old->lists))), QString("F0.0 F1.0 B0.0 B1.0\nF0.1 I0.1 W0.1 F1.1 B1.1\n"));
        const auto guessed = parseTorchCsv("0F0,,0B0,0W0\n", "old.csv");
        QCOMPARE(guessed->dialect, TorchDialect::old);
        QCOMPARE(text(fmt::to_string(orderText(guessed->lists))), QString("F0.0 I0.0 W0.0\n"));
        QCOMPARE(text(guessed->notes.at(1)), QString("1 empty cells (idle slots) were dropped, as torch does when it runs them"));
        const auto current = parseTorchCsv("0F0,0B0\n", "new.csv");
        QCOMPARE(current->dialect, TorchDialect::current);
        QCOMPARE(text(fmt::to_string(orderText(current->lists))), QString("F0.0 B0.0\n"));
    }

    void torchErrors_data() {
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("where");
        QTest::newRow("trailing text") << "0F0,0B0x\n"
                                       << "bad.csv:1:cell 2";
        QTest::newRow("no micro-batch") << "0F0\n1F\n"
                                        << "bad.csv:2:cell 1";
        QTest::newRow("open pair") << "(0F0;0B0OVERLAP_F_B\n"
                                   << "bad.csv:1:cell 1";
        QTest::newRow("empty") << ""
                               << "bad.csv";
        QTest::newRow("stage on two ranks") << "0F0,0B0,0F1,0B1\n0F1,0B1\n"
                                            << "bad.csv: rank 1: F1.0";
        QTest::newRow("crossed transfers")
            << "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n1RECV_F1,1RECV_F0,1F0,1B0,1SEND_B0,1F1,1B1,1SEND_B1\n"
            << "bad.csv: rank 0 to rank 1";
    }
    void torchErrors() {
        QFETCH(QString, csv);
        QFETCH(QString, where);
        const auto read = parseTorchCsv(csv.toStdString(), "bad.csv");
        QVERIFY(!read);
        QCOMPARE(text(read.error().where), where);
    }

    void torchRefusals_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("opposite pipes") << "dualpipe"
                                        << "a torch schedule cannot hold one stage on two ranks, as bidirectional schedules and "
                                           "replicas do; use the native format";
        QTest::newRow("recompute") << "mario"
                                   << "a torch schedule has no action like R0.0; use the native format";
        QTest::newRow("eviction") << "bpipe"
                                  << "a torch schedule has no action like EVICT2.0; use the native format";
    }
    void torchRefusals() {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        ScheduleRequest request;
        request.ranks = 4;
        request.microBatches = 8;
        const auto csv = writeTorchCsv(*buildSchedule(name.toStdString(), request), TorchForm::computeOnly);
        QVERIFY(!csv);
        QCOMPARE(text(csv.error().message), reason);
    }

    void jsonErrors_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("where");
        QTest::newRow("no ranks") << R"({"m": 3})"
                                  << "own.json#/ranks";
        QTest::newRow("cell") << R"({"ranks": [["F0.0", "Q"]]})"
                              << "own.json#/ranks/0/1";
        QTest::newRow("number for cell") << R"({"ranks": [["F0.0", 7]]})"
                                         << "own.json#/ranks/0/1";
        QTest::newRow("placement") << R"({"ranks": [["F0.0", "B0.0"]], "stage_to_rank": [4]})"
                                   << "own.json#/stage_to_rank/0";
        QTest::newRow("pipes") << R"({"ranks": [["F0.0", "B0.0"]], "stage_to_rank": [[0], [0]]})"
                               << "own.json#/mb_pipe";
        QTest::newRow("count") << R"({"ranks": [["F0.0", "B0.0"]], "m": 0})"
                               << "own.json#/m";
    }
    void jsonErrors() {
        QFETCH(QString, json);
        QFETCH(QString, where);
        const auto document = parseScheduleJson(json.toStdString(), "own.json");
        QVERIFY(!document);
        QCOMPARE(text(document.error().where), where);
    }

    void times() {
        const auto uneven =
            parseTimesJson(R"({"forward": [1, 2.5], "backward_input": 1, "backward_weight": 1, "comm": 0.25})", "t.json");
        QVERIFY2(uneven, uneven ? "" : uneven.error().message.c_str());
        const auto ticks = toStageTimes(*uneven, 2, 1000);
        QCOMPARE(ticks->forward, (std::vector<Ticks>{1000, 2500}));
        QCOMPARE(ticks->latencyBackward, (std::vector<Ticks>{250, 250}));
        QCOMPARE(text(toStageTimes(*uneven, 3, 1000).error().message),
                 QString("`forward` has 2 entries; expected 1, or 3 (one per stage)"));
        QCOMPARE(text(parseTimesJson(R"({"forward": [1, -2]})", "t.json").error().where), QString("t.json#/forward/1"));
        QCOMPARE(text(parseTimesJson(R"({"forwards": 1})", "t.json").error().where), QString("t.json#/forwards"));
        QVERIFY(parseUnitTimes("1,1,1,0.5"));
        for (const char* wrong : {"1,1", "1,1,1,1,1", "1,1,x", "1,1,", "1,,1", "nan,1,1", "-1,1,1"})
            QVERIFY2(!parseUnitTimes(wrong), wrong);
        // The largest scale that keeps every sum in range.
        QCOMPARE(ticksPerUnitFor(UnitTimes{}, 1000), 1e9);
        UnitTimes huge;
        huge.forward = {1e12};
        QVERIFY(1e12 * ticksPerUnitFor(huge, 1e6) * 4e6 <= 4e18);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScheduleText)
#include "test_schedule_text.moc"
