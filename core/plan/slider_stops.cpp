#include "core/plan/slider_stops.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/plan/divisors.h"
#include "core/plan/resolve.h"
#include "core/plan/validate.h"

namespace trainyard {
namespace {

std::optional<Dimension> dimensionOf(std::string_view pointer) {
    if (pointer == "/plan/tensor_parallel") return Dimension::tensor;
    if (pointer == "/plan/pipeline_parallel") return Dimension::pipeline;
    if (pointer == "/plan/data_parallel") return Dimension::data;
    if (pointer == "/plan/context_parallel") return Dimension::context;
    return std::nullopt;
}

std::int64_t current(const Scenario& scenario, std::string_view pointer) {
    const Plan& plan = scenario.plan;
    if (pointer == "/plan/tensor_parallel") return plan.tensorParallel;
    if (pointer == "/plan/pipeline_parallel") return plan.pipelineParallel;
    if (pointer == "/plan/data_parallel") return resolve(scenario).dataParallel;
    if (pointer == "/plan/context_parallel") return plan.contextParallel;
    if (pointer == "/plan/expert_parallel") return plan.expertParallel;
    if (pointer == "/plan/virtual_stages") return plan.virtualStages;
    return plan.microBatchSize;
}

Scenario withValue(const Scenario& scenario, std::string_view pointer, std::int64_t value, const DegreeLocks& locks) {
    if (const auto dimension = dimensionOf(pointer)) return withDegree(scenario, *dimension, value, locks);
    Scenario next = scenario;
    if (pointer == "/plan/expert_parallel") next.plan.expertParallel = value;
    if (pointer == "/plan/virtual_stages") {
        next.plan.virtualStages = value;
        if (value != scenario.plan.virtualStages) next.plan.layersPerStage.clear();
    }
    if (pointer == "/plan/micro_batch_size") next.plan.microBatchSize = value;
    return next;
}

/// Powers of two up to `top` and the divisors of `number` up to it.
std::set<std::int64_t> candidates(std::int64_t number, std::int64_t top) {
    std::set<std::int64_t> values;
    for (std::int64_t power = 1; power <= top; power *= 2) values.insert(power);
    for (const std::int64_t divisor : divisors(number))
        if (divisor <= top) values.insert(divisor);
    return values;
}

std::set<std::int64_t> candidatesFor(const Scenario& scenario, std::string_view pointer) {
    const ModelSpec& model = *scenario.model;
    const std::int64_t devices = std::max<std::int64_t>(1, scenario.cluster->devices());
    const ResolvedPlan resolved = resolve(scenario);
    if (pointer == "/plan/tensor_parallel") return candidates(devices, std::min<std::int64_t>(devices, 64));
    if (pointer == "/plan/pipeline_parallel")
        return candidates(devices, std::min<std::int64_t>(devices, std::max<std::int64_t>(model.layers, 1)));
    if (pointer == "/plan/data_parallel") return candidates(devices, devices);
    if (pointer == "/plan/context_parallel") return candidates(devices, std::min<std::int64_t>(devices, 64));
    if (pointer == "/plan/expert_parallel")
        return model.moe ? candidates(model.moe->experts, std::min(model.moe->experts, devices)) : std::set<std::int64_t>{1, 2};
    if (pointer == "/plan/virtual_stages") {
        const std::int64_t perRank =
            std::max<std::int64_t>(1, model.layers / std::max<std::int64_t>(1, scenario.plan.pipelineParallel));
        return candidates(perRank, std::min<std::int64_t>(perRank, 32));
    }
    const std::int64_t perReplica =
        std::max<std::int64_t>(1, scenario.workload.globalBatchSize / std::max<std::int64_t>(1, resolved.dataParallel));
    return candidates(perReplica, std::min<std::int64_t>(perReplica, 64));
}

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

std::vector<SliderStop> sliderStops(const Scenario& scenario, std::string_view pointer, const DegreeLocks& locks) {
    const std::int64_t now = current(scenario, pointer);
    std::set<std::int64_t> values = candidatesFor(scenario, pointer);
    values.insert(now);
    std::vector<SliderStop> stops;
    for (const std::int64_t value : values) {
        SliderStop stop{.value = value, .legal = true, .uneven = false, .reason = {}};
        for (const Diagnostic& diagnostic : validatePlan(withValue(scenario, pointer, value, locks))) {
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
