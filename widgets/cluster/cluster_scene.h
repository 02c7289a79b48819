#pragma once

#include <QGraphicsScene>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/plan/scenario.h"
#include "widgets/cluster/canvas_look.h"

namespace trainyard {

class LinkItem;
class NodeItem;
class SwitchItem;

/// A block of the drawing by kind and index.
struct BlockRef {
    enum class Kind : std::uint8_t { none, node, networkSwitch };
    Kind kind = Kind::none;
    int index = -1;
    bool operator==(const BlockRef&) const = default;
    explicit operator bool() const { return kind != Kind::none; }
};

/// Blocks and links as pictures of one snapshot, with what lies where. Owns no truth: items are rebuilt from the cluster
/// whenever it changes, and nothing here edits it.
class ClusterScene : public QGraphicsScene {
    Q_OBJECT
  public:
    explicit ClusterScene(QObject* parent = nullptr);
    ~ClusterScene() override;

    void showScenario(const Snapshot& snapshot);
    /// Loads and colours; null: nothing known.
    void showEvaluation(std::shared_ptr<const Evaluation> evaluation);
    void setColourBy(ColourBy by);
    void refreshTheme();
    [[nodiscard]] ColourBy colourBy() const { return by_; }
    [[nodiscard]] const ClusterSpec& cluster() const { return *snapshot_->cluster; }
    [[nodiscard]] const CanvasLook& look() const { return look_; }

    // What lies where, in scene coordinates.
    [[nodiscard]] BlockRef blockAt(QPointF point) const;
    [[nodiscard]] std::optional<std::size_t> linkAt(QPointF point, double tolerance) const;
    [[nodiscard]] std::optional<std::int32_t> deviceAt(QPointF point) const;
    [[nodiscard]] bool isOnBadge(QPointF point) const;
    /// The port (a dot on the edge of a hovered block) under a point.
    [[nodiscard]] BlockRef portAt(QPointF point, double tolerance) const;
    [[nodiscard]] std::vector<QPointF> portsOf(BlockRef block) const;
    [[nodiscard]] QRectF rectOf(BlockRef block) const;
    [[nodiscard]] QRectF rectOfDevice(std::int32_t device) const;
    [[nodiscard]] std::string idOf(BlockRef block) const;
    [[nodiscard]] BlockRef find(std::string_view id) const;
    [[nodiscard]] QPointF linkMiddle(std::size_t link) const;
    [[nodiscard]] std::vector<BlockRef> blocksIn(const QRectF& area) const;
    [[nodiscard]] std::vector<BlockRef> allBlocks() const;
    [[nodiscard]] QRectF contentRect() const;
    [[nodiscard]] NodeItem* nodeItem(int index) const { return nodes_[static_cast<std::size_t>(index)]; }

    // View state.
    void setPicked(const std::vector<std::string>& blocks, const std::vector<std::size_t>& links);
    void setHovered(BlockRef block, std::optional<std::size_t> link);
    [[nodiscard]] BlockRef hoveredBlock() const { return hoveredBlock_; }
    /// Devices that stay bright; empty: all.
    void setLit(std::vector<bool> lit, std::int32_t hoveredDevice);
    /// Blocks shown away from where the document has them, while they are dragged.
    void setDrag(const std::vector<std::string>& ids, QPointF offset);
    void clearDrag();

  private:
    void rebuildItems();
    void routeLinks();
    void repaintColours();

    Snapshot snapshot_;
    std::shared_ptr<const Evaluation> evaluation_;
    ColourBy by_ = ColourBy::stage;
    CanvasLook look_;
    std::vector<NodeItem*> nodes_;
    std::vector<SwitchItem*> switches_;
    std::vector<LinkItem*> links_;
    std::unordered_map<std::string, BlockRef> byId_;
    std::vector<QPointF> home_;  ///< nodes, then switches: where the layout has them
    BlockRef hoveredBlock_;
    std::optional<std::size_t> hoveredLink_;
};

}  // namespace trainyard
