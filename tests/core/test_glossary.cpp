#include <set>

#include "core/base/formula.h"
#include "core/engine/evaluate.h"
#include "core/explain/explain.h"
#include "core/io/presets/preset_library.h"
#include "core/io/teach/glossary.h"
#include "core/memory/optimizer_recipes.h"
#include "core/plan/plan.h"
#include "core/plan/workload.h"
#include "core/schedule/registry.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

// Published systems that the program models (core) or has a smallest form of (side), by arXiv id.
constexpr const char* kCoreSystems[] = {
    "2106.02679", "2411.06465", "2405.18093", "2509.05258", "2211.13878", "2411.01075", "2309.13254", "2406.03488", "2211.05953",
    "1811.03619", "2407.02081", "2108.06629", "1907.13257", "2210.10246", "2411.13055", "2509.10371", "2407.14645", "2602.09109",
    "2312.12705", "2012.03837", "2311.05610", "1903.06701", "2603.04424", "2409.01143", "2309.14509", "2301.02654", "2305.16121",
    "2310.03294", "2107.02027", "2503.10377", "2406.06858", "2104.05343", "2506.01260", "2605.08962", "2504.14519", "2510.17896"};
constexpr const char* kSideSystems[] = {"2401.09192", "2010.13369", "2508.00544", "2303.14177", "1810.10045", "2311.05827",
                                        "2310.05350", "2407.20018", "2405.15628", "1709.06622", "2507.14392", "2503.23186",
                                        "2506.17551", "2111.04949", "2506.08433", "2602.03815", "2603.05692"};

}  // namespace

class TestGlossary : public QObject {
    Q_OBJECT
  private slots:
    void everyEntryIsWholeInBothLanguages() {
        const Glossary all = readGlossary(PresetLibrary());
        for (const Error& error : all.errors()) QFAIL((error.where + ": " + error.message).c_str());
        std::set<std::string> ids;
        for (const GlossaryEntry& entry : all.entries()) {
            const char* id = entry.id.c_str();
            QVERIFY2(ids.insert(entry.id).second, id);
            QVERIFY2(!entry.term.german.empty() && !entry.text.german.empty(), id);
            QVERIFY2(entry.text.english.size() > 40 && entry.text.german.size() > 40, id);
            QVERIFY2(!entry.related.empty() && !entry.scenario.empty() && !entry.view.empty(), id);
            for (const auto& [symbol, meaning] : entry.symbols) QVERIFY2(!meaning.german.empty(), (entry.id + symbol).c_str());
        }
        QVERIFY(all.entries().size() >= 150);
    }

    void everyScenarioOfATermCanBeComputed() {
        const PresetLibrary presets;
        std::set<std::string> seen;
        for (const GlossaryEntry& entry : glossary().entries()) {
            if (entry.settings.empty() && !seen.insert(entry.scenario).second) continue;
            const auto scenario = glossaryScenario(entry, presets);
            QVERIFY2(scenario.has_value(), entry.id.c_str());
            QVERIFY2(evaluate(*scenario, Depth::closedForm).computed, entry.id.c_str());
        }
    }

    void everyPublishedSystemHasAnEntry() {
        const auto covered = [](const char* arxiv, const char* systemClass) {
            for (const GlossaryEntry& entry : glossary().entries())
                for (const std::string& source : entry.sources)
                    if (entry.systemClass == systemClass && source == std::string("arXiv ") + arxiv && !entry.formulas.empty())
                        return true;
            return false;
        };
        for (const char* arxiv : kCoreSystems) QVERIFY2(covered(arxiv, "core"), arxiv);
        for (const char* arxiv : kSideSystems) QVERIFY2(covered(arxiv, "side"), arxiv);
    }

    void everyFigureOfAnEvaluationHasAnEntry() {
        const EvaluationDetail detail = evaluateInDetail(test::scenario());
        QVERIFY(detail.evaluation.computed);
        for (const std::string& pointer : explainablePointers(detail.evaluation))
            QVERIFY2(glossary().byLabelOrNull(pointer) != nullptr, pointer.c_str());
    }

    void everyChoiceOfThePlanHasAnEntry() {
        const auto has = [](const std::string& label) { return glossary().byLabelOrNull(label) != nullptr; };
        for (const ScheduleDefinition* schedule : allSchedules())
            QVERIFY2(has("schedule:" + std::string(schedule->id)), std::string(schedule->id).c_str());
        for (const OptimizerRecipe& recipe : optimizerRecipes())
            QVERIFY2(has("optimizer:" + std::string(recipe.id)), std::string(recipe.id).c_str());
        for (const ContextMethod method :
             {ContextMethod::ring, ContextMethod::ulysses, ContextMethod::all_gather, ContextMethod::usp})
            QVERIFY(has("context:" + std::string(name(method))));
        for (const AttentionKernel kernel :
             {AttentionKernel::unfused, AttentionKernel::flash, AttentionKernel::flash2, AttentionKernel::flash3})
            QVERIFY(has("attention:" + std::string(name(kernel))));
    }

    void aTermIsFoundByNameLabelAndWords() {
        const Glossary& all = glossary();
        QCOMPARE(all.byTermOrNull("FSDP")->id, std::string("zero"));
        QCOMPARE(all.byTermOrNull("Mikrostapel")->id, std::string("micro-batch"));
        QCOMPARE(all.byLabelOrNull("/memory/stages/7/logits_bytes")->id, std::string("logits"));
        QCOMPARE(all.search("pipeline bubble", "en").empty(), false);
        QCOMPARE(all.search("2309.14509", "en").front()->id, std::string("ulysses"));
        QVERIFY(all.search("no such thing at all", "en").empty());
        QVERIFY(all.byTermOrNull("nothing") == nullptr);
    }

    void formulasBecomeLatex_data() {
        QTest::addColumn<QString>("formula");
        QTest::addColumn<QString>("latex");
        QTest::newRow("fraction") << "beta = (p - 1) / (v * m)" << "\\beta = \\frac{p - 1}{v \\cdot m}";
        QTest::newRow("index") << "t_step" << "t_{\\text{step}}";
        QTest::newRow("power") << "h^2 * (2 + g)" << "h^{2} \\cdot \\left(2 + g\\right)";
        QTest::newRow("call") << "max(f, ceil(B / 2))" << "\\max\\left(f, \\left\\lceil \\frac{B}{2} \\right\\rceil\\right)";
        QTest::newRow("number") << "1e9 * x" << "1e9 \\cdot x";
    }
    void formulasBecomeLatex() {
        QFETCH(QString, formula);
        QFETCH(QString, latex);
        const auto node = parseFormula(formula.toStdString());
        QVERIFY(node.has_value());
        QCOMPARE(QString::fromStdString(formulaLatex(*node)), latex);
    }

    void badFormulasAreRefusedWithTheColumn() {
        for (const char* formula : {"", "a +", "(a", "a b", "1 $ 2", "f(a"}) {
            const auto node = parseFormula(formula);
            QVERIFY2(!node.has_value(), formula);
            QVERIFY(node.error().message.find("column") == 0);
        }
        QVERIFY(!parseFormula(std::string(500, '(')).has_value());
        QVERIFY(!parseFormula(std::string(100000, 'a')).has_value());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestGlossary)
#include "test_glossary.moc"
