#include <algorithm>
#include <map>
#include <tuple>

#include "core/engine/replica_pricer.h"
#include "core/plan/divisors.h"
#include "core/search/partition_plan.h"

namespace trainyard {
namespace {

constexpr double kMargin = 0.995;             ///< of the states that fit on a device, what is put there
constexpr std::int64_t kLargestMicroBatch = 64;
constexpr std::int64_t kMostRounds = 64;      ///< micro-batches per device that are tried
constexpr std::size_t kMostDevices = 1024;

/// What one device does with a micro-batch of some size.
struct Choice {
    double microBatchS = 0;
    double mostShard = 0;  ///< largest share of the states that fits beside it; 0: not even the micro-batch
};

/// Prices devices by kind, each size once.
class Chooser {
  public:
    Chooser(const Scenario& scenario, const std::shared_ptr<const Topology>& topology)
        : pricer_(scenario, topology), topology_(*topology), layers_(scenario.model->layers) {}

    const Choice& at(std::int64_t device, std::int64_t microBatch, std::int64_t rounds) {
        const auto index = static_cast<std::int32_t>(device);
        const auto [found, fresh] =
            known_.try_emplace(std::tuple{&topology_.accelerator(index), topology_.slowdown(index), microBatch, rounds});
        Choice& choice = found->second;
        if (!fresh) return choice;
        const auto priced = [&](double shard) {
            return pricer_.price({{.stages = {{.devices = {device}, .layers = layers_}}, .microBatchSize = microBatch, .microBatches = rounds, .shard = shard}},
                                 false, 1);
        };
        double fitting = 1e-3;
        const PricedReplicas little = priced(fitting);
        if (!little.fits()) return choice;
        // Where memory runs short the allocator gives back what it holds, so that no line can be drawn through two points.
        double tooMuch = 1.01;
        if (priced(1).fits()) fitting = 1;
        for (int i = 0; i < 10 && fitting < 1; ++i) {
            const double middle = (fitting + tooMuch) / 2;
            (priced(middle).fits() ? fitting : tooMuch) = middle;
        }
        const StageCost& stage = little.replicas[0].costs.stages[0];
        choice.microBatchS = stage.forward.totalS() + stage.backwardInput.totalS() + stage.backwardWeight.totalS() + stage.recompute.totalS();
        choice.mostShard = kMargin * fitting;
        return choice;
    }

  private:
    ReplicaPricer pricer_;
    const Topology& topology_;
    std::int64_t layers_;
    std::map<std::tuple<const AcceleratorSpec*, double, std::int64_t, std::int64_t>, Choice> known_;
};

/// As even as the room of each allows; empty if all of it is not enough.
std::vector<double> waterFilled(const std::vector<double>& room) {
    const auto filled = [&](double level) {
        double sum = 0;
        for (const double most : room) sum += std::min(level, most);
        return sum;
    };
    if (filled(1) < 1) return {};
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (filled(middle) >= 1 ? high : low) = middle;
    }
    std::vector<double> shares;
    double sum = 0;
    for (const double most : room) sum += shares.emplace_back(std::min(high, most));
    for (double& share : shares) share /= sum;
    return shares;
}

}  // namespace

// Every gather is shared by all devices, so all go through the same number of micro-batches and differ in their size. For each
// such number the sequences of one round are dealt out one at a time to whoever would be done with it first, as long as the
// memory that is left holds the states of all.
std::vector<Plan> unevenSharePlans(const Scenario& scenario, std::stop_token stop) {
    std::vector<Plan> plans;
    const auto topology = std::make_shared<const Topology>(scenario.cluster);
    const auto devices = static_cast<std::size_t>(topology->devices());
    if (devices < 2 || devices > kMostDevices) return plans;
    Scenario sharded = scenario;
    Plan& basis = sharded.plan;
    basis.zeroStage = 3;
    basis.replicas.clear();
    basis.tensorParallel = basis.pipelineParallel = basis.contextParallel = basis.expertParallel = 1;
    basis.expertTensorParallel = basis.virtualStages = 1;
    basis.dataParallel.reset();
    basis.layersPerStage.clear();
    basis.deviceOfRank.clear();
    basis.placementOrder.clear();
    basis.shardGroup.reset();
    basis.scheduleParameters.clear();
    basis.recompute.perStage.clear();
    const std::int64_t batch = scenario.workload.globalBatchSize;
    for (const RecomputeMode mode : {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full})
        for (const char* schedule : {"1f1b", "layered-accumulation"}) {
            basis.schedule = schedule;
            basis.recompute.mode = mode;
            Chooser chooser(sharded, topology);
            for (const std::int64_t rounds : divisors(batch)) {
                if (stop.stop_requested()) return plans;
                if (rounds > kMostRounds || batch / rounds < static_cast<std::int64_t>(devices)) continue;
                std::vector<std::int64_t> size(devices, 1);
                std::vector<double> room;
                double all = 0;
                for (std::size_t d = 0; d < devices; ++d) all += room.emplace_back(chooser.at(static_cast<std::int64_t>(d), 1, rounds).mostShard);
                bool possible = all >= 1 && *std::min_element(room.begin(), room.end()) > 0;
                for (std::int64_t left = batch / rounds - static_cast<std::int64_t>(devices); left > 0 && possible; --left) {
                    std::size_t first = devices;
                    double earliest = 0;
                    for (std::size_t d = 0; d < devices; ++d) {
                        if (size[d] >= kLargestMicroBatch) continue;
                        const Choice& next = chooser.at(static_cast<std::int64_t>(d), size[d] + 1, rounds);
                        if (next.mostShard <= 0 || all - room[d] + next.mostShard < 1) continue;
                        if (first == devices || next.microBatchS < earliest) {
                            first = d;
                            earliest = next.microBatchS;
                        }
                    }
                    possible = first < devices;
                    if (!possible) break;
                    ++size[first];
                    const double now = chooser.at(static_cast<std::int64_t>(first), size[first], rounds).mostShard;
                    all += now - room[first];
                    room[first] = now;
                }
                const std::vector<double> shares = possible ? waterFilled(room) : std::vector<double>();
                if (shares.empty()) continue;
                Plan plan = basis;
                for (std::size_t d = 0; d < devices; ++d)
                    plan.replicas.push_back({.stages = {{.devices = {static_cast<std::int64_t>(d)}, .layers = scenario.model->layers}},
                                             .microBatchSize = size[d], .microBatches = rounds, .shard = shares[d]});
                plans.push_back(std::move(plan));
            }
        }
    return plans;
}

}  // namespace trainyard
