#pragma once

#include <QWidget>

namespace trainyard {

class PlanDocument;
class Selection;

class TimelinePanel : public QWidget {
    Q_OBJECT
  public:
    TimelinePanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
};

}  // namespace trainyard
