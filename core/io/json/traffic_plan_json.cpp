#include "core/io/json/traffic_plan_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/io/json/json_text.h"
#include "core/plan/limits.h"

namespace trainyard {
namespace {

using nlohmann::json;

constexpr std::string_view kCodecNames[] = {"none", "quantize", "top_k", "low_rank", "subspace", "sparse", "unique_rows"};
constexpr std::string_view kScopeNames[] = {"replicas", "sites"};
constexpr std::size_t kMostReplicas = 65'536;

/// The entries of a list of objects; refuses what is none or too long.
template <class Visit>
void eachObject(ObjectReader& reader, std::string_view key, std::size_t most, Visit visit) {
    const json* list = reader.findOrNull(key);
    if (list == nullptr) return;
    if (!list->is_array() || list->size() > most) {
        reader.refuse(key, "wrong-type", fmt::format("expected a list of at most {} objects, found {}", most, describeJson(*list)));
        return;
    }
    for (std::size_t i = 0; i < list->size() && !reader.state().error; ++i) {
        ObjectReader item((*list)[i], fmt::format("{}/{}", reader.pointerTo(key), i), reader.state());
        if (!item.valid()) return;
        visit(item);
        item.finish();
    }
}

void readBoundary(ObjectReader& reader, std::string_view key, BoundaryCompression& out) {
    const json* value = reader.findOrNull(key);
    if (value == nullptr) return;
    ObjectReader item(*value, reader.pointerTo(key), reader.state());
    if (const auto codec = item.choice<Codec>("method", kCodecNames, codecFromName)) out.codec = *codec;
    item.take("bits", out.bits, 1, 16);
    item.take("keep", out.keep, 1e-9, 1);
    item.take("rank", out.rank, 1, limits::kHiddenSize);
    item.finish();
}

json boundaryJson(const BoundaryCompression& boundary) {
    json out = {{"method", name(boundary.codec)}};
    if (boundary.codec == Codec::quantize) out["bits"] = boundary.bits;
    if (boundary.codec == Codec::top_k || boundary.codec == Codec::sparse) out["keep"] = boundary.keep;
    if (boundary.codec == Codec::low_rank || boundary.codec == Codec::subspace) out["rank"] = boundary.rank;
    return out;
}

}  // namespace

void readReplicas(ObjectReader& reader, Plan& plan) {
    eachObject(reader, "replicas", kMostReplicas, [&](ObjectReader& item) {
        ReplicaPlan replica;
        item.take("micro_batch_size", replica.microBatchSize, 1, limits::kGlobalBatchSize);
        item.take("micro_batches", replica.microBatches, 1, limits::kMicroBatches);
        item.take("shard", replica.shard, 0, 1);
        eachObject(item, "stages", static_cast<std::size_t>(limits::kStages), [&](ObjectReader& stage) {
            ReplicaStage one;
            one.devices = stage.integers("devices", 0, limits::kDevices - 1, static_cast<std::size_t>(limits::kDevicesPerNode));
            stage.take("layers", one.layers, 0, limits::kLayers);
            replica.stages.push_back(std::move(one));
        });
        plan.replicas.push_back(std::move(replica));
    });
}

void writeReplicas(const Plan& plan, json& out) {
    for (const ReplicaPlan& replica : plan.replicas) {
        json one = {{"micro_batch_size", replica.microBatchSize}, {"micro_batches", replica.microBatches}};
        if (replica.shard > 0) one["shard"] = replica.shard;
        one["stages"] = json::array();
        for (const ReplicaStage& stage : replica.stages) one["stages"].push_back({{"devices", stage.devices}, {"layers", stage.layers}});
        out["replicas"].push_back(std::move(one));
    }
}

void readTrafficPlan(ObjectReader& reader, Plan& plan) {
    if (const json* value = reader.findOrNull("compression")) {
        ObjectReader item(*value, reader.pointerTo("compression"), reader.state());
        readBoundary(item, "pipeline", plan.compression.pipeline);
        readBoundary(item, "tensor", plan.compression.tensor);
        readBoundary(item, "data", plan.compression.data);
        item.finish();
    }
    if (const json* value = reader.findOrNull("local_update")) {
        ObjectReader item(*value, reader.pointerTo("local_update"), reader.state());
        item.take("every", plan.localUpdate.every, 0, 1'000'000);
        if (const auto scope = item.choice<LocalUpdateScope>("between", kScopeNames, localUpdateScopeFromName))
            plan.localUpdate.between = *scope;
        item.finish();
    }
}

void writeTrafficPlan(const Plan& plan, json& out) {
    for (const Boundary boundary : {Boundary::pipeline, Boundary::tensor, Boundary::data})
        if (plan.compression.at(boundary).codec != Codec::none)
            out["compression"][std::string(name(boundary))] = boundaryJson(plan.compression.at(boundary));
    if (plan.localUpdate != LocalUpdatePlan{})
        out["local_update"] = {{"every", plan.localUpdate.every}, {"between", name(plan.localUpdate.between)}};
}

}  // namespace trainyard
