#include "core/cluster/cluster_spec.h"

#include <algorithm>

#include "core/base/names.h"

namespace trainyard {
namespace {

constexpr NameTable<LinkKind, 12> kLinkKinds{{{LinkKind::nvlink, "nvlink"},
                                              {LinkKind::nvswitch, "nvswitch"},
                                              {LinkKind::xgmi, "xgmi"},
                                              {LinkKind::pcie, "pcie"},
                                              {LinkKind::pcieHost, "pcie_host"},
                                              {LinkKind::infiniband, "infiniband"},
                                              {LinkKind::roce, "roce"},
                                              {LinkKind::ethernet, "ethernet"},
                                              {LinkKind::efa, "efa"},
                                              {LinkKind::slingshot, "slingshot"},
                                              {LinkKind::wan, "wan"},
                                              {LinkKind::other, "other"}}};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::string_view name(LinkKind kind) { return kLinkKinds.name(kind); }
std::optional<LinkKind> linkKindFromName(std::string_view text) { return kLinkKinds.value(text); }

double typicalLatencyS(LinkKind kind) {
    switch (kind) {
        case LinkKind::nvlink:
        case LinkKind::nvswitch:
        case LinkKind::xgmi: return 1e-6;
        case LinkKind::pcie: return 1.5e-6;
        case LinkKind::pcieHost: return 6e-6;
        case LinkKind::infiniband: return 1.5e-6;
        case LinkKind::roce:
        case LinkKind::slingshot: return 3e-6;
        case LinkKind::efa: return 15e-6;
        case LinkKind::ethernet: return 30e-6;
        case LinkKind::wan: return 10e-3;
        case LinkKind::other: return 5e-6;
    }
    return 5e-6;
}

IntraNodeLinks effectiveIntra(const NodeSpec& node) {
    IntraNodeLinks links = node.intra;
    const std::int64_t devices = node.devicesPerNode();
    if (links.bandwidthBytesPerS > 0 || !links.matrixBytesPerS.empty()) {
        if (links.latencyS <= 0) links.latencyS = typicalLatencyS(links.kind);
        return links;
    }
    const AcceleratorSpec* slowest = nullptr;
    for (const AcceleratorGroup& group : node.accelerators)
        if (group.accelerator && (slowest == nullptr || group.accelerator->scaleUpBytesPerS < slowest->scaleUpBytesPerS))
            slowest = group.accelerator.get();
    if (slowest == nullptr) return links;
    const bool mixed = node.accelerators.size() > 1;
    double bandwidth = slowest->scaleUpBytesPerS;
    const std::string& type = slowest->scaleUpType;
    if (mixed || contains(type, "PCIe") || bandwidth <= 0) {
        links.shape = IntraNodeLinks::Shape::pcieTree;
        links.kind = LinkKind::pcie;
        if (slowest->hostLinkBytesPerS > 0)
            bandwidth = bandwidth > 0 ? std::min(bandwidth, slowest->hostLinkBytesPerS) : slowest->hostLinkBytesPerS;
        const bool consumer = contains(slowest->name, "GeForce") || contains(slowest->id, "rtx-3") ||
                              contains(slowest->id, "rtx-4") || contains(slowest->id, "rtx-5");
        if (consumer) links.peerToPeer = false;
    } else if (contains(type, "xGMI") || contains(type, "Infinity Fabric")) {
        links.shape = IntraNodeLinks::Shape::mesh;
        links.kind = LinkKind::xgmi;
        bandwidth = devices > 1 ? bandwidth / static_cast<double>(std::max<std::int64_t>(devices - 1, 7)) : bandwidth;
    } else {
        links.shape = IntraNodeLinks::Shape::switched;
        links.kind = contains(type, "NVLink") ? LinkKind::nvswitch : LinkKind::other;
    }
    links.bandwidthBytesPerS = bandwidth > 0 ? bandwidth : 8e9;
    if (links.latencyS <= 0) links.latencyS = typicalLatencyS(links.kind);
    return links;
}

}  // namespace trainyard
