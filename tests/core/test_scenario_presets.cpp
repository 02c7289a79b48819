#include "core/engine/evaluate.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestScenarioPresets : public QObject {
    Q_OBJECT
  private slots:
    void scenarios_data() {
        QTest::addColumn<QString>("id");
        const PresetLibrary library;
        const auto ids = library.ids(PresetKind::scenarios);
        QVERIFY(ids.size() >= 14);
        for (const std::string& id : ids) QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }

    /// What ships is a plan without a finding that a newcomer would take for a mistake.
    void scenarios() {
        QFETCH(QString, id);
        const PresetLibrary library;
        const auto scenario =
            readScenario(*library.text(PresetKind::scenarios, id.toStdString()), {id.toStdString(), ""}, library);
        QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().message.c_str());
        const Evaluation evaluation = evaluate(*scenario, Depth::simulated);
        for (const Diagnostic& finding : evaluation.diagnostics)
            QVERIFY2(finding.severity == Severity::note && finding.code != "unknown-key", finding.message.c_str());
        QVERIFY(evaluation.feasible);
        QVERIFY(evaluation.computed);
        QVERIFY(evaluation.memory.verdict != MemoryVerdict::out_of_memory);
    }

    void theFirstOneIsPleasant() {
        const PresetLibrary library;
        const auto scenario = readScenario(*library.text(PresetKind::scenarios, "default"), {"default", ""}, library);
        const Evaluation evaluation = evaluate(*scenario, Depth::simulated);
        QCOMPARE(evaluation.devices, std::int64_t{128});
        QVERIFY(evaluation.memory.verdict == MemoryVerdict::fits);
        QVERIFY(evaluation.plan.microBatches >= 8 && evaluation.plan.microBatches <= 32);  // the timeline stays readable
        QVERIFY(evaluation.diagnostics.empty());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScenarioPresets)
#include "test_scenario_presets.moc"
