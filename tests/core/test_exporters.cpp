#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <QProcess>
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
        for (const char* wanted :
             {"--tensor-model-parallel-size 8", "--pipeline-model-parallel-size 4", "--sequence-parallel",
              "--use-distributed-optimizer", "--micro-batch-size 1", "--global-batch-size 256", "--num-query-groups 8",
              "--swiglu", "--nnodes 16", "--nproc_per_node 8", "'Et*19|t*21|t*21|t*19L'"})
            QVERIFY2(out->text.find(wanted) != std::string::npos, wanted);
    }

    void whatMegatronCannotSayIsSaid() {
        Scenario s = test::scenario();
        s.plan.schedule = "zb-h1";
        const auto out = exportScenario("megatron", s);
        QVERIFY(out.has_value());
        QCOMPARE(out->notExpressed.size(), std::size_t{1});
        QVERIFY(out->text.find("# NOT EXPRESSED: schedule zb-h1") != std::string::npos);
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
        QVERIFY(out.has_value());
        const auto table = toml::parse(out->text);
        QCOMPARE(table["parallelism"]["data_parallel_shard_degree"].value<std::int64_t>(), std::optional<std::int64_t>(128));
        QCOMPARE(table["training"]["seq_len"].value<std::int64_t>(), std::optional<std::int64_t>(8192));
        QVERIFY(table["parallelism"]["fsdp_reshard_after_forward"].value<std::string>() == "always");
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
        QVERIFY(!deepspeed && deepspeed.error().message.find("allowed: 0, 1") != std::string::npos);
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
            if (event["ph"] != "X") continue;
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
