#pragma once

#include <QFrame>
#include <QListWidget>

#include "widgets/cluster/part_catalogue.h"

class QLineEdit;
class QTabBar;

namespace trainyard {

/// Rows that can be dragged onto the canvas.
class PartList : public QListWidget {
    Q_OBJECT
  public:
    using QListWidget::QListWidget;
    [[nodiscard]] const Part* partAt(const QListWidgetItem* item) const;
    static constexpr int kPartRole = Qt::UserRole + 1;
    static constexpr int kDetailRole = Qt::UserRole + 2;

  signals:
    void dragStarting();

  protected:
    void startDrag(Qt::DropActions actions) override;
};

/// All parts with a search line. Click: the next click on the canvas places it. Enter: placed at once. Drag: dropped.
class PartPopover : public QFrame {
    Q_OBJECT
  public:
    PartPopover(const PartCatalogue& parts, QWidget* parent);
    void open(Part::Kind kind, QPoint globalTopLeft);
    [[nodiscard]] QLineEdit* searchLine() const { return search_; }
    [[nodiscard]] PartList* list() const { return list_; }

  signals:
    void partChosen(const trainyard::Part* part);
    void partPlaced(const trainyard::Part* part);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void refill();
    void choose(const Part* part);

    const PartCatalogue& parts_;
    QTabBar* tabs_;
    QLineEdit* search_;
    PartList* list_;
};

}  // namespace trainyard
