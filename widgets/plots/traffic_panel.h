#pragma once

#include <QWidget>

namespace trainyard {

class PlanDocument;
class Selection;

class TrafficPanel : public QWidget {
    Q_OBJECT
  public:
    TrafficPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
};

}  // namespace trainyard
