#include "core/engine/rank_pricer.h"

#include <utility>

namespace trainyard {

PricingKey pricingKey(const Scenario& scenario, const ResolvedPlan& plan, const Sharding& sharding, const PricedDevice& device, const StageGroups& groups) {
    PricingKey key;
    key.model = scenario.model;
    key.sharding = sharding;
    key.sequenceLength = scenario.workload.sequenceLength;
    key.precision = scenario.workload.precision;
    key.attention = scenario.workload.attention;
    key.fusedNorm = scenario.workload.fusedNorm;
    key.lossChunks = scenario.workload.lossChunks;
    key.inPlace = scenario.workload.inPlace;
    key.fusedAccumulation = storageBytes(plan.gradientPrecision) > 2;
    // In 16 bits the new gradient is written, read again and added; nothing to add for a single micro-batch.
    key.gradientAccumulateBytes = key.fusedAccumulation ? 8 : plan.microBatches > 1 ? 6 : 0;
    key.overlap = scenario.plan.overlap;
    key.recomputeModules = scenario.plan.recompute.modules;
    key.accelerator = device.accelerator;
    key.slowdown = device.slowdown;
    key.tensor = groups.tensor;
    key.context = groups.context;
    key.expert = groups.expert;
    key.expertTensor = groups.expertTensor;
    return key;
}

RankPricer::RankPricer(const PricingKey& key, const Workload& workload, const PricedDevice& device, const StageGroups& groups,
                       const CommunicationConstants& constants)
    : key_(key), workload_(workload), device_(device), groups_(groups), constants_(constants) {
    context_.device = &device_;
    context_.groups = &groups_;
    context_.constants = &constants_;
    context_.precision = key.precision;
    context_.attention = key.attention;
    context_.overlap = key.overlap;
    context_.recomputeModules = key.recomputeModules;
    context_.fusedAccumulation = key.fusedAccumulation;
    context_.gradientAccumulateBytes = key.gradientAccumulateBytes;
    context_.fusedNorm = key.fusedNorm;
    context_.stack = key.sharding.stack;
    context_.gated = key.model->gatedMlp;
    context_.tokenCopies = key.model->moe ? static_cast<double>(key.model->moe->topK) : 0;
}

const LayerCost& RankPricer::layer(const LayerKind& kind) {
    for (const auto& known : kinds_)
        if (known.kind == kind) return *known.cost;
    const auto operators = layerOperators(*key_.model, kind, workload_, key_.sharding);
    kinds_.push_back({kind, std::make_unique<const LayerCost>(layerCost(operators, context_))});
    return *kinds_.back().cost;
}

const LayerCost& RankPricer::embedding() {
    if (!embedding_) embedding_ = layerCost(embeddingOperators(*key_.model, workload_, key_.sharding), context_);
    return *embedding_;
}

const LayerCost& RankPricer::head() {
    if (!head_) head_ = layerCost(headOperators(*key_.model, workload_, key_.sharding), context_);
    return *head_;
}

}  // namespace trainyard
