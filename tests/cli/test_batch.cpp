#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/command_line.h"
#include "tests/support/schema_check.h"
#include "tests/support/test_main.h"

using namespace trainyard::test;
using nlohmann::json;

namespace {

/// What a document breaks of a schema that the program itself prints, or nothing.
std::string complaints(const char* schemaName, const json& document) {
    const json rules =
        runCommandLine({QStringLiteral("presets"), QStringLiteral("schema"), QString::fromLatin1(schemaName)}).json();
    if (!rules.is_object()) return "the program prints no schema";
    return schemaComplaints(rules, document);
}

QStringList shipped() {
    const QDir dir(sourceFile(QStringLiteral("presets/scenarios")));
    QStringList files;
    for (const QString& file : dir.entryList({QStringLiteral("*.json")})) files << dir.filePath(file);
    return files;
}

}  // namespace

/// Many scenarios at once: what the program writes is what its schemas describe, and a folder becomes a table.
class TestBatch : public QObject {
    Q_OBJECT
  private slots:
    void fiftyEvaluationsFollowTheSchema_data() {
        QTest::addColumn<QString>("setting");
        QTest::newRow("as they are") << QString();
        QTest::newRow("replicated") << "/plan/zero_stage=0";
        QTest::newRow("broken") << "/plan/tensor_parallel=7";
    }
    void fiftyEvaluationsFollowTheSchema() {
        QFETCH(QString, setting);
        QStringList arguments{QStringLiteral("evaluate"), QStringLiteral("--json")};
        if (!setting.isEmpty()) arguments << QStringLiteral("--set") << setting;
        const auto lines = runCommandLine(arguments + shipped()).lines();
        QCOMPARE(static_cast<qsizetype>(lines.size()), shipped().size());
        QVERIFY(lines.size() >= 17);  // three times: more than fifty
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::string wrong = complaints("evaluation", lines[i]);
            QVERIFY2(wrong.empty(), (shipped()[static_cast<qsizetype>(i)].toStdString() + "\n" + wrong).c_str());
        }
        int feasible = 0;
        for (const json& line : lines) feasible += line["feasible"].get<bool>() ? 1 : 0;
        if (setting.contains(QStringLiteral("tensor")))
            QVERIFY(feasible < static_cast<int>(lines.size()));
        else
            QVERIFY(feasible > static_cast<int>(lines.size()) / 2);
    }

    void savedScenariosFollowTheSchema() {
        for (const QString& file : shipped()) {
            const Run saved = runCommandLine({QStringLiteral("export"), file, QStringLiteral("--to"), QStringLiteral("json")});
            QCOMPARE(saved.status, 0);
            const std::string wrong = complaints("scenario", saved.json());
            QVERIFY2(wrong.empty(), (file.toStdString() + "\n" + wrong).c_str());
        }
    }

    void aSchemaRefusesWhatIsWrong() {
        json evaluation = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--json"), shipped().front()}).json();
        evaluation["time"]["step_s"] = "long";
        QVERIFY(!complaints("evaluation", evaluation).empty());
        json scenario =
            runCommandLine({QStringLiteral("export"), shipped().front(), QStringLiteral("--to"), QStringLiteral("json")}).json();
        scenario["plan"]["tensor_parallel"] = 2.5;
        QVERIFY(!complaints("scenario", scenario).empty());
    }

    void aFolderBecomesATable() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("inside")));
        QFile::copy(shippedScenario(QStringLiteral("laptop-qwen-0.5b")), folder.filePath(QStringLiteral("b.json")));
        QFile::copy(shippedScenario(QStringLiteral("dgx-h100-llama-70b")),
                    folder.filePath(QStringLiteral("inside/a, \"first\".json")));
        QFile broken(folder.filePath(QStringLiteral("broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{");
        broken.close();
        QFile other(folder.filePath(QStringLiteral("notes.txt")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.close();
        const Run run = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--csv"), folder.path()});
        QCOMPARE(run.status, 3);  // one could not be read; the others stand in the table all the same
        const QList<QByteArray> rows = run.out.trimmed().split('\n');
        QCOMPARE(rows.size(), 4);
        const QList<QByteArray> heading = rows.front().split(',');
        QVERIFY(heading.contains("file") && heading.contains("step_s"));
        QVERIFY(rows[1].startsWith((folder.path() + QStringLiteral("/b.json,")).toUtf8()));
        QVERIFY(rows[2].startsWith((folder.path() + QStringLiteral("/broken.json,")).toUtf8()));
        QVERIFY(rows[3].startsWith("\"" + (folder.path() + QStringLiteral("/inside/a, \"\"first\"\".json")).toUtf8() + "\","));
        // A figure of the table is the figure of the evaluation.
        const json evaluation =
            runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--json"), folder.filePath(QStringLiteral("b.json"))})
                .json();
        const qsizetype column = heading.indexOf("step_s");
        const QByteArray cell = rows[1].split(',').value(column);
        QVERIFY2(std::abs(cell.toDouble() / evaluation["time"]["step_s"].get<double>() - 1) < 1e-6, cell.constData());
    }

    void anEmptyFolderGivesTheHeading() {
        QTemporaryDir folder;
        const Run run = runCommandLine({QStringLiteral("evaluate"), QStringLiteral("--csv"), folder.path()});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out.count('\n'), 1);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestBatch)
#include "test_batch.moc"
