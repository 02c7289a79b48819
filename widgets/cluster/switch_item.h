#pragma once

#include <QGraphicsItem>
#include <QString>

#include "core/cluster/cluster_spec.h"
#include "widgets/cluster/canvas_look.h"

namespace trainyard {

/// A switch as a pill.
class SwitchItem : public QGraphicsItem {
  public:
    explicit SwitchItem(const CanvasLook& look);

    enum { Type = static_cast<int>(CanvasItemType::networkSwitch) };
    [[nodiscard]] int type() const override { return Type; }

    /// `ports`: what hangs on it, e.g. "64 × 400 Gb/s".
    void show(const SwitchSpec& item, int index, const QString& ports);
    void setPicked(bool picked);
    void setHovered(bool hovered);
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] const SwitchSpec& networkSwitch() const { return switch_; }

    [[nodiscard]] QRectF blockRect() const;
    [[nodiscard]] QRectF boundingRect() const override { return blockRect().adjusted(-9, -9, 9, 9); }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

  private:
    const CanvasLook& look_;
    SwitchSpec switch_;
    QString title_;
    QString subtitle_;
    int index_ = -1;
    bool picked_ = false;
    bool hovered_ = false;
};

}  // namespace trainyard
