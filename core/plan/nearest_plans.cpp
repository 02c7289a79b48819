#include "core/plan/nearest_plans.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

#include "core/plan/validate.h"

namespace trainyard {
namespace {

/// How far a change is from what was asked, in octaves of a degree. The workload is what people want to keep.
double distance(const PlanChange& change) {
    const bool workload = change.pointer.starts_with("/workload");
    const double weight = workload ? 3 : 1;
    const auto* before = std::get_if<std::int64_t>(&change.before);
    const auto* after = std::get_if<std::int64_t>(&change.after);
    if (before == nullptr || after == nullptr) return weight;
    if (change.pointer == "/plan/zero_stage") return std::abs(static_cast<double>(*after - *before));
    if (change.pointer == "/plan/data_parallel") return 0.1;  // follows from the others
    const double octaves = std::abs(std::log2(static_cast<double>(std::max<std::int64_t>(*after, 1)) /
                                              static_cast<double>(std::max<std::int64_t>(*before, 1))));
    return weight * (0.5 + octaves);
}

double distance(const std::vector<PlanChange>& changes) {
    double sum = 0;
    for (const PlanChange& change : changes) sum += distance(change);
    return sum;
}

std::vector<Diagnostic> errorsOf(const Scenario& scenario, const FrameworkRules* rulesOrNull) {
    std::vector<Diagnostic> found = validatePlan(scenario);
    if (rulesOrNull != nullptr) found = rulesOrNull->joined(std::move(found), scenario, FrameworkRules::Detail::sentences);
    std::erase_if(found, [](const Diagnostic& diagnostic) { return diagnostic.severity != Severity::error; });
    return found;
}

/// Where an error may be mended.
std::vector<std::string> placesToMend(const Diagnostic& error, const FrameworkRules* rulesOrNull) {
    if (rulesOrNull != nullptr)
        if (const FrameworkRule* rule = rulesOrNull->ruleOrNull(error.code)) return rule->pointers;
    std::vector<std::string> places{error.pointer};
    if (error.code == "degrees-divide-devices" || error.code == "degrees-product")
        for (const char* degree :
             {"/plan/tensor_parallel", "/plan/pipeline_parallel", "/plan/context_parallel", "/plan/data_parallel"})
            if (error.pointer != degree) places.emplace_back(degree);
    if (error.code == "schedule-constraint")
        for (const char* other :
             {"/plan/virtual_stages", "/plan/pipeline_parallel", "/plan/micro_batch_size", "/workload/global_batch_size"})
            places.emplace_back(other);
    if (error.code == "batch-divides-data") places.emplace_back("/plan/data_parallel");
    return places;
}

struct Candidate {
    double promise = 0;  ///< distance so far and a guess of what its errors still need; small is good
    int depth = 0;
    Scenario scenario;
    std::vector<PlanChange> changes;
    std::vector<Diagnostic> errors;
};
struct Nearer {
    bool operator()(const Candidate& a, const Candidate& b) const { return a.promise > b.promise; }
};

std::string keyOf(const std::vector<PlanChange>& changes) {
    std::string key;
    for (const PlanChange& change : changes) key += change.pointer + "=" + choiceText(change.after) + ";";
    return key;
}

/// True if `changes` holds all of `fewer` and more: not worth showing beside it.
bool holdsAll(const std::vector<PlanChange>& changes, const std::vector<PlanChange>& fewer) {
    return std::ranges::all_of(fewer, [&](const PlanChange& wanted) {
        return std::ranges::any_of(
            changes, [&](const PlanChange& change) { return change.pointer == wanted.pointer && change.after == wanted.after; });
    });
}

}  // namespace

std::vector<NearbyPlan> nearestPlans(const Scenario& scenario, const FrameworkRules* rulesOrNull, std::size_t count) {
    constexpr int kExpansions = 200;
    constexpr double kPerError = 1.5;
    std::vector<NearbyPlan> found;
    std::priority_queue<Candidate, std::vector<Candidate>, Nearer> open;
    std::set<std::string> seen{""};
    open.push({0, 0, scenario, {}, errorsOf(scenario, rulesOrNull)});
    if (open.top().errors.empty()) return {};
    for (int expanded = 0; expanded < kExpansions && !open.empty() && found.size() < count; ++expanded) {
        const Candidate now = open.top();
        open.pop();
        if (now.errors.empty()) {
            if (std::ranges::none_of(found, [&](const NearbyPlan& other) { return holdsAll(now.changes, other.changes); }))
                found.push_back({now.scenario, now.changes});
            continue;
        }
        if (now.depth == kNearbyChanges) continue;
        for (const std::string& place : placesToMend(now.errors.front(), rulesOrNull))
            for (const ChoiceValue& value : choicesAt(now.scenario, place))
                for (const Others others : {Others::stay, Others::follow}) {
                    Scenario next = withChoice(now.scenario, place, value, others);
                    std::vector<PlanChange> changes = changesBetween(scenario, next);
                    if (changes.empty() || !seen.insert(keyOf(changes)).second) continue;
                    std::vector<Diagnostic> errors = errorsOf(next, rulesOrNull);
                    const double promise = distance(changes) + kPerError * static_cast<double>(errors.size());
                    open.push({promise, now.depth + 1, std::move(next), std::move(changes), std::move(errors)});
                }
    }
    std::ranges::stable_sort(found, {}, [](const NearbyPlan& plan) { return distance(plan.changes); });
    return found;
}

}  // namespace trainyard
