#include <nlohmann/json.hpp>

#include "core/io/import/importer.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using nlohmann::json;

// Matrices of nvidia-smi and rocm-smi, and host lists: what a user pastes, whole or cut.

namespace {

Result<ImportResult> import(const char* kind, const std::string& text, const std::map<std::string, std::string>& given = {}) {
    static const PresetLibrary kPresets;
    return importText(kind, text, {.where = "in", .presets = &kPresets, .variables = given});
}

std::string matrix(int gpus, const std::string& link) {
    std::string text = "\t";
    for (int i = 0; i < gpus; ++i) text += "GPU" + std::to_string(i) + "\t";
    text += "CPU Affinity\tNUMA Affinity\n";
    for (int a = 0; a < gpus; ++a) {
        text += "GPU" + std::to_string(a);
        for (int b = 0; b < gpus; ++b) text += a == b ? "\t X " : "\t" + link;
        text += "\t0-47\t0\n";
    }
    return text + "\nLegend:\n\n  X    = Self\n";
}

bool warned(const Result<ImportResult>& result, std::string_view code) {
    for (const auto& item : result->report.diagnostics)
        if (item.code == code) return true;
    return false;
}

}  // namespace

class TestImportTopology : public QObject {
    Q_OBJECT
  private slots:
    void nvswitchBoxesAreSwitched() {
        const auto result = import("topo", matrix(8, "NV18"));
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        const json node = json::parse(result->scenario)["cluster"]["nodes"][0];
        QCOMPARE(node["accelerators"][0]["count"].get<int>(), 8);
        QVERIFY(node["accelerators"][0]["accelerator"] == "h100-sxm5-80");
        QVERIFY(node["intra"]["shape"] == "switched");
        QCOMPARE(node["intra"]["bandwidth_bytes_per_s"].get<double>(), 450e9);
        QVERIFY(!result->report.assumed.empty());  // the matrix does not name the accelerator
    }

    void theUserNamesTheAccelerator() {
        const auto result = import("topo", matrix(8, "NV18"), {{"ACCELERATOR", "B200"}});
        QVERIFY(result.has_value());
        const json node = json::parse(result->scenario)["cluster"]["nodes"][0];
        QVERIFY(node["accelerators"][0]["accelerator"] == "b200-sxm-180");
        QCOMPARE(node["intra"]["bandwidth_bytes_per_s"].get<double>(), 900e9);
    }

    void pcieOnlyIsATree() {
        const auto result = import("topo", matrix(4, "PHB"));
        QVERIFY(result.has_value());
        const json node = json::parse(result->scenario)["cluster"]["nodes"][0];
        QVERIFY(node["intra"]["shape"] == "pcie_tree");
    }

    void cutMatricesAreTakenWithAWarning() {
        std::string text = matrix(8, "NV12");
        text.resize(text.find("GPU6\tNV12") + 14);
        const auto result = import("topo", text);
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QCOMPARE(json::parse(result->scenario)["cluster"]["nodes"][0]["accelerators"][0]["count"].get<int>(), 8);
        QVERIFY(warned(result, "topo-cut"));
    }

    void colouredHeadersAreRead() {
        const auto result = import("topo", "\x1b[4m" + matrix(2, "NV4").insert(1, "\x1b[0m"));
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
    }

    void noMatrixIsRefusedWithWhatWasExpected() {
        const auto result = import("topo", "GPU0 is fine\n");
        QVERIFY(!result && result.error().message.find("nvidia-smi topo -m") != std::string::npos);
    }

    void hostListsInTheirForms() {
        for (const char* text :
             {"a slots=8\nb slots=8\n", "a:8\nb:8\n", "a 8\nb 8\n", "a slots=8 max_slots=9\n\nb\tslots=8 # second\n"}) {
            const auto result = import("hostfile", text);
            QVERIFY2(result.has_value(), text);
            const json cluster = json::parse(result->scenario)["cluster"];
            QCOMPARE(cluster["nodes"].get<int>(), 2);
        }
        const auto bare = import("hostfile", "a\nb\nc\n");
        QVERIFY(bare.has_value());
        QCOMPARE(json::parse(bare->scenario)["cluster"]["nodes"].get<int>(), 3);
        QCOMPARE(bare->report.assumed.front().value, std::string("8"));
    }

    void unequalHostsAreDrawnAndWarnedOf() {
        const auto result = import("hostfile", "a slots=8\nb slots=4\n");
        QVERIFY(result.has_value() && warned(result, "unequal-hosts"));
        QCOMPARE(json::parse(result->scenario)["cluster"]["nodes"].size(), std::size_t{2});
    }

    void badHostListsNameTheLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("no number") << QStringLiteral("a slots=8\nb slots=many\n") << QStringLiteral("in:2");
        QTest::newRow("json") << QStringLiteral("{\"a\": 8}\n") << QStringLiteral("in:1");
        QTest::newRow("too many") << QStringLiteral("a slots=999999\n") << QStringLiteral("in:1");
        QTest::newRow("empty") << QStringLiteral("# nothing\n") << QStringLiteral("in");
    }
    void badHostListsNameTheLine() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto result = import("hostfile", text.toStdString());
        QVERIFY(!result.has_value());
        QCOMPARE(QString::fromStdString(result.error().where), where);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestImportTopology)
#include "test_import_topology.moc"
