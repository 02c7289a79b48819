#pragma once

#include <cstdint>
#include <span>

#include "core/cluster/topology.h"

namespace trainyard {

/// What a collective needs to know about the devices that take part: how many sit in one node, and what the narrowest way
/// inside and between nodes gives one of them while all its neighbours do the same.
struct GroupShape {
    int ranks = 1;
    int nodes = 1;
    int ranksPerNode = 1;             ///< of the emptiest node taking part (it has the least network)
    double intraBytesPerS = 0;        ///< one device, one direction, inside a node, nominal; 0: no such hop
    double intraLatencyS = 0;
    LinkKind intraKind = LinkKind::nvswitch;
    bool intraReduction = false;      ///< NVLink SHARP
    bool staged = false;              ///< copies inside the node go through host memory
    double networkBytesPerS = 0;      ///< one device's share of the network, nominal, oversubscription included
    double networkLatencyS = 0;
    LinkKind networkKind = LinkKind::infiniband;
    bool networkReduction = false;
    bool reachable = true;

    [[nodiscard]] bool crossesNodes() const { return nodes > 1; }
    bool operator==(const GroupShape&) const = default;
};

/// Shape of the group that these devices form. O(devices).
[[nodiscard]] GroupShape groupShape(const Topology& topology, std::span<const std::int32_t> devices);

/// The slower of two shapes for the same collective, field by field.
[[nodiscard]] GroupShape slower(const GroupShape& a, const GroupShape& b);

}  // namespace trainyard
