#pragma once

#include <QAction>
#include <QObject>

class QMenu;
class QWidget;

namespace trainyard {

class ClusterEditor;

/// The edits of what is picked, as actions with their keys: one set for the canvas, the outline and the context menu.
class ClusterActions : public QObject {
    Q_OBJECT
  public:
    /// The actions work while `host` or one of its children has the focus.
    ClusterActions(ClusterEditor* editor, QWidget* host);

    QAction *cut, *copy, *paste, *duplicate, *remove, *pickAll, *rename, *inspect, *connectPicked;
    QAction *alignLeft, *alignTop, *alignRow, *arrange, *site;
    QAction *unplug, *plugIn, *slower, *fullSpeed;
    QAction *measured, *forgetMeasured;

    /// Fills a menu for what is picked now.
    void fill(QMenu& menu);

  private:
    QAction* make(QWidget* host, const QString& icon, const QString& text, const QKeySequence& keys);
    void update();
    void askForMeasurement(QWidget* host);

    ClusterEditor* editor_;
};

}  // namespace trainyard
