#pragma once

#include <QWidget>

namespace trainyard {

class PlanDocument;
class Selection;

class ClusterPanel : public QWidget {
    Q_OBJECT
  public:
    ClusterPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
};

}  // namespace trainyard
