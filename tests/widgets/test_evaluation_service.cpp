#include <QSignalSpy>
#include <mutex>
#include <semaphore>
#include <vector>

#include "tests/support/scenario_samples.h"
#include "tests/support/test_main.h"
#include "widgets/document/evaluation_service.h"

using namespace trainyard;

namespace {

Snapshot numbered(std::int64_t number) {
    auto scenario = test::sampleScenario();
    scenario->plan.tensorParallel = number;
    return scenario;
}

}  // namespace

class TestEvaluationService : public QObject {
    Q_OBJECT
  private slots:
    void runningJobFinishesAndOnlyTheNewestWaits() {
        std::counting_semaphore<16> started(0);
        std::counting_semaphore<16> go(0);
        std::mutex mutex;
        std::vector<std::int64_t> ran;
        EvaluationService service([&](const Scenario& scenario, Depth, std::stop_token) {
            started.release();
            go.acquire();
            const std::lock_guard lock(mutex);
            ran.push_back(scenario.plan.tensorParallel);
            return Evaluation{};
        });
        QList<quint64> shown;
        connect(&service, &EvaluationService::evaluated, this, [&](quint64 revision) { shown << revision; });
        service.request(1, numbered(1));
        started.acquire();
        for (const quint64 revision : {quint64{2}, quint64{3}, quint64{4}}) service.request(revision, numbered(static_cast<std::int64_t>(revision)));
        go.release(16);
        QTRY_COMPARE(shown, (QList<quint64>{1, 4}));
        const std::lock_guard lock(mutex);
        QCOMPARE(ran, (std::vector<std::int64_t>{1, 4}));
    }
    void abandonedJobIsNotDelivered() {
        std::counting_semaphore<16> started(0);
        std::counting_semaphore<16> go(0);
        EvaluationService service([&](const Scenario&, Depth, std::stop_token) {
            started.release();
            go.acquire();
            return Evaluation{};
        });
        QList<quint64> shown;
        connect(&service, &EvaluationService::evaluated, this, [&](quint64 revision) { shown << revision; });
        service.request(1, numbered(1));
        started.acquire();
        service.abandon();
        service.request(2, numbered(2));
        go.release(16);
        QTRY_COMPARE(shown, (QList<quint64>{2}));
    }
    void inLineAnswersBeforeItReturns() {
        EvaluationService service([](const Scenario&, Depth, std::stop_token) { return Evaluation{}; },
                                  EvaluationService::Executor::inLine);
        QSignalSpy evaluated(&service, &EvaluationService::evaluated);
        service.request(7, numbered(1));
        QCOMPARE(evaluated.count(), 1);
        QCOMPARE(evaluated[0][0].toULongLong(), 7ULL);
    }
    void endsWhileAJobRuns() {
        std::counting_semaphore<16> started(0);
        {
            EvaluationService service([&](const Scenario&, Depth, std::stop_token stop) {
                started.release();
                while (!stop.stop_requested()) std::this_thread::yield();
                return Evaluation{};
            });
            service.request(1, numbered(1));
            started.acquire();
        }
        QVERIFY(true);  // the destructor came back
    }
};

TRAINYARD_GUI_TEST_MAIN(TestEvaluationService)
#include "test_evaluation_service.moc"
