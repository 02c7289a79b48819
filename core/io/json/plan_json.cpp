#include "core/io/json/plan_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/io/json/traffic_plan_json.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// Whole numbers in this range are read; validate() narrows them and says what would be legal. No product of two overflows.
constexpr std::int64_t kLowest = -1'000'000'000;
constexpr std::int64_t kHighest = 2'000'000'000;

constexpr std::string_view kRecomputeNames[] = {"none", "selective", "full"};
constexpr std::string_view kContextNames[] = {"ring", "ulysses", "all_gather", "usp"};
constexpr std::string_view kAttentionNames[] = {"unfused", "flash", "flash2", "flash3"};
constexpr std::string_view kStackNames[] = {"fused", "classic", "eager", "gathered", "sharded"};
constexpr std::string_view kPrecisionNames[] = {"fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4"};
constexpr std::string_view kDimensionNames[] = {"tensor", "context", "data", "pipeline"};

std::vector<std::string_view> moduleNames() {
    std::vector<std::string_view> names;
    for (const auto module : kAllRecomputeModules) names.push_back(name(module));
    return names;
}

StageRecompute readStageRecompute(const json& value, const std::string& pointer, ReadState& state) {
    StageRecompute stage;
    if (value.is_string()) {
        if (const auto mode = recomputeModeFromName(value.get<std::string>()))
            stage.mode = *mode;
        else
            state.refuse(pointer, "unknown-name",
                         fmt::format("{} is not known. Expected one of: none, selective, full", describeJson(value)));
        return stage;
    }
    ObjectReader reader(value, pointer, state);
    if (const auto mode = reader.choice<RecomputeMode>("mode", kRecomputeNames, recomputeModeFromName)) stage.mode = *mode;
    if (const auto layers = reader.integer("layers", 0, limits::kLayers)) stage.layers = layers;
    reader.finish();
    return stage;
}

void readRecompute(ObjectReader& reader, RecomputePlan& recompute) {
    if (const json* value = reader.findOrNull("recompute")) {
        if (value->is_array()) {
            if (value->size() > static_cast<std::size_t>(limits::kStages)) {
                reader.refuse("recompute", "out-of-range",
                              fmt::format("expected one entry per stage, found {}", describeJson(*value)));
                return;
            }
            for (std::size_t i = 0; i < value->size() && !reader.state().error; ++i)
                recompute.perStage.push_back(
                    readStageRecompute((*value)[i], fmt::format("{}/{}", reader.pointerTo("recompute"), i), reader.state()));
        } else if (value->is_object()) {
            const StageRecompute all = readStageRecompute(*value, reader.pointerTo("recompute"), reader.state());
            recompute.mode = all.mode;
            recompute.layers = all.layers;
        } else if (const auto mode = reader.choice<RecomputeMode>("recompute", kRecomputeNames, recomputeModeFromName)) {
            recompute.mode = *mode;
        }
    }
    if (const json* value = reader.findOrNull("recompute_modules")) {
        if (!value->is_array()) {
            reader.refuse("recompute_modules", "wrong-type",
                          fmt::format("expected a list of names, found {}", describeJson(*value)));
            return;
        }
        recompute.modules = 0;
        for (std::size_t i = 0; i < value->size(); ++i) {
            const json& item = (*value)[i];
            const auto module = item.is_string() ? recomputeModuleFromName(item.get<std::string>()) : std::nullopt;
            if (!module) {
                reader.refuseChoice(fmt::format("recompute_modules/{}", i),
                                    item.is_string() ? item.get<std::string>() : describeJson(item), moduleNames());
                return;
            }
            recompute.modules = static_cast<std::uint16_t>(recompute.modules | static_cast<std::uint16_t>(*module));
        }
    }
    if (const auto layers = reader.integer("recompute_layers", kLowest, kHighest)) recompute.layers = layers;
}

void readPlacement(ObjectReader& reader, Plan& plan) {
    const json* value = reader.findOrNull("placement");
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > static_cast<std::size_t>(limits::kDevices)) {
        reader.refuse("placement", "wrong-type",
                      fmt::format("expected a list of dimensions, fastest first, or of one device per rank; found {}",
                                  describeJson(*value)));
        return;
    }
    if (!value->empty() && !(*value)[0].is_string()) {
        plan.deviceOfRank = reader.integers("placement", 0, limits::kDevices - 1, static_cast<std::size_t>(limits::kDevices));
        return;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const json& item = (*value)[i];
        const auto dimension = item.is_string() ? dimensionFromName(item.get<std::string>()) : std::nullopt;
        if (!dimension || *dimension == Dimension::expert) {
            reader.refuseChoice(fmt::format("placement/{}", i), item.is_string() ? item.get<std::string>() : describeJson(item),
                                kDimensionNames);
            return;
        }
        plan.placementOrder.push_back(*dimension);
    }
}

void readDataParallel(ObjectReader& reader, Plan& plan) {
    const json* value = reader.findOrNull("data_parallel");
    if (value == nullptr || (value->is_string() && value->get<std::string>() == "auto")) return;
    if (value->is_string())
        reader.refuse("data_parallel", "wrong-type",
                      fmt::format("expected a whole number or \"auto\", found {}", describeJson(*value)));
    else
        plan.dataParallel = reader.integer("data_parallel", kLowest, kHighest);
}

void readInPlace(ObjectReader& reader, Workload& workload) {
    const json* value = reader.findOrNull("in_place");
    if (value == nullptr) return;
    if (!value->is_array()) {
        reader.refuse("in_place", "wrong-type", fmt::format("expected a list of names, found {}", describeJson(*value)));
        return;
    }
    workload.inPlace = 0;
    for (std::size_t i = 0; i < value->size(); ++i) {
        const json& item = (*value)[i];
        const auto which = item.is_string() ? inPlaceOperatorFromName(item.get<std::string>()) : std::nullopt;
        if (!which) {
            std::vector<std::string_view> names;
            for (const auto each : kAllInPlaceOperators) names.push_back(name(each));
            reader.refuseChoice(fmt::format("in_place/{}", i), item.is_string() ? item.get<std::string>() : describeJson(item), names);
            return;
        }
        workload.inPlace = static_cast<std::uint8_t>(workload.inPlace | static_cast<std::uint8_t>(*which));
    }
}

}  // namespace

Plan readPlan(const json& value, const std::string& pointer, ReadState& state) {
    Plan plan;
    ObjectReader reader(value, pointer, state);
    reader.take("tensor_parallel", plan.tensorParallel, kLowest, kHighest);
    reader.take("pipeline_parallel", plan.pipelineParallel, kLowest, kHighest);
    reader.take("context_parallel", plan.contextParallel, kLowest, kHighest);
    reader.take("expert_parallel", plan.expertParallel, kLowest, kHighest);
    reader.take("expert_tensor_parallel", plan.expertTensorParallel, kLowest, kHighest);
    readDataParallel(reader, plan);
    reader.take("virtual_stages", plan.virtualStages, kLowest, kHighest);
    reader.take("micro_batch_size", plan.microBatchSize, kLowest, kHighest);
    reader.take("sequence_parallel", plan.sequenceParallel);
    reader.take("zero_stage", plan.zeroStage, kLowest, kHighest);
    if (const auto group = reader.integer("shard_group", kLowest, kHighest)) plan.shardGroup = group;
    reader.take("schedule", plan.schedule);
    if (const json* parameters = reader.findOrNull("schedule_parameters")) {
        ObjectReader item(*parameters, reader.pointerTo("schedule_parameters"), state);
        if (item.valid())
            for (const auto& [key, ignored] : parameters->items())
                if (const auto number = item.integer(key, kLowest, kHighest)) plan.scheduleParameters.emplace_back(key, *number);
    }
    readRecompute(reader, plan.recompute);
    if (const auto method = reader.choice<ContextMethod>("context_method", kContextNames, contextMethodFromName))
        plan.contextMethod = *method;
    plan.layersPerStage = reader.integers("layers_per_stage", 0, limits::kLayers, static_cast<std::size_t>(limits::kStages));
    readPlacement(reader, plan);
    if (const json* overlap = reader.findOrNull("overlap")) {
        ObjectReader item(*overlap, reader.pointerTo("overlap"), state);
        if (const auto flag = item.boolean("tensor")) plan.overlap.tensor = flag;
        if (const auto flag = item.boolean("expert")) plan.overlap.expert = flag;
        if (const auto flag = item.boolean("data")) plan.overlap.data = flag;
        item.finish();
    }
    reader.take("activation_offload_fraction", plan.activationOffloadFraction, 0, 1);
    reader.take("optimizer_offload_fraction", plan.optimizerOffloadFraction, 0, 1);
    readReplicas(reader, plan);
    readTrafficPlan(reader, plan);
    reader.finish();
    return plan;
}

json planJson(const Plan& plan) {
    json out = json::object();
    out["tensor_parallel"] = plan.tensorParallel;
    out["pipeline_parallel"] = plan.pipelineParallel;
    out["context_parallel"] = plan.contextParallel;
    out["expert_parallel"] = plan.expertParallel;
    if (plan.expertTensorParallel != 1) out["expert_tensor_parallel"] = plan.expertTensorParallel;
    out["data_parallel"] = plan.dataParallel ? json(*plan.dataParallel) : json("auto");
    out["virtual_stages"] = plan.virtualStages;
    out["micro_batch_size"] = plan.microBatchSize;
    out["sequence_parallel"] = plan.sequenceParallel;
    out["zero_stage"] = plan.zeroStage;
    if (plan.shardGroup) out["shard_group"] = *plan.shardGroup;
    out["schedule"] = plan.schedule;
    for (const auto& [key, value] : plan.scheduleParameters) out["schedule_parameters"][key] = value;
    if (plan.recompute.perStage.empty()) {
        out["recompute"] = name(plan.recompute.mode);
    } else {
        json stages = json::array();
        for (const auto& stage : plan.recompute.perStage) {
            if (stage.layers)
                stages.push_back({{"mode", name(stage.mode)}, {"layers", *stage.layers}});
            else
                stages.push_back(name(stage.mode));
        }
        out["recompute"] = std::move(stages);
    }
    if (plan.recompute.modules != RecomputePlan{}.modules) {
        json modules = json::array();
        for (const auto module : kAllRecomputeModules)
            if (plan.recompute.recomputes(module)) modules.push_back(name(module));
        out["recompute_modules"] = std::move(modules);
    }
    if (plan.recompute.layers) out["recompute_layers"] = *plan.recompute.layers;
    out["context_method"] = name(plan.contextMethod);
    if (!plan.layersPerStage.empty()) out["layers_per_stage"] = plan.layersPerStage;
    if (!plan.deviceOfRank.empty()) {
        out["placement"] = plan.deviceOfRank;
    } else if (!plan.placementOrder.empty()) {
        json order = json::array();
        for (const auto dimension : plan.placementOrder) order.push_back(name(dimension));
        out["placement"] = std::move(order);
    }
    if (plan.overlap.tensor) out["overlap"]["tensor"] = *plan.overlap.tensor;
    if (plan.overlap.expert) out["overlap"]["expert"] = *plan.overlap.expert;
    if (plan.overlap.data) out["overlap"]["data"] = *plan.overlap.data;
    if (plan.activationOffloadFraction != 0) out["activation_offload_fraction"] = plan.activationOffloadFraction;
    if (plan.optimizerOffloadFraction != 0) out["optimizer_offload_fraction"] = plan.optimizerOffloadFraction;
    writeReplicas(plan, out);
    writeTrafficPlan(plan, out);
    return out;
}

Workload readWorkload(const json& value, const std::string& pointer, ReadState& state) {
    Workload workload;
    ObjectReader reader(value, pointer, state);
    reader.take("sequence_length", workload.sequenceLength, kLowest, kHighest);
    reader.take("global_batch_size", workload.globalBatchSize, kLowest, kHighest);
    if (const auto precision = reader.choice<Precision>("precision", kPrecisionNames, precisionFromName))
        workload.precision = *precision;
    if (const auto precision = reader.choice<Precision>("gradient_precision", kPrecisionNames, precisionFromName))
        workload.gradientPrecision = precision;
    reader.take("optimizer", workload.optimizer);
    if (const auto kernel = reader.choice<AttentionKernel>("attention", kAttentionNames, attentionKernelFromName))
        workload.attention = *kernel;
    reader.take("fused_norm", workload.fusedNorm);
    reader.take("loss_chunks", workload.lossChunks, 1, limits::kSequenceLength);
    readInPlace(reader, workload);
    if (const auto stack = reader.choice<SoftwareStack>("stack", kStackNames, softwareStackFromName)) workload.stack = stack;
    reader.take("causal_flops_halved", workload.causalFlopsHalved);
    if (const auto tokens = reader.number("tokens_total", 1, 1e18)) workload.tokensTotal = tokens;
    reader.finish();
    return workload;
}

json workloadJson(const Workload& workload) {
    json out = json::object();
    out["sequence_length"] = workload.sequenceLength;
    out["global_batch_size"] = workload.globalBatchSize;
    out["precision"] = name(workload.precision);
    if (workload.gradientPrecision) out["gradient_precision"] = name(*workload.gradientPrecision);
    out["optimizer"] = workload.optimizer;
    out["attention"] = name(workload.attention);
    if (!workload.fusedNorm) out["fused_norm"] = false;
    if (workload.lossChunks != 1) out["loss_chunks"] = workload.lossChunks;
    for (const auto which : kAllInPlaceOperators)
        if (workload.runsInPlace(which)) out["in_place"].push_back(name(which));
    if (workload.stack) out["stack"] = name(*workload.stack);
    if (workload.causalFlopsHalved) out["causal_flops_halved"] = true;
    if (workload.tokensTotal) out["tokens_total"] = *workload.tokensTotal;
    return out;
}

}  // namespace trainyard
