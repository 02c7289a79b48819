#include <QtTest>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/expression.h"
#include "core/engine/evaluate.h"
#include "core/io/export/exporter.h"
#include "core/io/json/evaluation_json.h"
#include "core/io/json/scenario_json.h"
#include "core/memory/stage_memory.h"
#include "core/schedule/metrics.h"
#include "core/schedule/registry.h"
#include "core/schedule/simulate.h"
#include "core/schedule/unit_times.h"

using namespace trainyard;
using nlohmann::json;

namespace {

using Figures = std::map<std::string, double, std::less<>>;

void flatten(const json& value, const std::string& path, Figures& out) {
    if (value.is_object())
        for (const auto& [key, member] : value.items()) flatten(member, path.empty() ? key : path + "." + key, out);
    else if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) flatten(value[i], path + "." + std::to_string(i), out);
    else if (value.is_number()) out[path] = value.get<double>();
    else if (value.is_boolean()) out[path] = value.get<bool>() ? 1 : 0;
    else if (value.is_string()) out[path] = textValue(value.get<std::string>());
}

Scenario scenarioOf(const json& document) {
    auto scenario = readScenarioJson(document, {"case", ""}, presetLibrary());
    if (!scenario) qFatal("%s: %s", scenario.error().where.c_str(), scenario.error().message.c_str());
    return *scenario;
}

void addEvaluation(const json& document, const std::string& prefix, Figures& out) {
    const Scenario scenario = scenarioOf(document);
    const Evaluation e = evaluate(scenario, Depth::simulated);
    Figures figures;
    flatten(evaluationJson(e), "", figures);
    for (const Diagnostic& d : e.diagnostics) {
        std::string code = d.code;
        std::replace(code.begin(), code.end(), '-', '_');
        figures["diagnostic." + code] = 1;
        if (d.severity == Severity::error) qInfo("%s", d.message.c_str());
    }
    figures["data_parallel"] = static_cast<double>(e.plan.dataParallel);
    figures["micro_batches"] = static_cast<double>(e.plan.microBatches);
    for (std::size_t s = 0; s < e.plan.layersOfStage.size(); ++s) figures["layers." + std::to_string(s)] = static_cast<double>(e.plan.layersOfStage[s]);
    for (const auto& [key, value] : figures) out[prefix + key] = value;
}

void addSchedule(const json& wanted, Figures& out) {
    ScheduleRequest request;
    request.ranks = wanted.at("stages").get<int>();
    request.microBatches = wanted.at("microbatches").get<int>();
    request.chunks = wanted.value("chunks", 1);
    const auto lists = buildSchedule(wanted.at("name").get<std::string>(), request);
    if (!lists) qFatal("%s", lists.error().message.c_str());
    const auto timeline = simulate(*lists, *toStageTimes(UnitTimes{}, lists->stages, 1000));
    out["schedule.bubble"] = bubblesOf(*timeline).idleShare;
    for (int rank = 0; rank < request.ranks; ++rank) {
        int forwards = 0;
        for (std::uint32_t i = lists->rankBegin[static_cast<std::size_t>(rank)]; i < lists->rankBegin[static_cast<std::size_t>(rank) + 1]; ++i) {
            if (lists->actions[i].kind != ActionKind::forward) break;
            ++forwards;
        }
        out["schedule.warmup." + std::to_string(rank)] = forwards - 1;  // the one that its own backward follows is no warm-up
    }
}

/// Empty if the check holds, else what was found.
std::string checkExpression(const json& check, const Figures& figures) {
    const auto value = evaluateExpression(check.at("expression").get<std::string>(), [&](std::string_view symbol) -> std::optional<double> {
        if (const auto found = figures.find(symbol); found != figures.end()) return found->second;
        if (symbol.starts_with("diagnostic.")) return 0;
        if (symbol == "fits" || symbol == "tight" || symbol == "out_of_memory") return textValue(symbol);
        return std::nullopt;
    });
    if (!value) return value.error().message;
    const std::string op = check.at("op").get<std::string>();
    const json& expected = check.at("value");
    bool holds = false;
    if (op == "between") holds = *value >= expected.at(0).get<double>() && *value <= expected.at(1).get<double>();
    else if (op == "==") holds = std::abs(*value - expected.get<double>()) <= check.at("tolerance").get<double>() * std::abs(expected.get<double>());
    else if (op == ">") holds = *value > expected.get<double>();
    else if (op == ">=") holds = *value >= expected.get<double>();
    else if (op == "<") holds = *value < expected.get<double>();
    else if (op == "<=") holds = *value <= expected.get<double>();
    return holds ? std::string() : "found " + std::to_string(*value) + ", expected " + op + " " + expected.dump();
}

/// Values of one pointer with which the plan is feasible.
std::string checkLegal(const json& check, const json& scenario) {
    std::vector<std::int64_t> legal;
    for (const json& value : check.at("among")) {
        json document = scenario;
        document[json::json_pointer(check.at("legal").get<std::string>())] = value;
        if (evaluate(scenarioOf(document), Depth::closedForm).feasible) legal.push_back(value.get<std::int64_t>());
    }
    return json(legal) == check.at("value") ? std::string() : "found " + json(legal).dump() + ", expected " + check.at("value").dump();
}

std::string checkExport(const json& check, const json& scenario) {
    const auto exported = exportScenario(check.at("export").get<std::string>(), scenarioOf(scenario));
    if (check.contains("refused")) {
        if (exported.has_value() == check.at("refused").get<bool>()) return exported ? "it was written" : "refused: " + exported.error().message;
        return {};
    }
    if (!exported) return "refused: " + exported.error().message;
    if (check.contains("present") && exported->text.find(check.at("present").get<std::string>()) == std::string::npos) return "not in\n" + exported->text;
    if (check.contains("absent") && exported->text.find(check.at("absent").get<std::string>()) != std::string::npos) return "in\n" + exported->text;
    return {};
}

json document() {
    std::ifstream file(qEnvironmentVariable("TRAINYARD_SOURCE_DIR").toStdString() + "/tests/golden/user_cases.json");
    return json::parse(file);
}

}  // namespace

class TestUserCaseChecks : public QObject {
    Q_OBJECT
private slots:
    void checks_data() {
        QTest::addColumn<QByteArray>("situation");
        QTest::addColumn<int>("check");
        int n = 0;
        const json all = document();
        for (const json& one : all.at("cases"))
            for (int i = 0; i < static_cast<int>(one.at("checks").size()); ++i)
                QTest::newRow(qPrintable(QString("%1 %2 #%3").arg(one.at("case").get<std::string>().c_str(), one.at("checks")[static_cast<std::size_t>(i)].at("says").get<std::string>().c_str()).arg(n++)))
                    << QByteArray::fromStdString(one.dump()) << i;
        QVERIFY(n >= 90);
    }
    void checks() {
        QFETCH(QByteArray, situation);
        QFETCH(int, check);
        const json one = json::parse(situation.toStdString());
        const json& wanted = one.at("checks").at(static_cast<std::size_t>(check));
        std::string found;
        if (wanted.contains("legal")) {
            found = checkLegal(wanted, one.at("scenario"));
        } else if (wanted.contains("export")) {
            found = checkExport(wanted, one.at(wanted.value("other", false) ? "other" : "scenario"));
        } else {
            Figures figures;
            figures["safe_share"] = kSafeMemoryShare;
            if (one.contains("scenario")) addEvaluation(one.at("scenario"), "", figures);
            if (one.contains("other")) addEvaluation(one.at("other"), "other.", figures);
            if (one.contains("schedule")) addSchedule(one.at("schedule"), figures);
            found = checkExpression(wanted, figures);
        }
        if (wanted.contains("expected_failure")) {
            QEXPECT_FAIL("", wanted.at("expected_failure").get<std::string>().c_str(), Continue);
        }
        QVERIFY2(found.empty(), found.c_str());
    }

    // What cannot be expressed says why, and no case is on both lists without a word.
    void theRestHasAReason() {
        const json all = document();
        QVERIFY(all.at("not_expressed").size() >= 15);
        for (const json& each : all.at("not_expressed")) QVERIFY(each.at("reason").get<std::string>().size() > 20);
    }
};

QTEST_APPLESS_MAIN(TestUserCaseChecks)
#include "test_user_case_checks.moc"
