// The command `schedule` as people and scripts call it: names, formats, times, own files, what is refused and how.

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/schedule/registry.h"
#include "tests/support/command_line.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using nlohmann::json;
using CommandResult = test::Run;

namespace {

CommandResult schedule(QStringList arguments) {
    arguments.prepend(QStringLiteral("schedule"));
    return test::runCommandLine(arguments);
}

CommandResult named(const QString& name, int stages, int microBatches, const QStringList& more = {}) {
    return schedule(
        QStringList{"--name", name, "--stages", QString::number(stages), "--microbatches", QString::number(microBatches)} + more);
}

json jsonOf(const CommandResult& result) {
    if (result.status != 0) qFatal("exit %d: %s", result.status, result.messages.constData());
    return json::parse(result.out.toStdString());
}

}  // namespace

class TestCliSchedule : public QObject {
    Q_OBJECT

  private slots:
    void everyNamePrintsTheGoldenForm_data() {
        QTest::addColumn<QString>("name");
        // As people write them: the ids, and the names of golden files.
        for (const char* name : {"naive",
                                 "gpipe",
                                 "1f1b",
                                 "eager-1f1b",
                                 "interleaved-1f1b",
                                 "interleaved-1f1b-torch",
                                 "looped-bfs",
                                 "layered-accumulation",
                                 "grouped-interleaved",
                                 "pipedream",
                                 "pipedream-2bw",
                                 "zb-h1",
                                 "zb-h2",
                                 "zb-auto",
                                 "interleaved-zb",
                                 "zb-v",
                                 "v-half",
                                 "v-min",
                                 "1f1b-v",
                                 "dualpipe",
                                 "dualpipe-v",
                                 "chimera",
                                 "gems",
                                 "hanayo",
                                 "bpipe",
                                 "terapipe",
                                 "seq1f1b",
                                 "seq1f1b-interleaved",
                                 "seq1f1b-zb",
                                 "slimpipe",
                                 "sppo",
                                 "layerpipe",
                                 "pipe-sgd",
                                 "local-updates",
                                 "mario",
                                 "uneven-replicas",
                                 "greedy",
                                 "zbv",
                                 "interleaved_1f1b",
                                 "zb_2p_auto",
                                 "dualpipev",
                                 "seq1f1b_i",
                                 "eager_1f1b",
                                 "1f1b_overlap"})
            QTest::newRow(name) << QString(name);
    }
    void everyNamePrintsTheGoldenForm() {
        QFETCH(QString, name);
        const ScheduleDefinition* definition = findScheduleOrNull(name.toStdString());
        QVERIFY(definition != nullptr);
        QStringList more{"--format", "json"};
        if (definition->needsChunks)
            more << "--chunks"
                 << "2";
        if (definition->takesSlices)
            more << "--slices"
                 << "4";
        const int microBatches = definition->id == "naive" ? 1 : 8;
        const json form = jsonOf(named(name, 4, microBatches, more));
        QCOMPARE(form["schedule"].get<std::string>(), std::string(definition->id));
        QCOMPARE(form["ranks"].size(), std::size_t{4});
        QCOMPARE(form["starts"].size(), std::size_t{4});
        QCOMPARE(form["peak_b"].size(), std::size_t{4});
        QCOMPARE(form["peak_w"].size(), std::size_t{4});
        QVERIFY(form["makespan"].get<double>() > 0);
        QVERIFY(form["bubble"].get<double>() >= 0 && form["bubble"].get<double>() < 1);
        for (const char* bubble : {"idle_share", "overhead", "span"}) QVERIFY(form["bubbles"].contains(bubble));
        for (std::size_t rank = 0; rank < 4; ++rank) QCOMPARE(form["ranks"][rank].size(), form["starts"][rank].size());
        if (form.contains("closed_form_makespan")) QVERIFY(form["closed_form_makespan"] == form["makespan"]);
        const bool changesTraining = definition->semantics != ScheduleSemantics::synchronous;
        QCOMPARE(form.contains("semantics"), changesTraining);
    }

    void listAndTableNameAllSchedules() {
        const json list = jsonOf(schedule({"--list", "--format", "json"}));
        QCOMPARE(list.size(), allSchedules().size());
        std::map<std::string, json> byName;
        for (const json& entry : list) byName[entry["name"]] = entry;
        QCOMPARE(byName["pipedream"]["semantics"].get<std::string>(), std::string("stale weights"));
        QCOMPARE(byName["local-updates"]["semantics"].get<std::string>(), std::string("local losses"));
        QVERIFY(!byName["1f1b"].contains("semantics"));
        for (const json& entry : list) QVERIFY2(entry["reference"].get<std::string>().size() > 5, entry.dump().c_str());

        const json table =
            jsonOf(schedule({"--table", "--stages", "8", "--microbatches", "32", "--slices", "8", "--format", "json"}));
        QCOMPARE(table["schedules"].size(), allSchedules().size());
        std::map<std::string, double> makespans;
        for (const json& row : table["schedules"]) {
            if (row.contains("refused")) continue;
            makespans[row["schedule"]] = row["makespan"];
            QVERIFY2(row["makespan"].get<double>() > 95.9, row.dump().c_str());  // the work of a device is 96 units
        }
        QCOMPARE(makespans["1f1b"], 117.0);              // 3 (m + p - 1)
        QCOMPARE(makespans["interleaved-1f1b"], 106.5);  // 3 m + 3 (p - 1) / v
        QCOMPARE(makespans["zb-h1"], 103.0);             // 3 m + p - 1
        QCOMPARE(makespans["zb-v"], 99.5);               // 3 m + (p - 1) / 2
        QCOMPARE(makespans["seq1f1b"], 96 + 21.0 / 8);   // 3 m + 3 (p - 1) / k
        QVERIFY(makespans.size() >= 38);
        const CommandResult markdown = schedule({"--table", "--stages", "8", "--microbatches", "32", "--format", "markdown"});
        QVERIFY(markdown.out.startsWith("| schedule"));
        QCOMPARE(static_cast<std::size_t>(markdown.out.count('\n')), allSchedules().size() + 2);
    }

    /// The table in the documentation is what the command prints.
    void documentedTable() {
        QFile file(qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + "/docs/schedules.md");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const CommandResult table =
            schedule({"--table", "--stages", "8", "--microbatches", "32", "--slices", "8", "--format", "markdown"});
        QCOMPARE(table.status, 0);
        QVERIFY(file.readAll().contains(table.out));
    }

    void timesPerStageFromAFile() {
        QTemporaryDir folder;
        QFile file(folder.filePath("times.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"forward": [1, 2, 1, 1], "backward_input": 1, "backward_weight": 1, "comm": 0.5})");
        file.close();
        const json form = jsonOf(named("gpipe", 4, 8, {"--times", file.fileName(), "--format", "json"}));
        // Sum over stages + 7 x (largest forward + largest backward) + 2 (p - 1) hops.
        QCOMPARE(form["makespan"].get<double>(), 13.0 + 7 * (2 + 2) + 2 * 3 * 0.5);
        QVERIFY(!form.contains("closed_form_makespan"));
        // The automatic search takes the same times into account and stays under its limit.
        const json found = jsonOf(named("zb-auto", 4, 8, {"--times", file.fileName(), "--param", "limit=5", "--format", "json"}));
        for (const json& peak : found["peak_w"]) QVERIFY(peak.get<double>() <= 5);
        const json inLine = jsonOf(named("1f1b", 4, 8, {"--times", "1,1,1,0.25", "--format", "json"}));
        QCOMPARE(inLine["makespan"].get<double>(), 33 + 2 * 0.25 * (3 * 2 + 2));  // 2 c ((p - 1) m / p + p - 2)
    }

    void jitterIsRepeatable() {
        const json one = jsonOf(named("1f1b", 4, 8, {"--jitter", "0.1", "--format", "json"}));
        QVERIFY(jsonOf(named("1f1b", 4, 8, {"--jitter", "0.1", "--format", "json"})) == one);
        QVERIFY(one["makespan"] != 33);
        QVERIFY(std::abs(one["makespan"].get<double>() - 33) < 3.3);
        QCOMPARE(named("1f1b", 4, 8, {"--jitter", "1.5"}).status, 2);
    }

    void slicesOfEqualCost() {
        const QStringList sequence{"--slices", "4", "--param", "sequence=131072", "--param", "hidden=4096", "--format", "json"};
        const double equal = jsonOf(named("seq1f1b", 4, 8, sequence))["makespan"];
        const double balanced = jsonOf(named("seq1f1b", 4, 8, sequence + QStringList{"--param", "balanced=1"}))["makespan"];
        const double nominal = jsonOf(named("seq1f1b", 4, 8, {"--slices", "4", "--format", "json"}))["makespan"];
        QVERIFY(std::abs(balanced - nominal) < 0.01 * nominal);
        QVERIFY(equal > 1.05 * balanced);
        const CommandResult wrong = named("seq1f1b", 4, 8, {"--slices", "4", "--param", "balanced=1"});
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.messages.contains("set the parameter `sequence`"));
    }

    void parametersAreUsedAndChecked() {
        const json wide = jsonOf(named("interleaved-1f1b", 4, 10, {"--chunks", "2", "--param", "group=5", "--format", "json"}));
        QCOMPARE(wide["ranks"][0][4].get<std::string>(), std::string("F4.0"));  // five micro-batches before the next chunk
        const json four = jsonOf(named("chimera", 8, 8, {"--param", "pipes=4", "--format", "json"}));
        QCOMPARE(four["stage_to_rank"].size(), std::size_t{4});
        const CommandResult unknown = named("gpipe", 4, 8, {"--param", "colour=3"});
        QCOMPARE(unknown.status, 1);
        QVERIFY(unknown.messages.contains("gpipe has no parameter `colour`"));
        const CommandResult notANumber = named("chimera", 4, 8, {"--param", "pipes=two"});
        QCOMPARE(notANumber.status, 2);
        QVERIFY(notANumber.messages.contains("`pipes=two` is not KEY=VALUE"));
    }

    void everyFormat_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("text") << "text" << QByteArray("F0.0@0");
        QTest::newRow("csv") << "csv" << QByteArray("0,compute,F,0,0,0,0,1");
        QTest::newRow("trace") << "trace" << QByteArray("\"traceEvents\"");
        QTest::newRow("svg") << "svg" << QByteArray("<svg xmlns");
        QTest::newRow("order") << "order" << QByteArray("F0.1 I0.1 F1.1");
        QTest::newRow("torch") << "torch" << QByteArray("0F0,0F1");
        QTest::newRow("torch-comms") << "torch-comms" << QByteArray("0SEND_F0");
    }
    void everyFormat() {
        QFETCH(QString, format);
        QFETCH(QByteArray, part);
        const CommandResult result = named("zb-h1", 2, 4, {"--format", format});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.out.contains(part), result.out.left(400).constData());
        QVERIFY(jsonOf(named("zb-h1", 2, 4, {"--json"})) == jsonOf(named("zb-h1", 2, 4, {"--format", "json"})));
        QVERIFY(result.messages.isEmpty());
    }

    /// What the command wrote it also reads, and a file behaves like a built-in schedule.
    void ownFiles_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"order", "json", "torch"}) QTest::newRow(format) << QString(format);
    }
    void ownFiles() {
        QFETCH(QString, format);
        QTemporaryDir folder;
        QFile file(folder.filePath("own"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(named("zb-v", 4, 8, {"--format", format}).out);
        file.close();
        const json own = jsonOf(schedule({"--file", file.fileName(), "--format", "json"}));
        const json builtIn = jsonOf(named("zb-v", 4, 8, {"--format", "json"}));
        QVERIFY(own["ranks"] == builtIn["ranks"]);
        QVERIFY(own["starts"] == builtIn["starts"]);
        QVERIFY(own["stage_to_rank"] == builtIn["stage_to_rank"]);
    }

    void deadlockNamesActionAndProducer() {
        QTemporaryDir folder;
        QFile file(folder.filePath("stuck.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("F0.0 B1.0 F1.0 B0.0\nF0.1 B0.1 F1.1 B1.1\n");
        file.close();
        const CommandResult order = schedule({"--file", file.fileName()});
        QCOMPARE(order.status, 1);
        QVERIFY2(order.messages.contains("B1.0 stands before its forward on rank 0"), order.messages.constData());

        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("F1.0 F0.0 B0.0 B1.0\nF0.1 B0.1 F1.1 B1.1\n");
        file.close();
        QCOMPARE(schedule({"--file", file.fileName()}).status, 0);

        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("F0.0 B0.0 F1.0 B1.0\nF1.1 B1.1 F0.1 B0.1\n");
        file.close();
        const CommandResult stuck = schedule({"--file", file.fileName()});
        QCOMPARE(stuck.status, 1);
        QVERIFY2(stuck.messages.contains("rank 0 is blocked at B0.0 (position 1), which waits for B0.1 on rank 1"),
                 stuck.messages.constData());
        QVERIFY2(stuck.messages.contains("rank 1 is blocked at F1.1 (position 0), which waits for F1.0 on rank 0"),
                 stuck.messages.constData());
        QVERIFY(stuck.out.isEmpty());
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("message");
        const QStringList four{"--stages", "4", "--microbatches", "8"};
        QTest::newRow("nothing") << QStringList{} << 2 << QByteArray("exactly one of the two is needed");
        QTest::newRow("unknown") << QStringList{"--name", "1f2b"} + four << 2 << QByteArray("near it: 1f1b");
        QTest::newRow("no counts") << QStringList{"--name", "1f1b"} << 2 << QByteArray("are required with --name");
        QTest::newRow("zero stages") << QStringList{"--name", "1f1b", "--stages", "0", "--microbatches", "8"} << 2
                                     << QByteArray();
        QTest::newRow("not legal") << QStringList{"--name", "dualpipe", "--stages", "3", "--microbatches", "8"} << 1
                                   << QByteArray("dualpipe needs an even number of ranks, not 3");
        QTest::newRow("chunks") << QStringList{"--name", "1f1b", "--chunks", "2"} + four << 1 << QByteArray("1 chunk per rank");
        QTest::newRow("times") << QStringList{"--name", "1f1b", "--times", "1,2"} + four << 2 << QByteArray("2 numbers");
        QTest::newRow("negative times") << QStringList{"--name", "1f1b", "--times", "1,-2,1"} + four << 2
                                        << QByteArray("at least 0");
        QTest::newRow("no file") << QStringList{"--file", "/nowhere/own.txt"} << 3 << QByteArray("/nowhere/own.txt");
        QTest::newRow("no times file") << QStringList{"--name", "1f1b", "--times", "/nowhere/t.json"} + four << 3
                                       << QByteArray("/nowhere/t.json");
        QTest::newRow("torch and pipes") << QStringList{"--name", "chimera", "--format", "torch"} + four << 1
                                         << QByteArray("one stage on two ranks");
        QTest::newRow("format") << QStringList{"--name", "1f1b", "--format", "png"} + four << 2 << QByteArray("--format");
        QTest::newRow("too many") << QStringList{"--name", "1f1b", "--stages", "60000", "--microbatches", "60000"} << 1
                                  << QByteArray("are more than");
        QTest::newRow("pass") << QStringList{"--name", "1f1b", "--pass", "shrink"} + four << 2
                              << QByteArray("there is no pass `shrink`");
        QTest::newRow("list and name") << QStringList{"--list", "--name", "1f1b"} << 2 << QByteArray("do not go with");
        QTest::newRow("table without counts") << QStringList{"--table"} << 2 << QByteArray("are required with --table");
    }
    void refusals() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, message);
        const CommandResult result = schedule(arguments);
        QCOMPARE(result.status, status);
        QVERIFY2(result.messages.contains(message), result.messages.constData());
        QVERIFY(result.out.isEmpty());
    }

    void passesChangeWhatIsPrinted() {
        const json split = jsonOf(named("1f1b", 4, 8, {"--pass", "split", "--format", "json"}));
        QCOMPARE(split["ranks"][3][1].get<std::string>(), std::string("I0.3"));
        const CommandResult text =
            named("1f1b", 2, 2, {"--pass", "gather", "--pass", "buckets=3", "--pass", "optimizer", "--format", "csv"});
        QCOMPARE(text.status, 0);
        QCOMPARE(static_cast<int>(text.out.count(",data,RS,")), 6);
        QCOMPARE(static_cast<int>(text.out.count(",data,AG,")), 4);
        QCOMPARE(static_cast<int>(text.out.count(",OPT,")), 2);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestCliSchedule)
#include "test_cli_schedule.moc"
