#include <QDir>
#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/json/framework_rules_json.h"
#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"
#include "core/plan/nearest_plans.h"
#include "core/plan/slider_stops.h"
#include "core/plan/validate.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

namespace {

using namespace trainyard;
using nlohmann::json;

constexpr const char* kFrameworks[] = {"megatron", "nemo", "deepspeed", "torchtitan", "nanotron", "accelerate"};

FrameworkRules rulesOf(const std::string& id) {
    auto rules = frameworkRules(presetLibrary(), id);
    if (!rules) qFatal("%s: %s", rules.error().where.c_str(), rules.error().message.c_str());
    return *rules;
}

json fileOf(const std::string& id) { return json::parse(*presetLibrary().text(PresetKind::rules, id)); }

/// The example of the file with values laid over it.
Result<Scenario> example(const json& file, const std::string& name, const json& settings) {
    json document = file.at("examples").at(name);
    for (const auto& [pointer, value] : settings.items())
        if (const auto set = setValue(document, pointer, compactJson(value)); !set) return tl::unexpected<Error>(set.error());
    return readScenarioJson(document, {.where = name, .folder = {}}, presetLibrary());
}

QStringList codes(const std::vector<Diagnostic>& found) {
    QStringList list;
    for (const Diagnostic& diagnostic : found) list << QString::fromStdString(diagnostic.code);
    return list;
}

const Diagnostic* findOrNull(const std::vector<Diagnostic>& found, const char* code) {
    const auto at = std::ranges::find(found, code, &Diagnostic::code);
    return at == found.end() ? nullptr : &*at;
}

}  // namespace

class TestFrameworkRules : public QObject {
    Q_OBJECT
  private slots:
    void examplesAreClean_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<QString>("name");
        for (const char* id : kFrameworks) {
            const json file = fileOf(id);
            for (const auto& [name, ignored] : file.at("examples").items())
                QTest::addRow("%s/%s", id, name.c_str()) << QString::fromLatin1(id) << QString::fromStdString(name);
        }
    }
    void examplesAreClean() {
        QFETCH(QString, framework);
        QFETCH(QString, name);
        const json file = fileOf(framework.toStdString());
        const auto scenario = example(file, name.toStdString(), json::object());
        QVERIFY2(scenario, scenario ? "" : scenario.error().message.c_str());
        QCOMPARE(codes(rulesOf(framework.toStdString()).broken(*scenario, FrameworkRules::Detail::sentences)), QStringList());
        QVERIFY(!hasErrors(validate(*scenario)));
    }

    /// Every rule, broken by the change that its own file names: it alone is found, and its message has no hole.
    void everyRule_data() {
        QTest::addColumn<QString>("framework");
        QTest::addColumn<int>("index");
        for (const char* id : kFrameworks) {
            const json file = fileOf(id);
            for (std::size_t i = 0; i < file.at("rules").size(); ++i)
                QTest::addRow("%s", file["rules"][i]["code"].get<std::string>().c_str())
                    << QString::fromLatin1(id) << static_cast<int>(i);
        }
    }
    void everyRule() {
        QFETCH(QString, framework);
        QFETCH(int, index);
        const json file = fileOf(framework.toStdString());
        const json& rule = file["rules"][static_cast<std::size_t>(index)];
        const std::string code = rule["code"];
        const FrameworkRules rules = rulesOf(framework.toStdString());
        const auto scenario = example(file, rule["broken_by"]["example"], rule["broken_by"]["set"]);
        QVERIFY2(scenario, scenario ? "" : scenario.error().message.c_str());
        const std::vector<Diagnostic> found = rules.broken(*scenario, FrameworkRules::Detail::legalValues);
        QCOMPARE(codes(found), QStringList(QString::fromStdString(code)));
        const Diagnostic& diagnostic = found.front();
        QVERIFY2(diagnostic.message.find_first_of("{}") == std::string::npos, diagnostic.message.c_str());
        QVERIFY2(diagnostic.message.find(" nan ") == std::string::npos, diagnostic.message.c_str());
        QVERIFY(!diagnostic.source.empty());
        QVERIFY(std::ranges::find(rules.ruleOrNull(code)->pointers, diagnostic.pointer) !=
                rules.ruleOrNull(code)->pointers.end());
    }

    void codesAreUniqueAndReplacedOnesExist() {
        std::set<std::string> codes;
        for (const char* id : kFrameworks) {
            const json file = fileOf(id);
            for (const json& rule : file["rules"]) {
                const std::string code = rule["code"];
                QVERIFY2(codes.insert(code).second, code.c_str());
                QVERIFY2(code.starts_with(std::string(id) + "-"), code.c_str());
            }
            for (const json& rule : file["unchecked"]) QVERIFY(codes.insert(rule["code"].get<std::string>()).second);
        }
        QVERIFY(codes.size() >= 100);
        // A renamed general finding would silently stay beside the framework's: its code must stand in the source.
        QFile source(qEnvironmentVariable("TRAINYARD_SOURCE_DIR", QStringLiteral(".")) +
                     QStringLiteral("/core/plan/validate.cpp"));
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray text = source.readAll();
        for (const char* id : kFrameworks) {
            const FrameworkRules rules = rulesOf(id);
            for (const FrameworkRule& rule : rules.rules())
                for (const std::string& general : rule.replaces)
                    QVERIFY2(text.contains(("\"" + general + "\"").c_str()), general.c_str());
        }
    }

    void bridgeHasTheRulesOfTheCore() {
        Scenario scenario = test::scenario();
        scenario.plan.tensorParallel = 6;
        QVERIFY(findOrNull(rulesOf("nemo").broken(scenario, FrameworkRules::Detail::sentences), "megatron-heads") != nullptr);
    }

    void legalValuesAreWhatTheRuleTakes() {
        Scenario scenario = test::scenario();
        scenario.plan.schedule = "zb-h1";
        const auto found = rulesOf("torchtitan").broken(scenario, FrameworkRules::Detail::legalValues);
        const Diagnostic* schedule = findOrNull(found, "torchtitan-schedule");
        QVERIFY(schedule != nullptr);
        QCOMPARE(schedule->pointer, std::string("/plan/schedule"));
        const std::set<std::string> names(schedule->legalNames.begin(), schedule->legalNames.end());
        QVERIFY(names.contains("1f1b") && names.contains("zb-v"));
        QVERIFY(!names.contains("zb-h1") && !names.contains("chimera"));
        QVERIFY(schedule->message.ends_with("dualpipe-v"));

        scenario = test::scenario();
        scenario.plan.pipelineParallel = 3;
        scenario.cluster = std::make_shared<const ClusterSpec>(test::star(6, 8));
        scenario.workload.globalBatchSize = 240;
        const auto layers = rulesOf("megatron").broken(scenario, FrameworkRules::Detail::legalValues);
        const Diagnostic* uneven = findOrNull(layers, "megatron-layers-per-stage");
        QVERIFY(uneven != nullptr);
        QCOMPARE(uneven->legalValues, (std::vector<std::int64_t>{1, 2}));
    }

    void aFrameworksWordsReplaceTheGeneralOnes() {
        Scenario scenario = test::scenario();
        scenario.plan.tensorParallel = 6;
        const std::vector<Diagnostic> general = validate(scenario);
        QVERIFY(findOrNull(general, "tp-divides-heads") != nullptr);
        const auto joined = rulesOf("megatron").joined(general, scenario, FrameworkRules::Detail::legalValues);
        QVERIFY(findOrNull(joined, "tp-divides-heads") == nullptr);
        QVERIFY(findOrNull(joined, "megatron-heads") != nullptr);
        QVERIFY(std::is_sorted(joined.begin(), joined.end(),
                               [](const Diagnostic& a, const Diagnostic& b) { return a.severity < b.severity; }));
    }

    void meaninglessNumbersAreNotJudged() {
        Scenario scenario = test::scenario();
        scenario.plan.tensorParallel = 0;
        const auto joined = rulesOf("megatron").joined(validate(scenario), scenario, FrameworkRules::Detail::legalValues);
        QCOMPARE(codes(joined), QStringList(QStringLiteral("out-of-range")));
    }

    void nearestPlansAreValidAndNear() {
        Scenario scenario = test::scenario();
        const FrameworkRules rules = rulesOf("megatron");
        QVERIFY(nearestPlans(scenario, &rules).empty());  // nothing to mend
        scenario.plan.tensorParallel = 6;
        const auto plans = nearestPlans(scenario, &rules);
        QVERIFY(!plans.empty());
        for (const NearbyPlan& plan : plans) {
            QVERIFY(!hasErrors(rules.joined(validate(plan.scenario), plan.scenario, FrameworkRules::Detail::sentences)));
            QVERIFY(!plan.changes.empty());
        }
        QCOMPARE(plans.front().changes.size(), std::size_t{1});
        QCOMPARE(plans.front().changes.front().pointer, std::string("/plan/tensor_parallel"));
        QCOMPARE(choiceText(plans.front().changes.front().after), std::string("8"));
    }

    void nearestPlanHasItsDetours() {  // no pipeline with ZeRO 3: give up one or the other
        Scenario scenario = test::scenario();
        scenario.plan.zeroStage = 3;
        const FrameworkRules rules = rulesOf("accelerate");
        const auto plans = nearestPlans(scenario, &rules);
        QVERIFY(plans.size() >= 2);
        QVERIFY(std::ranges::any_of(plans, [](const NearbyPlan& plan) { return plan.scenario.plan.pipelineParallel == 1; }));
        QVERIFY(std::ranges::any_of(plans, [](const NearbyPlan& plan) { return plan.scenario.plan.zeroStage <= 1; }));
    }

    void nearestPlanOfManyErrorsAtOnce() {
        Scenario scenario = test::scenario();
        scenario.plan.tensorParallel = 7;
        scenario.plan.pipelineParallel = 5;
        scenario.workload.globalBatchSize = 77;
        scenario.plan.schedule = "zb-v";
        const FrameworkRules rules = rulesOf("megatron");
        const auto plans = nearestPlans(scenario, &rules);
        QVERIFY(!plans.empty());
        QVERIFY(!hasErrors(
            rules.joined(validate(plans.front().scenario), plans.front().scenario, FrameworkRules::Detail::sentences)));
    }

    void slidersFollowTheFramework() {
        Scenario scenario = test::scenario();
        scenario.plan.zeroStage = 3;
        const auto legal = [&](const FrameworkRules* rules) {
            std::set<std::int64_t> values;
            for (const SliderStop& stop : sliderStops(scenario, "/plan/pipeline_parallel", {}, rules))
                if (stop.legal) values.insert(stop.value);
            return values;
        };
        const FrameworkRules accelerate = rulesOf("accelerate");
        QVERIFY(legal(nullptr).size() > 3);
        QCOMPARE(legal(&accelerate), std::set<std::int64_t>{1});
        const FrameworkRules nanotron = rulesOf("nanotron");
        for (const SliderStop& stop : sliderStops(scenario, "/plan/tensor_parallel", {}, &nanotron))
            if (stop.value > 8) QVERIFY2(!stop.legal && !stop.reason.empty(), stop.reason.c_str());
    }

    void filesWithFaultsAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("place");
        QTest::newRow("unknown fact") << "condition"
                                      << "plan.tensor_paralel == 1"
                                      << "/rules/0/condition";
        QTest::newRow("no expression") << "condition"
                                       << "1 +"
                                       << "/rules/0/condition";
        QTest::newRow("open brace") << "message"
                                    << "tensor {plan.tensor_parallel"
                                    << "/rules/0/message";
        QTest::newRow("no message") << "message"
                                    << ""
                                    << "/rules/0/message";
        QTest::newRow("severity") << "severity"
                                  << "fatal"
                                  << "/rules/0/severity";
        QTest::newRow("places") << "at"
                                << "/plan/schedule"
                                << "/rules/0/at";
    }
    void filesWithFaultsAreRefusedWithTheirPlace() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, place);
        json file = fileOf("accelerate");
        file["rules"][0][key.toStdString()] = value.toStdString();
        const auto rules = readFrameworkRules(file.dump(), "own.json", presetLibrary());
        QVERIFY(!rules);
        QCOMPARE(QString::fromStdString(rules.error().where), QStringLiteral("own.json#") + place);
    }

    void rulesThatExtendThemselvesEnd() {
        json file = fileOf("accelerate");
        file["extends"] = "nowhere";
        QVERIFY(!readFrameworkRules(file.dump(), "own.json", presetLibrary()));
        const auto unknown = frameworkRules(presetLibrary(), "jax");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().kind, Error::Kind::commandLine);
        QVERIFY(unknown.error().message.find("torchtitan") != std::string::npos);
    }
};

TRAINYARD_CORE_TEST_MAIN(TestFrameworkRules)
#include "test_framework_rules.moc"
