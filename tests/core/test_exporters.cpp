#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/io/export/exporter.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

Scenario sharded(std::int64_t zero) {
    Scenario s = test::scenario();
    s.plan.tensorParallel = s.plan.pipelineParallel = 1;
    s.plan.sequenceParallel = false;
    s.plan.zeroStage = zero;
    return s;
}

void shellAccepts(const std::string& text) {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("script.sh")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
    file.close();
    QCOMPARE(QProcess::execute(QStringLiteral("bash"), {QStringLiteral("-n"), file.fileName()}), 0);
}

}  // namespace

class TestExporters : public QObject {
    Q_OBJECT
  private slots:
    void megatronArgumentsAreAShellScriptWithEveryDegree() {
        Scenario s = test::scenario();
        s.plan.layersPerStage = {19, 21, 21, 19};
        const auto out = exportScenario("megatron", s);
        QVERIFY2(out.has_value(), out ? "" : out.error().message.c_str());
        shellAccepts(out->text);
        for (const char* wanted : {"--tensor-model-parallel-size 8", "--pipeline-model-parallel-size 4", "--sequence-parallel",
                                   "--use-distributed-optimizer", "--micro-batch-size 1", "--global-batch-size 256",
                                   "--num-query-groups 8", "--swiglu", "NUM_NODES=16", "GPUS_PER_NODE=8",
                                   "--decoder-first-pipeline-num-layers 19", "--decoder-last-pipeline-num-layers 19"})
            QVERIFY2(out->text.find(wanted) != std::string::npos, wanted);
    }

    void unevenStagesBecomeALayout() {
        Scenario s = test::scenario();
        s.plan.layersPerStage = {18, 22, 21, 19};
        const auto out = exportScenario("megatron", s);
        QVERIFY(out.has_value());
        QVERIFY(out->text.find("--pipeline-model-parallel-layout 'Et*18|t*22|t*21|t*19L'") != std::string::npos);
    }

    void whatAFrameworkHasNoScheduleForIsRefused() {
        Scenario s = test::scenario();
        s.plan.schedule = "zb-h1";
        for (const char* kind : {"megatron", "slurm", "nemo", "torchtitan", "torchtitan-python", "nanotron"}) {
            const auto out = exportScenario(kind, s);
            QVERIFY2(!out.has_value(), kind);
            QVERIFY2(out.error().message.find("zb-h1") != std::string::npos, out.error().message.c_str());
        }
    }

    void whatIsLeftOutStandsInTheTextAndTheVersionToo() {
        Scenario s = test::scenario();
        s.plan.activationOffloadFraction = 0.25;
        for (const Exporter& exporter : allExporters()) {
            if (exporter.target.find("Megatron") == std::string_view::npos) continue;
            const auto out = exporter.write(s, Evaluation{});
            QVERIFY2(out.has_value(), out ? "" : out.error().message.c_str());
            QVERIFY(!out->notExpressed.empty());
            QVERIFY(out->text.find("# Not in this file: offloading of activations") != std::string::npos);
            QVERIFY(out->text.find("0.20") != std::string::npos || out->text.find("0.7") != std::string::npos);
            QVERIFY(!out->command.empty());
        }
    }

    void slurmIsABatchScript() {
        const auto out = exportScenario("slurm", test::scenario());
        QVERIFY(out.has_value());
        shellAccepts(out->text);
        QVERIFY(out->text.find("#SBATCH --nodes=16\n") != std::string::npos);
        QVERIFY(out->text.find("#SBATCH --gpus-per-node=8\n") != std::string::npos);
    }

    void torchtitanIsToml() {
        const auto out = exportScenario("torchtitan", sharded(3));
        QVERIFY2(out.has_value(), out ? "" : out.error().message.c_str());
        const auto table = toml::parse(out->text);
        QCOMPARE(table["parallelism"]["data_parallel_shard_degree"].value<std::int64_t>(), std::optional<std::int64_t>(128));
        QCOMPARE(table["training"]["seq_len"].value<std::int64_t>(), std::optional<std::int64_t>(8192));
        QVERIFY(table["parallelism"]["fsdp_reshard_after_forward"].value<std::string>() == "always");
        QVERIFY(table["model"]["flavor"].value<std::string>() == "70B");
        QVERIFY(!exportScenario("torchtitan", sharded(1)).has_value());  // no optimizer-only sharding
    }

    void torchtitanIsAlsoPython() {
        Scenario s = sharded(2);
        s.plan.recompute.mode = RecomputeMode::full;
        const auto out = exportScenario("torchtitan-python", s);
        QVERIFY2(out.has_value(), out ? "" : out.error().message.c_str());
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("plan.py")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(out->text.data(), static_cast<qint64>(out->text.size()));
        file.close();
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (!python.isEmpty())
            QCOMPARE(QProcess::execute(python, {QStringLiteral("-m"), QStringLiteral("py_compile"), file.fileName()}), 0);
        for (const char* wanted :
             {"import FullAC", "import llama3_70b", "config.training.num_tokens_per_microbatch_per_dp_rank = 8192",
              "config.parallelism.fsdp_reshard_after_forward = \"never\"", "return config"})
            QVERIFY2(out->text.find(wanted) != std::string::npos, wanted);
    }

    void yamlExportsAreYaml() {
        const auto nano = exportScenario("nanotron", test::scenario());
        QVERIFY(nano.has_value());
        QCOMPARE(YAML::Load(nano->text)["parallelism"]["tp"].as<int>(), 8);
        QCOMPARE(YAML::Load(nano->text)["tokens"]["batch_accumulation_per_replica"].as<int>(), 64);
        const auto nemo = exportScenario("nemo", test::scenario());
        QVERIFY(nemo.has_value());
        QCOMPARE(YAML::Load(nemo->text)["model"]["pipeline_model_parallel_size"].as<int>(), 4);
        const auto accelerate = exportScenario("accelerate", sharded(3));
        QVERIFY(accelerate.has_value());
        QCOMPARE(YAML::Load(accelerate->text)["num_processes"].as<int>(), 128);
    }

    void deepspeedBatchAddsUp() {
        const auto out = exportScenario("deepspeed", sharded(3));
        QVERIFY(out.has_value());
        const auto config = nlohmann::json::parse(out->text);
        QCOMPARE(config["train_micro_batch_size_per_gpu"].get<int>() * config["gradient_accumulation_steps"].get<int>() * 128,
                 config["train_batch_size"].get<int>());
        QCOMPARE(config["zero_optimization"]["stage"].get<int>(), 3);
    }

    void whatAFrameworkCannotRunIsRefusedWithTheLegalValues() {
        Scenario s = test::scenario();
        s.plan.zeroStage = 3;
        const auto deepspeed = exportScenario("deepspeed", s);
        QVERIFY(!deepspeed && deepspeed.error().message.find("ZeRO stage 0 or 1") != std::string::npos);
        QVERIFY(!exportScenario("nanotron", s).has_value());
        QVERIFY(!exportScenario("accelerate", s).has_value());
        const auto unknown = exportScenario("nothing", s);
        QVERIFY(!unknown && unknown.error().kind == Error::Kind::commandLine);
        s.plan.tensorParallel = 5;
        QVERIFY(!exportScenario("megatron", s).has_value());
    }

    void theTraceHoldsEverySpanAndNestsNone() {
        const auto out = exportScenario("trace", test::scenario());
        QVERIFY(out.has_value());
        const auto trace = nlohmann::json::parse(out->text);
        std::map<std::pair<int, int>, double> busyUntil;
        int forwards = 0;
        for (const auto& event : trace["traceEvents"]) {
            if (event["ph"] != "X" || event["cat"] == "step" || event["cat"] == "phase" || event["cat"] == "pair") continue;
            forwards += event["cat"] == "forward";
            double& until = busyUntil[{event["pid"].get<int>(), event["tid"].get<int>()}];
            QVERIFY(event["ts"].get<double>() >= until - 0.01);
            until = event["ts"].get<double>() + event["dur"].get<double>();
        }
        QCOMPARE(forwards, 4 * 64);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestExporters)
#include "test_exporters.moc"
