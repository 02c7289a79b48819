#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <QString>

#include "core/cluster/cluster_spec.h"
#include "widgets/cluster/canvas_look.h"

namespace trainyard {

/// A cable bundle: as thick as its traffic, as warm as its utilisation.
class LinkItem : public QGraphicsItem {
  public:
    explicit LinkItem(const CanvasLook& look);

    enum { Type = static_cast<int>(CanvasItemType::link) };
    [[nodiscard]] int type() const override { return Type; }

    struct Load {
        bool known = false;
        double share = 0;        ///< of the busiest link's bytes: thickness
        double utilisation = 0;  ///< of its own capacity: colour
        bool operator==(const Load&) const = default;
    };
    void show(const LinkSpec& link, int index);
    void setLoad(const Load& load);
    /// From anchor to anchor; the directions (unit vectors) are the way the cable leaves each block.
    void route(QPointF from, QPointF fromDirection, QPointF to, QPointF toDirection);
    /// Down (or up) a channel between columns of blocks: enters it at `channel` and leaves it just before `to`.
    void routeThrough(QPointF from, QPointF fromDirection, QPointF channel, QPointF to, QPointF toDirection);
    void setPicked(bool picked);
    void setHovered(bool hovered);
    void setLabelShown(bool shown);
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] const LinkSpec& link() const { return link_; }
    [[nodiscard]] QPointF middle() const { return middle_; }
    /// Distance of a point from the cable, scene units.
    [[nodiscard]] double distanceTo(QPointF point) const;

    [[nodiscard]] QRectF boundingRect() const override { return bounds_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    [[nodiscard]] double width() const;
    void updateBounds();
    [[nodiscard]] QRectF labelBox() const;

    const CanvasLook& look_;
    LinkSpec link_;
    Load load_;
    QPainterPath path_;
    QPointF from_, to_, middle_;
    QRectF bounds_;
    QString label_;
    int index_ = -1;
    bool picked_ = false;
    bool hovered_ = false;
    bool labelShown_ = false;
    bool level_ = false;  ///< runs sideways: the label stands above it
};

}  // namespace trainyard
