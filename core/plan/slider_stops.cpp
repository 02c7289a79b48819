#include "core/plan/slider_stops.h"

#include <algorithm>
#include <set>

#include "core/plan/framework_rules.h"
#include "core/plan/plan_choices.h"
#include "core/plan/scenario_numbers.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

/// Keeps all that matter: legal ones first, the current one always.
void thin(std::vector<SliderStop>& stops, std::int64_t now) {
    const auto drop = [&](auto wanted) {
        for (auto at = stops.begin(); at != stops.end() && stops.size() > kSliderStops;)
            at = at->value != now && wanted(*at) ? stops.erase(at) : at + 1;
    };
    const auto powerOfTwo = [](std::int64_t v) { return (v & (v - 1)) == 0; };
    drop([&](const SliderStop& stop) { return !stop.legal && !powerOfTwo(stop.value); });
    drop([&](const SliderStop& stop) { return !stop.legal; });
    drop([&](const SliderStop& stop) { return stop.uneven && !powerOfTwo(stop.value); });
    drop([&](const SliderStop& stop) { return !powerOfTwo(stop.value); });
    drop([&](const SliderStop& stop) { return stop.uneven; });
    drop([&](const SliderStop& stop) { return stop.value != 1; });
}

}  // namespace

std::vector<SliderStop> sliderStops(const Scenario& scenario, std::string_view pointer, const DegreeLocks& locks,
                                    const FrameworkRules* rulesOrNull) {
    const std::int64_t now = numberAt(scenario, pointer).value_or(1);
    std::set<std::int64_t> values = numbersWorthTrying(scenario, pointer);
    values.insert(now);
    std::vector<SliderStop> stops;
    for (const std::int64_t value : values) {
        SliderStop stop{.value = value, .legal = true, .uneven = false, .reason = {}};
        const Scenario next = withNumberAt(scenario, pointer, value, locks, true).value_or(scenario);
        std::vector<Diagnostic> found = validatePlan(next);
        if (rulesOrNull != nullptr) found = rulesOrNull->joined(std::move(found), next, FrameworkRules::Detail::sentences);
        for (const Diagnostic& diagnostic : found) {
            if (diagnostic.severity == Severity::error && stop.legal) {
                stop.legal = false;
                stop.reason = diagnostic.message;
            }
            if (diagnostic.code == "layers-uneven" && stop.legal) {
                stop.uneven = true;
                stop.reason = diagnostic.message;
            }
        }
        stops.push_back(std::move(stop));
    }
    thin(stops, now);
    return stops;
}

}  // namespace trainyard
