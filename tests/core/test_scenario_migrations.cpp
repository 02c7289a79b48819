#include <QDir>
#include <QFile>
#include <nlohmann/json.hpp>

#include "core/engine/evaluate.h"
#include "core/io/json/scenario_json.h"
#include "core/io/json/scenario_migrations.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/test_main.h"

namespace {

using namespace trainyard;
using nlohmann::json;

QString folder() {
    return qEnvironmentVariable("TRAINYARD_SOURCE_DIR", QStringLiteral(".")) + QStringLiteral("/tests/golden/migrations");
}

std::string read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

}  // namespace

/// Files as earlier releases wrote them (`NAME.vN.json`), beside what this one makes of them (`NAME.now.json`).
class TestScenarioMigrations : public QObject {
    Q_OBJECT
  private slots:
    void storedFiles_data() {
        QTest::addColumn<QString>("old");
        QTest::addColumn<QString>("now");
        const QDir dir(folder());
        for (const QString& file : dir.entryList({QStringLiteral("*.v*.json")}))
            QTest::addRow("%s", qPrintable(file))
                << dir.filePath(file) << dir.filePath(file.section(QLatin1Char('.'), 0, 0) + QStringLiteral(".now.json"));
        QVERIFY(dir.entryList({QStringLiteral("*.v*.json")}).size() >= 3);
    }
    void storedFiles() {
        QFETCH(QString, old);
        QFETCH(QString, now);
        const auto scenario = readScenarioFile(old.toStdString(), presetLibrary());
        QVERIFY2(scenario, scenario ? "" : scenario.error().message.c_str());
        const std::string written = writeScenario(*scenario, &presetLibrary());
        if (qEnvironmentVariableIsSet("TRAINYARD_WRITE_GOLDENS")) {
            QFile out(now);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(QByteArray::fromStdString(written));
        }
        QCOMPARE(QString::fromStdString(written), QString::fromStdString(read(now)));
        QVERIFY(evaluate(*scenario, Depth::closedForm).feasible);
    }

    /// The machinery, on steps that no release had.
    void stepsAreTakenInOrder() {
        static constexpr ScenarioMigration kSteps[] = {
            {1,
             [](json& document) {
                 document["plan"]["tp"] = document["plan"]["tensor"];
                 document["plan"].erase("tensor");
             }},
            {2, [](json& document) { document["plan"]["tp"] = document["plan"]["tp"].get<int>() * 2; }},
        };
        json first{{"version", 1}, {"plan", {{"tensor", 4}}}};
        migrate(first, kSteps, 3);
        QVERIFY(first == json({{"version", 3}, {"plan", {{"tp", 8}}}}));
        json second{{"version", 2}, {"plan", {{"tp", 4}}}};
        migrate(second, kSteps, 3);
        QCOMPARE(second["plan"]["tp"].get<int>(), 8);
        json newer{{"version", 9}, {"plan", 1}};
        const json same = newer;
        migrate(newer, kSteps, 3);
        QVERIFY(newer == same);
        for (json odd : {json("text"), json::array(), json::object(), json{{"version", "1"}}, json{{"version", 1.5}}}) {
            const json before = odd;
            migrate(odd, kSteps, 3);
            QVERIFY(odd == before);
        }
    }
    void everyOldVersionHasItsStep() {
        std::int64_t version = 1;
        for (const ScenarioMigration& step : scenarioMigrations()) QCOMPARE(step.from, version++);
        QCOMPARE(version, kScenarioVersion);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScenarioMigrations)
#include "test_scenario_migrations.moc"
