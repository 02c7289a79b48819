#include <QFile>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/accuracy/accuracy.h"
#include "core/io/json/accuracy_json.h"
#include "core/io/validation/validation_files.h"
#include "core/io/validation/validation_scenario.h"

using namespace trainyard;
using nlohmann::json;

namespace {

std::string root() { return qEnvironmentVariable("TRAINYARD_SOURCE_DIR").toStdString(); }

/// A run as sources print it.
json row() {
    return json::parse(R"({"id": "x:1", "model": {"name": "GPT-22B", "layers": 48, "hidden": 6144, "heads": 64, "ffn": 24576, "seq": 2048, "vocab": 51200},
        "gpu": "A100-80GB", "gpus": 16, "tp": 8, "pp": 2, "micro_batch": 4, "global_batch": 32, "precision": "fp16", "recompute": "none", "measured": {"step_time_s": 2.5}})");
}

json scenarioOf(const json& of, const char* source, std::size_t index = 0) {
    const auto found = validationScenarios(of, source);
    const auto* scenarios = std::get_if<RowScenarios>(&found);
    if (scenarios == nullptr) qFatal("%s", std::get<std::string>(found).c_str());
    return scenarios->scenarios.at(index);
}

std::string refusal(const json& of, const char* source = "x") {
    const auto found = validationScenarios(of, source);
    const auto* reason = std::get_if<std::string>(&found);
    return reason == nullptr ? std::string() : *reason;
}

/// A source of runs "measured" by the engine, each off by a factor.
ValidationSource offBy(const std::vector<double>& factors) {
    ValidationSource source;
    source.name = "x";
    for (const double factor : factors) {
        json text = {{"source", {{"title", "t"}}}, {"rows", {row()}}};
        auto read = readValidationSource(text.dump(), "x.json", "x", presetLibrary());
        if (!read) qFatal("%s", read.error().message.c_str());
        source.runs.push_back(std::move(read->runs.at(0)));
        source.runs.back().stepS = factor;
    }
    return source;
}

}  // namespace

class TestAccuracy : public QObject {
    Q_OBJECT
    AccuracyReport report_;

private slots:
    void initTestCase() {
        std::vector<std::string> folders{root() + "/tests/golden/validation"};
        if (qEnvironmentVariableIsSet("TRAINYARD_VALIDATION_DIR")) folders.push_back(qEnvironmentVariable("TRAINYARD_VALIDATION_DIR").toStdString());
        const auto sources = readValidationFolders(folders, presetLibrary());
        QVERIFY2(sources.has_value(), sources ? "" : sources.error().message.c_str());
        report_ = measureAccuracy(*sources);
        QVERIFY(report_.summary.runs >= 690);
    }

    // Accuracy cannot rot: no source worse than its limit. Renew limits with tests/update_accuracy.
    void noSourceIsWorseThanItsLimit() {
        QFile file(QString::fromStdString(root()) + "/tests/golden/accuracy_limits.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto exceeded = exceededLimits(report_, file.readAll().toStdString(), "accuracy_limits.json");
        QVERIFY(exceeded.has_value());
        for (const std::string& sentence : *exceeded) qInfo("%s", sentence.c_str());
        QVERIFY2(exceeded->empty(), "worse than before, see above; if that is meant: tests/update_accuracy");
    }

    void everyRunHasAnAnswer() {
        for (const SourceAccuracy& source : report_.sources)
            for (const auto& [reason, count] : source.unscored) QFAIL((source.name + ": " + reason).c_str());
    }

    // What the window shows is what the engine says now.
    void theShippedFiguresAreOfThisEngine() {
        const AccuracyReport& shipped = shippedAccuracy();
        QVERIFY(shipped.sources.size() >= 19);
        int points = 0;
        for (const SourceAccuracy& source : shipped.sources) {
            points += static_cast<int>(source.runs.size());
            for (const SourceAccuracy& now : report_.sources) {
                if (now.name != source.name) continue;
                const bool same = (!now.time || std::abs(now.time->meanAbsolute - source.time->meanAbsolute) < 0.03) &&
                                  (!now.memory || std::abs(now.memory->meanAbsolute - source.memory->meanAbsolute) < 0.03);
                QVERIFY2(same, (source.name + ": resources/accuracy/accuracy.json is of another engine; run tests/update_accuracy").c_str());
            }
            if (source.licence.find("-SA") != std::string::npos) QVERIFY2(source.runs.empty(), "runs that may not be passed on are shipped");
        }
        QVERIFY(points >= 690);
        const auto again = readAccuracy(writeAccuracy(shipped, AccuracyRuns::all), "again");
        QVERIFY(again.has_value());
        QVERIFY(accuracyJson(*again, AccuracyRuns::all) == accuracyJson(shipped, AccuracyRuns::all));
        QVERIFY(!readAccuracy("{}", "x").has_value());
    }

    void aRowBecomesTheScenarioThatRan() {
        const json s = scenarioOf(row(), "korthikanti_recompute");
        QCOMPARE(s["cluster"], json({{"preset", "dgx-a100"}, {"nodes", 2}, {"accelerators_per_node", 8}}));
        QCOMPARE(s["workload"]["attention"], json("unfused"));
        QCOMPARE(s["workload"]["gradient_precision"], json("fp16"));
        QCOMPARE(s["model"]["position_embedding"], json("learned"));
        QVERIFY(!s["plan"].contains("layers_per_stage"));
        json r = row();
        r["gpu"] = "A100-40GB";
        r["pp"] = 5;
        r["gpus"] = 40;
        const json slow = scenarioOf(r, "vtrain");
        QCOMPARE(slow["cluster"]["accelerator"], json("a100-sxm4-40"));
        QCOMPARE(slow["cluster"]["network_gbps_per_node"], json(800));
        QCOMPARE(slow["plan"]["layers_per_stage"], json({9, 10, 10, 10, 9}));  // embedding and head count as a layer each
        r = row();
        r["schedule"] = "1F1B-I";
        r["vpp"] = 3;
        QCOMPARE(scenarioOf(r, "x")["plan"]["schedule"], json("interleaved-1f1b"));
        r["recompute"] = "selective: norm + mlp";
        QCOMPARE(scenarioOf(r, "x")["plan"]["recompute_modules"], json({"layernorm", "mlp"}));
        r.erase("recompute");
        QCOMPARE(scenarioOf(r, "x", 0)["plan"]["recompute"], json("none"));
        QCOMPARE(scenarioOf(r, "x", 2)["plan"]["recompute"], json("full"));
        QCOMPARE(scenarioOf(row(), "ultrascale_playbook", 1)["plan"]["sequence_parallel"], json(false));
    }

    void rowsThatCannotBeEvaluatedSayWhy() {
        json r = row();
        r.erase("tp");
        QCOMPARE(refusal(r), std::string("no tp"));
        r = row();
        r["gpu"] = "Abacus";
        QCOMPARE(refusal(r), std::string("unknown accelerator Abacus"));
        r = row();
        r["notes"] = "columns disagree";
        QCOMPARE(refusal(r), std::string("doubtful row"));
        r = row();
        r["kind"] = "lora";
        QCOMPARE(refusal(r), std::string("not a training run"));
        QCOMPARE(refusal(json::object()), std::string("no layers"));
        QVERIFY(!readValidationSource("{\"rows\": 3}", "f", "f", presetLibrary()).has_value());
        QVERIFY(!readValidationSource("[", "f", "f", presetLibrary()).has_value());
        QVERIFY(!readValidationFolders({"/no/such/folder"}, presetLibrary()).has_value());
        const auto odd = readValidationSource("{\"source\": 3, \"rows\": [3, null, {\"model\": 3}]}", "f", "f", presetLibrary());
        QVERIFY(odd.has_value() && odd->runs.empty());
    }

    void stepTimesFollowFromWhatWasPrinted() {
        json r = row();
        QCOMPARE(*publishedStep(r), 2.5);
        r["measured"] = {{"tokens_per_s", 65536}};
        QCOMPARE(*publishedStep(r), 1.0);
        r["measured"] = {{"tokens_per_s_per_gpu", 4096}};
        QCOMPARE(*publishedStep(r), 1.0);
        r["measured"] = {{"samples_per_s", 64}};
        QCOMPARE(*publishedStep(r), 0.5);
        r["measured"] = {{"mfu", 0.5}};
        QVERIFY(!publishedStep(r));
    }

    void errorsAreAsDefined() {
        ValidationSource source = offBy({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
        const AccuracyReport plain = measureAccuracy({&source, 1});
        const double predicted = *plain.sources[0].runs[0].predictedStepS;
        for (std::size_t i = 0; i < source.runs.size(); ++i) source.runs[i].stepS = predicted / (1 + 0.01 * static_cast<double>(i + 1) * (i % 2 == 0 ? 1 : -1));
        const AccuracyReport report = measureAccuracy({&source, 1});
        const TimeAccuracy& t = *report.sources[0].time;
        QVERIFY(std::abs(t.meanAbsolute - 0.055) < 1e-9 && std::abs(t.bias + 0.005) < 1e-9);
        QVERIFY(std::abs(t.median - 0.06) < 1e-9 && std::abs(t.ninetieth - 0.10) < 1e-9);
        QVERIFY(report.sources[0].worstTime.starts_with("-10 %: GPT-22B on A100-80GB, 16 devices, tensor 8"));
        // A source of two runs weighs a tenth of one of twenty.
        SourceAccuracy small = report.sources[0], large = report.sources[0];
        small.time = TimeAccuracy{2, 0.4, 0.4, 0.4, 0, {}, {}};
        large.time = TimeAccuracy{30, 0.07, 0.07, 0.07, 0, {}, {}};
        const AccuracySummary summary = summarise(std::vector{small, large});
        QVERIFY(std::abs(*summary.timeMeanAbsolute - (0.1 * 0.4 + 0.07) / 1.1) < 1e-9);
        // No answer: 100 % wrong.
        source.runs[0].scenarios[0] = failure(Error::Kind::invalid, "x", "", "unreadable");
        const AccuracyReport failed = measureAccuracy({&source, 1});
        QCOMPARE(failed.summary.unscored, 1);
        QVERIFY(std::abs(failed.sources[0].time->meanAbsolute - (1 + 0.55 - 0.01) / 10) < 1e-9);
    }

    void theAttributeOfLargeErrorsIsFound() {
        const std::vector<double> errors{0.4, 0.42, 0.38, 0.4, 0.02, -0.01, 0.01, 0.0};
        const std::vector<ErrorAttribute> attributes{{"layers", {1, 2, 3, 4, 1, 2, 3, 4}}, {"tensor", {16, 8, 16, 8, 4, 2, 4, 1}}};
        const std::string words = whereErrorsGather(errors, attributes);
        QCOMPARE(words, std::string("tensor of at least 8 (+40 % in 4 runs, others +0 %)"));
        QVERIFY(whereErrorsGather(std::vector<double>(8, 0.1), attributes).empty());
        QVERIFY(whereErrorsGather(std::vector<double>{0.5, 0, 0}, attributes).empty());
    }

    void restrictedRowsAreNotPacked() {
        json file = {{"source", {{"title", "t"}, {"licence", "CC BY-NC-SA 4.0"}}}, {"rows", {row()}}};
        QVERIFY(compactValidationSource(file.dump(), "f", "f")->empty());
        file["source"]["licence"] = "MIT";
        file["rows"][0]["notes"] = "long story";
        const auto packed = compactValidationSource(file.dump(), "f", "f");
        QVERIFY(packed.has_value() && packed->find("story") == std::string::npos);
        const auto again = readValidationSource(*packed, "f", "f", presetLibrary());
        QVERIFY(again.has_value() && again->runs.size() == 1 && again->licence == "MIT");
    }
};

QTEST_APPLESS_MAIN(TestAccuracy)
#include "test_accuracy.moc"
