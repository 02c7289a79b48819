#include <QDir>
#include <QFile>
#include <nlohmann/json.hpp>

#include "core/io/import/importer.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

using namespace trainyard;
using nlohmann::json;

// Files as users have them, written anew from each framework's documentation: tests/golden/imports. index.json says what each
// must come to, by JSON pointer into the partial scenario.

namespace {

QString folder() { return qEnvironmentVariable("TRAINYARD_SOURCE_DIR") + QStringLiteral("/tests/golden/imports"); }

std::string contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

const PresetLibrary& presets() {
    static const PresetLibrary kLibrary;
    return kLibrary;
}

bool same(const json& found, const json& wanted) {
    if (found.is_number() && wanted.is_number())
        return std::abs(found.get<double>() - wanted.get<double>()) <= 1e-9 * std::abs(wanted.get<double>());
    return found == wanted;
}

}  // namespace

class TestImportFiles : public QObject {
    Q_OBJECT
  private slots:
    void everyFileComesToWhatItSays_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("entry");
        const json index = json::parse(contentOf(folder() + QStringLiteral("/index.json")));
        QVERIFY(index.size() > 30);
        for (const auto& [file, entry] : index.items()) {
            const QString name = QString::fromStdString(file);
            QTest::newRow(file.c_str()) << name << QString::fromStdString(entry.dump());
        }
    }
    void everyFileComesToWhatItSays() {
        QFETCH(QString, file);
        QFETCH(QString, entry);
        const json expected = json::parse(entry.toStdString());
        const std::string kind = file.section(QLatin1Char('/'), 0, 0).toStdString();
        const std::string text = contentOf(folder() + QLatin1Char('/') + file);
        QVERIFY2(!text.empty(), "the file is missing");
        ImportContext context{.where = file.toStdString(), .presets = &presets(), .variables = {}};
        if (expected.contains("define"))
            for (const auto& [name, value] : expected["define"].items()) context.variables[name] = value.get<std::string>();
        const auto automatic = importText("auto", text, context);
        QVERIFY2(automatic.has_value(), automatic ? "" : automatic.error().message.c_str());
        QCOMPARE(QString::fromStdString(automatic->kind), QString::fromStdString(expected.value("auto", kind)));
        const auto result = importText(kind, text, context);
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        for (const auto& item : result->report.diagnostics) QVERIFY2(item.severity != Severity::error, item.message.c_str());
        const json scenario = json::parse(result->scenario);
        for (const auto& [pointer, wanted] : expected["scenario"].items()) {
            const json::json_pointer at(pointer);
            QVERIFY2(scenario.contains(at), (pointer + " is missing in " + result->scenario).c_str());
            QVERIFY2(same(scenario[at], wanted), (pointer + " is " + scenario[at].dump() + ", not " + wanted.dump()).c_str());
        }
        QVERIFY(!result->report.understood.empty());
        // what is assumed says why
        for (const auto& item : result->report.assumed) QVERIFY2(!item.reason.empty(), item.field.c_str());
        for (const auto& wanted : expected.value("assumed", json::array())) {
            bool found = false;
            for (const auto& item : result->report.assumed) found = found || item.field == wanted.get<std::string>();
            QVERIFY2(found, wanted.dump().c_str());
        }
    }

    void whatIsImportedMakesAWholeScenario_data() { everyFileComesToWhatItSays_data(); }
    void whatIsImportedMakesAWholeScenario() {
        QFETCH(QString, file);
        const std::string text = contentOf(folder() + QLatin1Char('/') + file);
        const auto result = importText(file.section(QLatin1Char('/'), 0, 0).toStdString(), text,
                                       {.where = "x", .presets = &presets(), .variables = {}});
        QVERIFY(result.has_value());
        const auto base = readScenario(*presets().text(PresetKind::scenarios, presets().ids(PresetKind::scenarios).front()),
                                       {"preset", ""}, presets());
        QVERIFY(base.has_value());
        const auto whole = scenarioFromImport(*result, *base, presets());
        QVERIFY2(whole.has_value(), whole ? "" : (whole.error().where + ": " + whole.error().message).c_str());
    }

    void theRegistryHoldsEveryKindOfTheContract() {
        for (const char* kind : {"hf", "topo", "slurm", "hwloc", "nccl", "megatron", "deepspeed", "torchtitan", "nemo",
                                 "nanotron", "accelerate", "hostfile", "kubernetes", "nccl-tests", "trace", "schedule-csv"})
            QVERIFY2(findImporterOrNull(kind) != nullptr, kind);
    }

    /// Every importer refuses what is not its own with a place and a reason, whatever it is.
    void foreignTextIsRefusedNotMisread_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("prose") << QByteArray("The quick brown fox\njumps over the lazy dog.\n");
        QTest::newRow("open bracket") << QByteArray("[[[[{\"a\": ");
        QTest::newRow("binary") << QByteArray("\x00\x01\x02\xff\xfe", 5);
        QTest::newRow("deep") << QByteArray(20000, '[');
        QTest::newRow("deep xml") << QByteArray("<a>").repeated(20000);
        QTest::newRow("quote") << QByteArray("x = \"");
        QTest::newRow("list") << QByteArray("[1, 2, 3]");
    }
    void foreignTextIsRefusedNotMisread() {
        QFETCH(QByteArray, text);
        for (const Importer* importer : allImporters()) {
            const auto result = importText(importer->id, {text.constData(), static_cast<std::size_t>(text.size())},
                                           {.where = "input", .presets = &presets(), .variables = {}});
            if (result) continue;
            QVERIFY2(result.error().where.starts_with("input"),
                     (std::string(importer->id) + ": " + result.error().where).c_str());
            QVERIFY2(!result.error().message.empty(), std::string(importer->id).c_str());
        }
        const auto automatic = importText("auto", {text.constData(), static_cast<std::size_t>(text.size())},
                                          {.where = "input", .presets = &presets(), .variables = {}});
        QVERIFY(!automatic.has_value());
    }

    void errorsNameLineAndColumn() {
        const ImportContext context{.where = "in", .presets = &presets(), .variables = {}};
        const auto toml = importText("torchtitan", "[training]\nseq_len = = 3\n", context);
        QVERIFY(!toml && toml.error().where.starts_with("in:2:"));
        const auto yaml = importText("nanotron", "parallelism:\n  dp: 8\n tp: [\n", context);
        QVERIFY(!yaml && yaml.error().where.starts_with("in:"));
        const auto xml = importText("hwloc", "<topology>\n<object\n", context);
        QVERIFY(!xml && xml.error().where.starts_with("in:"));
        const auto python = importText("torchtitan", "def f():\n    return Trainer.Config(\n", context);
        QVERIFY(!python && python.error().where == "in:2");
    }

    void wrongValuesNameTheKey() {
        const ImportContext context{.where = "in", .presets = &presets(), .variables = {}};
        const auto result = importText("torchtitan",
                                       "[parallelism]\ntensor_parallel_degree = \"many\"\npipeline_parallel_schedule = "
                                       "\"Nothing\"\npipeline_parallel_degree = 4\n[training]\nseq_len = 4096\n",
                                       context);
        QVERIFY(result.has_value() && hasErrors(result->report));
        QVERIFY(result->report.diagnostics.front().message.find("parallelism.tensor_parallel_degree") != std::string::npos);
        bool schedule = false;
        for (const auto& item : result->report.diagnostics) schedule = schedule || item.code == "unknown-schedule";
        QVERIFY(schedule);
    }

    void pythonIsReadNotRun() {
        const ImportContext context{.where = "in", .presets = &presets(), .variables = {}};
        const auto result = importText("torchtitan",
                                       "import os\nos.system('rm -rf /')\ndef a():\n    n = __import__('os').getpid()\n    "
                                       "return Trainer.Config(parallelism=ParallelismConfig(tensor_parallel_degree=2 * 2, "
                                       "context_parallel_degree=n))\n",
                                       context);
        QVERIFY(result.has_value());
        QCOMPARE(json::parse(result->scenario)["plan"]["tensor_parallel"].get<int>(), 4);
        QVERIFY(hasErrors(result->report));  // the process id is no literal
    }
};

TRAINYARD_CORE_TEST_MAIN(TestImportFiles)
#include "test_import_files.moc"
