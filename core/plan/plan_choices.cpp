#include "core/plan/plan_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "core/plan/divisors.h"
#include "core/plan/limits.h"
#include "core/plan/resolve.h"
#include "core/plan/scenario_numbers.h"
#include "core/schedule/registry.h"

namespace trainyard {
namespace {

/// Powers of two up to `top` and the divisors of `number` up to it.
std::set<std::int64_t> upTo(std::int64_t number, std::int64_t top) {
    std::set<std::int64_t> values;
    for (std::int64_t power = 1; power <= top; power *= 2) values.insert(power);
    for (const std::int64_t divisor : divisors(number))
        if (divisor <= top) values.insert(divisor);
    return values;
}

/// The multiples of each unit next to `now`, below and above.
std::set<std::int64_t> multiplesNear(std::int64_t now, std::initializer_list<std::int64_t> units, std::int64_t limit) {
    std::set<std::int64_t> values;
    for (const std::int64_t unit : units) {
        if (unit < 1 || unit > limit) continue;
        const std::int64_t below = now / unit * unit;
        for (const std::int64_t value : {below, below + unit})
            if (value >= 1 && value <= limit) values.insert(value);
    }
    return values;
}

/// A place that holds a name.
struct NamedPlace {
    std::string_view pointer;
    std::vector<std::string> (*names)();
    std::string (*read)(const Scenario&);
    void (*write)(Scenario&, const std::string&);
};

std::vector<std::string> onOff() { return {"false", "true"}; }
std::string onOffText(bool on) { return on ? "true" : "false"; }

std::string placementText(const Plan& plan) {
    if (!plan.deviceOfRank.empty()) return "devices";
    if (plan.placementOrder.empty()) return "tensor, context, data, pipeline";
    std::string order;
    for (const Dimension dimension : plan.placementOrder)
        order += fmt::format("{}{}", order.empty() ? "" : ", ", name(dimension));
    return order;
}

const NamedPlace kNamedPlaces[] = {
    {"/plan/schedule",
     [] {
         std::vector<std::string> ids;
         for (const ScheduleDefinition* schedule : allSchedules()) ids.emplace_back(schedule->id);
         return ids;
     },
     [](const Scenario& s) { return s.plan.schedule; },
     [](Scenario& s, const std::string& value) {
         s.plan.schedule = value;
         s.plan.scheduleParameters.clear();
         const ScheduleDefinition* schedule = findScheduleOrNull(value);
         if (schedule == nullptr) return;
         if (schedule->fixedChunks > 0) s.plan.virtualStages = schedule->fixedChunks;
         if (schedule->needsChunks && s.plan.virtualStages < 2 && s.plan.pipelineParallel > 1) s.plan.virtualStages = 2;
         if (!schedule->needsChunks && schedule->fixedChunks == 0) s.plan.virtualStages = 1;
     }},
    {"/plan/sequence_parallel", &onOff, [](const Scenario& s) { return onOffText(s.plan.sequenceParallel); },
     [](Scenario& s, const std::string& value) { s.plan.sequenceParallel = value == "true"; }},
    {"/plan/recompute",
     [] {
         return std::vector<std::string>{"none", "selective", "full"};
     },
     [](const Scenario& s) { return s.plan.recompute.perStage.empty() ? std::string(name(s.plan.recompute.mode)) : "per stage"; },
     [](Scenario& s, const std::string& value) {
         if (const auto mode = recomputeModeFromName(value)) s.plan.recompute.mode = *mode;
         s.plan.recompute.perStage.clear();
     }},
    {"/plan/context_method",
     [] {
         return std::vector<std::string>{"ring", "ulysses", "all_gather", "usp"};
     },
     [](const Scenario& s) { return std::string(name(s.plan.contextMethod)); },
     [](Scenario& s, const std::string& value) {
         if (const auto method = contextMethodFromName(value)) s.plan.contextMethod = *method;
     }},
    {"/plan/placement",
     [] {
         return std::vector<std::string>{"tensor, context, data, pipeline", "tensor, context, pipeline, data"};
     },
     [](const Scenario& s) { return placementText(s.plan); },
     [](Scenario& s, const std::string& value) {
         s.plan.deviceOfRank.clear();
         s.plan.placementOrder.clear();
         for (std::size_t at = 0; at < value.size();) {
             const std::size_t end = std::min(value.find(", ", at), value.size());
             if (const auto dimension = dimensionFromName(std::string_view(value).substr(at, end - at)))
                 s.plan.placementOrder.push_back(*dimension);
             at = end + 2;
         }
     }},
    {"/plan/overlap/tensor", &onOff, [](const Scenario& s) { return onOffText(s.plan.overlap.tensor.value_or(false)); },
     [](Scenario& s, const std::string& value) { s.plan.overlap.tensor = value == "true"; }},
    {"/plan/overlap/expert", &onOff, [](const Scenario& s) { return onOffText(s.plan.overlap.expert.value_or(false)); },
     [](Scenario& s, const std::string& value) { s.plan.overlap.expert = value == "true"; }},
    {"/workload/precision",
     [] {
         std::vector<std::string> names;
         for (const Precision precision : kAllPrecisions) names.emplace_back(name(precision));
         return names;
     },
     [](const Scenario& s) { return std::string(name(s.workload.precision)); },
     [](Scenario& s, const std::string& value) {
         if (const auto precision = precisionFromName(value)) s.workload.precision = *precision;
     }},
    {"/workload/optimizer",
     [] {
         return std::vector<std::string>{"adamw", "adam", "sgd", "sgd-momentum", "muon"};
     },
     [](const Scenario& s) { return s.workload.optimizer; },
     [](Scenario& s, const std::string& value) { s.workload.optimizer = value; }},
    {"/workload/attention",
     [] {
         return std::vector<std::string>{"unfused", "flash", "flash2", "flash3"};
     },
     [](const Scenario& s) { return std::string(name(s.workload.attention)); },
     [](Scenario& s, const std::string& value) {
         if (const auto kernel = attentionKernelFromName(value)) s.workload.attention = *kernel;
     }},
};

constexpr std::string_view kNumberedPlaces[] = {
    "/plan/tensor_parallel",  "/plan/pipeline_parallel",     "/plan/data_parallel",
    "/plan/context_parallel", "/plan/expert_parallel",       "/plan/expert_tensor_parallel",
    "/plan/virtual_stages",   "/plan/micro_batch_size",      "/plan/zero_stage",
    "/plan/shard_group",      "/workload/global_batch_size", "/workload/sequence_length",
};

const NamedPlace* namedPlaceOrNull(std::string_view pointer) {
    const auto* found = std::ranges::find(kNamedPlaces, pointer, &NamedPlace::pointer);
    return found == std::end(kNamedPlaces) ? nullptr : found;
}

}  // namespace

std::set<std::int64_t> numbersWorthTrying(const Scenario& scenario, std::string_view pointer) {
    const ModelSpec& model = *scenario.model;
    const Plan& plan = scenario.plan;
    const std::int64_t devices = std::max<std::int64_t>(1, scenario.cluster->devices());
    const ResolvedPlan resolved = resolve(scenario);
    if (pointer == "/plan/tensor_parallel") return upTo(devices, std::min<std::int64_t>(devices, 64));
    if (pointer == "/plan/pipeline_parallel")
        return upTo(devices, std::min<std::int64_t>(devices, std::max<std::int64_t>(model.layers, 1)));
    if (pointer == "/plan/data_parallel") return upTo(devices, devices);
    if (pointer == "/plan/context_parallel") return upTo(devices, std::min<std::int64_t>(devices, 64));
    if (pointer == "/plan/expert_parallel")
        return model.moe ? upTo(model.moe->experts, std::min(model.moe->experts, devices)) : std::set<std::int64_t>{1, 2};
    if (pointer == "/plan/expert_tensor_parallel")
        return model.moe ? upTo(devices, std::min<std::int64_t>(devices, 64)) : std::set<std::int64_t>{1};
    if (pointer == "/plan/virtual_stages") {
        const std::int64_t perRank = std::max<std::int64_t>(1, model.layers / std::max<std::int64_t>(1, plan.pipelineParallel));
        return upTo(perRank, std::min<std::int64_t>(perRank, 32));
    }
    const std::int64_t data = std::max<std::int64_t>(1, resolved.dataParallel);
    if (pointer == "/plan/micro_batch_size") {
        const std::int64_t perReplica = std::max<std::int64_t>(1, scenario.workload.globalBatchSize / data);
        return upTo(perReplica, std::min<std::int64_t>(perReplica, 64));
    }
    if (pointer == "/plan/zero_stage") return {0, 1, 2, 3};
    if (pointer == "/plan/shard_group") {
        const std::int64_t replicas = data * std::clamp<std::int64_t>(plan.contextParallel, 1, limits::kDevices);
        return upTo(replicas, std::min(replicas, limits::kDevices));
    }
    const std::int64_t micro = std::clamp<std::int64_t>(plan.microBatchSize, 1, limits::kGlobalBatchSize);
    const std::int64_t pipeline = std::clamp<std::int64_t>(plan.pipelineParallel, 1, limits::kStages);
    if (pointer == "/workload/global_batch_size")
        return multiplesNear(scenario.workload.globalBatchSize, {data, data * micro, data * micro * pipeline},
                             limits::kGlobalBatchSize);
    if (pointer == "/workload/sequence_length") {
        const std::int64_t tensor = std::clamp<std::int64_t>(plan.tensorParallel, 1, limits::kDevices);
        const std::int64_t context = std::clamp<std::int64_t>(plan.contextParallel, 1, limits::kDevices);
        return multiplesNear(scenario.workload.sequenceLength, {context, 2 * context, tensor * context, 2 * tensor * context},
                             limits::kSequenceLength);
    }
    return {};
}

std::vector<ChoiceValue> choicesAt(const Scenario& scenario, std::string_view pointer) {
    std::vector<ChoiceValue> choices;
    if (const NamedPlace* place = namedPlaceOrNull(pointer))
        for (std::string& each : place->names()) choices.emplace_back(std::move(each));
    for (const std::int64_t number : numbersWorthTrying(scenario, pointer)) choices.emplace_back(number);
    return choices;
}

std::optional<ChoiceValue> choiceAt(const Scenario& scenario, std::string_view pointer) {
    if (const NamedPlace* place = namedPlaceOrNull(pointer)) return place->read(scenario);
    if (std::ranges::find(kNumberedPlaces, pointer) == std::end(kNumberedPlaces)) return std::nullopt;
    return numberAt(scenario, pointer);
}

Scenario withChoice(const Scenario& scenario, std::string_view pointer, const ChoiceValue& value, Others others) {
    if (const NamedPlace* place = namedPlaceOrNull(pointer)) {
        Scenario next = scenario;
        if (const auto* word = std::get_if<std::string>(&value)) place->write(next, *word);
        return next;
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) return scenario;
    if (others == Others::follow) return withNumberAt(scenario, pointer, *number, {}, true).value_or(scenario);
    Scenario next = scenario;
    const bool sameStages = *number == numberAt(scenario, pointer);
    if (pointer == "/plan/tensor_parallel")
        next.plan.tensorParallel = *number;
    else if (pointer == "/plan/context_parallel")
        next.plan.contextParallel = *number;
    else if (pointer == "/plan/data_parallel")
        next.plan.dataParallel = *number;
    else if (pointer == "/plan/pipeline_parallel") {
        next.plan.pipelineParallel = *number;
        if (!sameStages) next.plan.layersPerStage.clear();
    } else
        return withNumberAt(scenario, pointer, *number, {}, true).value_or(scenario);
    return next;
}

std::vector<PlanChange> changesBetween(const Scenario& before, const Scenario& after) {
    std::vector<PlanChange> changes;
    const auto compare = [&](std::string_view pointer) {
        const auto was = choiceAt(before, pointer);
        const auto is = choiceAt(after, pointer);
        if (was && is && *was != *is) changes.push_back({std::string(pointer), *was, *is});
    };
    for (const std::string_view pointer : kNumberedPlaces) {
        if (pointer == "/plan/shard_group" && before.plan.shardGroup == after.plan.shardGroup)
            continue;  // follows from the degrees
        if (pointer == "/plan/data_parallel" && !before.plan.dataParallel && !after.plan.dataParallel) continue;
        compare(pointer);
    }
    for (const NamedPlace& place : kNamedPlaces) compare(place.pointer);
    return changes;
}

std::string choiceText(const ChoiceValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

}  // namespace trainyard
