#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/evaluation.h"
#include "core/io/teach/local_text.h"
#include "core/plan/scenario.h"

namespace trainyard {

class PresetLibrary;

/// A task with a score: cluster, model and workload stand, the plan is free. The score is the step time of a plan that fits.
struct Challenge {
    std::string id;
    int order = 0;
    LocalText title;
    LocalText text;
    std::string scenario;                                       ///< scenario preset it starts from
    std::vector<std::pair<std::string, std::string>> settings;  ///< pointer -> JSON text, laid over it
    double targetShare = 0;                                     ///< of the start's step time: what solves it
    std::vector<std::pair<std::string, std::string>> solution;  ///< one plan that does; used by the checker
};

[[nodiscard]] Result<Challenge> readChallenge(std::string_view text, const std::string& where);

struct ChallengeList {
    std::vector<Challenge> challenges;  ///< in their order
    std::vector<Error> errors;
};
[[nodiscard]] ChallengeList challenges(const PresetLibrary& presets);
[[nodiscard]] Result<Scenario> challengeStart(const Challenge& challenge, const PresetLibrary& presets);
[[nodiscard]] Result<Scenario> challengeSolution(const Challenge& challenge, const PresetLibrary& presets);

struct ChallengeScore {
    enum class Verdict : std::uint8_t { notComputed, otherTask, outOfMemory, tooSlow, solved };
    Verdict verdict = Verdict::notComputed;
    double stepS = 0;    ///< 0 if there is none that counts
    double targetS = 0;  ///< step time that solves it
    int stars = 0;     ///< 1 solved, 2 at least 3 % below the target, 3 at least 6 % below
};
/// The score of a plan. Another cluster, model or workload than the start's is another task.
[[nodiscard]] ChallengeScore challengeScore(const Challenge& challenge, const Scenario& start, const Evaluation& startEvaluation,
                                            const Scenario& scenario, const Evaluation& evaluation);

}  // namespace trainyard
