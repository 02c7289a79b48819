#include "widgets/cluster/device_paint.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {
namespace {

/// Group of a rank under a colouring; groups are numbered so that ranks near each other get numbers near each other.
int groupOfRank(const RankLayout& layout, const RankCoordinates& at, ColourBy by, std::int64_t expertGroup) {
    const int tensor = layout.degree(Dimension::tensor);
    const int context = layout.degree(Dimension::context);
    const int data = layout.degree(Dimension::data);
    switch (by) {
        case ColourBy::stage:
        case ColourBy::load: return at.pipeline;
        case ColourBy::tensor: return (at.pipeline * data + at.data) * context + at.context;
        case ColourBy::context: return (at.pipeline * data + at.data) * tensor + at.tensor;
        case ColourBy::data: return (at.pipeline * context + at.context) * tensor + at.tensor;
        case ColourBy::expert: {
            const int inStage = (at.data * context + at.context) * tensor + at.tensor;
            const int groupSize = static_cast<int>(std::clamp<std::int64_t>(expertGroup, 1, layout.ranks()));
            const int perStage = std::max(1, tensor * context * data / groupSize);
            return at.pipeline * perStage + inStage / groupSize;
        }
    }
    return 0;
}

int groupCount(const RankLayout& layout, ColourBy by, std::int64_t expertGroup) {
    const RankCoordinates last{layout.degree(Dimension::tensor) - 1, layout.degree(Dimension::context) - 1,
                               layout.degree(Dimension::data) - 1, layout.degree(Dimension::pipeline) - 1};
    return groupOfRank(layout, last, by, expertGroup) + 1;
}

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto s = static_cast<float>(std::clamp(share, 0.0, 1.0));
    return QColor::fromRgbF(a.redF() + (b.redF() - a.redF()) * s, a.greenF() + (b.greenF() - a.greenF()) * s,
                            a.blueF() + (b.blueF() - a.blueF()) * s);
}

}  // namespace

DevicePaint paintDevices(const Scenario& scenario, const Evaluation* evaluation, ColourBy by, const Theme& theme) {
    const ClusterSpec& cluster = *scenario.cluster;
    DevicePaint paint;
    paint.by = by;
    const auto devices = static_cast<std::size_t>(std::max<std::int64_t>(0, cluster.devices()));
    paint.group.assign(devices, -1);
    paint.memoryShare.assign(devices, -1.0F);
    if (evaluation == nullptr || !evaluation->computed || !evaluation->layout) return paint;

    const RankLayout& layout = *evaluation->layout;
    paint.layout = evaluation->layout;
    const auto& memory = evaluation->memory.stages;
    const auto ranks = layout.ranks();
    const auto expertGroup = std::max<std::int64_t>(1, scenario.plan.expertParallel * scenario.plan.expertTensorParallel);
    paint.groups = groupCount(layout, by, expertGroup);

    if (evaluation->timeline && evaluation->timeline->makespan > 0)
        for (const auto ticks : evaluation->timeline->busy)
            paint.busyOfStage.push_back(static_cast<float>(static_cast<double>(ticks) / static_cast<double>(evaluation->timeline->makespan)));

    paint.colourOfGroup.reserve(static_cast<std::size_t>(paint.groups));
    for (int i = 0; i < paint.groups; ++i) {
        const auto stage = static_cast<std::size_t>(i);
        if (by != ColourBy::load) paint.colourOfGroup.push_back(theme.category(i, paint.groups));
        else paint.colourOfGroup.push_back(stage < paint.busyOfStage.size() ? warmth(paint.busyOfStage[stage], theme) : theme.idle);
    }

    std::size_t device = 0;
    for (const auto& node : cluster.nodes) {
        for (std::int64_t instance = 0; instance < node.count; ++instance) {
            for (const auto& accelerators : node.accelerators) {
                const double capacity = !accelerators.accelerator                          ? 0.0
                                        : accelerators.accelerator->memoryUsableBytes > 0 ? accelerators.accelerator->memoryUsableBytes
                                                                                            : accelerators.accelerator->memoryBytes;
                for (std::int64_t i = 0; i < accelerators.count; ++i, ++device) {
                    if (device >= static_cast<std::size_t>(ranks)) continue;
                    const auto rank = layout.rankOnDevice(static_cast<std::int32_t>(device));
                    if (rank < 0 || rank >= ranks) continue;
                    const auto at = layout.coordinates(rank);
                    paint.group[device] = groupOfRank(layout, at, by, expertGroup);
                    const auto stage = static_cast<std::size_t>(at.pipeline);
                    if (stage < memory.size() && capacity > 0)
                        paint.memoryShare[device] = static_cast<float>(memory[stage].totalBytes / capacity);
                }
            }
        }
    }
    return paint;
}

std::vector<bool> companions(const DevicePaint& paint, std::int32_t device) {
    if (!paint.layout || device < 0 || device >= paint.layout->ranks() || paint.groupOf(device) < 0) return {};
    std::vector<bool> mask(paint.group.size(), false);
    const auto rank = paint.layout->rankOnDevice(device);
    for (const auto dimension : {Dimension::tensor, Dimension::context, Dimension::data, Dimension::pipeline})
        for (const auto other : paint.layout->groupDevices(dimension, rank))
            if (static_cast<std::size_t>(other) < mask.size()) mask[static_cast<std::size_t>(other)] = true;
    return mask;
}

QColor warmth(double share, const Theme& theme) {
    const double s = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
    // Around the colour circle by way of green: a straight mix of blue and amber would be grey.
    const std::array<QColor, 6> stops{theme.forward,           QColor(0x3f, 0xb0, 0xa5), QColor(0x9d, 0xb8, 0x4a),
                                      QColor(0xe0, 0xa6, 0x3a), QColor(0xe0, 0x7a, 0x3f), theme.outOfMemory};
    const double place = s * static_cast<double>(stops.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    return theme.outline(blend(stops[low], stops[low + 1], place - static_cast<double>(low)));
}

}  // namespace trainyard
