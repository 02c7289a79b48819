#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/io/text_file.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

const PresetLibrary& library() {
    static const PresetLibrary presets;
    return presets;
}

nlohmann::json base() {
    return nlohmann::json::parse(R"({
      "format": "trainyard.scenario", "version": 1, "name": "check",
      "cluster": {"preset": "dgx-h100", "nodes": 16},
      "model": {"preset": "llama-3.1-70b"},
      "workload": {"sequence_length": 8192, "global_batch_size": 256, "precision": "bf16", "gradient_precision": "fp32", "optimizer": "adamw",
                   "attention": "flash2", "tokens_total": 1e12},
      "plan": {"tensor_parallel": 8, "pipeline_parallel": 4, "context_parallel": 1, "expert_parallel": 1, "data_parallel": "auto",
               "virtual_stages": 1, "micro_batch_size": 1, "sequence_parallel": true, "zero_stage": 1, "schedule": "1f1b", "recompute": "selective"}})");
}

Result<Scenario> read(const std::string& text) { return readScenario(std::string_view(text), {"file.json", ""}, library()); }
Result<Scenario> read(const nlohmann::json& document) { return read(document.dump()); }

QString text(const std::string& value) { return QString::fromStdString(value); }

/// The message of an error, with its place; empty if there is none.
QString said(const Result<Scenario>& result) {
    return result ? QString() : QStringLiteral("%1: %2").arg(text(result.error().where), text(result.error().message));
}

}  // namespace

class TestScenarioJson : public QObject {
    Q_OBJECT

  private slots:
    void readsTheContract() {
        const auto scenario = read(base());
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->cluster->devices(), 128);
        QCOMPARE(scenario->model->layers, 80);
        QCOMPARE(text(scenario->model->preset), QStringLiteral("llama-3.1-70b"));
        QCOMPARE(scenario->workload.tokensTotal.value_or(0), 1e12);
        QVERIFY(!scenario->plan.dataParallel);
        QVERIFY(scenario->plan.sequenceParallel);
        QCOMPARE(scenario->plan.recompute.mode, RecomputeMode::selective);
    }

    void writingIsStable() {
        const auto first = read(base());
        QVERIFY2(first.has_value(), qPrintable(said(first)));
        const std::string written = writeScenario(*first, &library());
        const auto second = read(written);
        QVERIFY2(second.has_value(), qPrintable(said(second)));
        QVERIFY(*first == *second);
        QCOMPARE(text(writeScenario(*second, &library())), text(written));
        QVERIFY(text(written).contains(QStringLiteral("\"model\": {\"preset\": \"llama-3.1-70b\"}")));
        QVERIFY(text(written).contains(QStringLiteral("\"data_parallel\": \"auto\"")));
        QVERIFY(text(written).contains(QStringLiteral("\"tokens_total\": 1000000000000")));
        const auto keys = nlohmann::ordered_json::parse(written);
        std::string last;
        for (const auto& [key, value] : keys.items()) {
            QVERIFY(last < key);
            last = key;
        }
    }

    void everyShippedScenarioComesBack_data() {
        QTest::addColumn<QString>("id");
        for (const auto& id : library().ids(PresetKind::scenarios)) QTest::newRow(id.c_str()) << text(id);
    }
    void everyShippedScenarioComesBack() {
        QFETCH(QString, id);
        const auto scenario = read(std::string(*library().text(PresetKind::scenarios, id.toStdString())));
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        const auto again = read(writeScenario(*scenario, &library()));
        QVERIFY2(again.has_value(), qPrintable(said(again)));
        QVERIFY(*again == *scenario);
    }

    void drawnClusterComesBack() {
        auto document = base();
        document["cluster"] = nlohmann::json::parse(R"({
          "name": "lab",
          "nodes": [
            {"id": "big", "count": 2, "position": {"x": 10, "y": -4.5},
             "accelerators": [{"accelerator": {"base": "a100-sxm4-80", "memory_bytes": 64e9, "price_per_hour": 1.5}, "count": 4},
                              {"accelerator": {"memory_bytes": 24e9, "memory_bandwidth_bytes_per_s": 1e12, "peak_flops_per_s": {"bf16": 1e14}}}],
             "intra": {"kind": "pcie", "bandwidth_bytes_per_s": 25e9}, "nics": {"count": 2, "bandwidth_bytes_per_s": 25e9}},
            {"id": "small", "accelerators": ["rtx-4090"], "site": "attic", "slowdown": 1.2}],
          "switches": [{"id": "sw", "oversubscription": 2}],
          "links": [{"from": "big", "to": "sw", "bandwidth_bytes_per_s": 25e9, "count": 2},
                    {"from": "small", "to": "sw", "bandwidth_bytes_per_s": 1.25e9, "kind": "ethernet", "latency_s": 2e-5, "broken": true}]})");
        const auto scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->cluster->devices(), 11);
        const auto& changed = *scenario->cluster->nodes[0].accelerators[0].accelerator;
        QCOMPARE(text(changed.base), QStringLiteral("a100-sxm4-80"));
        QCOMPARE(changed.memoryUsableBytes, 64e9);  // memory alone is taken as usable
        QCOMPARE(changed.peak(Precision::bf16), 312e12);
        const std::string written = writeScenario(*scenario, &library());
        QVERIFY(!text(written).contains(QStringLiteral("memory_usable_bytes")));
        const auto again = read(written);
        QVERIFY2(again.has_value(), qPrintable(said(again)));
        QVERIFY(*again == *scenario);
        QCOMPARE(text(writeScenario(*again, &library())), text(written));
    }

    void bandwidthMatrixInsideANode() {
        auto document = base();
        document["cluster"] = nlohmann::json::parse(
            R"({"nodes": [{"id": "n", "accelerators": [{"accelerator": "v100-sxm2-32", "count": 2}], "intra": [[0, 5e10], [2e10, 0]]}]})");
        const auto scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        const std::vector<double> expected{0, 5e10, 2e10, 0};
        QVERIFY(scenario->cluster->nodes[0].intra.matrixBytesPerS == expected);
        document["cluster"]["nodes"][0]["intra"] = nlohmann::json::parse("[[0, 1, 2]]");
        QVERIFY(said(read(document)).contains(QStringLiteral("file.json#/cluster/nodes/0/intra: expected a matrix of 2 rows")));
    }

    void modelForms() {
        auto document = base();
        document["model"] = {{"hf_config",
                              {{"model_type", "llama"},
                               {"hidden_size", 4096},
                               {"num_hidden_layers", 32},
                               {"num_attention_heads", 32},
                               {"intermediate_size", 11008},
                               {"vocab_size", 32000}}}};
        auto scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->model->layers, 32);
        QVERIFY(scenario->model->gatedMlp);

        document["model"] = {{"preset", "llama-3.1-70b"}, {"layers", 40}};
        scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->model->layers, 40);
        QCOMPARE(scenario->model->kvHeads, 8);
        QVERIFY(scenario->model->preset.empty());  // no longer the preset
        const auto again = read(writeScenario(*scenario));
        QVERIFY(again.has_value() && *again == *scenario);

        document["model"] = nlohmann::json::parse(
            R"({"name": "odd", "layers": 6, "hidden_size": 1024, "attention_heads": 8, "kv_heads": 2, "ffn_hidden_size": 4096, "vocab_size": 50000,
          "norm": "layernorm", "position_embedding": "learned", "max_positions": 2048, "biases": true, "dropout": false,
          "moe": {"experts": 8, "top_k": 2, "expert_ffn_hidden_size": 2048, "shared_experts": 1, "dense_layers": 1},
          "layer_kinds": [{"ffn": "dense", "count": 2}, {"slidingwindow": 1, "sliding_window": 512, "count": 3}, {"mixer": "linear", "ffn": "none"}]})");
        scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->model->layerKinds.size(), std::size_t{6});
        QCOMPARE(scenario->model->layerKinds[4].slidingWindow.value_or(0), 512);
        QCOMPARE(scenario->model->headDim, 128);
        const auto back = read(writeScenario(*scenario));
        QVERIFY2(back.has_value(), qPrintable(said(back)));
        QVERIFY(*back->model == *scenario->model);
    }

    void modelFileBesideTheScenario() {
        QTemporaryDir folder;
        const std::string base_ = folder.path().toStdString();
        QVERIFY(writeFileAtomically(base_ + "/config.json",
                                    R"({"model_type": "gpt2", "n_layer": 12, "n_embd": 768, "n_head": 12, "vocab_size": 50257})")
                    .has_value());
        auto document = base();
        document["model"] = {{"hf_config_file", "config.json"}};
        QVERIFY(writeFileAtomically(base_ + "/a.trainyard.json", document.dump()).has_value());
        const auto scenario = readScenarioFile(base_ + "/a.trainyard.json", library());
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->model->ffnHiddenSize, 3072);
        document["model"] = {{"hf_config_file", "missing.json"}};
        QVERIFY(writeFileAtomically(base_ + "/b.trainyard.json", document.dump()).has_value());
        const auto missing = readScenarioFile(base_ + "/b.trainyard.json", library());
        QVERIFY(!missing);
        QVERIFY(text(missing.error().message).contains(QStringLiteral("missing.json")));
        QVERIFY(text(missing.error().where).endsWith(QStringLiteral("#/model/hf_config_file")));
        QCOMPARE(missing.error().kind, Error::Kind::unreadable);
    }

    void planForms() {
        auto document = base();
        document["plan"].update(nlohmann::json::parse(
            R"({"recompute": ["none", {"mode": "full", "layers": 3}, "selective", "none"], "recompute_modules": ["mlp", "layernorm"],
          "layers_per_stage": [19, 21, 21, 19], "placement": ["tensor", "pipeline", "context", "data"], "overlap": {"data": false}, "shard_group": 4,
          "schedule_parameters": {"group": 4}, "data_parallel": 4, "context_method": "all_gather", "activation_offload_fraction": 0.5})"));
        const auto scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        const Plan& plan = scenario->plan;
        QCOMPARE(plan.recompute.perStage.size(), std::size_t{4});
        QCOMPARE(plan.recompute.perStage[1].layers.value_or(0), 3);
        QVERIFY(plan.recompute.recomputes(RecomputeModule::mlp) && !plan.recompute.recomputes(RecomputeModule::core_attn));
        QCOMPARE(plan.dataParallel.value_or(0), 4);
        QCOMPARE(plan.overlap.data.value_or(true), false);
        QVERIFY(!plan.overlap.tensor);
        const auto again = read(writeScenario(*scenario, &library()));
        QVERIFY(again.has_value() && *again == *scenario);

        document["plan"]["placement"] = {3, 2, 1, 0};
        const auto placed = read(document);
        QVERIFY2(placed.has_value(), qPrintable(said(placed)));
        QCOMPARE(placed->plan.deviceOfRank.size(), std::size_t{4});
    }

    void unknownKeysAreKept() {
        auto document = base();
        document["owner"] = "me";
        document["plan"]["future/knob"] = {{"deep", {1, 2.5, nullptr}}};
        document["workload"]["note~1"] = "x";
        const auto scenario = read(document);
        QVERIFY2(scenario.has_value(), qPrintable(said(scenario)));
        QCOMPARE(scenario->unknownKeys.size(), std::size_t{3});
        QVERIFY(scenario->unknownKeys.contains("/plan/future~1knob"));
        const auto written = nlohmann::json::parse(writeScenario(*scenario, &library()));
        QVERIFY(written["owner"] == "me");
        QVERIFY(written["plan"]["future/knob"] == document["plan"]["future/knob"]);
        QVERIFY(written["workload"]["note~1"] == "x");
    }

    void badInput_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("message");
        QTest::addColumn<bool>("unreadable");
        const auto changed = [](auto change) {
            auto document = base();
            change(document);
            return QByteArray::fromStdString(document.dump());
        };
        QTest::newRow("cut off") << QByteArray("{\"format\": \"trainyard.scenario\", \"vers") << "file.json:1:39: " << true;
        QTest::newRow("nothing") << QByteArray(" \n ") << "file.json:1:1: is empty" << true;
        QTest::newRow("deep") << QByteArray(200000, '[') << "file.json:1:101: is nested more than 100 levels deep" << true;
        QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(100000) << "nested more than 100 levels deep" << true;
        QTest::newRow("NaN") << QByteArray("{\n \"a\": NaN}") << "file.json:2:7: NaN is not a JSON number; write a finite number"
                             << true;
        QTest::newRow("Infinity") << QByteArray("{\"a\": -Infinity}") << "Infinity is not a JSON number" << true;
        QTest::newRow("overflow") << QByteArray("{\"a\": 1e999}") << "number overflow" << true;
        QTest::newRow("twice") << QByteArray(R"({"plan": {"x": 1, "y": [{}, {"k": 1, "k": 2}]}})")
                               << "file.json#/plan/y/1/k: this key stands twice" << true;
        QTest::newRow("not UTF-8") << QByteArray("{\"a\": \"\xff\"}") << "file.json:1:8: byte 0xFF is not UTF-8" << true;
        QTest::newRow("overlong UTF-8") << QByteArray("{\"a\": \"\xc0\xaf\"}") << "byte 0xC0 is not UTF-8" << true;
        QTest::newRow("UTF-16") << QByteArray("\xff\xfe{\0}\0", 6) << "is UTF-16 text; save it as UTF-8" << true;
        QTest::newRow("trailing text") << QByteArray("{} x") << "file.json:1:4: " << true;
        QTest::newRow("a list") << QByteArray("[]") << "file.json#: expected an object, found an empty list" << false;
        QTest::newRow("other format") << QByteArray(R"({"format": "svg", "version": 1})")
                                      << "file.json#/format: expected \"trainyard.scenario\", found the text \"svg\"" << false;
        QTest::newRow("newer") << changed([](auto& d) { d["version"] = 99; })
                               << "file.json#/version: is 99, written by a newer program; this one reads up to 1" << false;
        QTest::newRow("cluster is a number")
            << changed([](auto& d) { d["cluster"] = 7; }) << "file.json#/cluster: expected an object, found 7" << false;
        QTest::newRow("no model") << changed([](auto& d) { d.erase("model"); }) << "file.json#/model: is missing" << false;
        QTest::newRow("text for a number") << changed([](auto& d) {
            d["plan"]["tensor_parallel"] = "eight";
        }) << "file.json#/plan/tensor_parallel: expected a whole number from -1000000000 to 2000000000, found the text \"eight\""
                                           << false;
        QTest::newRow("fraction") << changed([](auto& d) { d["plan"]["tensor_parallel"] = 2.5; })
                                  << "/plan/tensor_parallel: expected a whole number" << false;
        QTest::newRow("null") << changed([](auto& d) { d["plan"]["micro_batch_size"] = nullptr; })
                              << "/plan/micro_batch_size: expected a whole number" << false;
        QTest::newRow("enormous") << changed([](auto& d) { d["plan"]["pipeline_parallel"] = 1e17; })
                                  << "/plan/pipeline_parallel: expected a whole number" << false;
        QTest::newRow("misspelt name") << changed([](auto& d) {
            d["workload"]["precision"] = "bf61";
        }) << "/workload/precision: \"bf61\" is not known; did you mean \"bf16\"? Expected one of: fp32, tf32, fp16, bf16"
                                       << false;
        QTest::newRow("unknown node") << changed([](auto& d) { d["cluster"]["preset"] = "dgx-h10"; })
                                      << "file.json#/cluster/preset: " << false;
        QTest::newRow("unknown model") << changed([](auto& d) { d["model"]["preset"] = "llama-3.1-7b"; }) << "did you mean"
                                       << false;
        QTest::newRow("huge list") << changed([](auto& d) { d["plan"]["layers_per_stage"] = std::vector<int>(20000, 1); })
                                   << "/plan/layers_per_stage: expected a list of at most" << false;
        QTest::newRow("link to nowhere") << changed([](auto& d) {
            d["cluster"] = nlohmann::json::parse(
                R"({"nodes": [{"id": "a", "accelerators": ["l4"]}], "links": [{"from": "a", "to": "b", "bandwidth_bytes_per_s": 1}]})");
        }) << "file.json#/cluster/links/0: no node or switch has the id \"b\""
                                         << false;
        QTest::newRow("too many devices") << changed([](auto& d) {
            d["cluster"] = nlohmann::json::parse(
                R"({"nodes": [{"id": "a", "count": 1000000, "accelerators": [{"accelerator": "l4", "count": 4096}]}]})");
        }) << "at most 1048576 are possible"
                                          << false;
    }
    void badInput() {
        QFETCH(QByteArray, input);
        QFETCH(QString, message);
        QFETCH(bool, unreadable);
        const auto result = read(input.toStdString());
        QVERIFY(!result);
        QVERIFY2(said(result).contains(message), qPrintable(said(result)));
        QCOMPARE(result.error().kind, unreadable ? Error::Kind::unreadable : Error::Kind::invalid);
        QVERIFY(!said(result).contains(QStringLiteral("json.exception")));
        QVERIFY(!said(result).contains(QLatin1Char('\n')));
    }

    void byteOrderMarkIsSkipped() { QVERIFY(read("\xEF\xBB\xBF" + base().dump()).has_value()); }

    void files() {
        QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        const auto directory = readScenarioFile(path, library());
        QVERIFY(!directory);
        QCOMPARE(text(directory.error().message), QStringLiteral("is a directory; a file was expected"));
        QCOMPARE(directory.error().kind, Error::Kind::unreadable);
        const auto missing = readScenarioFile(path + "/none.json", library());
        QVERIFY(said(missing).contains(QStringLiteral("none.json: cannot be opened: No such file or directory")));
        QVERIFY(writeFileAtomically(path + "/big.json", std::string(2000, ' ')).has_value());
        const auto big = readTextFile(path + "/big.json", 1000);
        QVERIFY(!big);
        QVERIFY(text(big.error().message).contains(QStringLiteral("at most 1000")));
    }

    void writingReplacesTheFileAtOnce() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.json"));
        QVERIFY(writeFileAtomically(path.toStdString(), "one").has_value());
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(QFile::link(path, folder.filePath(QStringLiteral("link.json"))));
        QVERIFY(writeFileAtomically(folder.filePath(QStringLiteral("link.json")).toStdString(), "two").has_value());
        QVERIFY(QFileInfo(folder.filePath(QStringLiteral("link.json"))).isSymLink());
        const auto text_ = readTextFile(path.toStdString());
        QVERIFY(text_ && *text_ == "two");
        QVERIFY(!(QFile::permissions(path) & QFile::ReadOther));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 2);  // nothing left behind
        QVERIFY(!writeFileAtomically(folder.path().toStdString(), "x"));
        QVERIFY(!writeFileAtomically(folder.filePath(QStringLiteral("no/such/a.json")).toStdString(), "x"));
    }

    void setLaysValuesOver() {
        auto document = base();
        QVERIFY(setValue(document, "/plan/tensor_parallel", "4").has_value());
        QVERIFY(setValue(document, "/plan/schedule", "gpipe").has_value());
        QVERIFY(setValue(document, "/plan/overlap/data", "false").has_value());
        QVERIFY(setValue(document, "/plan/layers_per_stage", "[20,20,20,20]").has_value());
        QVERIFY(setValue(document, "/plan/layers_per_stage/0", "19").has_value());
        QVERIFY(document["plan"]["tensor_parallel"] == 4);
        QVERIFY(document["plan"]["schedule"] == "gpipe");
        QVERIFY(document["plan"]["overlap"]["data"] == false);
        QVERIFY(document["plan"]["layers_per_stage"][0] == 19);
        for (const char* pointer : {"plan/tensor_parallel", "", "/name/x", "/plan/layers_per_stage/9"}) {
            const auto result = setValue(document, pointer, "1");
            QVERIFY2(!result, pointer);
            QCOMPARE(result.error().kind, Error::Kind::commandLine);
        }
    }

    void shortNumbers() {
        QCOMPARE(text(compactJson(nlohmann::json::parse(R"([1e12, 0.1, 1e-7, 3.0, 123456789012345678, 2.5e300, true, "é"])"))),
                 QStringLiteral("[1000000000000,0.1,1e-07,3,123456789012345678,2.5e300,true,\"é\"]"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScenarioJson)
#include "test_scenario_json.moc"
