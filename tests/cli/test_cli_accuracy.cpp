#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

struct Run {
    int status = -1;
    std::string out, messages;
};

Run cli(const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("TRAINYARD_VALIDATION_DIR");
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
}

}  // namespace

class TestCliAccuracy : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void oneSource() {
        const QString data = folder_.filePath("data");
        QVERIFY(QDir().mkpath(data));
        QVERIFY(QFile::copy(qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + "/tests/golden/validation/zero_bubble.json", data + "/zero_bubble.json"));
        const Run text = cli({"accuracy", "--data", data, "--text"});
        QCOMPARE(text.status, 0);
        QVERIFY(text.out.find("zero_bubble                   12 |    12") != std::string::npos);
        QVERIFY(text.out.find("largest errors") != std::string::npos);
        const Run run = cli({"accuracy", "--data", data, "--json", "--write-figures", folder_.filePath("figures.json"), "--write-limits", folder_.filePath("limits.json")});
        QCOMPARE(run.status, 0);
        const json report = json::parse(run.out);
        const json& source = report["sources"]["zero_bubble"];
        QCOMPARE(source["points"].size(), std::size_t{12});
        double sum = 0;
        for (const json& p : source["points"]) sum += std::abs(p["predicted_step_s"].get<double>() / p["published_step_s"].get<double>() - 1);
        QVERIFY(std::abs(sum / 12 - source["time"]["mape"].get<double>()) < 1e-4);
        QVERIFY(std::abs(report["summary"]["time_mape"].get<double>() - source["time"]["mape"].get<double>()) < 1e-12);
        for (const char* written : {"figures.json", "limits.json"}) {
            QFile file(folder_.filePath(written));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(json::parse(file.readAll().toStdString())["sources"].contains("zero_bubble"));
        }
    }

    void withoutAFolderItPrintsWhatShips() {
        const Run run = cli({"accuracy", "--json"});
        QCOMPARE(run.status, 0);
        QVERIFY(json::parse(run.out)["sources"].size() >= 19);
        QVERIFY(cli({"accuracy", "--format", "markdown"}).out.starts_with("| source |"));
    }

    void wrongUse() {
        QCOMPARE(cli({"accuracy", "--data", folder_.filePath("none")}).status, 3);
        QCOMPARE(cli({"accuracy", "--format", "pie"}).status, 2);
        const Run run = cli({"accuracy", "--write-limits", folder_.filePath("x")});
        QCOMPARE(run.status, 2);
        QVERIFY(run.messages.find("--data") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCliAccuracy)
#include "test_cli_accuracy.moc"
