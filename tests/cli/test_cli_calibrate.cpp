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
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
}

}  // namespace

class TestCliCalibrate : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const char* name) { return folder_.filePath(name); }
    void write(const char* name, const QByteArray& text) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

  private slots:
    void initTestCase() {
        const QString preset =
            qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + "/presets/scenarios/dgx-h100-llama-70b.trainyard.json";
        QVERIFY(QFile::copy(preset, path("base.json")));
        QFile(path("base.json")).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        // "Measured" with slower products and links than the engine assumes.
        json runs = json::array();
        for (const auto& [tensor, pipeline] : {std::pair{8, 4}, {4, 4}, {4, 8}, {8, 2}, {2, 8}}) {
            const Run run =
                cli({"evaluate", "--json", path("base.json"), "--set", QString("/plan/tensor_parallel=%1").arg(tensor), "--set",
                     QString("/plan/pipeline_parallel=%1").arg(pipeline), "--set",
                     "/calibration={\"compute.gemm_rate\":0.85,\"communication.rate\":0.7}"});
            const json e = json::parse(run.out);
            runs.push_back({{"set", {{"/plan/tensor_parallel", tensor}, {"/plan/pipeline_parallel", pipeline}}},
                            {"step_s", e["time"]["step_s"]},
                            {"peak_bytes", e["memory"]["peak_bytes"]}});
        }
        write("runs.json", QByteArray::fromStdString(runs.dump()));
    }

    void reportsWithoutWriting() {
        QFile file(path("base.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        const Run run = cli({"calibrate", path("base.json"), path("runs.json")});
        QCOMPARE(run.status, 0);
        QVERIFY(run.messages.empty());
        for (const char* said : {"5 measurements: 5 step times, 5 memory peaks", "compute.gemm_rate", "left alone",
                                 "step time  mean error", "nothing was written"})
            QVERIFY2(run.out.find(said) != std::string::npos, said);
        file.seek(0);
        QCOMPARE(file.readAll(), before);
    }

    void writesTheScenarioThatThenSaysSo() {
        const Run fit = cli({"calibrate", path("base.json"), path("runs.json"), "--json", "-o", path("out.json")});
        QCOMPARE(fit.status, 0);
        const json report = json::parse(fit.out);
        QVERIFY(std::abs(report["calibration"]["compute.gemm_rate"].get<double>() - 0.85) < 0.02);
        QVERIFY(std::abs(report["calibration"]["communication.rate"].get<double>() - 0.7) < 0.08);
        QVERIFY(report["time"]["mean_after"].get<double>() < 0.1 * report["time"]["mean_before"].get<double>());
        QCOMPARE(report["measurements"].size(), std::size_t{5});
        QFile file(path("out.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(json::parse(file.readAll().toStdString())["calibration"], report["calibration"]);
        const Run evaluation = cli({"evaluate", path("out.json")});
        QVERIFY(evaluation.out.find("calibrated to 5 measurements of yours") != std::string::npos);

        QVERIFY(QFile::copy(path("base.json"), path("mine.json")));
        QCOMPARE(cli({"calibrate", path("mine.json"), path("runs.json"), "--in-place"}).status, 0);
        QVERIFY(cli({"evaluate", path("mine.json")}).out.find("calibrated to 5 measurements of yours") != std::string::npos);
    }

    void wrongUseHasItsStatusAndPlace() {
        QCOMPARE(cli({"calibrate", path("base.json")}).status, 2);
        QCOMPARE(cli({"calibrate", path("base.json"), path("runs.json"), "--in-place", "-o", path("x.json")}).status, 2);
        const Run constant = cli({"calibrate", path("base.json"), path("runs.json"), "--fit", "compute.gem_rate"});
        QCOMPARE(constant.status, 2);
        QVERIFY(constant.messages.find("compute.gemm_rate") != std::string::npos);
        const Run missing = cli({"calibrate", path("base.json"), path("none.json")});
        QCOMPARE(missing.status, 3);
        QVERIFY(missing.messages.find("none.json") != std::string::npos);
        write("bad.csv", "/plan/tensor_parallel,step_s\n8,20\n3,20\n");
        const Run infeasible = cli({"calibrate", path("base.json"), path("bad.csv")});
        QCOMPARE(infeasible.status, 1);
        QVERIFY2(infeasible.messages.find("bad.csv:3: ") != std::string::npos, infeasible.messages.c_str());
        QVERIFY(infeasible.out.empty());
        const Run help = cli({"calibrate", "--help"});
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.find("memory.activations") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCliCalibrate)
#include "test_cli_calibrate.moc"
