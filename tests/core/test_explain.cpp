#include <functional>

#include "core/explain/explain.h"
#include "core/plan/validate.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

Scenario variant(int number) {
    Scenario s = test::scenario(std::int64_t{4} << (number / 12));
    const std::int64_t tensors[] = {1, 2, 4, 8};
    const std::int64_t pipelines[] = {1, 2, 4};
    s.plan.tensorParallel = tensors[number % 4];
    s.plan.pipelineParallel = pipelines[number % 3];
    s.plan.zeroStage = number % 4;
    s.plan.sequenceParallel = number % 2 == 0;
    s.plan.recompute.mode = static_cast<RecomputeMode>(number % 3);
    if (number % 5 == 1 && s.plan.pipelineParallel > 1) {
        s.plan.schedule = "interleaved-1f1b";
        s.plan.virtualStages = 2;
    }
    if (number % 5 == 2 && s.plan.pipelineParallel > 1) s.plan.schedule = "zb-h1";
    if (number % 5 == 3) s.plan.schedule = "gpipe";
    if (number % 7 == 1) s.plan.contextParallel = 2;
    s.workload.globalBatchSize = 4096;
    s.workload.tokensTotal = 1e12;
    if (number % 6 == 5) {
        auto model = *s.model;
        model.moe.emplace();
        model.moe->experts = 8;
        model.moe->topK = 2;
        model.moe->expertFfnHiddenSize = 4096;
        model.moe->denseLayers = 3;
        s.model = std::make_shared<ModelSpec>(model);
        s.plan.expertParallel = 2;
    }
    if (number % 4 == 3) {
        auto cluster = *s.cluster;
        auto priced = *cluster.nodes[0].accelerators[0].accelerator;
        priced.pricePerHour = 2.95;
        cluster.nodes[0].accelerators[0].accelerator = std::make_shared<AcceleratorSpec>(priced);
        s.cluster = std::make_shared<ClusterSpec>(cluster);
    }
    return s;
}

}  // namespace

class TestExplain : public QObject {
    Q_OBJECT
  private slots:
    // Every figure of 60 scenarios: each formula, evaluated from its children, gives the figure.
    void everyFigureFollowsFromItsTerms_data() {
        QTest::addColumn<int>("number");
        for (int number = 0; number < 60; ++number) QTest::addRow("scenario %d", number) << number;
    }
    void everyFigureFollowsFromItsTerms() {
        QFETCH(int, number);
        const Scenario s = variant(number);
        const EvaluationDetail detail = evaluateInDetail(s);
        for (const Diagnostic& d : detail.evaluation.diagnostics) QVERIFY2(d.severity != Severity::error, d.message.c_str());
        QVERIFY(detail.evaluation.computed);
        for (const std::string& pointer : explainablePointers(detail.evaluation)) {
            const auto tree = explain(s, detail, pointer);
            QVERIFY2(tree.has_value(), pointer.c_str());
            QVERIFY2(!tree->terms.empty() && !tree->formula.empty(), pointer.c_str());
            const auto checked = checkExplanation(*tree);
            QVERIFY2(checked.has_value(), checked ? "" : (pointer + ": " + checked.error().message).c_str());
        }
    }

    void theStatesOpenDownToBytesPerParameter() {
        const Scenario s = test::scenario();
        const auto tree = explain(s, "/memory/stages/0/optimizer_bytes");
        QVERIFY(tree.has_value());
        QCOMPARE(tree->terms.size(), std::size_t{2});  // master weights and moments
        QCOMPARE(tree->terms[0].formula, std::string("w * (D / n_d + X / n_x)"));
        QCOMPARE(tree->terms[0].terms[0].value, 4.0);  // fp32 master copy
        QCOMPARE(tree->terms[1].terms[0].value, 8.0);  // two fp32 moments
        const auto activations = explain(s, "/memory/stages/0/activations_bytes");
        QCOMPARE(activations->terms[0].formula, std::string("a * q"));
        QCOMPARE(activations->terms[0].terms[1].value, 4.0);  // 1F1B keeps p micro-batches on the first of four stages
    }

    void textLatexAndMarkdownShowFormulaAndValues() {
        const auto tree = explain(test::scenario(), "/throughput/mfu");
        QVERIFY(tree.has_value());
        const std::string text = explanationText(*tree);
        QVERIFY(text.find("F / (R * t_step)") != std::string::npos);
        QVERIFY(text.find("arXiv 2204.02311") != std::string::npos);
        QVERIFY(explanationLatex(*tree).find("\\begin{align*}") == 0);
        QVERIFY(explanationMarkdown(*tree).find("`F / (R * t_step)`") != std::string::npos);
    }

    void whatIsNotThereIsRefused() {
        for (const char* pointer : {"", "/", "/time", "/time/nothing", "/memory/stages/99/total_bytes",
                                    "/memory/stages/x/total_bytes", "/communication/0"})
            QVERIFY2(!explain(test::scenario(), pointer).has_value(), pointer);
        Scenario bad = test::scenario();
        bad.plan.tensorParallel = 5;
        QVERIFY(!explain(bad, "/time/step_s").has_value());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestExplain)
#include "test_explain.moc"
