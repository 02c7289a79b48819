#include <nlohmann/json.hpp>
#include <set>

#include "core/io/import/importer.h"
#include "core/io/import/megatron_arguments.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using nlohmann::json;

namespace {

const PresetLibrary& presets() {
    static const PresetLibrary kLibrary;
    return kLibrary;
}

Result<ImportResult> import(const std::string& text, const std::map<std::string, std::string>& given = {}) {
    return importText("megatron", text, {.where = "run.sh", .presets = &presets(), .variables = given});
}

json plan(const std::string& text) {
    const auto result = import(text);
    return result ? json::parse(result->scenario).value("plan", json::object()) : json::object();
}

bool has(const Result<ImportResult>& result, std::string_view code) {
    if (!result) return false;
    for (const auto& item : result->report.diagnostics)
        if (item.code == code) return true;
    return false;
}

const std::string kModel =
    " --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 --vocab-size "
    "32000 ";

}  // namespace

class TestImportMegatron : public QObject {
    Q_OBJECT
  private slots:
    void theLaterFlagWinsAndSpellingsAreAlike() {
        const json read = plan(
            "pretrain_gpt.py" + kModel +
            "--tensor_model_parallel_size=2 --tensor-model-parallel-size 4 --micro-batch-size 1 --global-batch-size 8 --bf16");
        QCOMPARE(read["tensor_parallel"].get<int>(), 4);
    }

    void defaultsOfMegatronAreStated() {
        const auto result =
            import("torchrun --nproc_per_node 8 pretrain_gpt.py" + kModel + "--micro-batch-size 1 --global-batch-size 8");
        QVERIFY(result.has_value());
        std::set<std::string> fields;
        for (const auto& item : result->report.assumed) fields.insert(item.field);
        for (const char* field :
             {"/plan/tensor_parallel", "/plan/zero_stage", "/workload/precision", "/model/ffn_hidden_size", "/plan/overlap/data"})
            QVERIFY2(fields.contains(field), field);
    }

    void aWorldThatDoesNotDivideIsAnErrorWithLegalValues() {
        const auto result = import("torchrun --nproc_per_node 8 --nnodes 3 pretrain_gpt.py" + kModel +
                                   "--tensor-model-parallel-size 5 --micro-batch-size 1 --global-batch-size 8");
        QVERIFY(has(result, "world-size"));
        const auto batch =
            import("torchrun --nproc_per_node 8 pretrain_gpt.py" + kModel + "--micro-batch-size 3 --global-batch-size 8");
        QVERIFY(has(batch, "batch-divides"));
        for (const auto& item : batch->report.diagnostics)
            if (item.code == "batch-divides") QCOMPARE(item.legalValues, (std::vector<std::int64_t>{24, 24}));
    }

    void stagesMustBeWhole() {
        QVERIFY(has(import("pretrain_gpt.py" + kModel + "--pipeline-model-parallel-size 5"), "pp-divides-layers"));
        QVERIFY(
            has(import("pretrain_gpt.py" + kModel + "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3"),
                "virtual-stages"));
        QVERIFY(has(import("pretrain_gpt.py" + kModel + "--pipeline-model-parallel-size 4 --decoder-first-pipeline-num-layers 6"),
                    "first-last-layers"));
        const json read = plan("pretrain_gpt.py" + kModel +
                               "--pipeline-model-parallel-size 4 --account-for-embedding-in-pipeline-split "
                               "--account-for-loss-in-pipeline-split --num-layers 30");
        QVERIFY(read["layers_per_stage"] == json({7, 8, 8, 7}));
    }

    void layoutStringsFollowTheGrammar() {
        using Stages = std::optional<std::vector<std::int64_t>>;
        QCOMPARE(layersOfLayout("Ettt|(tt|)*29,m|L", 64).value().size(), std::size_t{32});
        QCOMPARE(layersOfLayout("Et*3|t*4|t*4|t*3L", 64), Stages({3, 4, 4, 3}));
        QCOMPARE(layersOfLayout("E|t|tL", 64), Stages({0, 1, 1}));
        for (const char* bad : {"", "Etx|L", "E(t|L", "Et*|L", "Et)L", "t*99999999|t*99999999"})
            QVERIFY2(!layersOfLayout(bad, 64).has_value(), bad);
        QVERIFY(!layersOfLayout("(t|)*100", 64).has_value());
    }

    void unknownVariablesAreAskedFor() {
        const std::string text = "torchrun --nproc_per_node 8 --nnodes $NODES pretrain_gpt.py" + kModel +
                                 "--tensor-model-parallel-size $TP --micro-batch-size 1 --global-batch-size 64";
        const auto result = import(text);
        QVERIFY(has(result, "unknown-variable"));
        const auto told = import(text, {{"TP", "4"}, {"NODES", "2"}});
        QVERIFY(told.has_value() && !has(told, "unknown-variable"));
        const json read = json::parse(told->scenario);
        QCOMPARE(read["plan"]["tensor_parallel"].get<int>(), 4);
        QCOMPARE(read["plan"]["data_parallel"].get<int>(), 4);
    }

    void wrongValuesAreErrorsNotZeros() {
        const auto result =
            import("pretrain_gpt.py" + kModel + "--tensor-model-parallel-size many --recompute-granularity sometimes");
        QVERIFY(has(result, "wrong-value"));
    }

    void oldNamesAreReadAndSaid() {
        const auto result = import("pretrain_gpt.py --model-parallel-size 4 --batch-size 2 --checkpoint-activations" + kModel);
        QVERIFY(has(result, "deprecated"));
        const json read = json::parse(result->scenario);
        QCOMPARE(read["plan"]["tensor_parallel"].get<int>(), 4);
        QCOMPARE(read["plan"]["micro_batch_size"].get<int>(), 2);
        QVERIFY(read["plan"]["recompute"] == "full");
    }

    void whatHasNoEffectIsListed() {
        const auto result = import("pretrain_gpt.py" + kModel + "--log-interval 10 --save /x --micro-batch-size 1");
        QVERIFY(result.has_value());
        bool found = false;
        for (const auto& text : result->report.ignored) found = found || text == "--log-interval";
        QVERIFY(found);
    }

    void withoutArgumentsItIsRefused() {
        const auto result = import("echo hello\n");
        QVERIFY(!result && result.error().kind == Error::Kind::unreadable);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestImportMegatron)
#include "test_import_megatron.moc"
