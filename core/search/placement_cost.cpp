#include "core/search/placement_cost.h"

#include <algorithm>
#include <cmath>

#include "core/compute/device_efficiency.h"
#include "core/engine/stage_costs.h"

namespace trainyard {
namespace {

constexpr double kTieBreak = 1e-3;  ///< weight of the mean beside the largest, so that the search feels its way on plateaus

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = std::max(most, value);
    return most;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

PlacementCost::PlacementCost(const Scenario& scenario, const Topology& topology) {
    const ResolvedPlan plan = resolve(scenario);
    const RankLayout layout(scenario.plan.tensorParallel, scenario.plan.contextParallel, plan.dataParallel, scenario.plan.pipelineParallel,
                            scenario.plan);
    count_ = layout.ranks();
    tensor_ = layout.degree(Dimension::tensor);
    stages_ = layout.degree(Dimension::pipeline);
    perStage_ = count_ / stages_;
    holders_ = perStage_ / tensor_;
    const StageCosts costs = stageCosts(scenario, plan, topology, layout);
    const double m = static_cast<double>(plan.microBatches);
    // Hand-overs come back for every group of p micro-batches, not once a step (arXiv 2405.18093).
    sendTimes_ = 2 * std::max(1.0, m / static_cast<double>(stages_));
    volumes_.resize(static_cast<std::size_t>(stages_));
    const auto fast = [&](std::int32_t device) {
        const AcceleratorSpec& spec = topology.accelerator(device);
        const Precision precision = scenario.workload.precision;
        return effectivePeak(spec, precision) * gemmEfficiency(deviceEfficiency(spec, scenario.calibration), precision).sustainedShare / topology.slowdown(device);
    };
    for (const StageCost& stage : costs.stages) {
        Volumes& volume = volumes_[static_cast<std::size_t>(stage.rank)];
        // Priced on the slowest device of its rank; brought back to work, in no unit, by that device's speed.
        const PricedDevice& device = costs.devices[static_cast<std::size_t>(stage.rank)];
        const double speed = device.peakFlopsPerS * gemmEfficiency(device.efficiency, scenario.workload.precision).sustainedShare / device.slowdown;
        volume.workS += m * speed * (stage.forward.computeS() + stage.backwardInput.computeS() + stage.backwardWeight.computeS() + stage.recompute.computeS());
        for (int group = 0; group < kTrafficGroups; ++group)
            for (int c = 0; c < kTrafficCollectives; ++c) {
                const double bytes = m * stage.traffic->at[group][c].bytes;
                (group == 0 ? volume.tensorBytes : volume.dataBytes) += bytes;
            }
        volume.sendBytes = std::max(volume.sendBytes, stage.sendBytes);
        volume.dataBytes += m * (2 * stage.gatherBytes + stage.scatterBytes);
    }
    for (std::int32_t r = 0; r < stages_; ++r) {
        const RankCost& rank = costs.ranks[static_cast<std::size_t>(r)];
        volumes_[static_cast<std::size_t>(r)].dataBytes += rank.reduceBytes + rank.gatherBytes;
    }
    const auto n = static_cast<std::size_t>(count_);
    rate_.resize(n * n);
    for (std::int32_t a = 0; a < count_; ++a)
        for (std::int32_t b = 0; b < count_; ++b) {
            double width = 1e30;
            if (a != b) {
                const std::int32_t from = topology.nodeOf(a);
                const std::int32_t to = topology.nodeOf(b);
                width = from == to ? topology.route(a, b).bandwidthBytesPerS
                                   : topology.nodeToNodeBytesPerS(from, to) / std::max(1, topology.node(from).deviceCount);
            }
            rate_[static_cast<std::size_t>(a) * n + static_cast<std::size_t>(b)] = static_cast<float>(std::max(width, 1.0));
        }
    for (std::int32_t d = 0; d < count_; ++d) pace_.push_back(1 / std::max(1.0, fast(d)));
    unequal_ = *std::max_element(pace_.begin(), pace_.end()) > *std::min_element(pace_.begin(), pace_.end());
    rankOfDevice_.resize(n);
    for (std::int32_t rank = 0; rank < count_; ++rank) {
        deviceOfRank_.push_back(layout.device(rank));
        rankOfDevice_[static_cast<std::size_t>(layout.device(rank))] = rank;
    }
    tensorS_.assign(tensor_ > 1 ? n / static_cast<std::size_t>(tensor_) : 0, 0);
    dataS_.assign(holders_ > 1 ? n / static_cast<std::size_t>(holders_) : 0, 0);
    sendS_.assign(static_cast<std::size_t>(count_ - perStage_), 0);
    boundaryS_.assign(static_cast<std::size_t>(stages_ - 1), 0);
    stagePace_.assign(static_cast<std::size_t>(stages_), 0);
    for (std::int32_t rank = 0; rank < count_; ++rank) touch(rank);
    exchange({});
}

double PlacementCost::totalS() const {
    double compute = 0;
    double fill = 0;
    for (std::size_t s = 0; s < volumes_.size(); ++s) {
        const double work = volumes_[s].workS * stagePace_[s];
        compute = std::max(compute, work);
        fill += work;
    }
    double handover = 0;
    for (const double boundary : boundaryS_) handover += boundary;
    return compute + kTieBreak * fill / static_cast<double>(stages_) + largest(tensorS_) + kTieBreak * mean(tensorS_) + sendTimes_ * handover +
           kTieBreak * sendTimes_ * mean(sendS_) + largest(dataS_) + kTieBreak * mean(dataS_);
}

// Rings go through the devices in file order, so that neighbours in a node stay neighbours on the ring.
double PlacementCost::slowestHop(std::int32_t first, std::int32_t stride, std::int32_t size) {
    members_.clear();
    for (std::int32_t i = 0; i < size; ++i) members_.push_back(deviceOfRank_[static_cast<std::size_t>(first + i * stride)]);
    std::sort(members_.begin(), members_.end());
    double slowest = rate(members_.back(), members_.front());
    for (std::size_t i = 0; i + 1 < members_.size(); ++i) slowest = std::min(slowest, rate(members_[i], members_[i + 1]));
    return slowest;
}

void PlacementCost::touch(std::int32_t rank) {
    const std::int32_t stage = rank / perStage_;
    if (tensor_ > 1) touchedTensor_.push_back(rank / tensor_);
    if (holders_ > 1) touchedData_.push_back(stage * tensor_ + rank % tensor_);
    if (unequal_ || stagePace_[static_cast<std::size_t>(stage)] == 0) touchedStage_.push_back(stage);
    if (stage + 1 < stages_) touchedSend_.push_back(rank);
    if (stage > 0) touchedSend_.push_back(rank - perStage_);
}

void PlacementCost::exchange(std::span<const std::pair<std::int32_t, std::int32_t>> ranks) {
    for (const auto& [a, b] : ranks) {
        std::swap(deviceOfRank_[static_cast<std::size_t>(a)], deviceOfRank_[static_cast<std::size_t>(b)]);
        rankOfDevice_[static_cast<std::size_t>(deviceOfRank_[static_cast<std::size_t>(a)])] = a;
        rankOfDevice_[static_cast<std::size_t>(deviceOfRank_[static_cast<std::size_t>(b)])] = b;
        touch(a);
        touch(b);
    }
    const auto distinct = [](std::vector<std::int32_t>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    distinct(touchedTensor_);
    distinct(touchedData_);
    distinct(touchedStage_);
    distinct(touchedSend_);
    for (const std::int32_t group : touchedTensor_) {
        const Volumes& volume = volumes_[static_cast<std::size_t>(group * tensor_ / perStage_)];
        tensorS_[static_cast<std::size_t>(group)] = volume.tensorBytes / slowestHop(group * tensor_, 1, tensor_);
    }
    for (const std::int32_t ring : touchedData_) {
        const std::int32_t stage = ring / tensor_;
        dataS_[static_cast<std::size_t>(ring)] =
            volumes_[static_cast<std::size_t>(stage)].dataBytes / slowestHop(stage * perStage_ + ring % tensor_, tensor_, holders_);
    }
    for (const std::int32_t stage : touchedStage_) {
        double slowest = 0;
        for (std::int32_t i = 0; i < perStage_; ++i)
            slowest = std::max(slowest, pace_[static_cast<std::size_t>(deviceOfRank_[static_cast<std::size_t>(stage * perStage_ + i)])]);
        stagePace_[static_cast<std::size_t>(stage)] = slowest;
    }
    for (const std::int32_t rank : touchedSend_) {
        const std::int32_t a = deviceOfRank_[static_cast<std::size_t>(rank)];
        const std::int32_t b = deviceOfRank_[static_cast<std::size_t>(rank + perStage_)];
        sendS_[static_cast<std::size_t>(rank)] = volumes_[static_cast<std::size_t>(rank / perStage_)].sendBytes / std::min(rate(a, b), rate(b, a));
        touchedBoundary_.push_back(rank / perStage_);
    }
    distinct(touchedBoundary_);
    for (const std::int32_t boundary : touchedBoundary_) {
        double slowest = 0;
        for (std::int32_t i = 0; i < perStage_; ++i) slowest = std::max(slowest, sendS_[static_cast<std::size_t>(boundary * perStage_ + i)]);
        boundaryS_[static_cast<std::size_t>(boundary)] = slowest;
    }
    touchedTensor_.clear();
    touchedData_.clear();
    touchedStage_.clear();
    touchedSend_.clear();
    touchedBoundary_.clear();
}

}  // namespace trainyard
