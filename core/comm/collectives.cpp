#include "core/comm/collectives.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::string_view name(CollectiveAlgorithm algorithm) {
    switch (algorithm) {
        case CollectiveAlgorithm::none: return "none";
        case CollectiveAlgorithm::ring: return "ring";
        case CollectiveAlgorithm::tree: return "tree";
        case CollectiveAlgorithm::hierarchical: return "hierarchical";
        case CollectiveAlgorithm::inNetwork: return "in-network";
        case CollectiveAlgorithm::pairwise: return "pairwise";
        case CollectiveAlgorithm::direct: return "direct";
    }
    return "none";
}

CommunicationConstants communicationConstants(const std::map<std::string, double>& calibration) {
    CommunicationConstants c;
    if (calibration.empty()) return c;
    const auto scale = [&calibration](std::string_view key, double& value) {
        if (const auto found = calibration.find(std::string(key)); found != calibration.end()) value *= found->second;
    };
    scale("communication.rate", c.rateFactor);
    scale("communication.training_share", c.trainingShare);
    scale("communication.handover", c.handoverS);
    for (auto* latency : {&c.baseS, &c.intraHopS, &c.networkHopS, &c.treeHopS, &c.pointToPointS}) scale("communication.latency", *latency);
    return c;
}

double achievableShare(LinkKind kind, double nominalBytesPerS) {
    switch (kind) {
        case LinkKind::nvlink:
        case LinkKind::nvswitch:
            // 128-byte packets of NVLink 3 give 20 of 25 GB/s a link; rings reach 235 of 300 (A100), 367 of 450 (H200), 680 of 900 (B200).
            return nominalBytesPerS > 600e9 ? 0.74 : nominalBytesPerS > 350e9 ? 0.80 : 0.77;
        case LinkKind::xgmi: return 0.75;       // 48 of 64 GB/s a link (ROCm blog)
        case LinkKind::pcie: return 0.80;
        case LinkKind::pcieHost: return 0.70;
        case LinkKind::infiniband: return 0.94; // 46 to 48 of 50 GB/s
        case LinkKind::roce: return 0.88;
        case LinkKind::ethernet: return 0.85;
        case LinkKind::efa: return 0.78;        // 382 busbw of 8 x 50 GB/s
        case LinkKind::slingshot: return 0.88;
        case LinkKind::wan: return 0.80;
        case LinkKind::other: return 0.80;
    }
    return 0.8;
}

double intraShare(CollectiveKind collective, LinkKind kind, double nominalBytesPerS, int ranks) {
    if (kind != LinkKind::nvlink && kind != LinkKind::nvswitch) return achievableShare(kind, nominalBytesPerS);
    const bool fifth = nominalBytesPerS > 600e9;
    const bool fourth = !fifth && nominalBytesPerS > 350e9;
    switch (collective) {
        case CollectiveKind::allReduce: return (fifth ? 0.71 : fourth ? 0.79 : 0.75) * (ranks == 2 ? 0.88 : 1.0);
        case CollectiveKind::allToAll: return fifth ? 0.70 : fourth ? 0.72 : 0.68;  // NCCL 0.63 and 0.70; DeepEP 0.81 on B200
        case CollectiveKind::allGather:
        case CollectiveKind::reduceScatter:
        case CollectiveKind::ring: return (fifth ? 0.685 : fourth ? 0.745 : 0.70) * (ranks == 2 ? 0.77 : ranks <= 4 ? 0.94 : 1.0);
        case CollectiveKind::sendRecv:
        case CollectiveKind::none: break;
    }
    return achievableShare(kind, nominalBytesPerS);
}

namespace {

/// Message duration below which a link runs at part of its speed; from the sizes at half speed of the same tables.
double halfSpeedS(LinkKind kind, double nominalBytesPerS, const CommunicationConstants& c) {
    if (kind != LinkKind::nvlink && kind != LinkKind::nvswitch) return c.halfSpeedS;
    return nominalBytesPerS > 600e9 ? 66e-6 : nominalBytesPerS > 350e9 ? 28e-6 : 50e-6;
}

double ramp(double bytes, double halfBytes, const CommunicationConstants& c) { return 1 + c.rampShare * std::sqrt(halfBytes / std::max(bytes, 1.0)); }

}  // namespace

CollectiveTime collectiveTime(CollectiveKind kind, double bytes, const GroupShape& group, const CommunicationConstants& c, double tokenCopies) {
    CollectiveTime t;
    const double n = group.ranks;
    if (group.ranks < 2 || bytes <= 0 || kind == CollectiveKind::none) return t;
    const bool network = group.crossesNodes();
    const double nodes = group.nodes;
    const double perNode = std::max(1, group.ranksPerNode);
    const double intra = group.intraBytesPerS > 0 ? group.intraBytesPerS * intraShare(kind, group.intraKind, group.intraBytesPerS, network ? group.ranksPerNode : group.ranks) * c.rateFactor * c.trainingShare * (group.staged ? 0.5 : 1.0) : 0;
    const double wire = network ? group.networkBytesPerS * achievableShare(group.networkKind, group.networkBytesPerS) * c.rateFactor : 0;
    // Rings through all devices of a node use all of their NICs: the bus rate between nodes is perNode x one device's share.
    double bus = network ? wire * perNode : intra;
    if (network && intra > 0) bus = std::min(bus, intra);
    t.link = network && (intra <= 0 || wire * perNode <= intra) ? group.networkKind : group.intraKind;
    if (bus <= 0) bus = 1.0;
    const bool onNetwork = network && (intra <= 0 || wire * perNode <= intra);
    const double halfBytes = halfSpeedS(onNetwork ? group.networkKind : group.intraKind, onNetwork ? group.networkBytesPerS : group.intraBytesPerS, c) * bus;
    const double hopIntra = c.intraHopS + group.intraLatencyS;
    const double hopNetwork = c.networkHopS + group.networkLatencyS;
    const double ringLatency = (n - nodes) * hopIntra + (network ? (nodes - 1) * hopNetwork : 0);
    const double part = (n - 1) / n;

    switch (kind) {
        case CollectiveKind::allReduce: {
            const double ring = c.baseS + 2 * ringLatency + 2 * part * bytes / bus * ramp(bytes, halfBytes, c);
            t = {.totalS = ring, .alphaS = c.baseS + 2 * ringLatency, .bytesOnWire = 2 * part * bytes, .bandwidthBytesPerS = bus,
                 .algorithm = CollectiveAlgorithm::ring, .link = t.link};
            if (!network && group.intraReduction && n > 2) {
                // Reduction in the switch: each device sends and receives its data once; 450 to 480 GB/s bus rate on H100 and H200.
                const double rate = bus * (n >= 8 ? (group.intraBytesPerS > 600e9 ? 1.12 : 1.26) : n >= 6 ? 1.1 : 1.0);
                const double alpha = c.baseS + 8e-6;
                const double total = alpha + 2 * part * bytes / rate * ramp(bytes, halfBytes, c);
                if (total < t.totalS) t = {total, alpha, bytes, rate, CollectiveAlgorithm::inNetwork, t.link};
            }
            if (network) {
                const double levels = std::ceil(std::log2(std::max(2.0, nodes)));
                const double alpha = c.baseS + 2 * (levels * (c.treeHopS + group.networkLatencyS) + (perNode - 1) * hopIntra);
                // Double binary trees move each byte up and down once; between two nodes that is less than a ring moves.
                const double share = nodes <= 2 ? 1.0 : 0.92;
                const double factor = nodes <= 2 ? 1.0 + (perNode - 1) / perNode : 2.0;
                const double total = alpha + factor * bytes / (bus * share) * ramp(bytes, halfBytes, c);
                if (total < t.totalS) t = {total, alpha, factor * bytes, bus * share, CollectiveAlgorithm::tree, t.link};
                if (group.networkReduction) {
                    const double inSwitch = c.baseS + 2 * hopNetwork + (perNode - 1) * hopIntra + bytes / bus * ramp(bytes, halfBytes, c) * (1 + 1 / perNode);
                    if (inSwitch < t.totalS) t = {inSwitch, c.baseS + 2 * hopNetwork, bytes, bus, CollectiveAlgorithm::inNetwork, t.link};
                }
            }
            return t;
        }
        case CollectiveKind::allGather:
        case CollectiveKind::reduceScatter:
        case CollectiveKind::ring: {
            const double alpha = c.baseS + ringLatency;
            t.totalS = alpha + part * bytes / bus * ramp(bytes, halfBytes, c);
            t.alphaS = alpha;
            t.bytesOnWire = part * bytes;
            t.bandwidthBytesPerS = bus;
            t.algorithm = network && perNode > 1 ? CollectiveAlgorithm::hierarchical : CollectiveAlgorithm::ring;
            return t;
        }
        case CollectiveKind::allToAll: {
            double inside = intra > 0 ? bytes * (perNode - 1) / n / intra : 0;
            double outside = network ? bytes * (n - perNode) / n / std::max(1.0, wire) : 0;
            if (network && tokenCopies > 0) {
                // Nodes that one token goes to beside its own, of copies spread evenly.
                const double remoteNodes = (nodes - 1) * (1 - std::pow(1 - 1 / nodes, tokenCopies));
                outside = bytes * std::min(remoteNodes / tokenCopies, (n - perNode) / n) / std::max(1.0, wire);
                if (intra > 0) inside = bytes * (n - 1) / n / intra;
            }
            const double rate = outside > inside ? wire : intra;
            const double alpha = c.baseS + (perNode - 1) * 0.3e-6 + (network ? group.networkLatencyS + (n - perNode) * 0.5e-6 : 0);
            t.totalS = alpha + std::max(inside, outside) * ramp(bytes, 27e-6 * std::max(rate, 1.0), c);
            t.alphaS = alpha;
            t.bytesOnWire = part * bytes;
            t.bandwidthBytesPerS = rate;
            t.algorithm = CollectiveAlgorithm::pairwise;
            t.link = outside > inside ? group.networkKind : group.intraKind;
            return t;
        }
        case CollectiveKind::sendRecv: return sendTime(bytes, group, c);
        case CollectiveKind::none: break;
    }
    return t;
}

CollectiveTime sendTime(double bytes, const GroupShape& pair, const CommunicationConstants& c) {
    CollectiveTime t;
    if (bytes <= 0 || pair.ranks < 2) return t;
    const bool network = pair.crossesNodes();
    t.link = network ? pair.networkKind : pair.intraKind;
    const double nominal = network ? pair.networkBytesPerS : pair.intraBytesPerS;
    const double rate = std::max(1.0, nominal * achievableShare(t.link, nominal) * c.rateFactor * (!network && pair.staged ? 0.5 : 1.0));
    t.alphaS = c.pointToPointS + (network ? pair.networkLatencyS : pair.intraLatencyS);
    t.totalS = t.alphaS + bytes / rate * ramp(bytes, c.halfSpeedS * rate, c);
    t.bytesOnWire = bytes;
    t.bandwidthBytesPerS = rate;
    t.algorithm = CollectiveAlgorithm::direct;
    return t;
}

}  // namespace trainyard
