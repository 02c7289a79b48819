#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/cluster_spec.h"
#include "core/plan/scenario.h"

/// Pure edits of a drawn cluster. Every function takes a cluster and returns the changed one; blocks are named by their
/// id, links by their index. An edit that names nothing that exists, or that changes nothing, returns its input as it is.
/// `withCluster` turns the result into the next snapshot of the scenario.
namespace trainyard::cluster_edit {

/// The scenario with another cluster. The short preset form is dropped (the drawing is now its own truth), positions of
/// unknown keys follow their block, and what only made sense for the old device count (an explicit placement, a fixed data
/// degree that matched it) is given back to the automatic choice.
[[nodiscard]] Snapshot withCluster(const Snapshot& scenario, ClusterSpec cluster);

/// What a new block is made of.
struct Inserted {
    ClusterSpec cluster;
    std::vector<std::string> ids;  ///< of the new blocks, in the order of the request
};

/// `stem`, or `stem-2`, `stem-3`, ...: the first that no block uses.
[[nodiscard]] std::string freshId(const ClusterSpec& cluster, std::string_view stem);

/// A host with `count` cards of one kind; its inner links are left to follow from the cards (`effectiveIntra`).
[[nodiscard]] NodeSpec hostOf(std::shared_ptr<const AcceleratorSpec> accelerator, std::int64_t count);

[[nodiscard]] Inserted addNode(ClusterSpec cluster, NodeSpec node);
[[nodiscard]] Inserted addSwitch(ClusterSpec cluster, SwitchSpec newSwitch);
[[nodiscard]] ClusterSpec addAccelerator(ClusterSpec cluster, std::string_view node, std::shared_ptr<const AcceleratorSpec> accelerator,
                                         std::int64_t count);
/// Count 0 removes the group; a node keeps at least one device.
[[nodiscard]] ClusterSpec setAcceleratorCount(ClusterSpec cluster, std::string_view node, std::size_t group, std::int64_t count);
[[nodiscard]] ClusterSpec replaceAccelerator(ClusterSpec cluster, std::string_view node, std::size_t group,
                                             std::shared_ptr<const AcceleratorSpec> accelerator);
/// Another generation in every group that holds `fromId`, in the whole cluster.
[[nodiscard]] ClusterSpec swapGeneration(ClusterSpec cluster, std::string_view fromId, std::shared_ptr<const AcceleratorSpec> accelerator);

/// Cables between two blocks. A second cable of the same make joins the bundle. `make.from` and `make.to` are ignored.
[[nodiscard]] ClusterSpec connect(ClusterSpec cluster, std::string_view from, std::string_view to, LinkSpec make);
[[nodiscard]] ClusterSpec setLink(ClusterSpec cluster, std::size_t link, LinkSpec value);
[[nodiscard]] ClusterSpec markBroken(ClusterSpec cluster, std::size_t link, bool broken);
[[nodiscard]] ClusterSpec removeLinks(ClusterSpec cluster, std::span<const std::size_t> links);

/// Replaces all figures of a block, its id included; links follow a changed id.
[[nodiscard]] ClusterSpec setNode(ClusterSpec cluster, std::string_view id, NodeSpec value);
[[nodiscard]] ClusterSpec setSwitch(ClusterSpec cluster, std::string_view id, SwitchSpec value);
[[nodiscard]] ClusterSpec setCount(ClusterSpec cluster, std::string_view node, std::int64_t count);
[[nodiscard]] ClusterSpec rename(ClusterSpec cluster, std::string_view id, std::string name);
[[nodiscard]] ClusterSpec setSite(ClusterSpec cluster, std::span<const std::string> ids, std::string_view site);
/// 1.2: 20 % slower. Of a block of several nodes only one is slowed: it is split off first.
[[nodiscard]] Inserted slowOneNode(ClusterSpec cluster, std::string_view node, double factor);
/// Takes the last `count` nodes of a block into a block of their own, right behind it (device numbers stay as they are).
[[nodiscard]] Inserted splitOff(ClusterSpec cluster, std::string_view node, std::int64_t count);
/// Another job takes `share` of what these switches carry; 0 to 0.95, 0: none.
[[nodiscard]] ClusterSpec withNeighbourJob(ClusterSpec cluster, std::span<const std::string> switches, double share);
[[nodiscard]] ClusterSpec oversubscribe(ClusterSpec cluster, std::span<const std::string> switches, double ratio);

struct Placed {
    std::string id;
    CanvasPosition position;
};
[[nodiscard]] ClusterSpec place(ClusterSpec cluster, std::span<const Placed> positions);
/// Positions of all blocks forgotten: laid out automatically again.
[[nodiscard]] ClusterSpec forgetPositions(ClusterSpec cluster);

/// Blocks and links removed together; links to a removed block go with it.
[[nodiscard]] ClusterSpec remove(ClusterSpec cluster, std::span<const std::string> ids, std::span<const std::size_t> links = {});
/// Copies of blocks, moved by an offset, with the links among them and, for `keepOutside`, those to other blocks.
enum class OutsideLinks : std::uint8_t { drop, keep };
[[nodiscard]] Inserted duplicate(ClusterSpec cluster, std::span<const std::string> ids, CanvasPosition offset, OutsideLinks outside);
/// The named blocks and the links among them, for the clipboard.
[[nodiscard]] ClusterSpec extract(const ClusterSpec& cluster, std::span<const std::string> ids);
/// Adds a fragment under fresh ids, moved by an offset.
[[nodiscard]] Inserted insert(ClusterSpec cluster, const ClusterSpec& fragment, CanvasPosition offset);

[[nodiscard]] const NodeSpec* findNodeOrNull(const ClusterSpec& cluster, std::string_view id);
[[nodiscard]] const SwitchSpec* findSwitchOrNull(const ClusterSpec& cluster, std::string_view id);

}  // namespace trainyard::cluster_edit
