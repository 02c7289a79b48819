#include "core/plan/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/plan/divisors.h"
#include "core/plan/resolve.h"

namespace trainyard {
namespace {

struct Degrees {
    std::int64_t tensor = 1, context = 1, data = 1, pipeline = 1;
};

/// How far a degree moved, in octaves.
double moved(std::int64_t from, std::int64_t to) {
    return std::abs(std::log2(static_cast<double>(to) / static_cast<double>(std::max<std::int64_t>(from, 1))));
}

bool suits(const Scenario& scenario, const Degrees& degrees) {
    const ModelSpec& model = *scenario.model;
    if (model.attentionHeads > 0 && model.attentionHeads % degrees.tensor != 0) return false;
    if (degrees.pipeline > model.layers + 2) return false;
    return scenario.workload.globalBatchSize % degrees.data == 0;
}

/// Best legal degrees with `dimension` = value and the product equal to the device count.
std::optional<Degrees> rebalance(const Scenario& scenario, Dimension dimension, std::int64_t value, const DegreeLocks& locks) {
    const Plan& plan = scenario.plan;
    const std::int64_t devices = scenario.cluster->devices();
    const Degrees now{plan.tensorParallel, plan.contextParallel, resolve(scenario).dataParallel, plan.pipelineParallel};
    if (devices < 1 || value < 1 || devices % value != 0) return std::nullopt;

    const std::vector<std::int64_t> all = divisors(devices);
    const auto choices = [&](Dimension which, std::int64_t current, bool locked) -> std::vector<std::int64_t> {
        if (which == dimension) return {value};
        if (locked) return {current};
        return all;
    };
    std::optional<Degrees> best;
    double bestCost = 0;
    for (const std::int64_t tensor : choices(Dimension::tensor, now.tensor, locks.tensor))
        for (const std::int64_t context : choices(Dimension::context, now.context, locks.context)) {
            if (tensor > devices / context || devices % (tensor * context) != 0) continue;
            const std::int64_t rest = devices / (tensor * context);
            for (const std::int64_t pipeline : choices(Dimension::pipeline, now.pipeline, locks.pipeline)) {
                if (rest % pipeline != 0) continue;
                const std::int64_t data = rest / pipeline;
                if (dimension == Dimension::data ? data != value : locks.data && data != now.data) continue;
                const Degrees candidate{tensor, context, data, pipeline};
                if (!suits(scenario, candidate)) continue;
                // Data moves for free, then pipeline, context, tensor.
                const double cost = moved(now.data, data) + 8 * moved(now.pipeline, pipeline) + 32 * moved(now.context, context) +
                                    64 * moved(now.tensor, tensor);
                if (!best || cost < bestCost) {
                    best = candidate;
                    bestCost = cost;
                }
            }
        }
    return best;
}

std::int64_t largestDivisorUpTo(std::int64_t number, std::int64_t limit) {
    std::int64_t best = 1;
    for (const std::int64_t divisor : divisors(number))
        if (divisor <= limit) best = divisor;
    return best;
}

}  // namespace

bool canSetDegree(const Scenario& scenario, Dimension dimension, std::int64_t value, const DegreeLocks& locks) {
    return rebalance(scenario, dimension, value, locks).has_value();
}

Scenario withDegree(const Scenario& scenario, Dimension dimension, std::int64_t value, const DegreeLocks& locks) {
    Scenario next = scenario;
    Plan& plan = next.plan;
    if (dimension == Dimension::expert) {
        plan.expertParallel = value;
        return next;
    }
    const std::optional<Degrees> degrees = rebalance(scenario, dimension, value, locks);
    if (!degrees) {
        switch (dimension) {
            case Dimension::tensor: plan.tensorParallel = value; break;
            case Dimension::context: plan.contextParallel = value; break;
            case Dimension::data: plan.dataParallel = value; break;
            case Dimension::pipeline: plan.pipelineParallel = value; break;
            case Dimension::expert: break;
        }
    } else {
        plan.tensorParallel = degrees->tensor;
        plan.contextParallel = degrees->context;
        plan.pipelineParallel = degrees->pipeline;
        if (plan.dataParallel) plan.dataParallel = degrees->data;
        const std::int64_t perReplica = scenario.workload.globalBatchSize / degrees->data;
        if (plan.microBatchSize > 0 && perReplica > 0 && perReplica % plan.microBatchSize != 0)
            plan.microBatchSize = largestDivisorUpTo(perReplica, plan.microBatchSize);
        const std::int64_t stageDevices = degrees->tensor * degrees->context * degrees->data;
        if (scenario.model->moe &&
            stageDevices % (plan.expertParallel * std::max<std::int64_t>(plan.expertTensorParallel, 1)) != 0)
            for (const std::int64_t divisor : divisors(stageDevices))
                if (divisor <= scenario.plan.expertParallel && scenario.model->moe->experts % divisor == 0)
                    plan.expertParallel = divisor;
        if (plan.shardGroup && (degrees->data * degrees->context) % *plan.shardGroup != 0) plan.shardGroup.reset();
    }
    if (plan.pipelineParallel != scenario.plan.pipelineParallel) {
        plan.layersPerStage.clear();
        plan.recompute.perStage.clear();
    }
    if (!plan.deviceOfRank.empty()) plan.deviceOfRank.clear();
    plan.replicas.clear();  // a degree says the same for all replicas
    return next;
}

}  // namespace trainyard
