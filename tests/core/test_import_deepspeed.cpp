#include <nlohmann/json.hpp>

#include "core/io/import/importer.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

Result<ImportResult> import(const char* text) {
    static const PresetLibrary kPresets;
    return importText("deepspeed", text, {.where = "ds.json", .presets = &kPresets, .variables = {}});
}

}  // namespace

class TestImportDeepspeed : public QObject {
    Q_OBJECT
  private slots:
    void theBatchTripleGivesTheDevices() {
        const auto result =
            import(R"({"train_batch_size": 256, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 16,
                                       "zero_optimization": {"stage": "3", "overlap_comm": false}, "bf16": {"enabled": true}})");
        QVERIFY(result.has_value());
        const auto scenario = nlohmann::json::parse(result->scenario);
        QCOMPARE(scenario["plan"]["data_parallel"].get<int>(), 8);
        QCOMPARE(scenario["plan"]["zero_stage"].get<int>(), 3);
        QCOMPARE(scenario["plan"]["micro_batch_size"].get<int>(), 2);
        QCOMPARE(scenario["workload"]["global_batch_size"].get<int>(), 256);
        QVERIFY(scenario["workload"]["precision"] == "bf16");
        QVERIFY(!hasErrors(result->report));
    }

    void aBatchThatDoesNotAddUpIsAnErrorWithTheNearestOnes() {
        const auto result =
            import(R"({"train_batch_size": 256, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 18})");
        QVERIFY(result.has_value());
        QVERIFY(hasErrors(result->report));
        QCOMPARE(result->report.diagnostics.front().legalValues, (std::vector<std::int64_t>{252, 288}));
    }

    void twoPrecisionsAreAnError() {
        const auto result = import(R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}})");
        QVERIFY(result.has_value() && hasErrors(result->report));
    }

    void autoIsAssumedAndSaid() {
        const auto result = import(
            R"({"train_batch_size": "auto", "bf16": {"enabled": "auto"}, "tensor_parallel": {"autotp_size": 2}, "zero_optimization": {"stage": 2}})");
        QVERIFY(result.has_value());
        QVERIFY(!result->report.assumed.empty());
        const auto scenario = nlohmann::json::parse(result->scenario);
        QCOMPARE(scenario["plan"]["tensor_parallel"].get<int>(), 2);
        QVERIFY(scenario["plan"]["data_parallel"] == "auto");
    }

    void whatIsNoConfigurationIsRefused() {
        QVERIFY(!import("[1, 2]").has_value());
        QVERIFY(!import("{").has_value());
        QVERIFY(import("{}").has_value());
        QVERIFY(!import(R"({"x": 1})").has_value());
        QVERIFY(import(R"({"gradient_clipping": 1.0})").has_value());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestImportDeepspeed)
#include "test_import_deepspeed.moc"
