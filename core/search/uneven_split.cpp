#include "core/search/uneven_split.h"

#include <algorithm>

#include "core/compute/device_efficiency.h"
#include "core/engine/memory_of_plan.h"
#include "core/memory/memory_model.h"
#include "core/model/model_spec.h"

namespace trainyard {

bool unevenDevices(const ClusterSpec& cluster) {
    const AcceleratorSpec* first = nullptr;
    double slowdown = 1;
    for (const NodeSpec& node : cluster.nodes)
        for (const AcceleratorGroup& group : node.accelerators) {
            if (!group.accelerator) continue;
            if (first == nullptr) {
                first = group.accelerator.get();
                slowdown = node.slowdown;
            }
            if (node.slowdown != slowdown) return true;
            if (group.accelerator.get() != first && !(*group.accelerator == *first)) return true;
        }
    return false;
}

std::vector<double> rankSpeeds(const Topology& topology, const RankLayout& layout, Precision precision) {
    const std::int32_t ranks = layout.degree(Dimension::pipeline);
    const std::int32_t perRank = layout.ranks() / ranks;
    std::vector<double> speeds;
    speeds.reserve(static_cast<std::size_t>(ranks));
    const AcceleratorSpec* known = nullptr;
    double knownSpeed = 0;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        double slowest = 0;
        for (std::int32_t i = 0; i < perRank; ++i) {
            const std::int32_t device = layout.device(rank * perRank + i);
            const AcceleratorSpec& spec = topology.accelerator(device);
            if (&spec != known) {
                known = &spec;
                const DeviceEfficiency efficiency = deviceEfficiency(spec, {});
                knownSpeed = effectivePeak(spec, precision) * gemmEfficiency(efficiency, precision).sustainedShare;
            }
            const double speed = knownSpeed / topology.slowdown(device);
            if (i == 0 || speed < slowest) slowest = speed;
        }
        speeds.push_back(std::max(slowest, 1.0));
    }
    return speeds;
}

std::vector<double> rankMemories(const Topology& topology, const RankLayout& layout) {
    std::vector<double> memories;
    for (std::int32_t rank = 0; rank < layout.degree(Dimension::pipeline); ++rank)
        memories.push_back(std::max(1.0, usableBytes(topology.accelerator(smallestDevice(topology, layout, rank)))));
    return memories;
}

std::vector<std::int64_t> proportionalLayers(const ModelSpec& model, const std::vector<double>& weights) {
    std::vector<std::int64_t> layers(weights.size(), 0);
    if (weights.empty()) return layers;
    // Matrix parameters of a dense layer; good enough to weigh the head against.
    const double hidden = static_cast<double>(model.hiddenSize);
    const double attention = hidden * static_cast<double>(model.headDim) * static_cast<double>(2 * model.attentionHeads + 2 * model.kvHeads);
    const double width = model.moe ? static_cast<double>((model.moe->topK + model.moe->sharedExperts) * model.moe->expertFfnHiddenSize)
                                   : static_cast<double>(model.ffnHiddenSize);
    const double layer = std::max(1.0, attention + (model.gatedMlp ? 3 : 2) * hidden * width);
    const double head = hidden * static_cast<double>(model.vocabSize) / layer;
    for (std::int64_t placed = 0; placed < model.layers; ++placed) {
        std::size_t best = 0;
        double earliest = 0;
        for (std::size_t rank = 0; rank < weights.size(); ++rank) {
            const double load = static_cast<double>(layers[rank] + 1) + (rank + 1 == weights.size() ? head : 0);
            const double ends = load / weights[rank];
            if (rank == 0 || ends < earliest) {
                best = rank;
                earliest = ends;
            }
        }
        ++layers[best];
    }
    return layers;
}

}  // namespace trainyard
