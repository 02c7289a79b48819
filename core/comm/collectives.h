#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/comm/group_shape.h"
#include "core/model/operator_ledger.h"

namespace trainyard {

enum class CollectiveAlgorithm : std::uint8_t { none, ring, tree, hierarchical, inNetwork, pairwise, direct };
[[nodiscard]] std::string_view name(CollectiveAlgorithm algorithm);

/// Constants of the communication library. Overridable by calibration (keys `communication.*`).
struct CommunicationConstants {
    double baseS = 6e-6;             ///< start of one collective (NCCL planning constant: 6.6 microseconds)
    double intraHopS = 0.9e-6;       ///< per further device inside a node, small messages
    double networkHopS = 4e-6;       ///< per further node on a ring, on top of the link's own latency
    double treeHopS = 8e-6;          ///< per level of a tree between nodes
    double pointToPointS = 8e-6;     ///< start of a send and its receive
    double trainingShare = 0.87;     ///< inside a node: rate beside a running framework over that of a benchmark with one process
    double handoverS = 0.3e-3;       ///< host synchronisation around a pipeline hand-over, per pass and stage (Megatron-LM waits for the device)
    double halfSpeedS = 40e-6;       ///< message of this duration at full speed runs slower by `rampShare` (links that state none)
    double rampShare = 0.4;
    double rateFactor = 1;           ///< calibration: on every achievable bandwidth
};
[[nodiscard]] CommunicationConstants communicationConstants(const std::map<std::string, double>& calibration);

/// Share of the nominal rate that point-to-point transfers and collectives between nodes reach on large messages.
[[nodiscard]] double achievableShare(LinkKind kind, double nominalBytesPerS);
/// The same inside a node, per collective and number of ranks: NCCL tables of A100, H100, H200, B200 and B300 up to 512 MiB.
[[nodiscard]] double intraShare(CollectiveKind collective, LinkKind kind, double nominalBytesPerS, int ranks);

/// One collective, named terms.
struct CollectiveTime {
    double totalS = 0;
    double alphaS = 0;               ///< part that does not depend on the size
    double bytesOnWire = 0;          ///< sent by one device
    double bandwidthBytesPerS = 0;   ///< achieved by one device on the narrowest part of the way
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::none;
    LinkKind link = LinkKind::other;
};

/// Time of one collective without overlap. `bytes`: the full message (all-gather: the gathered tensor; reduce-scatter: the
/// tensor before; all-reduce: the tensor; all-to-all and send: what one device sends, its own part included).
/// Ring: (n-1)/n x bytes over the bottleneck; all-reduce twice that, or a tree between nodes, or in the switch; all-to-all:
/// the parts inside and between nodes run side by side. Small messages: floor + x (1 + 0.4 sqrt(half / bytes)), which fits
/// 76 measured NCCL tables within 9 % (aiconfigurator). 0 for one rank.
/// `tokenCopies` > 0: an all-to-all of that many copies of each token to experts, which crosses the network once per node
/// and is copied on inside it (DeepEP, hybrid expert dispatch).
[[nodiscard]] CollectiveTime collectiveTime(CollectiveKind kind, double bytes, const GroupShape& group, const CommunicationConstants& constants,
                                            double tokenCopies = 0);

/// One message from a device to another along a route that `flows` devices use at once.
[[nodiscard]] CollectiveTime sendTime(double bytes, const GroupShape& pair, const CommunicationConstants& constants);

}  // namespace trainyard
