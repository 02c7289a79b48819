#include "core/engine/evaluate.h"
#include "core/io/presets/preset_library.h"
#include "core/io/teach/challenge.h"
#include "tests/support/test_main.h"

using namespace trainyard;

class TestChallenges : public QObject {
    Q_OBJECT
  private slots:
    // The start is no solution, the solution is one: by the engine.
    void everyChallengeCanBeSolvedAndIsNotSolvedAtTheStart() {
        const PresetLibrary presets;
        const ChallengeList list = challenges(presets);
        for (const Error& error : list.errors) QFAIL((error.where + ": " + error.message).c_str());
        QVERIFY(list.challenges.size() >= 6);
        for (const Challenge& challenge : list.challenges) {
            const auto start = challengeStart(challenge, presets);
            const auto solution = challengeSolution(challenge, presets);
            QVERIFY2(start && solution, challenge.id.c_str());
            QVERIFY(!challenge.title.german.empty() && !challenge.text.german.empty());
            const Evaluation first = evaluate(*start, Depth::simulated);
            const Evaluation last = evaluate(*solution, Depth::simulated);
            QVERIFY2(challengeScore(challenge, *start, first, *start, first).verdict != ChallengeScore::Verdict::solved,
                     challenge.id.c_str());
            const ChallengeScore score = challengeScore(challenge, *start, first, *solution, last);
            QVERIFY2(score.verdict == ChallengeScore::Verdict::solved, challenge.id.c_str());
            QVERIFY(score.stars >= 1 && score.stepS == last.time.stepS);
        }
    }

    void anotherWorkloadIsAnotherTask() {
        const PresetLibrary presets;
        const Challenge challenge = challenges(presets).challenges.front();
        const Scenario start = *challengeStart(challenge, presets);
        const Evaluation first = evaluate(start, Depth::simulated);
        Scenario cheated = *challengeSolution(challenge, presets);
        cheated.workload.globalBatchSize /= 2;
        QCOMPARE(challengeScore(challenge, start, first, cheated, evaluate(cheated, Depth::simulated)).verdict,
                 ChallengeScore::Verdict::otherTask);
    }

    void badFilesAreRefusedWithThePlace() {
        QVERIFY(!readChallenge("{", "x").has_value());
        const auto other = readChallenge(R"({"format": "other"})", "x");
        QVERIFY(!other && other.error().where == "x#/format");
        const auto open = readChallenge(
            R"({"format": "trainyard.challenge", "version": 1, "id": "a", "scenario": "default", "title": "t", "text": "t", "target_of_start": 2})",
            "x");
        QVERIFY(!open && open.error().where == "x#/target_of_start");
    }
};

TRAINYARD_CORE_TEST_MAIN(TestChallenges)
#include "test_challenges.moc"
