#include <QFile>
#include <QRegularExpression>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/calibrate/calibrate.h"
#include "core/calibrate/calibration_text.h"
#include "core/compute/device_efficiency.h"
#include "core/engine/calibration_constants.h"
#include "core/engine/evaluate.h"
#include "core/engine/evaluation_text.h"
#include "core/explain/explain.h"
#include "core/io/measurements.h"
#include "core/io/json/scenario_json.h"
#include "tests/support/scenarios.h"

using namespace trainyard;
using Constants = std::map<std::string, double>;

namespace {

struct Shape {
    std::int64_t tensor, pipeline, microBatch, sequence;
    RecomputeMode recompute;
};

/// Runs of Llama 3.1 70B on 128 devices, "measured" by the engine itself with known constants.
std::vector<Measurement> synthetic(const Constants& truth) {
    std::vector<Measurement> out;
    for (const Shape& shape : {Shape{8, 4, 1, 8192, RecomputeMode::selective}, Shape{4, 4, 1, 8192, RecomputeMode::selective},
                               Shape{8, 2, 1, 4096, RecomputeMode::full}, Shape{2, 8, 1, 8192, RecomputeMode::full},
                               Shape{4, 8, 1, 2048, RecomputeMode::none}, Shape{8, 1, 1, 16384, RecomputeMode::full},
                               Shape{1, 16, 1, 4096, RecomputeMode::full}, Shape{4, 2, 2, 16384, RecomputeMode::full}}) {
        Measurement m;
        m.scenario = test::scenario();
        m.scenario.plan.tensorParallel = shape.tensor;
        m.scenario.plan.pipelineParallel = shape.pipeline;
        m.scenario.plan.sequenceParallel = shape.tensor > 1;
        m.scenario.plan.microBatchSize = shape.microBatch;
        m.scenario.workload.sequenceLength = shape.sequence;
        m.scenario.plan.recompute.mode = shape.recompute;
        Scenario real = m.scenario;
        real.calibration = truth;
        const Evaluation e = evaluate(real, Depth::simulated);
        if (!e.computed) qFatal("a synthetic run does not compute");
        m.stepS = e.time.stepS;
        m.peakBytes = e.memory.peakDeviceBytes;
        m.name = m.where = "run " + std::to_string(out.size());
        out.push_back(std::move(m));
    }
    return out;
}

const FittedConstant& constant(const CalibrationReport& report, const std::string& name) {
    for (const FittedConstant& each : report.constants)
        if (each.name == name) return each;
    qFatal("no such constant in the report");
}

std::string base() {
    return R"({"format": "trainyard.scenario", "version": 1, "cluster": {"preset": "dgx-h100", "nodes": 16}, "model": {"preset": "llama-3.1-70b"},
               "workload": {"sequence_length": 8192, "global_batch_size": 256}, "plan": {"tensor_parallel": 8, "pipeline_parallel": 4, "data_parallel": "auto"}})";
}

Result<std::vector<Measurement>> read(const std::string& text, std::vector<std::string>* remarks = nullptr) {
    std::vector<std::string> ignored;
    return readMeasurements(text, {"runs", ""}, nlohmann::json::parse(base()), {"base.json", ""}, presetLibrary(), remarks ? *remarks : ignored);
}

}  // namespace

class TestCalibrate : public QObject {
    Q_OBJECT
private slots:
    void recoversKnownConstants() {
        const Constants truth{{"compute.gemm_rate", 0.9}, {"communication.rate", 0.8}, {"compute.attention_rate", 1.25}, {"memory.activations", 1.1}, {"memory.framework", 1.3}};
        CalibrationOptions exact;
        exact.prior = 0;
        for (const auto& [name, value] : truth) exact.only.push_back(name);
        const auto report = calibrate({}, synthetic(truth), exact);
        QVERIFY(report.has_value() && report->converged);
        for (const auto& [name, value] : truth) {
            QVERIFY2(std::abs(report->calibration.at(name) - value) < 2e-5, qPrintable(QString("%1 %2").arg(name.c_str()).arg(report->calibration.at(name))));
            QCOMPARE(constant(*report, name).outcome, FittedConstant::Outcome::fitted);
        }
        QCOMPARE(report->calibration.at("measurements"), 8.0);
        QVERIFY(report->time.meanBefore > 0.05 && report->time.worstAfter < 1e-5);
        QVERIFY(report->memory.meanBefore > 0.02 && report->memory.worstAfter < 1e-5);
    }

    void withThePriorItComesCloseAndSaysHowSure() {
        const auto report = calibrate({}, synthetic({{"compute.gemm_rate", 0.9}, {"communication.rate", 0.8}}));
        QVERIFY(report.has_value());
        QVERIFY(std::abs(report->calibration.at("compute.gemm_rate") - 0.9) < 0.01);
        QVERIFY(std::abs(report->calibration.at("communication.rate") - 0.8) < 0.03);
        QVERIFY(report->time.meanAfter < 0.1 * report->time.meanBefore);
        const double sure = constant(*report, "compute.gemm_rate").uncertainty;
        QVERIFY(sure > 0.001 && sure < 0.1);
        // The memory of these runs is as predicted: its constants stay where they were.
        QVERIFY(std::abs(constant(*report, "memory.activations").value - 1) < 1e-4);
    }

    void whatTheRunsDoNotShowIsLeftAlone() {
        // One run says nothing of how its error divides, a dense model nothing of experts.
        auto runs = synthetic({{"compute.gemm_rate", 0.8}});
        runs.resize(1);
        runs[0].peakBytes.reset();
        const auto report = calibrate({}, runs);
        QVERIFY(report.has_value());
        int fitted = 0;
        for (const FittedConstant& each : report->constants) fitted += each.outcome == FittedConstant::Outcome::fitted;
        QCOMPARE(fitted, 1);
        QCOMPARE(constant(*report, "compute.grouped_gemm_rate").outcome, FittedConstant::Outcome::noEffect);
        QCOMPARE(constant(*report, "memory.activations").outcome, FittedConstant::Outcome::noEffect);
        const auto& sustained = constant(*report, "compute.gemm_sustained");
        QCOMPARE(sustained.outcome, FittedConstant::Outcome::inseparable);
        QCOMPARE(sustained.with, std::string("compute.gemm_rate"));
        QCOMPARE(report->calibration.size(), std::size_t{2});
        QVERIFY(report->calibration.contains("compute.gemm_rate"));
        const std::string text = calibrationText(*report);
        QVERIFY(text.find("not to be told apart from compute.gemm_rate") != std::string::npos);
        QVERIFY(text.find("these measurements do not show it") != std::string::npos);
    }

    void twoNamesOfOneEffectAreSingular() {
        CalibrationOptions options;
        options.prior = 0;
        options.only = {"compute.gemm_sustained", "compute.gemm_rate", "compute.gemm_burst"};
        const auto report = calibrate({}, synthetic({{"compute.gemm_rate", 0.85}}), options);
        QVERIFY(report.has_value());
        QVERIFY(report->time.worstAfter < 1e-4);
        int leftAlone = 0;
        for (const FittedConstant& each : report->constants) {
            leftAlone += each.outcome == FittedConstant::Outcome::inseparable;
            QVERIFY(std::isfinite(each.value));
        }
        QVERIFY(leftAlone >= 1);
    }

    void anAbsurdMeasurementStopsAtTheBound() {
        auto runs = synthetic({});
        for (auto& run : runs) run.stepS = *run.stepS * 20;
        const auto report = calibrate({}, runs);
        QVERIFY(report.has_value());
        QCOMPARE(constant(*report, "compute.gemm_rate").outcome, FittedConstant::Outcome::atBound);
        for (const FittedConstant& each : report->constants) {
            const auto* known = findCalibrationConstantOrNull(each.name);
            QVERIFY(each.value >= known->lowest - 1e-6 && each.value <= known->highest + 1e-6);
        }
    }

    void fewMeasurementsDoNotRunAway() {
        auto runs = synthetic({});
        runs.resize(2);
        runs[0].stepS = *runs[0].stepS * 1.04;  // noise of either sign
        runs[1].stepS = *runs[1].stepS * 0.96;
        const auto report = calibrate({}, runs);
        QVERIFY(report.has_value());
        for (const FittedConstant& each : report->constants)
            QVERIFY2(std::abs(std::log(each.value)) < findCalibrationConstantOrNull(each.name)->spread, each.name.c_str());
    }

    void constantsSetByHandAreTheStartAndEarlierFitsForgotten() {
        auto runs = synthetic({{"communication.latency", 3}});
        runs.resize(2);
        const auto byHand = calibrate({{"communication.latency", 3}, {"future.constant", 2}}, runs);
        QVERIFY(byHand.has_value());
        QVERIFY(byHand->time.worstBefore < 1e-9);
        QCOMPARE(byHand->calibration.at("future.constant"), 2.0);
        const auto again = calibrate({{"communication.latency", 3}, {"measurements", 5}}, runs);
        QVERIFY(again.has_value());
        QVERIFY(again->time.worstBefore > 1e-4);
    }

    void anInfeasibleRunIsNamed() {
        auto runs = synthetic({});
        runs[3].scenario.plan.tensorParallel = 3;
        const auto report = calibrate({}, runs);
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().where, std::string("run 3"));
        QVERIFY(report.error().message.find("/plan/tensor_parallel") != std::string::npos);
        QCOMPARE(calibrate({}, {}).error().code, std::string("no-measurements"));
        CalibrationOptions options;
        options.only = {"compute.gem_rate"};
        QCOMPARE(calibrate({}, synthetic({}), options).error().code, std::string("unknown-constant"));
    }

    // The list of constants is what the engine reads: no name without an effect, none forgotten.
    void namesAreThoseOfTheEngine() {
        std::set<std::string> read;
        const QString root = qEnvironmentVariable("TRAINYARD_SOURCE_DIR");
        for (const char* path : {"/core/compute/device_efficiency.cpp", "/core/comm/collectives.cpp", "/core/memory/memory_calibration.cpp"}) {
            QFile file(root + path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto found = QRegularExpression("scale\\(\"([a-z0-9_.]+)\"").globalMatch(QString::fromUtf8(file.readAll()));
            while (found.hasNext()) read.insert(found.next().captured(1).toStdString());
        }
        std::set<std::string> listed;
        for (const auto& each : calibrationConstants()) listed.insert(std::string(each.name));
        for (const auto& each : read) QVERIFY2(listed.contains(each), (each + " is read by the engine but missing in calibrationConstants()").c_str());
        for (const auto& each : listed) QVERIFY2(read.contains(each), (each + " is listed but no engine source reads it").c_str());
    }

    void theEvaluationSaysWhoseNumbersItUses() {
        Scenario s = test::scenario();
        s.calibration = {{"compute.gemm_rate", 0.9}, {"measurements", 12}};
        const std::string text = evaluationText(s, evaluate(s, Depth::simulated));
        QVERIFY(text.find("calibrated to 12 measurements of yours: compute.gemm_rate x 0.9") != std::string::npos);
        s.calibration = {{"compute.gemm_rate", 0.9}, {"compute.gem_rate", 0.9}};
        const std::string byHand = evaluationText(s, evaluate(s, Depth::simulated));
        QVERIFY(byHand.find("constants set by you") != std::string::npos);
        QVERIFY(byHand.find("no constant \"compute.gem_rate\"") != std::string::npos);
        s.calibration.clear();
        QVERIFY(evaluationText(s, evaluate(s, Depth::simulated)).find("calibrat") == std::string::npos);
    }

    void memoryFactorsScaleTheirPartAndExplainItself() {
        Scenario s = test::scenario();
        const Evaluation plain = evaluate(s, Depth::simulated);
        s.calibration = {{"memory.activations", 1.5}, {"memory.allocator", 2}, {"memory.framework", 3}};
        const Evaluation scaled = evaluate(s, Depth::simulated);
        const StageMemory &a = plain.memory.stages[0], &b = scaled.memory.stages[0];
        QCOMPARE(b.activationsBytes, 1.5 * a.activationsBytes);
        QVERIFY(b.frameworkBytes > 2 * a.frameworkBytes * 0.99 && b.frameworkBytes < 3 * a.frameworkBytes);
        QCOMPARE(b.parametersBytes, a.parametersBytes);
        const double sum = b.parametersBytes + b.gradientsBytes + b.optimizerBytes + b.activationsBytes + b.logitsBytes + b.temporaryBytes + b.communicationBytes + b.frameworkBytes;
        QVERIFY(std::abs(sum / b.totalBytes - 1) < 1e-12);
        const auto tree = explain(s, "/memory/stages/0/activations_bytes");
        QVERIFY(tree.has_value());
        QCOMPARE(tree->value, b.activationsBytes);
    }

    void readsJsonAndCsvAlike() {
        std::vector<std::string> remarks;
        const auto json = read(R"([{"name": "a", "set": {"/plan/tensor_parallel": 4}, "step_s": 20, "host": "n1"},
                                   {"scenario": {"plan": {"micro_batch_size": 2}}, "peak_allocated_bytes": 5e10, "weight": 2}])", &remarks);
        QVERIFY2(json.has_value(), json ? "" : json.error().message.c_str());
        const auto csv = read("# my runs\nname;/plan/tensor_parallel;/plan/micro_batch_size;step_s;peak_allocated_bytes;weight\na;4;;20;;\n\"run 2\";;2;;5e10;2\n");
        QVERIFY2(csv.has_value(), csv ? "" : csv.error().message.c_str());
        QCOMPARE(json->size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE((*json)[i].name, (*csv)[i].name);
            QVERIFY((*json)[i].stepS == (*csv)[i].stepS && (*json)[i].peakBytes == (*csv)[i].peakBytes && (*json)[i].weight == (*csv)[i].weight);
            QVERIFY((*json)[i].scenario.plan == (*csv)[i].scenario.plan);
        }
        QCOMPARE((*json)[0].scenario.plan.tensorParallel, std::int64_t{4});
        QCOMPARE((*json)[0].scenario.plan.pipelineParallel, std::int64_t{4});
        QCOMPARE((*json)[1].peakKind, MeasuredMemory::allocated);
        QVERIFY(remarks.size() == 1 && remarks[0].find("host") != std::string::npos);
        const auto tokens = read(R"([{"tokens_per_s": 100000}])");
        QVERIFY(tokens.has_value());
        QCOMPARE(*(*tokens)[0].stepS, 256 * 8192 / 1e5);
    }

    void badInputIsRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QByteArray("") << "runs" << "empty";
        QTest::newRow("no JSON") << QByteArray("[{\"step_s\": }]") << "runs:1:13" << "";
        QTest::newRow("no list") << QByteArray("{\"runs\": 1}") << "runs#" << "measurements";
        QTest::newRow("no run") << QByteArray("[]") << "runs" << "no measurement";
        QTest::newRow("no object") << QByteArray("[3]") << "runs#/0" << "";
        QTest::newRow("nothing measured") << QByteArray("[{\"step_s\": 3}, {\"step_ms\": 3}]") << "runs#/1" << "step_ms";
        QTest::newRow("negative") << QByteArray("[{\"step_s\": -3}]") << "runs#/0" << "";
        QTest::newRow("text for a number") << QByteArray("[{\"step_s\": \"fast\"}]") << "runs#/0" << "";
        QTest::newRow("no such file") << QByteArray("[{\"scenario\": \"missing.json\", \"step_s\": 3}]") << "runs#/0" << "missing.json";
        QTest::newRow("wrong set") << QByteArray("[{\"set\": 3, \"step_s\": 3}]") << "runs#/0" << "set";
        QTest::newRow("wrong pointer") << QByteArray("[{\"set\": {\"plan\": 3}, \"step_s\": 3}]") << "runs#/0" << "pointer";
        QTest::newRow("wrong value") << QByteArray("[{\"set\": {\"/plan/tensor_parallel\": \"x\"}, \"step_s\": 3}]") << "runs#/0" << "";
        QTest::newRow("wide row") << QByteArray("name,step_s\na,3,4\n") << "runs:2" << "3 cells";
        QTest::newRow("open quote") << QByteArray("name,step_s\n\"a,3\n") << "runs:2" << "quote";
        QTest::newRow("empty row") << QByteArray("name,step_s\na,3\nb,\n") << "runs:3" << "step_s";
        QTest::newRow("text cell") << QByteArray("name,step_s\na,fast\n") << "runs:2" << "";
    }
    void badInputIsRefusedWithItsPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QString, where);
        QFETCH(QString, message);
        const auto result = read(text.toStdString());
        QVERIFY(!result.has_value());
        QVERIFY2(result.error().where.starts_with(where.toStdString()), result.error().where.c_str());
        QVERIFY2(result.error().message.find(message.toStdString()) != std::string::npos, result.error().message.c_str());
        QVERIFY(result.error().message.size() > 15);
    }
};

QTEST_APPLESS_MAIN(TestCalibrate)
#include "test_calibrate.moc"
