#include <nlohmann/json.hpp>

#include "core/io/json/scenario_json.h"
#include "core/io/json/scenario_link.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

namespace {

using namespace trainyard;

Result<Scenario> opened(const std::string& text) { return readScenario(text, {.where = "link", .folder = {}}, presetLibrary()); }

std::string codeOf(const Result<std::string>& result) { return result ? std::string("none") : result.error().code; }

/// CRC-32 (ISO 3309) bit by bit, apart from the library that the program uses.
unsigned checksum(const QByteArray& text) {
    unsigned sum = 0xFFFFFFFF;
    for (const char c : text) {
        sum ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1 ^ 0xEDB88320U : sum >> 1;
    }
    return ~sum;
}

/// A link made by other means than the program's own.
std::string linkOf(const QByteArray& content, int version = 1) {
    const QByteArray data = qCompress(content).mid(4).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
    return QStringLiteral("trainyard%1.%2.%3.%4")
        .arg(version)
        .arg(data.size())
        .arg(checksum(data), 8, 16, QLatin1Char('0'))
        .arg(QString::fromLatin1(data))
        .toStdString();
}

}  // namespace

class TestScenarioLink : public QObject {
    Q_OBJECT
  private slots:
    void everyShippedScenarioTravels_data() {
        QTest::addColumn<QString>("id");
        for (const std::string& id : presetLibrary().ids(PresetKind::scenarios))
            QTest::addRow("%s", id.c_str()) << QString::fromStdString(id);
    }
    void everyShippedScenarioTravels() {
        QFETCH(QString, id);
        const auto scenario = opened(std::string(*presetLibrary().text(PresetKind::scenarios, id.toStdString())));
        QVERIFY(scenario);
        const std::string link = scenarioLink(*scenario);
        for (const char c : link)
            QVERIFY2(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_',
                     std::string(1, c).c_str());
        QVERIFY2(link.size() < 3000, std::to_string(link.size()).c_str());
        const auto back = opened(link);
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(*back == *scenario);
        QCOMPARE(scenarioLink(*back), link);
    }

    void mailsAndAddressesDoNotHarm() {
        const Scenario scenario = test::scenario();
        const std::string link = scenarioLink(scenario);
        std::string broken;
        for (std::size_t i = 0; i < link.size(); ++i) broken += (i > 0 && i % 70 == 0 ? "\r\n  " : "") + std::string(1, link[i]);
        QVERIFY(opened(broken));
        QVERIFY(opened("https://example.org/#" + link));
        QVERIFY(opened("See " + link + "."));
        QVERIFY(!holdsScenarioLink("trainyard is a planner. Version 1."));
        QVERIFY(!holdsScenarioLink("{\"description\": \"" + link + "\"}"));
    }

    void aLinkMadeElsewhereIsRead() {
        const QByteArray text =
            QByteArray::fromStdString(std::string(*presetLibrary().text(PresetKind::scenarios, "dgx-h100-llama-70b")));
        const auto back = opened(linkOf(text));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->plan.tensorParallel, std::int64_t{8});
    }

    void thePartsOfTheSenderTravelAlong() {
        Scenario scenario = test::scenario();
        auto model = std::make_shared<ModelSpec>(*scenario.model);
        model->preset = "only-mine";
        scenario.model = model;
        ClusterSpec cluster = *scenario.cluster;
        cluster.preset = ClusterPreset{.id = "my-own-node", .nodes = 16};
        scenario.cluster = std::make_shared<const ClusterSpec>(cluster);
        const auto back = opened(scenarioLink(scenario));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->model->hiddenSize, std::int64_t{8192});
        QCOMPARE(back->cluster->devices(), std::int64_t{128});
        // The test's "h100" is no shipped accelerator: its figures are in the link.
        QCOMPARE(back->cluster->nodes.front().accelerators.front().accelerator->memoryBandwidthBytesPerS, 3.35e12);
    }

    void faults_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        const std::string link = scenarioLink(test::scenario());
        const auto row = [](const char* name, const std::string& text, const char* code) {
            QTest::newRow(name) << QString::fromStdString(text) << QString::fromLatin1(code);
        };
        row("nothing", "hello", "not-a-link");
        row("empty", "", "not-a-link");
        row("last character missing", link.substr(0, link.size() - 1), "link-truncated");
        row("half", link.substr(0, link.size() / 2), "link-truncated");
        row("only the head", "trainyard1.", "link-truncated");
        row("no data", link.substr(0, link.rfind('.')), "link-truncated");
        row("version 2", "trainyard2" + link.substr(10), "newer-version");
        row("version 99999999999999999999", "trainyard99999999999999999999" + link.substr(10), "newer-version");
        row("version 0", "trainyard0" + link.substr(10), "link-truncated");
        std::string swapped = link;
        std::swap(swapped[swapped.size() - 5], swapped[swapped.size() - 6]);
        swapped[swapped.size() - 9] = swapped[swapped.size() - 9] == 'A' ? 'B' : 'A';
        row("one letter changed", swapped, "link-damaged");
        row("foreign letters", link.substr(0, link.size() - 2) + "+/", "link-damaged");
        row("bomb", linkOf(QByteArray(64 << 20, ' ')), "link-too-large");
        const QByteArray noise =
            QByteArray("not deflated at all").toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
        row("not deflated",
            QStringLiteral("trainyard1.%1.%2.%3")
                .arg(noise.size())
                .arg(checksum(noise), 8, 16, QLatin1Char('0'))
                .arg(QString::fromLatin1(noise))
                .toStdString(),
            "link-damaged");
        row("endless", "trainyard1.9.0." + std::string(kLongestScenarioLink, 'A'), "link-too-long");
    }
    void faults() {
        QFETCH(QString, text);
        QFETCH(QString, code);
        const auto result = scenarioTextOfLink(text.toStdString(), "clipboard");
        QCOMPARE(QString::fromStdString(codeOf(result)), code);
        QCOMPARE(result.error().where, std::string("clipboard"));
        QCOMPARE(result.error().kind, Error::Kind::unreadable);
        QVERIFY(result.error().message.size() > 20);
    }

    void whatIsInsideIsReadLikeAFile() {
        const auto other = opened(linkOf("[1, 2]"));
        QVERIFY(!other);
        const auto newer = opened(linkOf(R"({"format": "trainyard.scenario", "version": 7})"));
        QVERIFY(!newer);
        QCOMPARE(newer.error().code, std::string("newer-version"));
    }
};

TRAINYARD_CORE_TEST_MAIN(TestScenarioLink)
#include "test_scenario_link.moc"
