#pragma once

#include <QAbstractButton>
#include <QList>
#include <QWidget>

#include "widgets/cluster/device_paint.h"

namespace trainyard {

/// The pill at the top right of the canvas: which grouping the devices show in colour.
class ColourByBar : public QWidget {
    Q_OBJECT
  public:
    explicit ColourByBar(QWidget* parent);
    [[nodiscard]] ColourBy value() const { return value_; }
    void setValue(ColourBy by);
    /// Narrow canvases leave out the words "Colour by".
    void setCompact(bool compact);

  signals:
    void changed(trainyard::ColourBy by);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    class Segment;
    QList<Segment*> segments_;
    QWidget* label_ = nullptr;
    ColourBy value_ = ColourBy::stage;
};

}  // namespace trainyard
