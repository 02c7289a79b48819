#pragma once

#include <QGraphicsItem>
#include <QImage>
#include <QString>

#include "widgets/cluster/canvas_look.h"
#include "widgets/cluster/node_geometry.h"

namespace trainyard {

/// A block of equal nodes. Paints; all edits go through the view's gestures.
class NodeItem : public QGraphicsItem {
  public:
    explicit NodeItem(const CanvasLook& look);

    enum { Type = static_cast<int>(CanvasItemType::node) };
    [[nodiscard]] int type() const override { return Type; }

    void show(const NodeSpec& node, int index, std::int64_t firstDevice);
    void setPicked(bool picked);
    void setHovered(bool hovered);
    /// Node of the block whose devices are shown large.
    void setFront(std::int64_t instance);
    [[nodiscard]] std::int64_t front() const { return front_; }
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] const NodeGeometry& geometry() const { return geometry_; }
    [[nodiscard]] const NodeSpec& node() const { return node_; }
    /// Number of the device in the whole cluster.
    [[nodiscard]] std::int64_t deviceNumber(const NodeGeometry::Hit& hit) const {
        return firstDevice_ + hit.instance * geometry_.devices + hit.device;
    }
    [[nodiscard]] std::int64_t firstDevice() const { return firstDevice_; }

    [[nodiscard]] QRectF blockRect() const { return {QPointF(), geometry_.size}; }
    [[nodiscard]] QRectF boundingRect() const override { return blockRect().adjusted(-9, -9, 9, 9); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    void paintFar(QPainter& painter, double lod);
    void paintHeader(QPainter& painter) const;
    void paintChips(QPainter& painter, double lod) const;
    void paintMap(QPainter& painter, double lod);
    [[nodiscard]] std::int32_t device(std::int64_t instance, std::int64_t local) const {
        return static_cast<std::int32_t>(firstDevice_ + instance * geometry_.devices + local);
    }

    /// The map of all nodes in device pixels, drawn anew when the zoom or the colours change.
    struct MapPicture {
        QImage image;
        double scale = 0;
        quint64 generation = 0;
    };
    void drawMap(MapPicture& picture, double scale) const;

    const CanvasLook& look_;
    MapPicture mapPicture_;
    NodeSpec node_;
    NodeGeometry geometry_;
    QString title_;
    QString subtitle_;
    std::int64_t firstDevice_ = 0;
    std::int64_t front_ = 0;
    int index_ = -1;
    bool picked_ = false;
    bool hovered_ = false;
};

}  // namespace trainyard
