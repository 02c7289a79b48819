#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/support/command_line.h"
#include "tests/support/test_main.h"

using namespace trainyard::test;
using nlohmann::json;

namespace {

const QStringList kCommands{QStringLiteral("evaluate"),  QStringLiteral("validate"), QStringLiteral("explain"),
                            QStringLiteral("schedule"),  QStringLiteral("search"),   QStringLiteral("sweep"),
                            QStringLiteral("partition"), QStringLiteral("import"),   QStringLiteral("export"),
                            QStringLiteral("presets"),   QStringLiteral("lessons"),  QStringLiteral("calibrate"),
                            QStringLiteral("accuracy")};

QString small() { return shippedScenario(QStringLiteral("laptop-qwen-0.5b")); }
QString large() { return shippedScenario(QStringLiteral("dgx-h100-llama-70b")); }

QByteArray textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

/// The whole command line, as a shell sees it: statuses, streams, shapes.
class TestCommandLine : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(!textOf(small()).isEmpty());
    }

    void theProgramSaysWhatItCan() {
        const Run help = runCommandLine({QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        for (const QString& command : kCommands) QVERIFY2(help.out.contains("  " + command.toUtf8() + " "), qPrintable(command));
        QVERIFY(help.messages.isEmpty());
        const Run version = runCommandLine({QStringLiteral("--version")});
        QCOMPARE(version.status, 0);
        QVERIFY(QRegularExpression(QStringLiteral("^trainyard \\d+\\.\\d+\\.\\d+\\n$"))
                    .match(QString::fromUtf8(version.out))
                    .hasMatch());
        QCOMPARE(runCommandLine({}).status, 2);
    }

    void everyCommandHasHelpAndVersion_data() {
        QTest::addColumn<QString>("command");
        for (const QString& command : kCommands) QTest::addRow("%s", qPrintable(command)) << command;
    }
    void everyCommandHasHelpAndVersion() {
        QFETCH(QString, command);
        const Run help = runCommandLine({command, QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.contains("Usage: trainyard-cli " + command.toUtf8()));
        const Run version = runCommandLine({command, QStringLiteral("--version")});
        QCOMPARE(version.status, 0);
        QVERIFY(version.out.startsWith("trainyard "));
        const Run unknown = runCommandLine({command, QStringLiteral("--no-such-option")});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.out.isEmpty());
        QVERIFY(unknown.messages.contains("--no-such-option") || unknown.messages.contains("required"));
    }

    void wrongCommandLinesEndWith2_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const QString& arguments, const char* said) {
            QStringList list;
            for (QString word : arguments.split(QLatin1Char(' '))) list << word.replace(QStringLiteral("FILE"), large());
            QTest::newRow(name) << list << QString::fromLatin1(said);
        };
        row("misspelt command", QStringLiteral("evalute FILE"), "did you mean \"evaluate\"");
        row("no file", QStringLiteral("evaluate"), "FILE");
        row("validate without file", QStringLiteral("validate"), "FILE");
        row("file and rules", QStringLiteral("validate FILE --rules"), "--rules");
        row("set without value", QStringLiteral("evaluate FILE --set /plan/tensor_parallel"), "--set");
        row("set without pointer", QStringLiteral("evaluate FILE --set tensor=2"), "POINTER=VALUE");
        row("set through a number", QStringLiteral("evaluate FILE --set /plan/tensor_parallel/x=2"), "tensor_parallel");
        row("framework", QStringLiteral("validate FILE --for jax"), "torchtitan");
        row("explain nothing", QStringLiteral("explain FILE"), "required");
        row("schedule name", QStringLiteral("schedule --name 1f2b --stages 2 --microbatches 4"), "1f1b");
        row("schedule stages", QStringLiteral("schedule --name 1f1b --stages 0 --microbatches 4"), "stages");
        row("schedule format", QStringLiteral("schedule --name 1f1b --stages 2 --microbatches 4 --format html"), "format");
        row("schedule times", QStringLiteral("schedule --name 1f1b --stages 2 --microbatches 4 --times 1,x,2"), "times");
        row("objective", QStringLiteral("search FILE --objective beauty"), "objective");
        row("axis", QStringLiteral("sweep FILE --axis tensor"), "axis");
        row("axis of nothing", QStringLiteral("sweep FILE --axis /plan/tensor_paralel=1,2"), "/plan/tensor_paralel");
        row("no plans wanted", QStringLiteral("search FILE --top 0"), "top");
        row("time backwards", QStringLiteral("search FILE --limit -1"), "limit");
        row("export kind", QStringLiteral("export FILE --to jax"), "megatron");
        row("import kind", QStringLiteral("import jax FILE"), "megatron");
        row("preset kind", QStringLiteral("presets cars"), "models");
        row("lessons word", QStringLiteral("lessons run"), "check");
    }
    void wrongCommandLinesEndWith2() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        const Run run = runCommandLine(arguments);
        QVERIFY2(run.messages.contains(said.toUtf8()), run.messages.constData());
        QCOMPARE(run.status, 2);
        QVERIFY2(run.out.isEmpty(), run.out.constData());
    }

    void wrongFilesAreNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("place");
        const QByteArray whole = textOf(large());
        const auto row = [](const char* name, const QByteArray& content, int status, const char* place) {
            QTest::newRow(name) << QStringLiteral("%1.json").arg(
                                       QString::fromLatin1(name).replace(QLatin1Char(' '), QLatin1Char('-')))
                                << content << status << QString::fromLatin1(place);
        };
        row("empty", "", 3, ":1:1");
        row("cut", whole.left(whole.size() / 2), 3, ":");
        row("binary",
            QByteArray("\x7f"
                       "ELF\0\1\2\3",
                       8),
            3, ":1:1");
        row("not utf8",
            QByteArray(whole).replace("Llama",
                                      "Ll\xff"
                                      "ma"),
            3, ":");
        row("deep", QByteArray(200'000, '['), 3, ":");
        row("number too large", QByteArray(whole).replace("8192", "1e999"), 3, ":");
        row("other json", "[1, 2, 3]", 1, "#");
        row("other format", "{\"format\": \"trainyard.lesson\", \"version\": 1}", 1, "#/format");
        row("newer", QByteArray(whole).replace("\"version\": 1", "\"version\": 2"), 1, "#/version");
        row("wrong type", QByteArray(whole).replace("\"tensor_parallel\": 8", "\"tensor_parallel\": \"eight\""), 1,
            "#/plan/tensor_parallel");
        row("unknown preset", QByteArray(whole).replace("dgx-h100", "dgx-h1000"), 1, "#/cluster");
    }
    void wrongFilesAreNamed() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(int, status);
        QFETCH(QString, place);
        const QString path = folder_.filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        for (const QStringList& command :
             {QStringList{QStringLiteral("evaluate"), path},
              {QStringLiteral("validate"), path},
              {QStringLiteral("search"), path},
              {QStringLiteral("partition"), path},
              {QStringLiteral("explain"), path, QStringLiteral("/time/step_s")},
              {QStringLiteral("export"), path, QStringLiteral("--to"), QStringLiteral("csv")},
              {QStringLiteral("sweep"), path, QStringLiteral("--axis"), QStringLiteral("/plan/zero_stage=0,1")}}) {
            const Run run = runCommandLine(command);
            QVERIFY2(run.status == status,
                     (command.front().toUtf8() + ": " + QByteArray::number(run.status) + " " + run.messages).constData());
            QVERIFY2(run.messages.contains((path + place).toUtf8()),
                     (command.front().toUtf8() + ": " + run.messages).constData());
        }
        const Run asJson = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--json"), path});
        QCOMPARE(asJson.lines().size(), std::size_t{1});
        QCOMPARE(asJson.lines().front().value("feasible", true), false);
    }

    void missingFilesAndFolders() {
        for (const QString& path : {QStringLiteral("/no/such/file.json"), folder_.path()})
            for (const QString& command : {QStringLiteral("evaluate"), QStringLiteral("validate"), QStringLiteral("partition")}) {
                const Run run = runCommandLine({command, path});
                QCOMPARE(run.status, 3);
                QVERIFY(run.messages.contains(path.toUtf8()));
                QVERIFY(run.out.isEmpty());
            }
        const Run unwritable = runCommandLine({QStringLiteral("export"), small(), QStringLiteral("--to"), QStringLiteral("csv"),
                                               QStringLiteral("-o"), QStringLiteral("/no/such/folder/out.csv")});
        QCOMPARE(unwritable.status, 3);
        QVERIFY(unwritable.messages.contains("/no/such/folder/out.csv"));
    }

    void notFeasibleEndsWith1() {
        const QStringList bad{QStringLiteral("--set"), QStringLiteral("/plan/tensor_parallel=5")};
        for (const QStringList& command :
             {QStringList{QStringLiteral("evaluate"), large()}, {QStringLiteral("validate"), large()}}) {
            const Run run = runCommandLine(command + bad);
            QCOMPARE(run.status, 1);
            QVERIFY(run.out.contains("allowed"));
        }
        const Run full = runCommandLine({QStringLiteral("evaluate"), large(), QStringLiteral("--json"), QStringLiteral("--set"),
                                         QStringLiteral("/plan/pipeline_parallel=1"), QStringLiteral("--set"),
                                         QStringLiteral("/plan/zero_stage=0")});
        QCOMPARE(full.status, 0);  // out of memory is a verdict
        QCOMPARE(full.json()["memory"]["verdict"].get<std::string>(), std::string("out_of_memory"));
        QCOMPARE(full.json()["feasible"].get<bool>(), true);
    }

    void standardInput_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString dash = QStringLiteral("-");
        QTest::newRow("evaluate") << QStringList{QStringLiteral("evaluate"), dash};
        QTest::newRow("evaluate with --set")
            << QStringList{QStringLiteral("evaluate"), dash, QStringLiteral("--set"), QStringLiteral("/plan/zero_stage=0")};
        QTest::newRow("validate") << QStringList{QStringLiteral("validate"), dash};
        QTest::newRow("explain") << QStringList{QStringLiteral("explain"), dash, QStringLiteral("/time/step_s")};
        QTest::newRow("partition") << QStringList{QStringLiteral("partition"), dash};
        QTest::newRow("export") << QStringList{QStringLiteral("export"), dash, QStringLiteral("--to"), QStringLiteral("json")};
        QTest::newRow("sweep") << QStringList{QStringLiteral("sweep"), dash, QStringLiteral("--axis"),
                                              QStringLiteral("/plan/zero_stage=0,1")};
        QTest::newRow("search") << QStringList{QStringLiteral("search"), dash, QStringLiteral("--limit"), QStringLiteral("5")};
    }
    void standardInput() {
        QFETCH(QStringList, arguments);
        const Run run = runCommandLine(arguments, textOf(small()));
        QVERIFY2(run.status == 0, run.messages.constData());
        QVERIFY(!run.out.isEmpty());
        const Run cut = runCommandLine(arguments, "{");
        QCOMPARE(cut.status, 3);
        QVERIFY2(cut.messages.contains("-:1:"), cut.messages.constData());
    }

    void jsonShapes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("keys");
        const auto row = [](const char* name, const QString& arguments, const char* keys) {
            QStringList list;
            for (QString word : arguments.split(QLatin1Char(' ')))
                list << word.replace(QStringLiteral("FILE"), large()).replace(QStringLiteral("SMALL"), small());
            QTest::newRow(name) << list << QString::fromLatin1(keys).split(QLatin1Char(' '));
        };
        row("evaluate", QStringLiteral("evaluate FILE --json"),
            "format version feasible diagnostics devices parameters memory time throughput communication energy cost training "
            "validity");
        row("validate", QStringLiteral("validate FILE --json"), "feasible diagnostics");
        row("validate for", QStringLiteral("validate FILE --for accelerate --set /plan/zero_stage=3 --json"),
            "feasible diagnostics framework nearest_plans");
        row("explain", QStringLiteral("explain FILE /time/step_s --json"), "symbol name value unit formula source terms");
        row("schedule", QStringLiteral("schedule --name 1f1b --stages 2 --microbatches 4 --format json"), "schedule");
        row("search", QStringLiteral("search SMALL --limit 5 --json"), "plans evaluated rejected seconds");
        row("partition", QStringLiteral("partition SMALL --json"),
            "layers_per_stage stage_devices shares step_s even_split_step_s optimal gap");
        row("lessons", QStringLiteral("lessons check --json"), "lessons goals errors");
        row("presets", QStringLiteral("presets --json"), "models accelerators nodes networks clusters scenarios rules schema");
        row("preset", QStringLiteral("presets models llama-3.1-70b --json"), "id name");
    }
    void jsonShapes() {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, keys);
        const Run run = runCommandLine(arguments);
        const json out = run.json();
        QVERIFY2(out.is_object(), run.out.left(200).constData());
        for (const QString& key : keys) QVERIFY2(out.contains(key.toStdString()), qPrintable(key));
    }

    void explainKnowsWhatIsMeant() {
        const Run run = runCommandLine({QStringLiteral("explain"), large(), QStringLiteral("/time/step")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.messages.contains("did you mean /time/step_s"), run.messages.constData());
        QVERIFY(run.messages.contains("/memory/stages/N/total_bytes"));
        QVERIFY(run.messages.count('\n') < 70);
    }

    void aFullDiskIsNoSuccess() {
        if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("no /dev/full here");
        for (const QStringList& arguments :
             {QStringList{QStringLiteral("evaluate"), large()},
              {QStringLiteral("evaluate"), large(), QStringLiteral("--json")},
              {QStringLiteral("presets"), QStringLiteral("models")},
              {QStringLiteral("export"), large(), QStringLiteral("--to"), QStringLiteral("trace")}}) {
            QProcess process;
            process.setStandardOutputFile(QStringLiteral("/dev/full"));
            process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 3);
            QVERIFY(!process.readAllStandardError().isEmpty());
        }
    }

    void oneLinePerFileInOrder() {
        const QString missing = QStringLiteral("/no/such/file.json");
        const Run run = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--json"), large(), missing, small()});
        QCOMPARE(run.status, 3);
        const auto lines = run.lines();
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines[0]["devices"].get<int>(), 128);
        QCOMPARE(lines[1]["feasible"].get<bool>(), false);
        QCOMPARE(lines[1]["file"].get<std::string>(), missing.toStdString());
        QVERIFY(lines[2]["devices"].get<int>() >= 1);
    }

    void aScenarioTravelsAsOneText() {
        const Run link = runCommandLine({QStringLiteral("export"), large(), QStringLiteral("--to"), QStringLiteral("link")});
        QCOMPARE(link.status, 0);
        QVERIFY(link.out.startsWith("trainyard1."));
        QCOMPARE(link.out.count('\n'), 1);
        const Run there = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("-"), QStringLiteral("--json")}, link.out);
        const Run here = runCommandLine({QStringLiteral("evaluate"), large(), QStringLiteral("--json")});
        QCOMPARE(there.status, 0);
        QCOMPARE(there.out, here.out);
        const Run changed = runCommandLine(
            {QStringLiteral("evaluate"), QStringLiteral("-"), QStringLiteral("--set"), QStringLiteral("/plan/zero_stage=0")},
            link.out);
        QCOMPARE(changed.status, 0);
        const Run cut = runCommandLine({QStringLiteral("validate"), QStringLiteral("-")}, link.out.left(100));
        QCOMPARE(cut.status, 3);
        QVERIFY(cut.messages.contains("cut off"));
    }

    void savingIsStable() {
        const QString once = folder_.filePath(QStringLiteral("once.trainyard.json"));
        const QString twice = folder_.filePath(QStringLiteral("twice.trainyard.json"));
        QCOMPARE(runCommandLine({QStringLiteral("export"), large(), QStringLiteral("--to"), QStringLiteral("json"),
                                 QStringLiteral("-o"), once})
                     .status,
                 0);
        QCOMPARE(runCommandLine({QStringLiteral("export"), once, QStringLiteral("--to"), QStringLiteral("json"),
                                 QStringLiteral("-o"), twice})
                     .status,
                 0);
        QCOMPARE(textOf(once), textOf(twice));
        QVERIFY(!textOf(once).isEmpty());
        // One fact changed, one line changed: files that are kept under version control stay readable.
        QByteArray edited = textOf(once);
        edited.replace("\"zero_stage\": 1", "\"zero_stage\": 2");
        const QString changed = folder_.filePath(QStringLiteral("changed.trainyard.json"));
        QFile file(changed);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(edited);
        file.close();
        const Run again = runCommandLine({QStringLiteral("export"), changed, QStringLiteral("--to"), QStringLiteral("json")});
        const QList<QByteArray> before = textOf(once).split('\n');
        const QList<QByteArray> after = again.out.split('\n');
        QCOMPARE(after.size(), before.size());
        int different = 0;
        for (qsizetype i = 0; i < before.size(); ++i) different += before[i] != after[i] ? 1 : 0;
        QCOMPARE(different, 1);
    }

    void presetsAreTextsOfTheirFiles() {
        const Run one = runCommandLine({QStringLiteral("presets"), QStringLiteral("schema"), QStringLiteral("evaluation")});
        QCOMPARE(one.status, 0);
        QCOMPARE(one.out, textOf(sourceFile(QStringLiteral("presets/schema/evaluation.schema.json"))));
        const Run none = runCommandLine({QStringLiteral("presets"), QStringLiteral("models"), QStringLiteral("no-such-model")});
        QCOMPARE(none.status, 1);
        QVERIFY(none.messages.contains("no-such-model"));
    }

    void itWorksFromAnyFolderWithoutAHome() {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("HOME"));
        environment.remove(QStringLiteral("XDG_CONFIG_HOME"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(QStringLiteral("/"));
        process.start(qEnvironmentVariable("TRAINYARD_CLI"), {QStringLiteral("evaluate"), large()});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
    }

  private:
    QTemporaryDir folder_;
};

TRAINYARD_CORE_TEST_MAIN(TestCommandLine)
#include "test_command_line.moc"
