#include "core/engine/engine_cache.h"

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

/// Entries kept of each kind; a search walks through shardings in order, so that recent ones are what it needs.
constexpr std::size_t kEntries = 64;

/// Moves a found entry one place forward, so that what is used most is found first.
template <class Entries>
void promote(Entries& entries, std::size_t index) {
    if (index > 0) std::swap(entries[index], entries[index - 1]);
}

template <class Entries>
void makeRoom(Entries& entries) {
    if (entries.size() >= kEntries) entries.erase(entries.end() - kEntries / 4, entries.end());
}

}  // namespace

void EngineCache::forgetCluster() {
    groups_.clear();
    devices_.clear();
    pricers_.clear();
    uncachedGroups_.reset();
}

const std::shared_ptr<const Topology>& EngineCache::topology(const Scenario& scenario) {
    if (scenario.cluster != cluster_ || scenario.calibration != calibration_) {
        if (scenario.cluster != cluster_ || !topology_) topology_ = std::make_shared<const Topology>(scenario.cluster);
        cluster_ = scenario.cluster;
        calibration_ = scenario.calibration;
        forgetCluster();
    }
    return topology_;
}

const std::shared_ptr<const std::vector<StageGroups>>& EngineCache::groups(const Topology& topology, const RankLayout& layout, const Scenario& scenario,
                                                                           const ResolvedPlan& plan) {
    const Plan& p = scenario.plan;
    if (!p.deviceOfRank.empty()) {
        uncachedGroups_ = std::make_shared<const std::vector<StageGroups>>(planGroups(topology, layout, scenario, plan));
        return uncachedGroups_;
    }
    const auto matches = [&](const GroupsEntry& e) {
        return e.tensor == p.tensorParallel && e.context == p.contextParallel && e.data == plan.dataParallel && e.pipeline == p.pipelineParallel &&
               e.shard == plan.shardGroup && e.expert == p.expertParallel && e.expertTensor == p.expertTensorParallel &&
               e.moe == scenario.model->moe.has_value() && e.order == p.placementOrder;
    };
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (matches(groups_[i])) {
            promote(groups_, i);
            return groups_[i > 0 ? i - 1 : 0].groups;
        }
    makeRoom(groups_);
    groups_.push_back({p.tensorParallel, p.contextParallel, plan.dataParallel, p.pipelineParallel, plan.shardGroup, p.expertParallel, p.expertTensorParallel,
                       scenario.model->moe.has_value(), p.placementOrder,
                       std::make_shared<const std::vector<StageGroups>>(planGroups(topology, layout, scenario, plan))});
    return groups_.back().groups;
}

PricedDevice EngineCache::device(const Topology& topology, std::int32_t device, const Scenario& scenario) {
    const AcceleratorSpec* accelerator = &topology.accelerator(device);
    const double slowdown = topology.slowdown(device);
    const Precision precision = scenario.workload.precision;
    for (const auto& entry : devices_)
        if (entry.accelerator == accelerator && entry.slowdown == slowdown && entry.precision == precision) return entry.device;
    PricedDevice d;
    d.accelerator = accelerator;
    d.efficiency = deviceEfficiency(*accelerator, scenario.calibration);
    d.peakFlopsPerS = effectivePeak(*accelerator, precision);
    d.peak16FlopsPerS = effectivePeak(*accelerator, precision == Precision::fp16 ? Precision::fp16 : Precision::bf16);
    if (precision == Precision::fp32) d.peak16FlopsPerS = d.peakFlopsPerS;
    d.memoryBytesPerS = std::max(1e9, accelerator->memoryBandwidthBytesPerS);
    d.slowdown = slowdown;
    makeRoom(devices_);
    devices_.push_back({accelerator, slowdown, precision, d});
    return d;
}

std::shared_ptr<RankPricer> EngineCache::pricer(const PricingKey& key, const Scenario& scenario, const PricedDevice& device, const StageGroups& groups,
                                const CommunicationConstants& constants) {
    for (std::size_t i = 0; i < pricers_.size(); ++i)
        if (pricers_[i]->key() == key) {
            promote(pricers_, i);
            return pricers_[i > 0 ? i - 1 : 0];
        }
    makeRoom(pricers_);
    pricers_.push_back(std::make_shared<RankPricer>(key, scenario.workload, device, groups, constants));
    return pricers_.back();
}

const std::vector<LayerRun>& EngineCache::layerRuns(const Scenario& scenario) {
    if (scenario.model != model_) {
        model_ = scenario.model;
        layerRuns_ = trainyard::layerRuns(*model_);
        parameters_.reset();
    }
    return layerRuns_;
}

const ParameterCounts& EngineCache::parameters(const Scenario& scenario) {
    const std::int64_t sequenceLength = scenario.workload.sequenceLength;  // learned positions are one per token
    if (scenario.model != model_) (void)layerRuns(scenario);
    if (!parameters_ || parametersSequenceLength_ != sequenceLength) {
        parameters_ = countParameters(*scenario.model, sequenceLength);
        parametersSequenceLength_ = sequenceLength;
    }
    return *parameters_;
}

const ModelMemory& EngineCache::memory(const Scenario& scenario, const Sharding& sharding) {
    const std::uint16_t modules = scenario.plan.recompute.modules;
    const Workload& workload = scenario.workload;
    for (std::size_t i = 0; i < memories_.size(); ++i) {
        const auto& e = memories_[i];
        // Neither the batch nor the length of the run changes what a layer keeps.
        if (e.model == scenario.model && e.modules == modules && e.sharding == sharding && e.workload.sequenceLength == workload.sequenceLength &&
            e.workload.precision == workload.precision && e.workload.attention == workload.attention && e.workload.fusedNorm == workload.fusedNorm &&
            e.workload.lossChunks == workload.lossChunks && e.workload.inPlace == workload.inPlace && e.workload.gradientPrecision == workload.gradientPrecision && e.workload.stack == workload.stack) {
            promote(memories_, i);
            return *memories_[i > 0 ? i - 1 : 0].memory;
        }
    }
    makeRoom(memories_);
    memories_.push_back({scenario.model, workload, sharding, modules,
                         std::make_unique<const ModelMemory>(modelMemory(*scenario.model, workload, sharding, modules))});
    return *memories_.back().memory;
}

}  // namespace trainyard
