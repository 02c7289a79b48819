#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <nlohmann/json.hpp>

#include "tests/support/schema_check.h"
#include "tests/support/test_main.h"

namespace {

QString sourceFolder() {
    const QString folder = qEnvironmentVariable("TRAINYARD_SOURCE_DIR");
    return folder.isEmpty() ? QStringLiteral(".") : folder;
}

nlohmann::json read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return nullptr;
    return nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
}

/// Every {"value", "source"} must name a source that the file explains.
void collectSources(const nlohmann::json& value, std::vector<std::string>& sources) {
    if (value.is_object()) {
        const auto source = value.find("source");
        if (value.contains("value") && source != value.end()) sources.push_back(source->get<std::string>());
        for (const auto& item : value) collectSources(item, sources);
    } else if (value.is_array()) {
        for (const auto& item : value) collectSources(item, sources);
    }
}

}  // namespace

class TestPresetSchemas : public QObject {
    Q_OBJECT
  private slots:
    void presets_data() {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QString>("path");
        for (const auto& [folder, schema] :
             {std::pair{"accelerators", "accelerator"}, std::pair{"nodes", "node"}, std::pair{"networks", "network"},
              std::pair{"models", "model"}, std::pair{"clusters", "cluster"}, std::pair{"scenarios", "scenario"},
              std::pair{"rules", "rules"}}) {
            const QDir dir(sourceFolder() + QStringLiteral("/presets/") + QLatin1String(folder));
            const QStringList files = dir.entryList({QStringLiteral("*.json")});
            QVERIFY(files.size() >= 6);
            for (const QString& file : files)
                QTest::addRow("%s/%s", folder, qPrintable(file)) << QString::fromLatin1(schema) << dir.filePath(file);
        }
    }
    void presets() {
        QFETCH(QString, schema);
        QFETCH(QString, path);
        const nlohmann::json document = read(path);
        QVERIFY(document.is_object());
        const nlohmann::json rules = read(sourceFolder() + QStringLiteral("/presets/schema/%1.schema.json").arg(schema));
        QVERIFY(rules.is_object());
        const std::string wrong = trainyard::test::schemaComplaints(rules, document);
        QVERIFY2(wrong.empty(), wrong.c_str());
        if (schema == QLatin1String("scenario")) return;
        const QString id = QString::fromStdString(document["id"].get<std::string>());
        QCOMPARE(QFileInfo(path).completeBaseName(), id);
        std::vector<std::string> sources;
        collectSources(document, sources);
        for (const std::string& source : sources) QVERIFY2(document["sources"].contains(source), source.c_str());
    }

    void aSchemaRefusesWhatIsWrong() {
        const nlohmann::json rules = read(sourceFolder() + QStringLiteral("/presets/schema/accelerator.schema.json"));
        nlohmann::json t4 = read(sourceFolder() + QStringLiteral("/presets/accelerators/t4.json"));
        QVERIFY(trainyard::test::schemaComplaints(rules, t4).empty());
        nlohmann::json withoutSource = t4;
        withoutSource["memory_bytes"].erase("source");
        QVERIFY(!trainyard::test::schemaComplaints(rules, withoutSource).empty());
        nlohmann::json misspelt = t4;
        misspelt["memory_byte"] = misspelt["memory_bytes"];
        QVERIFY(!trainyard::test::schemaComplaints(rules, misspelt).empty());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestPresetSchemas)
#include "test_preset_schemas.moc"
