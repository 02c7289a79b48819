#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/compute/device_efficiency.h"
#include "core/engine/replica_pricer.h"
#include "core/memory/memory_model.h"
#include "core/plan/divisors.h"
#include "core/plan/resolve.h"
#include "core/search/partition_plan.h"

namespace trainyard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostReplicas = 16;
constexpr std::size_t kKept = 6;        ///< shapes that are improved and simulated
constexpr int kMostMoves = 200;

/// Equal devices of one node that hold a stage together.
struct Unit {
    std::vector<std::int64_t> devices;
    double speed = 0;
    double memory = 0;
};

double speedOf(const Topology& topology, std::int32_t device, Precision precision) {
    const AcceleratorSpec& spec = topology.accelerator(device);
    return effectivePeak(spec, precision) * gemmEfficiency(deviceEfficiency(spec, {}), precision).sustainedShare / topology.slowdown(device);
}

/// Runs of equal devices of a node, cut into groups of at most `tensor`.
std::vector<Unit> unitsOf(const Scenario& scenario, const Topology& topology, const std::vector<std::int64_t>& tensorOfBlock) {
    std::vector<Unit> units;
    for (std::int32_t device = 0; device < topology.devices();) {
        const std::int32_t node = topology.nodeOf(device);
        std::int32_t end = device + 1;
        while (end < topology.devices() && topology.nodeOf(end) == node && &topology.accelerator(end) == &topology.accelerator(device)) ++end;
        const std::int64_t tensor = tensorOfBlock[static_cast<std::size_t>(topology.node(node).block)];
        for (std::int32_t at = device; at < end;) {
            std::int64_t size = std::min<std::int64_t>(tensor, end - at);
            while (size > 1 && scenario.model->attentionHeads % size != 0) --size;
            Unit unit;
            for (std::int64_t i = 0; i < size; ++i) unit.devices.push_back(at + i);
            unit.speed = static_cast<double>(size) * speedOf(topology, at, scenario.workload.precision);
            unit.memory = static_cast<double>(size) * usableBytes(topology.accelerator(at));
            at += static_cast<std::int32_t>(size);
            units.push_back(std::move(unit));
        }
        device = end;
    }
    return units;
}

/// How units are dealt out to replicas.
enum class Deal { bySpeed, inOrder };

std::vector<std::vector<Unit>> deal(std::vector<Unit> units, std::size_t replicas, Deal how) {
    std::vector<std::vector<Unit>> hands(replicas);
    if (how == Deal::inOrder) {  // neighbours stay together: strong links inside a replica
        double sum = 0;
        double all = 0;
        for (const Unit& unit : units) all += unit.speed;
        for (Unit& unit : units) {
            const auto at = std::min(replicas - 1, static_cast<std::size_t>((sum + unit.speed / 2) / all * static_cast<double>(replicas)));
            sum += unit.speed;
            hands[at].push_back(std::move(unit));
        }
    } else {  // fastest first, to whoever is weakest so far: equal replicas of mixed kinds
        std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.speed > b.speed; });
        std::vector<double> strength(replicas, 0);
        for (Unit& unit : units) {
            const auto weakest = static_cast<std::size_t>(std::min_element(strength.begin(), strength.end()) - strength.begin());
            strength[weakest] += unit.speed;
            hands[weakest].push_back(std::move(unit));
        }
    }
    return hands;
}

/// Along strong links: from the unit with most memory (the first stage keeps most micro-batches) always to the nearest.
void chain(std::vector<Unit>& units, const Topology& topology) {
    if (units.size() < 3 || units.size() > 256) return;
    const auto first = std::max_element(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.memory < b.memory; });
    std::iter_swap(units.begin(), first);
    for (std::size_t i = 1; i + 1 < units.size(); ++i) {
        std::size_t next = i;
        double widest = -1;
        for (std::size_t j = i; j < units.size(); ++j) {
            const double width = topology.route(static_cast<std::int32_t>(units[i - 1].devices.back()), static_cast<std::int32_t>(units[j].devices.front())).bandwidthBytesPerS;
            if (width > widest) {
                widest = width;
                next = j;
            }
        }
        std::swap(units[i], units[next]);
    }
}

/// Layers in proportion to speed; a stage that gets none is left out.
ReplicaPlan shaped(const std::vector<Unit>& units, std::int64_t layers, std::int64_t microBatch) {
    ReplicaPlan replica;
    replica.microBatchSize = microBatch;
    std::vector<std::int64_t> held(units.size(), 0);
    for (std::int64_t placed = 0; placed < layers; ++placed) {
        std::size_t best = 0;
        for (std::size_t s = 1; s < units.size(); ++s)
            if (static_cast<double>(held[s] + 1) / units[s].speed < static_cast<double>(held[best] + 1) / units[best].speed) best = s;
        ++held[best];
    }
    for (std::size_t s = 0; s < units.size(); ++s)
        if (held[s] > 0) replica.stages.push_back({.devices = units[s].devices, .layers = held[s]});
    return replica;
}

double busiestStageS(const PricedReplica& replica, std::size_t* which = nullptr) {
    double most = 0;
    for (std::size_t s = 0; s < replica.costs.stages.size(); ++s) {
        const StageCost& stage = replica.costs.stages[s];
        const double work = stage.forward.totalS() + stage.backwardInput.totalS() + stage.backwardWeight.totalS() + stage.recompute.totalS();
        if (work > most) {
            most = work;
            if (which != nullptr) *which = s;
        }
    }
    return most;
}

/// Micro-batches one at a time to the replica that would be done first with it. False if the batch does not divide.
bool shareBatch(std::vector<ReplicaPlan>& replicas, const PricedReplicas& priced, std::int64_t batch, std::int64_t microBatch) {
    if (batch % microBatch != 0 || batch / microBatch < static_cast<std::int64_t>(replicas.size())) return false;
    std::vector<double> pace;
    std::vector<double> end;
    for (std::size_t j = 0; j < replicas.size(); ++j) {
        pace.push_back(busiestStageS(priced.replicas[j]));
        double way = 0;
        for (const StageCost& stage : priced.replicas[j].costs.stages)
            way += stage.forward.totalS() + stage.backwardInput.totalS() + stage.backwardWeight.totalS() + stage.recompute.totalS() + 2 * stage.sendS;
        end.push_back(way);
        replicas[j].microBatches = 1;
    }
    for (std::int64_t left = batch / microBatch - static_cast<std::int64_t>(replicas.size()); left > 0; --left) {
        std::size_t first = 0;
        for (std::size_t j = 1; j < replicas.size(); ++j)
            if (end[j] + pace[j] < end[first] + pace[first]) first = j;
        end[first] += pace[first];
        ++replicas[first].microBatches;
    }
    return true;
}

double valueOf(const PricedReplicas& priced) { return priced.fits() ? priced.together.level[0].stepS : 1e12 * (1 + priced.fill); }

struct Shape {
    Plan plan;
    double value = 0;
};

/// One layer between neighbouring stages' loads, or one micro-batch between replicas, as long as the step shrinks.
void improve(Shape& shape, ReplicaPricer& pricer, Clock::time_point until, std::stop_token stop) {
    for (int moves = 0; moves < kMostMoves; ++moves) {
        const PricedReplicas now = pricer.price(shape.plan.replicas, false, 1);
        shape.value = valueOf(now);
        const std::size_t slow = now.slowest;
        std::vector<std::vector<ReplicaPlan>> next;
        const auto moveLayers = [&](std::size_t j, std::size_t from) {
            for (std::size_t to = 0; to < shape.plan.replicas[j].stages.size(); ++to) {
                if (to == from || shape.plan.replicas[j].stages[from].layers < 1) continue;
                auto other = shape.plan.replicas;
                --other[j].stages[from].layers;
                ++other[j].stages[to].layers;
                next.push_back(std::move(other));
            }
        };
        std::size_t busiest = 0;
        busiestStageS(now.replicas[slow], &busiest);
        moveLayers(slow, busiest);
        if (!now.fits())
            for (std::size_t j = 0; j < now.replicas.size(); ++j)
                for (std::size_t s = 0; s < now.replicas[j].memory.size(); ++s)
                    if (now.replicas[j].memory[s].totalBytes / now.replicas[j].memory[s].capacityBytes >= now.fill) moveLayers(j, s);
        for (std::size_t j = 0; j < shape.plan.replicas.size(); ++j) {
            if (j == slow || shape.plan.replicas[slow].microBatches < 2) continue;
            auto other = shape.plan.replicas;
            --other[slow].microBatches;
            ++other[j].microBatches;
            next.push_back(std::move(other));
        }
        bool moved = false;
        double best = shape.value * (1 - 1e-6);
        for (auto& candidate : next) {
            if (stop.stop_requested() || Clock::now() > until) return;
            const double value = valueOf(pricer.price(candidate, false, 1));
            if (value >= best) continue;
            best = value;
            shape.plan.replicas = std::move(candidate);
            moved = true;
        }
        if (!moved) return;
    }
}

/// Tensor degrees to try for each block: the same everywhere, or as many as each node has.
std::vector<std::vector<std::int64_t>> tensorChoices(const Scenario& scenario, bool own) {
    const auto& blocks = scenario.cluster->nodes;
    std::vector<std::vector<std::int64_t>> choices;
    const auto add = [&](const auto& of) {
        std::vector<std::int64_t> one;
        for (const NodeSpec& block : blocks) one.push_back(std::max<std::int64_t>(1, of(block)));
        if (std::find(choices.begin(), choices.end(), one) == choices.end()) choices.push_back(std::move(one));
    };
    add([&](const NodeSpec& block) { return std::min(scenario.plan.tensorParallel, block.devicesPerNode()); });
    if (!own) return choices;
    for (const std::int64_t tensor : {1, 2, 4, 8}) add([&](const NodeSpec& block) { return std::min<std::int64_t>(tensor, block.devicesPerNode()); });
    // Where links inside the node are slow, fewer; each kind by itself.
    double fastest = 0;
    for (const NodeSpec& block : blocks) fastest = std::max(fastest, effectiveIntra(block).bandwidthBytesPerS);
    for (const std::int64_t strong : {2, 4, 8})
        for (const std::int64_t weak : {1, 2})
            add([&](const NodeSpec& block) {
                const std::int64_t wanted = effectiveIntra(block).bandwidthBytesPerS > 0.5 * fastest ? strong : weak;
                return std::min(wanted, block.devicesPerNode());
            });
    return choices;
}

}  // namespace

std::vector<Plan> unevenReplicaPlans(const Scenario& scenario, bool ownReplicaCount, bool ownTensor, double limitS, std::stop_token stop) {
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limitS));
    const auto topology = std::make_shared<const Topology>(scenario.cluster);
    Scenario base = scenario;
    Plan& basis = base.plan;
    basis.replicas.clear();
    basis.layersPerStage.clear();
    basis.deviceOfRank.clear();
    basis.placementOrder.clear();
    basis.shardGroup.reset();
    basis.scheduleParameters.clear();
    basis.contextParallel = basis.expertParallel = basis.expertTensorParallel = basis.virtualStages = 1;
    basis.recompute.perStage.clear();
    basis.zeroStage = std::min<std::int64_t>(basis.zeroStage, 1);
    const std::int64_t batch = scenario.workload.globalBatchSize;

    std::vector<Shape> shapes;
    std::vector<std::string> schedules{"1f1b", "zb-h1"};
    std::vector<RecomputeMode> recomputes{RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full};
    for (const std::string& schedule : schedules)
        for (const RecomputeMode recompute : recomputes) {
            basis.schedule = schedule;
            basis.recompute.mode = recompute;
            ReplicaPricer pricer(base, topology);
            for (const auto& tensors : tensorChoices(scenario, ownTensor)) {
                const std::vector<Unit> units = unitsOf(scenario, *topology, tensors);
                std::vector<std::size_t> counts;
                const auto now = static_cast<std::size_t>(std::max<std::int64_t>(1, resolve(scenario).dataParallel));
                if (ownReplicaCount)
                    for (std::size_t r = 1; r <= std::min({units.size(), kMostReplicas, static_cast<std::size_t>(batch)}); ++r) counts.push_back(r);
                else if (now <= units.size()) counts.push_back(now);
                for (const std::size_t count : counts)
                    for (const Deal how : {Deal::bySpeed, Deal::inOrder}) {
                        if (stop.stop_requested() || Clock::now() > until) break;
                        auto hands = deal(units, count, how);
                        if (std::any_of(hands.begin(), hands.end(), [](const auto& hand) { return hand.empty(); })) continue;
                        Shape shape;
                        shape.plan = basis;
                        for (auto& hand : hands) {
                            chain(hand, *topology);
                            shape.plan.replicas.push_back(shaped(hand, scenario.model->layers, basis.microBatchSize));
                        }
                        const PricedReplicas first = pricer.price(shape.plan.replicas, false, 1);
                        if (!shareBatch(shape.plan.replicas, first, batch, basis.microBatchSize)) continue;
                        shape.value = valueOf(pricer.price(shape.plan.replicas, false, 1));
                        shapes.push_back(std::move(shape));
                    }
            }
        }
    std::stable_sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) { return a.value < b.value; });
    if (shapes.size() > kKept) shapes.resize(kKept);
    std::vector<Plan> plans;
    for (Shape& shape : shapes) {
        base.plan = shape.plan;
        base.plan.replicas.clear();
        ReplicaPricer pricer(base, topology);
        improve(shape, pricer, Clock::now() + std::chrono::milliseconds(static_cast<int>(limitS * 250)), stop);
        plans.push_back(std::move(shape.plan));
    }
    return plans;
}

}  // namespace trainyard
