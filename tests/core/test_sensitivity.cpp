#include <cmath>

#include "core/engine/evaluate.h"
#include "core/explain/explain.h"
#include "core/explain/sensitivity.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

namespace {

const Sensitivity* find(const std::vector<Sensitivity>& rows, const std::string& id) {
    for (const Sensitivity& row : rows)
        if (row.id == id) return &row;
    return nullptr;
}

}  // namespace

class TestSensitivity : public QObject {
    Q_OBJECT
  private slots:
    void theStepFollowsThePeakAndTheLargestComesFirst() {
        const auto rows = sensitivities(test::scenario(), "/time/step_s");
        QVERIFY(rows.has_value());
        QVERIFY(rows->size() > 8);
        for (std::size_t i = 1; i < rows->size(); ++i) QVERIFY((*rows)[i - 1].largest() >= (*rows)[i].largest());
        const Sensitivity* peak = find(*rows, "hardware.peak_flops_per_s");
        QVERIFY(peak != nullptr && peak->more && peak->less);
        QVERIFY(peak->more->relative < -0.03 && peak->more->relative > -0.1);
        QVERIFY(peak->less->relative > 0.03 && peak->less->relative < 0.12);
        QVERIFY(find(*rows, "/plan/tensor_parallel") != nullptr);
    }

    void aCaseIsTheEvaluationOfItsOwnScenario() {
        const auto rows = sensitivities(test::scenario(), "/memory/peak_bytes");
        QVERIFY(rows.has_value() && !rows->empty());
        for (const Sensitivity& row : *rows)
            for (const auto* one : {&row.less, &row.more})
                if (*one) QCOMPARE(evaluate((*one)->scenario, Depth::simulated).memory.peakBytes, (*one)->value);
        // Faster arithmetic moves no byte.
        QVERIFY(find(*rows, "hardware.peak_flops_per_s") == nullptr);
    }

    void whatCannotBeExplainedIsRefused() {
        QVERIFY(!sensitivities(test::scenario(), "/time/nothing").has_value());
        Scenario bad = test::scenario();
        bad.plan.tensorParallel = 5;
        QVERIFY(!sensitivities(bad, "/time/step_s").has_value());
    }

    void aChangedInputShowsWhatMoved() {
        const Scenario before = test::scenario();
        Scenario after = before;
        after.workload.globalBatchSize *= 2;
        const auto first = explain(before, "/throughput/mfu");
        const auto last = explain(after, "/throughput/mfu");
        QVERIFY(first && last);
        const auto changes = explanationChanges(*first, *last);
        QVERIFY(!changes.empty());
        QCOMPARE(changes.front().before, first->value);
        QCOMPARE(changes.front().after, last->value);
        bool stepMoved = false;
        for (const ExplanationChange& change : changes) {
            QVERIFY(change.before != change.after);
            stepMoved = stepMoved || change.path.find("t_step") != std::string::npos;
        }
        QVERIFY(stepMoved);
        QVERIFY(changesText(changes).find("->") != std::string::npos);
        QVERIFY(explanationChanges(*first, *first).empty());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestSensitivity)
#include "test_sensitivity.moc"
