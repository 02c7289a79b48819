#include "core/search/placement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "core/engine/evaluate.h"
#include "core/search/placement_cost.h"

namespace trainyard {
namespace {

using Clock = std::chrono::steady_clock;
using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

constexpr std::int64_t kReportEvery = 1024;  ///< proposals between looks at the clock

/// The best placements met, each once, cheapest first.
class Shelf {
  public:
    explicit Shelf(std::size_t most) : most_(most) {}
    void offer(const std::vector<std::int32_t>& devices, double costS) {
        if (kept_.size() >= most_ && costS >= kept_.back().closedFormS) return;
        for (const Placement& other : kept_)
            if (other.closedFormS == costS) return;  // as good as the same
        const auto at = std::upper_bound(kept_.begin(), kept_.end(), costS, [](double value, const Placement& other) { return value < other.closedFormS; });
        kept_.insert(at, Placement{{devices.begin(), devices.end()}, costS, 0});
        if (kept_.size() > most_) kept_.pop_back();
    }
    [[nodiscard]] double bestS() const { return kept_.empty() ? 0 : kept_.front().closedFormS; }
    [[nodiscard]] std::vector<Placement> take() { return std::move(kept_); }

  private:
    std::size_t most_;
    std::vector<Placement> kept_;
};

class Proposer {
  public:
    Proposer(const Topology& topology, std::int32_t ranks, std::uint64_t seed) : topology_(topology), ranks_(ranks), random_(seed) {
        for (std::int32_t node = 0; node < topology.nodes(); ++node)
            if (topology.node(node).firstDevice + topology.node(node).deviceCount <= ranks) nodes_.push_back(node);
    }

    /// Pairs of ranks whose devices are exchanged: single ones of different nodes, or whole nodes of equal size.
    void propose(const PlacementCost& cost, Pairs& pairs) {
        pairs.clear();
        const std::int32_t a = below(ranks_);
        const std::int32_t deviceA = cost.devices()[static_cast<std::size_t>(a)];
        if (nodes_.size() > 1 && below(2) == 0) {
            const Topology::Node& from = topology_.node(topology_.nodeOf(deviceA));
            const Topology::Node& to = topology_.node(nodes_[static_cast<std::size_t>(below(static_cast<std::int32_t>(nodes_.size())))]);
            if (from.firstDevice != to.firstDevice && from.deviceCount == to.deviceCount && from.firstDevice + from.deviceCount <= ranks_) {
                for (std::int32_t i = 0; i < from.deviceCount; ++i)
                    pairs.emplace_back(cost.rankOnDevice(from.firstDevice + i), cost.rankOnDevice(to.firstDevice + i));
                return;
            }
        }
        const std::int32_t b = below(ranks_);
        if (a != b) pairs.emplace_back(a, b);
    }
    [[nodiscard]] double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  private:
    // Own reduction: the library's distributions give other sequences elsewhere.
    [[nodiscard]] std::int32_t below(std::int32_t limit) { return static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(limit)); }

    const Topology& topology_;
    std::int32_t ranks_;
    std::vector<std::int32_t> nodes_;
    std::mt19937_64 random_;
};

double simulatedStep(const Scenario& scenario, const std::vector<std::int64_t>& devices, std::stop_token stop) {
    Scenario candidate = scenario;
    candidate.plan.deviceOfRank = devices;
    candidate.plan.placementOrder.clear();
    const Evaluation e = evaluate(candidate, Depth::simulated, stop);
    return e.computed && e.memory.verdict != MemoryVerdict::out_of_memory ? e.time.stepS : 0;
}

}  // namespace

PlacementResult placeRanks(const Scenario& scenario, const PlacementOptions& options, const PlacementProgress& progress, std::stop_token stop) {
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    PlacementResult result;
    const Topology topology(scenario.cluster);
    PlacementCost cost(scenario, topology);
    double now = cost.totalS();
    result.naive.deviceOfRank.assign(cost.devices().begin(), cost.devices().end());
    result.naive.closedFormS = now;
    {
        const Evaluation e = evaluate(scenario, Depth::simulated, stop);
        if (e.computed && e.memory.verdict != MemoryVerdict::out_of_memory) result.naive.stepS = e.time.stepS;
    }
    Shelf shelf(std::max<std::size_t>(1, options.top));
    shelf.offer(cost.devices(), now);
    const auto ranks = static_cast<std::int32_t>(cost.devices().size());
    Proposer proposer(topology, ranks, options.seed);
    double temperature = options.firstTemperature * now;
    const double steps = static_cast<double>(std::max<std::int64_t>(1, options.proposals));
    const double decay = std::pow(options.lastTemperature / options.firstTemperature, 1 / steps);
    Pairs pairs;
    double reportedAt = 0;
    for (std::int64_t i = 0; i < options.proposals; ++i) {
        if (i % kReportEvery == 0) {
            if (stop.stop_requested()) {
                result.complete = false;
                break;
            }
            if (const double seconds = elapsed(); progress && seconds - reportedAt > 0.1) {
                reportedAt = seconds;
                progress(static_cast<double>(i) / steps, shelf.bestS());
            }
        }
        temperature *= decay;
        ++result.proposals;
        proposer.propose(cost, pairs);
        if (pairs.empty()) continue;
        cost.exchange(pairs);
        const double next = cost.totalS();
        // What changes nothing is not done, so that ranks move only for a reason.
        if (next < now || (next > now && proposer.uniform() < std::exp((now - next) / temperature))) {
            ++result.accepted;
            if (next < now) shelf.offer(cost.devices(), next);
            now = next;
        } else {
            std::reverse(pairs.begin(), pairs.end());
            cost.exchange(pairs);
        }
    }
    result.annealingSeconds = elapsed();
    for (Placement& placement : shelf.take()) {
        if (placement.deviceOfRank == result.naive.deviceOfRank) placement.stepS = result.naive.stepS;
        else if (!stop.stop_requested()) placement.stepS = simulatedStep(scenario, placement.deviceOfRank, stop);
        if (placement.stepS > 0) result.best.push_back(std::move(placement));
    }
    if (result.naive.stepS > 0 &&
        std::none_of(result.best.begin(), result.best.end(), [&](const Placement& one) { return one.stepS <= result.naive.stepS; }))
        result.best.push_back(result.naive);
    std::stable_sort(result.best.begin(), result.best.end(), [](const Placement& a, const Placement& b) { return a.stepS < b.stepS; });
    if (result.best.size() > options.top) result.best.resize(options.top);
    result.seconds = elapsed();
    if (progress) progress(1, shelf.bestS());
    return result;
}

LinkMatrix linkMatrix(const Scenario& scenario) {
    constexpr std::int32_t kMatrixDevices = 64;
    constexpr std::int32_t kMatrixBlocks = 1024;
    const Topology topology(scenario.cluster);
    LinkMatrix matrix;
    matrix.areNodes = topology.devices() > kMatrixDevices;
    matrix.blocks = matrix.areNodes ? topology.nodes() : topology.devices();
    if (matrix.blocks > kMatrixBlocks) return {};
    for (std::int32_t from = 0; from < matrix.blocks; ++from)
        for (std::int32_t to = 0; to < matrix.blocks; ++to) {
            double rate = 0;
            if (from != to) rate = matrix.areNodes ? topology.nodeToNodeBytesPerS(from, to) : topology.route(from, to).bandwidthBytesPerS;
            matrix.bytesPerS.push_back(rate);
        }
    return matrix;
}

}  // namespace trainyard
