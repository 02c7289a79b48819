#include "core/search/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/engine/evaluate.h"
#include "core/search/search_plans.h"

namespace trainyard {
namespace {

/// The cluster with `up` / `down` times its nodes; null if a block's count does not divide.
std::shared_ptr<const ClusterSpec> scaledCluster(const ClusterSpec& cluster, std::int64_t up, std::int64_t down) {
    auto scaled = std::make_shared<ClusterSpec>(cluster);
    scaled->preset.reset();
    for (NodeSpec& node : scaled->nodes) {
        if (node.count * up % down != 0) return nullptr;
        node.count = node.count * up / down;
    }
    return scaled;
}

/// Half a node instead of none: a single block of one node sheds accelerators. Its network per accelerator stays.
std::shared_ptr<const ClusterSpec> partOfNode(const ClusterSpec& cluster, std::int64_t down) {
    if (cluster.nodes.size() != 1 || cluster.nodes[0].accelerators.size() != 1) return nullptr;
    const std::int64_t count = cluster.nodes[0].accelerators[0].count;
    const std::int64_t nodes = cluster.nodes[0].count;
    if (nodes >= down || down % nodes != 0 || count % (down / nodes) != 0) return nullptr;
    auto part = std::make_shared<ClusterSpec>(cluster);
    part->preset.reset();
    part->nodes[0].count = 1;
    part->nodes[0].accelerators[0].count = count / (down / nodes);
    if (!part->nodes[0].intra.matrixBytesPerS.empty()) return nullptr;  // a drawn topology inside the node has no half
    const auto share = [&](std::int64_t& cables) { cables = cables > 0 ? std::max<std::int64_t>(1, cables / (down / nodes)) : 0; };
    share(part->nodes[0].nics.count);
    for (LinkSpec& link : part->links)
        if (link.from == part->nodes[0].id || link.to == part->nodes[0].id) share(link.count);
    return part;
}

std::string firstError(const Evaluation& e) {
    for (const Diagnostic& d : e.diagnostics)
        if (d.severity == Severity::error) return d.message;
    return "the plan cannot be computed";
}

ScalingPoint pointOf(Scenario scenario, const ScalingOptions& options, std::stop_token stop) {
    ScalingPoint point;
    point.devices = scenario.cluster->devices();
    point.globalBatchSize = scenario.workload.globalBatchSize;
    if (options.plan == ScalingPlan::best) {
        const SearchResult found = searchPlans(scenario, {.objective = Objective::time, .top = 1, .limitS = options.searchLimitS, .threads = 0}, {}, stop);
        if (found.plans.empty()) {
            point.reason = "no plan fits this size";
            return point;
        }
        scenario.plan = found.plans.front().plan;
    }
    const Evaluation e = evaluate(scenario, Depth::simulated, stop);
    point.plan = scenario.plan;
    point.computed = e.computed;
    if (!e.computed) {
        point.reason = firstError(e);
        return point;
    }
    point.dataParallel = e.plan.dataParallel;
    point.verdict = e.memory.verdict;
    point.stepS = e.time.stepS;
    point.tokensPerS = e.throughput.tokensPerS;
    point.mfu = e.throughput.mfu;
    point.peakBytes = e.memory.peakBytes;
    return point;
}

void fillEfficiency(std::vector<ScalingPoint>& points) {
    const auto first = std::find_if(points.begin(), points.end(), [](const ScalingPoint& p) { return p.computed; });
    if (first == points.end()) return;
    const double perDevice = first->tokensPerS / static_cast<double>(first->devices);
    for (ScalingPoint& p : points)
        if (p.computed) p.efficiency = p.tokensPerS / static_cast<double>(p.devices) / perDevice;
}

}  // namespace

ScalingCurves scalingCurves(const Scenario& scenario, const ScalingOptions& options, const std::function<void(double)>& reached, std::stop_token stop) {
    ScalingCurves curves;
    Scenario base = scenario;
    base.plan.dataParallel.reset();  // takes up what devices the other degrees leave
    if (!base.plan.deviceOfRank.empty()) {
        base.plan.deviceOfRank.clear();
        curves.note = "the drawn placement of ranks is for one size only; others use the order of dimensions";
    }
    struct Size {
        std::int64_t up, down;
        std::shared_ptr<const ClusterSpec> cluster;
    };
    std::vector<Size> sizes;
    const ClusterSpec& cluster = *scenario.cluster;
    for (std::int64_t down = std::int64_t{1} << 20; down > 1; down /= 2) {
        if (auto smaller = scaledCluster(cluster, 1, down)) sizes.push_back({1, down, std::move(smaller)});
        else if (auto part = partOfNode(cluster, down)) sizes.push_back({1, down, std::move(part)});
    }
    sizes.push_back({1, 1, scenario.cluster});
    for (std::int64_t up = 2; up <= std::int64_t{1} << options.mostDoublings && cluster.devices() * up <= options.mostDevices; up *= 2)
        sizes.push_back({up, 1, scaledCluster(cluster, up, 1)});

    double done = 0;
    for (const Size& size : sizes) {
        if (stop.stop_requested()) return curves;
        Scenario at = base;
        at.cluster = size.cluster;
        ScalingPoint strong = pointOf(at, options, stop);
        const std::int64_t batch = scenario.workload.globalBatchSize * size.up;
        at.workload.globalBatchSize = std::max<std::int64_t>(1, batch / size.down);
        ScalingPoint weak = batch % size.down == 0 ? pointOf(at, options, stop) : ScalingPoint{};
        if (batch % size.down != 0) {
            weak.devices = strong.devices;
            weak.reason = fmt::format("{} sequences do not divide by {}", batch, size.down);
        }
        strong.isCurrent = weak.isCurrent = size.up == 1 && size.down == 1;
        curves.strong.push_back(std::move(strong));
        curves.weak.push_back(std::move(weak));
        ++done;
        if (reached) reached(done / static_cast<double>(sizes.size()));
    }
    // Sizes below the first that runs only say that the other degrees need more devices.
    const auto runs = [](const ScalingPoint& p) { return p.computed; };
    const auto trim = [&](std::vector<ScalingPoint>& points) {
        const auto first = std::find_if(points.begin(), points.end(), [&](const ScalingPoint& p) { return runs(p) || p.isCurrent; });
        points.erase(points.begin(), first);
    };
    trim(curves.strong);
    trim(curves.weak);
    fillEfficiency(curves.strong);
    fillEfficiency(curves.weak);
    return curves;
}

}  // namespace trainyard
