#include "core/io/teach/challenge.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/scenario_json.h"
#include "core/io/presets/preset_library.h"

namespace trainyard {
namespace {

using nlohmann::json;
using Settings = std::vector<std::pair<std::string, std::string>>;

tl::unexpected<Error> wrong(const std::string& where, std::string_view pointer, std::string message) {
    return failure(Error::Kind::invalid, "challenge", fmt::format("{}#{}", where, pointer), std::move(message));
}

std::string word(const json& object, const char* key) {
    return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

Settings settings(const json& object, const char* key) {
    Settings found;
    if (object.contains(key) && object.at(key).is_object())
        for (const auto& [pointer, value] : object.at(key).items()) found.emplace_back(pointer, compactJson(value));
    return found;
}

Result<Scenario> laid(const Challenge& challenge, const Settings& more, const PresetLibrary& presets) {
    const auto text = presets.text(PresetKind::scenarios, challenge.scenario);
    if (!text) return wrong(challenge.id, "/scenario", fmt::format("there is no scenario preset '{}'", challenge.scenario));
    auto document = parseJson(*text, challenge.scenario, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    for (const Settings* each : {&challenge.settings, &more})
        for (const auto& [pointer, value] : *each)
            if (const auto set = setValue(*document, pointer, value); !set) return tl::unexpected<Error>(set.error());
    return readScenarioJson(*document, {.where = challenge.scenario, .folder = {}}, presets);
}

}  // namespace

Result<Challenge> readChallenge(std::string_view text, const std::string& where) {
    const auto document = parseJson(text, where, JsonDialect::strict);
    if (!document) return tl::unexpected<Error>(document.error());
    if (!document->is_object() || word(*document, "format") != "trainyard.challenge")
        return wrong(where, "/format", "expected \"trainyard.challenge\"");
    if (!document->contains("version") || document->at("version") != 1)
        return wrong(where, "/version", "this program reads challenges of version 1");
    Challenge challenge;
    challenge.id = word(*document, "id");
    challenge.scenario = word(*document, "scenario");
    if (challenge.id.empty()) return wrong(where, "/id", "a challenge needs an id");
    if (challenge.scenario.empty()) return wrong(where, "/scenario", "a challenge needs a scenario preset");
    if (document->contains("order") && document->at("order").is_number_integer())
        challenge.order = document->at("order").get<int>();
    auto title = readLocalText(*document, "title", Presence::required, where, "");
    if (!title) return tl::unexpected<Error>(title.error());
    auto task = readLocalText(*document, "text", Presence::required, where, "");
    if (!task) return tl::unexpected<Error>(task.error());
    challenge.title = std::move(*title);
    challenge.text = std::move(*task);
    const auto share = document->find("target_of_start");
    if (share == document->end() || !share->is_number() || !(share->get<double>() > 0 && share->get<double>() < 1))
        return wrong(where, "/target_of_start", "expected the step time to reach, as a share of the start's, between 0 and 1");
    challenge.targetShare = share->get<double>();
    challenge.settings = settings(*document, "set");
    challenge.solution = settings(*document, "solution");
    if (challenge.solution.empty()) return wrong(where, "/solution", "a challenge needs a solution, so that it can be checked");
    return challenge;
}

ChallengeList challenges(const PresetLibrary& presets) {
    ChallengeList list;
    for (const std::string& id : presets.ids(PresetKind::challenges)) {
        const auto text = presets.text(PresetKind::challenges, id);
        if (!text) continue;
        auto challenge = readChallenge(*text, fmt::format("challenges/{}.json", id));
        if (challenge)
            list.challenges.push_back(std::move(*challenge));
        else
            list.errors.push_back(challenge.error());
    }
    std::stable_sort(list.challenges.begin(), list.challenges.end(),
                     [](const Challenge& a, const Challenge& b) { return a.order < b.order; });
    return list;
}

Result<Scenario> challengeStart(const Challenge& challenge, const PresetLibrary& presets) { return laid(challenge, {}, presets); }
Result<Scenario> challengeSolution(const Challenge& challenge, const PresetLibrary& presets) {
    return laid(challenge, challenge.solution, presets);
}

ChallengeScore challengeScore(const Challenge& challenge, const Scenario& start, const Evaluation& startEvaluation,
                              const Scenario& scenario, const Evaluation& evaluation) {
    ChallengeScore score;
    score.targetS = challenge.targetShare * startEvaluation.time.stepS;
    using Verdict = ChallengeScore::Verdict;
    const auto same = [](const auto& a, const auto& b) { return a == b || (a && b && *a == *b); };
    if (!same(start.cluster, scenario.cluster) || !same(start.model, scenario.model) || !(start.workload == scenario.workload) ||
        start.calibration != scenario.calibration) {
        score.verdict = Verdict::otherTask;
        return score;
    }
    if (!evaluation.computed) return score;
    if (evaluation.memory.verdict == MemoryVerdict::out_of_memory) {
        score.verdict = Verdict::outOfMemory;
        return score;
    }
    score.stepS = evaluation.time.stepS;
    score.verdict = score.stepS <= score.targetS ? Verdict::solved : Verdict::tooSlow;
    if (score.verdict == Verdict::solved)
        score.stars = score.stepS <= 0.94 * score.targetS ? 3 : score.stepS <= 0.97 * score.targetS ? 2 : 1;
    return score;
}

}  // namespace trainyard
