#pragma once

#include <QAbstractButton>
#include <QList>
#include <QWidget>

#include "widgets/cluster/part_catalogue.h"

class QVBoxLayout;

namespace trainyard {

class PartPopover;

/// One part of the palette: drag it, click it to place it with the next click, press Enter to place it at once.
class PartTile : public QAbstractButton {
    Q_OBJECT
  public:
    PartTile(const QString& iconName, const QString& caption, QWidget* parent);
    /// Null: a tile that opens the list.
    void setPart(const Part* part);
    [[nodiscard]] const Part* part() const { return part_; }
    void setCaption(const QString& caption);
    void setArmed(bool armed);
    [[nodiscard]] QSize sizeHint() const override { return {48, 48}; }

  signals:
    void placeRequested(const trainyard::Part* part);  ///< by key

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override { update(); QAbstractButton::enterEvent(event); }
    void leaveEvent(QEvent* event) override { update(); QAbstractButton::leaveEvent(event); }

  private:
    QString iconName_;
    QString caption_;
    const Part* part_ = nullptr;
    QPoint pressedAt_;
    bool armed_ = false;
};

/// The column of parts at the left of the canvas.
class PartPalette : public QWidget {
    Q_OBJECT
  public:
    explicit PartPalette(const PartCatalogue& parts, QWidget* parent = nullptr);
    /// Shows which part the next click places; null: none.
    void setArmed(const Part* part);
    void openList(Part::Kind kind);
    /// A part that was used stays at hand: it takes over the last tile of its kind.
    void remember(const Part& part);
    [[nodiscard]] PartPopover* popover() const { return popover_; }
    [[nodiscard]] PartTile* tileOf(const QString& partId) const;

  signals:
    void partChosen(const trainyard::Part* part);   ///< the next click on the canvas places it
    void partPlaced(const trainyard::Part* part);   ///< place it now, without the mouse

  protected:
    void paintEvent(QPaintEvent* event) override;
    /// Low windows show captions only.
    void resizeEvent(QResizeEvent* event) override;

  private:
    PartTile* addTile(const QString& iconName, const QString& caption, const Part* part);

    const PartCatalogue& parts_;
    QVBoxLayout* column_;
    PartPopover* popover_;
    QList<PartTile*> tiles_;
    PartTile* nodeTile_ = nullptr;
    PartTile* lastAccelerator_ = nullptr;
};

/// Starts a real drag of a part from `source`.
void dragPart(QWidget* source, const Part& part);
/// What a tile says under its icon.
[[nodiscard]] QString tileCaption(const Part& part);

}  // namespace trainyard
