#include <nlohmann/json.hpp>

#include "core/io/import/import_hf.h"
#include "core/io/presets/model_preset.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestModelPresets : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { QVERIFY(PresetLibrary().ids(PresetKind::models).size() >= 65); }

    void models_data() {
        QTest::addColumn<QString>("id");
        for (const std::string& id : PresetLibrary().ids(PresetKind::models))
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }

    /// The architecture gives the parameters that the file states, and those that were published to the unit.
    void models() {
        QFETCH(QString, id);
        const PresetLibrary library;
        const auto model = modelPreset(library, id.toStdString());
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        QCOMPARE((*model)->preset, id.toStdString());
        const auto file = nlohmann::json::parse(*library.text(PresetKind::models, id.toStdString()));
        const ParameterCounts counts = countParameters(**model, 4096);
        const auto& stated = file["parameters"];
        QCOMPARE(counts.total, stated["total"].get<std::int64_t>());
        QCOMPARE(counts.embedding, stated["embedding"].get<std::int64_t>());
        if (stated.contains("active")) QCOMPARE(counts.active, stated["active"].get<std::int64_t>());
        const auto& published = file["published"];
        if (published["match"] == "exact") QCOMPARE(counts.total, published["total"].get<std::int64_t>());
        if (published["match"] == "rounded")
            QVERIFY(std::abs(static_cast<double>(counts.total) / published["total"].get<double>() - 1) < 0.006);
    }

    void configurations_data() { models_data(); }

    /// Importing the published configuration gives the same architecture.
    void configurations() {
        QFETCH(QString, id);
        const PresetLibrary library;
        const auto file = nlohmann::json::parse(*library.text(PresetKind::models, id.toStdString()));
        const auto imported = importHfConfig(file["hf_config"].dump(), "config");
        QVERIFY2(imported.has_value(), imported ? "" : imported.error().message.c_str());
        ModelSpec expected = **modelPreset(library, id.toStdString());
        ModelSpec actual = imported->model;
        actual.name = expected.name;
        actual.preset = expected.preset;
        QCOMPARE(countParameters(actual, 4096).total, countParameters(expected, 4096).total);
        QCOMPARE(actual.layers, expected.layers);
        QCOMPARE(actual.attentionHeads, expected.attentionHeads);
        QCOMPARE(actual.kvHeads, expected.kvHeads);
        QCOMPARE(actual.headDim, expected.headDim);
        QCOMPARE(actual.gatedMlp, expected.gatedMlp);
        QVERIFY(actual.norm == expected.norm);
        QVERIFY(actual.positionEmbedding == expected.positionEmbedding);
        for (std::int64_t layer = 0; layer < expected.layers; ++layer)
            QVERIFY(layerKind(actual, layer) == layerKind(expected, layer));
        QVERIFY(actual.moe == expected.moe);
        QVERIFY(actual.mla == expected.mla);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestModelPresets)
#include "test_model_presets.moc"
