#include "core/plan/validate_replicas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace trainyard {
namespace {

constexpr std::string_view kSchedules[] = {"1f1b", "gpipe", "eager-1f1b", "zb-h1", "zb-h2"};
constexpr std::string_view kLayered = "layered-accumulation";

/// Node instance of every device, in file order.
std::vector<std::int32_t> nodeOfDevices(const ClusterSpec& cluster) {
    std::vector<std::int32_t> nodes;
    std::int32_t index = 0;
    for (const NodeSpec& block : cluster.nodes)
        for (std::int64_t i = 0; i < block.count; ++i, ++index) nodes.insert(nodes.end(), static_cast<std::size_t>(block.devicesPerNode()), index);
    return nodes;
}

class Complaints {
  public:
    std::vector<Diagnostic> found;
    void error(std::string code, std::string pointer, std::string message, std::vector<std::int64_t> legal = {}) {
        found.push_back({Severity::error, std::move(code), std::move(message), std::move(pointer), std::move(legal), {}});
    }
    void note(std::string code, std::string pointer, std::string message) {
        found.push_back({Severity::note, std::move(code), std::move(message), std::move(pointer), {}, {}});
    }
};

void checkStage(const Scenario& scenario, const ReplicaStage& stage, const std::string& at, const std::vector<std::int32_t>& nodeOf,
                std::vector<bool>& used, Complaints& out) {
    if (stage.devices.empty()) {
        out.error("replica-stage-empty", at + "/devices", "a stage needs at least one device");
        return;
    }
    for (const std::int64_t device : stage.devices) {
        if (device < 0 || device >= static_cast<std::int64_t>(nodeOf.size())) {
            out.error("replica-device", at + "/devices", fmt::format("there is no device {}; the cluster has 0 to {}", device, nodeOf.size() - 1));
            return;
        }
        if (used[static_cast<std::size_t>(device)]) {
            out.error("replica-device", at + "/devices", fmt::format("device {} stands in two places", device));
            return;
        }
        used[static_cast<std::size_t>(device)] = true;
        if (nodeOf[static_cast<std::size_t>(device)] != nodeOf[static_cast<std::size_t>(stage.devices.front())])
            out.error("replica-tensor-leaves-node", at + "/devices",
                      fmt::format("device {} is in another node than device {}; the devices of a stage are one tensor group and share a node",
                                  device, stage.devices.front()));
    }
    const auto tensor = static_cast<std::int64_t>(stage.devices.size());
    if (scenario.model->attentionHeads > 0 && scenario.model->attentionHeads % tensor != 0)
        out.error("tp-divides-heads", at + "/devices",
                  fmt::format("{} devices do not divide {} attention heads", tensor, scenario.model->attentionHeads));
}

}  // namespace

std::vector<Diagnostic> validateReplicas(const Scenario& scenario) {
    Complaints out;
    const Plan& plan = scenario.plan;
    const std::vector<std::int32_t> nodeOf = nodeOfDevices(*scenario.cluster);
    std::vector<bool> used(nodeOf.size(), false);
    const bool shards = plan.zeroStage >= 3;
    const bool known = std::find(std::begin(kSchedules), std::end(kSchedules), plan.schedule) != std::end(kSchedules);
    if (!known && !(shards && plan.schedule == kLayered))
        out.error("replica-schedule", "/plan/schedule",
                  fmt::format("replicas of their own shapes run {}{}; '{}' needs equal ones", fmt::join(kSchedules, ", "),
                              shards ? " or layered-accumulation" : "", plan.schedule));
    double sequences = 0;
    double shares = 0;
    std::size_t shared = 0;
    for (std::size_t j = 0; j < plan.replicas.size(); ++j) {
        const ReplicaPlan& replica = plan.replicas[j];
        const std::string at = fmt::format("/plan/replicas/{}", j);
        sequences += static_cast<double>(replica.microBatchSize) * static_cast<double>(replica.microBatches);
        shares += replica.shard;
        shared += replica.shard > 0 ? 1 : 0;
        if (replica.stages.empty()) {
            out.error("replica-stages", at + "/stages", "a replica needs at least one stage");
            continue;
        }
        std::int64_t layers = 0;
        for (std::size_t s = 0; s < replica.stages.size(); ++s) {
            layers += replica.stages[s].layers;
            checkStage(scenario, replica.stages[s], fmt::format("{}/stages/{}", at, s), nodeOf, used, out);
        }
        if (layers != scenario.model->layers)
            out.error("layers-per-stage-sum", at + "/stages",
                      fmt::format("the stages of replica {} hold {} layers; the model has {}", j, layers, scenario.model->layers),
                      {scenario.model->layers});
        if (shards && (replica.stages.size() != 1 || replica.stages.front().devices.size() != 1))
            out.error("replica-zero-3", at + "/stages", "with ZeRO 3 a replica of its own shape is one device; use ZeRO 0 to 2 for pipelines");
    }
    if (sequences != static_cast<double>(scenario.workload.globalBatchSize))
        out.error("replica-batch", "/plan/replicas",
                  fmt::format("the replicas work on {:.0f} sequences; the global batch has {}", sequences, scenario.workload.globalBatchSize));
    if (shared > 0 && (shared != plan.replicas.size() || std::abs(shares - 1) > 1e-6))
        out.error("replica-shards", "/plan/replicas", fmt::format("the shares of the states add up to {:.6g}; give each replica one, 1 in all", shares));
    out.note("replicas-own-shapes", "/plan/replicas",
             fmt::format("{} replicas have shapes of their own; degrees, layer split and placement count again as soon as a degree is moved",
                         plan.replicas.size()));
    if (const auto idle = std::count(used.begin(), used.end(), false); idle > 0)
        out.note("devices-idle", "/plan/replicas", fmt::format("{} of {} devices are in no replica and stay idle", idle, used.size()));
    return std::move(out.found);
}

}  // namespace trainyard
