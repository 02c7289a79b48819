#include "core/engine/evaluate.h"
#include "core/io/teach/lesson.h"
#include "core/io/presets/preset_library.h"
#include "tests/support/scenarios.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestLessons : public QObject {
    Q_OBJECT
  private slots:
    // No goal holds before anything is done; every goal holds after the step's own solution.
    void everyGoalCanBeReachedAndIsNotGiven() {
        const LessonCheck check = checkLessons(PresetLibrary());
        for (const std::string& error : check.errors) QFAIL(error.c_str());
        QVERIFY(check.lessons >= 14);
        QVERIFY(check.goals >= 60);
    }

    void everyTextExistsInBothLanguages() {
        for (const Lesson& lesson : lessons(PresetLibrary()).lessons) {
            QVERIFY2(!lesson.title.german.empty() && !lesson.summary.german.empty(), lesson.id.c_str());
            for (const LessonStep& step : lesson.steps) {
                QVERIFY2(!step.text.german.empty() && !step.hints.empty() && !step.focus.empty(), step.title.english.c_str());
                for (const LocalText& hint : step.hints) QVERIFY(!hint.german.empty());
            }
        }
    }

    void badLessonsAreRefusedWithThePlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        QTest::newRow("not JSON") << "{"
                                  << "x.json";
        QTest::newRow("other format") << R"({"format": "other"})"
                                      << "/format";
        QTest::newRow("newer version") << R"({"format": "trainyard.lesson", "version": 2})"
                                       << "/version";
        QTest::newRow("no steps") << R"({"format": "trainyard.lesson", "version": 1, "id": "a", "title": "t"})"
                                  << "/steps";
        QTest::newRow("bad goal")
            << R"({"format": "trainyard.lesson", "version": 1, "id": "a", "title": "t", "steps": [{"title": "s", "text": "x", "scenario": "default", "goal": "a <"}]})"
            << "/steps/0/goal";
        QTest::newRow("no scenario")
            << R"({"format": "trainyard.lesson", "version": 1, "id": "a", "title": "t", "steps": [{"title": "s", "text": "x", "goal": "a < 1"}]})"
            << "/steps/0/scenario";
    }
    void badLessonsAreRefusedWithThePlace() {
        QFETCH(QString, text);
        QFETCH(QString, place);
        const auto lesson = readLesson(text.toStdString(), "x.json");
        QVERIFY(!lesson.has_value());
        QVERIFY2(QString::fromStdString(lesson.error().where).contains(place), lesson.error().where.c_str());
    }

    void aGoalComparesWithTheStart() {
        const Scenario before = test::scenario();
        Scenario after = before;
        after.workload.globalBatchSize = 512;
        const Evaluation first = evaluate(before, Depth::simulated);
        const Evaluation last = evaluate(after, Depth::simulated);
        QVERIFY(goalHolds("time.bubble_fraction < start.time.bubble_fraction and plan.micro_batches == 128", after, last, before,
                          first)
                    .value());
        QVERIFY(!goalHolds("time.bubble_fraction < start.time.bubble_fraction", before, first, before, first).value());
        QVERIFY(!goalHolds("time.no_such_figure < 1", after, last, before, first).has_value());
    }
};

TRAINYARD_CORE_TEST_MAIN(TestLessons)
#include "test_lessons.moc"
